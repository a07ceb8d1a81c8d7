"""ONNX's own ReferenceEvaluator behind the adapter protocol."""

from __future__ import annotations

from collections.abc import Sequence

from onnx_conformance.protocol import Refused, serve  # before the runtime: it takes standard output

import numpy as np
import onnx
from onnx.reference import ReferenceEvaluator

from onnx_conformance.values import kinds_of, read_message, read_value, write_value


class Model:
    """A model in an evaluator."""

    def __init__(self, path: str) -> None:
        model = read_message(onnx.ModelProto, path)
        self.evaluator = ReferenceEvaluator(model)
        initialisers = {tensor.name for tensor in model.graph.initializer}
        initialisers |= {sparse.values.name for sparse in model.graph.sparse_initializer}
        self.inputs = [
            (port.name, kinds_of(port.type))
            for port in model.graph.input
            if port.name not in initialisers
        ]
        self.outputs = [kinds_of(port.type) for port in model.graph.output]

    def run(self, inputs: Sequence[str], outputs: Sequence[str]) -> None:
        ports = zip(self.inputs, inputs, strict=False)
        feeds = {name: read_value(path, kinds) for (name, kinds), path in ports}
        results = self.evaluator.run(None, feeds)
        for path, kinds, result in zip(outputs, self.outputs, results, strict=True):
            write_value(path, result, kinds)


class Runtime:
    """The ReferenceEvaluator."""

    name = "onnx-reference"
    version = onnx.__version__
    formats = (".onnx",)
    details = {"numpy": np.__version__}

    def load(self, path: str) -> Model:
        return Model(path)

    def refusal(self, error: Exception) -> Refused:
        message = f"{type(error).__name__}: {error}"
        # "No registered implementation", modes of operators that are not written, and codecs of
        # ImageDecoder that the installed Pillow lacks.
        if isinstance(error, (NotImplementedError, ImportError)):
            return Refused("unsupported", message)
        return Refused("error", message)


if __name__ == "__main__":
    serve(Runtime())

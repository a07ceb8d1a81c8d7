"""ONNX Runtime's CPU execution provider behind the adapter protocol.

Numeric tensors go in and out as bytes: ONNX Runtime's Python binding makes NumPy arrays of only some
of the types that NumPy itself lacks. With the argument `--numpy` all values are NumPy arrays, as
they are where the official runner asks ONNX Runtime.
"""

from __future__ import annotations

import re
import sys
from collections.abc import Sequence
from typing import Any

from onnx_conformance.protocol import Refused, serve  # before the runtime: it takes standard output

import onnxruntime
from onnxruntime.capi import onnxruntime_pybind11_state as binding

from onnx_conformance.values import (
    Kinds,
    copy_elements,
    read_raw_tensor,
    read_value,
    write_elements,
    write_value,
)

PROVIDER = "CPUExecutionProvider"

INVALID = (binding.InvalidArgument, binding.InvalidGraph, binding.InvalidProtobuf)

# What it says of a graph that breaks the rules of types and shapes.
INVALID_GRAPH = re.compile(r"failed:Type Error: |\[ShapeInferenceError\]")

# What ONNX Runtime says, other than by the type of its exception, where it has no implementation:
# of an operator set or a version of the format, of an operator, of an attribute's value, of an element type in its binding.
UNSUPPORTED = re.compile(
    r"only \*guarantees\* support for models stamped with official released"
    r"|Unsupported model IR version"
    r"|is not a registered function/op"
    r"|No Op registered for"
    r"|are not supported\. If you need support"
    r"|is not supported now"
    r"|Numpy_type .* can't be converted to MLDataType"
    r"|No corresponding Numpy type for Tensor Type"
    r"|tensor type \d+ is not supported"
)


class Model:
    """A model in a session."""

    def __init__(self, path: str, options: onnxruntime.SessionOptions, as_bytes: bool) -> None:
        self.as_bytes = as_bytes
        self.session = onnxruntime.InferenceSession(
            path, options, providers=[PROVIDER], enable_fallback=0
        )
        self.inputs = [(port.name, port.type) for port in self.session.get_inputs()]
        self.outputs = [(port.name, port.type) for port in self.session.get_outputs()]

    def run(self, inputs: Sequence[str], outputs: Sequence[str]) -> None:
        ports = zip(self.inputs, inputs, strict=False)
        feeds = {name: self._read(path, declared) for (name, declared), path in ports}
        names = [name for name, _ in self.outputs]
        if all(self._is_raw(declared) for _, declared in self.inputs + self.outputs):
            results = self.session.run_with_ort_values(names, feeds)
            for path, result in zip(outputs, results, strict=True):
                _write_tensor(path, result)
        else:
            results = self.session.run(names, feeds)
            for path, (_, declared), result in zip(outputs, self.outputs, results, strict=True):
                write_value(path, result, _kinds(declared))

    def _read(self, path: str, declared: str) -> Any:
        return _read_tensor(path) if self._is_raw(declared) else read_value(path, _kinds(declared))

    def _is_raw(self, declared: str) -> bool:
        """Whether values of a type go in and out as bytes."""
        return self.as_bytes and declared.startswith("tensor(") and declared != "tensor(string)"


def _kinds(declared: str) -> Kinds:
    """The kind of value in ONNX Runtime's notation, such as `optional(seq(tensor(float)))`."""
    words = {"tensor": "tensor", "seq": "sequence", "optional": "optional"}
    return tuple(words.get(word, word) for word in declared.split("(")[:-1])


def _read_tensor(path: str) -> onnxruntime.OrtValue:
    tensor = read_raw_tensor(path)
    value = onnxruntime.OrtValue.ortvalue_from_shape_and_type(list(tensor.dims), tensor.data_type)
    copy_elements(tensor, value.data_ptr(), value.tensor_size_in_bytes())
    return value


def _write_tensor(path: str, value: onnxruntime.OrtValue) -> None:
    size = value.tensor_size_in_bytes()
    write_elements(path, value.shape(), value.element_type(), value.data_ptr(), size)


class Runtime:
    """ONNX Runtime."""

    name = "onnxruntime"
    version = onnxruntime.__version__
    formats = (".onnx",)
    details = {
        "execution provider": PROVIDER,
        "graph optimisations": "all, as by default",
        "threads": "1",
    }

    def __init__(self, as_bytes: bool) -> None:
        self.as_bytes = as_bytes
        onnxruntime.disable_telemetry_events()
        onnxruntime.set_default_logger_severity(4)
        self.options = onnxruntime.SessionOptions()
        self.options.intra_op_num_threads = 1

    def load(self, path: str) -> Model:
        return Model(path, self.options, self.as_bytes)

    def refusal(self, error: Exception) -> Refused:
        message = str(error)
        if isinstance(error, binding.NotImplemented) or UNSUPPORTED.search(message):
            return Refused("unsupported", message)
        if isinstance(error, INVALID) or INVALID_GRAPH.search(message):
            return Refused("invalid", message)
        return Refused("error", message)


if __name__ == "__main__":
    serve(Runtime(as_bytes="--numpy" not in sys.argv[1:]))

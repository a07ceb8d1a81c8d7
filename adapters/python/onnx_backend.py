"""Any backend of ONNX's own interface, `onnx.backend.base.Backend`, behind the adapter protocol.

    python onnx_backend.py MODULE[:CLASS] [DEVICE]

The module offers `prepare(model, device)` itself, as `onnxruntime.backend` does, or in a class. Values are fed to it
as NumPy arrays, as the interface has it: elements of types that NumPy lacks are arrays of `ml_dtypes`.
"""

from __future__ import annotations

import importlib
import importlib.metadata
import platform
import sys
from collections.abc import Sequence
from typing import Any

from onnx_conformance.protocol import Refused, serve  # before the runtime: it takes standard output

import numpy as np
import onnx

from onnx_conformance.values import Kinds, kinds_of, read_message, read_value, write_value

# What exceptions are called by which backends say that they lack an implementation:
# `BackendIsNotSupposedToImplementIt` of the official runner, `NotImplemented` of ONNX Runtime, `UnsupportedError` ..
UNSUPPORTED = ("NotSupposedToImplement", "NotImplemented", "Unsupported", "NotSupported")

# Likewise for models and inputs that are not valid.
INVALID = ("InvalidArgument", "InvalidGraph", "InvalidProtobuf", "ValidationError", "InferenceError")


class Model:
    """A model that the backend has prepared."""

    def __init__(self, backend: Any, path: str, device: str) -> None:
        model = read_message(onnx.ModelProto, path)
        is_compatible = getattr(backend, "is_compatible", None)
        if is_compatible is not None and not is_compatible(model, device):
            raise Refused("unsupported", "the backend says that the model is not compatible with it")
        self.prepared = backend.prepare(model, device)
        if self.prepared is None:
            raise Refused("unsupported", "the backend prepares nothing of this model")
        initialisers = {tensor.name for tensor in model.graph.initializer}
        initialisers |= {sparse.values.name for sparse in model.graph.sparse_initializer}
        inputs = [port for port in model.graph.input if port.name not in initialisers]
        self.inputs = [kinds_of(port.type) for port in inputs]
        self.outputs = [kinds_of(port.type) for port in model.graph.output]

    def run(self, inputs: Sequence[str], outputs: Sequence[str]) -> None:
        feeds = [read_value(path, kinds) for path, kinds in zip(inputs, self.inputs, strict=False)]
        results = self.prepared.run(feeds)
        if not isinstance(results, (tuple, list)) or len(results) != len(outputs):
            given = len(results) if isinstance(results, (tuple, list)) else type(results).__name__
            raise Refused("error", f"the backend gave {given} for {len(outputs)} outputs")
        for path, kinds, result in zip(outputs, self.outputs, results, strict=True):
            write_value(path, _as_array(result, kinds), kinds)


def _as_array(value: Any, kinds: Kinds) -> Any:
    """A tensor of another library as an array, where it offers itself as one."""
    is_foreign = kinds == ("tensor",) and hasattr(value, "__array__")
    return np.asarray(value) if is_foreign else value


class Runtime:
    """A backend of ONNX's interface."""

    formats = (".onnx",)

    def __init__(self, named: str, device: str) -> None:
        module, _, path = named.partition(":")
        self.backend: Any = importlib.import_module(module)
        for attribute in filter(None, path.split(".")):
            self.backend = getattr(self.backend, attribute)
        if not hasattr(self.backend, "prepare"):
            sys.exit(f"`{named}` has no `prepare`: name a module or a class of onnx.backend.base.Backend")
        supports_device = getattr(self.backend, "supports_device", None)
        if supports_device is not None and not supports_device(device):
            sys.exit(f"`{named}` does not support the device {device}")
        self.device = device
        self.name = named[:64]
        self.version = _version(module)
        self.details = {
            "interface": "onnx.backend.base.Backend, fed with NumPy arrays",
            "device": device,
            "onnx": onnx.__version__,
            "numpy": np.__version__,
            "python": platform.python_version(),
        }

    def load(self, path: str) -> Model:
        return Model(self.backend, path, self.device)

    def refusal(self, error: Exception) -> Refused:
        name = type(error).__name__
        message = f"{name}: {error}"
        if isinstance(error, NotImplementedError) or any(part in name for part in UNSUPPORTED):
            return Refused("unsupported", message)
        if any(part in name for part in INVALID):
            return Refused("invalid", message)
        return Refused("error", message)


def _version(module: str) -> str:
    """The version of the package that a module is of: what it says itself, or what is installed."""
    package = module.partition(".")[0]
    said = getattr(sys.modules[package], "__version__", None)
    if isinstance(said, str) and said:
        return said
    for distribution in importlib.metadata.packages_distributions().get(package, []):
        return importlib.metadata.version(distribution)
    return "unknown"


if __name__ == "__main__":
    if len(sys.argv) not in (2, 3):
        sys.exit("usage: onnx_backend.py MODULE[:CLASS] [DEVICE]")
    serve(Runtime(sys.argv[1], *sys.argv[2:] or ["CPU"]))

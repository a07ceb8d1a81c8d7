"""ONNX Runtime's CPU execution provider behind the adapter protocol.

Numeric tensors go in and out as bytes: ONNX Runtime's Python binding makes NumPy arrays of only some
of the types that NumPy itself lacks.
"""

from __future__ import annotations

import ctypes
import re
from collections.abc import Sequence
from typing import Any

from protocol import Kind, Refused, serve  # before the runtime: it takes standard output

import onnxruntime
from onnx import TensorProto, numpy_helper
from onnxruntime.capi import onnxruntime_pybind11_state as binding

from values import Kinds, read_bytes, read_value, write_bytes, write_value

PROVIDER = "CPUExecutionProvider"

# What ONNX Runtime says, other than by the type of its exception, where it has no implementation:
# of an operator set, of an operator, of an attribute's value, of an element type in its binding.
UNSUPPORTED = re.compile(
    r"only \*guarantees\* support for models stamped with official released"
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

    def __init__(self, path: str, options: onnxruntime.SessionOptions) -> None:
        self.session = onnxruntime.InferenceSession(
            path, options, providers=[PROVIDER], enable_fallback=0
        )
        self.inputs = [(port.name, port.type) for port in self.session.get_inputs()]
        self.outputs = [(port.name, port.type) for port in self.session.get_outputs()]

    def run(self, inputs: Sequence[str], outputs: Sequence[str]) -> None:
        feeds = {
            name: _read_tensor(path) if _is_numeric(declared) else read_value(path, _kinds(declared))
            for (name, declared), path in zip(self.inputs, inputs, strict=False)
        }
        names = [name for name, _ in self.outputs]
        if all(_is_numeric(declared) for _, declared in self.inputs + self.outputs):
            for path, result in zip(outputs, self.session.run_with_ort_values(names, feeds), strict=True):
                _write_tensor(path, result)
        else:
            results = self.session.run(names, feeds)
            for path, (_, declared), result in zip(outputs, self.outputs, results, strict=True):
                write_value(path, result, _kinds(declared))


def _is_numeric(declared: str) -> bool:
    return declared.startswith("tensor(") and declared != "tensor(string)"


def _kinds(declared: str) -> Kinds:
    """The kind of value in ONNX Runtime's notation, such as `optional(seq(tensor(float)))`."""
    words = {"tensor": "tensor", "seq": "sequence", "optional": "optional"}
    return tuple(words.get(word, word) for word in declared.split("(")[:-1])


def _read_tensor(path: str) -> onnxruntime.OrtValue:
    tensor = TensorProto.FromString(read_bytes(path))
    if not tensor.HasField("raw_data"):
        tensor = numpy_helper.from_array(numpy_helper.to_array(tensor))
    value = onnxruntime.OrtValue.ortvalue_from_shape_and_type(list(tensor.dims), tensor.data_type)
    size = value.tensor_size_in_bytes()
    if size != len(tensor.raw_data):
        raise Refused("invalid", f"a tensor of {size} bytes has {len(tensor.raw_data)}")
    ctypes.memmove(value.data_ptr(), tensor.raw_data, size)
    return value


def _write_tensor(path: str, value: onnxruntime.OrtValue) -> None:
    data = ctypes.string_at(value.data_ptr(), value.tensor_size_in_bytes())
    tensor = TensorProto(dims=value.shape(), data_type=value.element_type(), raw_data=data)
    write_bytes(path, tensor.SerializeToString())


class Runtime:
    """ONNX Runtime."""

    name = "onnxruntime"
    version = onnxruntime.__version__
    details = {
        "execution provider": PROVIDER,
        "graph optimisations": "all, as by default",
        "threads": "1",
    }

    def __init__(self) -> None:
        onnxruntime.disable_telemetry_events()
        onnxruntime.set_default_logger_severity(4)
        self.options = onnxruntime.SessionOptions()
        self.options.intra_op_num_threads = 1

    def load(self, path: str) -> Model:
        return Model(path, self.options)

    def kind(self, error: Exception) -> Kind:
        if isinstance(error, binding.NotImplemented) or UNSUPPORTED.search(str(error)):
            return "unsupported"
        invalid = (binding.InvalidArgument, binding.InvalidGraph, binding.InvalidProtobuf)
        return "invalid" if isinstance(error, invalid) else "error"


if __name__ == "__main__":
    serve(Runtime())

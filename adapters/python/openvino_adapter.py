"""OpenVINO's CPU device behind the adapter protocol, for ONNX models and OpenVINO's own IR."""

from __future__ import annotations

import ctypes
import re
from collections.abc import Sequence

from protocol import Kind, Refused, serve  # before the runtime: it takes standard output

import openvino
from onnx import ModelProto, TensorProto, numpy_helper

from values import read_bytes, write_bytes

# Element types by ONNX's and by OpenVINO's names, where the bits lie alike.
TYPES = {
    "FLOAT": "f32",
    "DOUBLE": "f64",
    "FLOAT16": "f16",
    "BFLOAT16": "bf16",
    "FLOAT8E4M3FN": "f8e4m3",
    "FLOAT8E5M2": "f8e5m2",
    "FLOAT8E8M0": "f8e8m0",
    "FLOAT4E2M1": "f4e2m1",
    "INT8": "i8",
    "INT16": "i16",
    "INT32": "i32",
    "INT64": "i64",
    "INT4": "i4",
    "UINT8": "u8",
    "UINT16": "u16",
    "UINT32": "u32",
    "UINT64": "u64",
    "UINT4": "u4",
    "UINT2": "u2",
    "BOOL": "boolean",
    "STRING": "string",
}
FROM_ONNX = {TensorProto.DataType.Value(onnx): getattr(openvino.Type, ov) for onnx, ov in TYPES.items()}
TO_ONNX = {ov: onnx for onnx, ov in FROM_ONNX.items()}

OPTIONS = {
    # The types of the model; by default a CPU with instructions for bfloat16 computes float32 in it.
    "EXECUTION_MODE_HINT": "ACCURACY",
    "INFERENCE_NUM_THREADS": 1,
}

# What OpenVINO says where it has no implementation: it has one type of exception for everything.
UNSUPPORTED = re.compile(
    r"No conversion rule found for operations"
    r"|NotImplementedFailure"
    r"|Unsupported type"
    r"|CPU plug-in doesn't support"
)


class Model:
    """A compiled model."""

    def __init__(self, core: openvino.Core, path: str) -> None:
        model = core.read_model(path)
        # The front end drops inputs of the graph that nothing uses.
        self.names = _input_names(path) if path.endswith(".onnx") else None
        self.request = core.compile_model(model, "CPU", OPTIONS).create_infer_request()
        self.outputs = self.request.model_outputs

    def run(self, inputs: Sequence[str], outputs: Sequence[str]) -> None:
        ports = self.request.model_inputs
        if self.names is not None:
            by_name = {name: port for port in ports for name in port.names}
            ports = [by_name.get(name) for name in self.names]
        for port, path in zip(ports, inputs, strict=False):
            if port is not None:
                self.request.set_tensor(port, _read_tensor(path))
        self.request.infer()
        for port, path in zip(self.outputs, outputs, strict=True):
            _write_tensor(path, self.request.get_tensor(port))


def _input_names(path: str) -> list[str]:
    """The inputs of a graph that are not initialisers."""
    graph = ModelProto.FromString(read_bytes(path)).graph
    initialisers = {tensor.name for tensor in graph.initializer}
    return [port.name for port in graph.input if port.name not in initialisers]


def _read_tensor(path: str) -> openvino.Tensor:
    tensor = TensorProto.FromString(read_bytes(path))
    if tensor.data_type == TensorProto.STRING:
        return openvino.Tensor(numpy_helper.to_array(tensor).astype(str))
    element = FROM_ONNX.get(tensor.data_type)
    if element is None:
        name = TensorProto.DataType.Name(tensor.data_type)
        raise Refused("unsupported", f"OpenVINO has no tensors of {name} with ONNX's bits")
    if not tensor.HasField("raw_data"):
        tensor = numpy_helper.from_array(numpy_helper.to_array(tensor))
    value = openvino.Tensor(element, openvino.Shape(list(tensor.dims)))
    if value.byte_size != len(tensor.raw_data):
        raise Refused("invalid", f"a tensor of {value.byte_size} bytes has {len(tensor.raw_data)}")
    ctypes.memmove(value.data.ctypes.data, tensor.raw_data, value.byte_size)
    return value


def _write_tensor(path: str, value: openvino.Tensor) -> None:
    if value.element_type == openvino.Type.string:
        tensor = numpy_helper.from_array(value.str_data)
    else:
        element = TO_ONNX.get(value.element_type)
        if element is None:
            raise Refused("unsupported", f"ONNX has no tensors of OpenVINO's {value.element_type}")
        data = ctypes.string_at(value.data.ctypes.data, value.byte_size)
        tensor = TensorProto(dims=value.shape, data_type=element, raw_data=data)
    write_bytes(path, tensor.SerializeToString())


class Runtime:
    """OpenVINO."""

    name = "openvino"
    version = openvino.__version__
    details = {
        "device": "CPU",
        "execution mode": "accuracy (the model's own types)",
        "threads": "1",
    }

    def __init__(self) -> None:
        self.core = openvino.Core()

    def load(self, path: str) -> Model:
        return Model(self.core, path)

    def kind(self, error: Exception) -> Kind:
        return "unsupported" if UNSUPPORTED.search(str(error)) else "error"


if __name__ == "__main__":
    serve(Runtime())

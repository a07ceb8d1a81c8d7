"""OpenVINO's CPU device behind the adapter protocol, for ONNX models and OpenVINO's own IR."""

from __future__ import annotations

import re
from collections.abc import Sequence

from onnx_conformance.protocol import Refused, serve  # before the runtime: it takes standard output

import openvino
from onnx import ModelProto, TensorProto

from onnx_conformance.values import (
    copy_elements,
    kinds_of,
    read_array,
    read_message,
    read_raw_tensor,
    write_elements,
    write_value,
)

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
FROM_ONNX = {
    TensorProto.DataType.Value(onnx): getattr(openvino.Type, own) for onnx, own in TYPES.items()
}
TO_ONNX = {own: onnx for onnx, own in FROM_ONNX.items()}

OPTIONS = {
    # Computes in the model's own types: by default, a CPU with instructions for bfloat16 would
    # compute float32 in that.
    "EXECUTION_MODE_HINT": "ACCURACY",
    "INFERENCE_NUM_THREADS": 1,
}

# What OpenVINO says where it has no implementation: it has one type of exception for everything.
UNSUPPORTED = re.compile(
    r"No conversion rule found for operations"
    r"|NotImplementedFailure"
    r"|Unsupported type"
    r"|CPU plug-in doesn't support"
    r"|input is not supported"
    r"|transformation mode is not supported"
    r"|is only supported for"
    r"|Unsupported padding mode"
    r"|unsupported src_prc"
    r"|is not implemented for op"
    r"|must be a constant"
    r"|must be a scalar or Shape\{1\} constant"
    r"|Please specify OpenVINO Extensions to support this case"
)


class Model:
    """A compiled model."""

    def __init__(self, core: openvino.Core, path: str) -> None:
        self.names = _input_names(path) if path.endswith(".onnx") else None
        model = core.compile_model(core.read_model(path), "CPU", OPTIONS)
        self.request = model.create_infer_request()

    def run(self, inputs: Sequence[str], outputs: Sequence[str]) -> None:
        for port, path in zip(self.request.model_inputs, self._used(inputs), strict=True):
            self.request.set_tensor(port, _read_tensor(path))
        self.request.infer()
        for port, path in zip(self.request.model_outputs, outputs, strict=True):
            _write_tensor(path, self.request.get_tensor(port))

    def _used(self, inputs: Sequence[str]) -> list[str]:
        """The inputs that the model has: OpenVINO drops those of a graph that nothing uses."""
        ports = self.request.model_inputs
        if self.names is None or len(self.names) == len(ports):
            return list(inputs)
        by_name = dict(zip(self.names, inputs, strict=False))
        return [by_name[name] for port in ports for name in port.names if name in by_name]


def _input_names(path: str) -> list[str]:
    """The inputs of an ONNX graph that are not initialisers. All its values have to be tensors."""
    graph = read_message(ModelProto, path).graph
    for port in [*graph.input, *graph.output]:
        kind = kinds_of(port.type)[0]
        if kind != "tensor":
            raise Refused("unsupported", f"OpenVINO has no {kind} values, as `{port.name}` is")
    initialisers = {tensor.name for tensor in graph.initializer}
    return [port.name for port in graph.input if port.name not in initialisers]


def _read_tensor(path: str) -> openvino.Tensor:
    tensor = read_raw_tensor(path)
    if tensor.data_type == TensorProto.STRING:
        if any(string.endswith(b"\0") for string in tensor.string_data):
            message = "OpenVINO's Python interface drops a NUL at the end of a string"
            raise Refused("unsupported", message)
        return openvino.Tensor(read_array(tensor).astype(str))
    element = FROM_ONNX.get(tensor.data_type)
    if element is None:
        name = TensorProto.DataType.Name(tensor.data_type)
        raise Refused("unsupported", f"OpenVINO has no tensors of {name}")
    value = openvino.Tensor(element, openvino.Shape(list(tensor.dims)))
    copy_elements(tensor, value.data.ctypes.data, value.byte_size)
    return value


def _write_tensor(path: str, value: openvino.Tensor) -> None:
    if value.element_type == openvino.Type.string:
        write_value(path, value.str_data, ("tensor",))
        return
    code = TO_ONNX.get(value.element_type)
    if code is None:
        raise Refused("unsupported", f"ONNX has no tensors of OpenVINO's {value.element_type}")
    write_elements(path, value.shape, code, value.data.ctypes.data, value.byte_size)


class Runtime:
    """OpenVINO."""

    name = "openvino"
    version = openvino.__version__
    formats = (".onnx", ".xml")
    details = {
        "device": "CPU",
        "execution mode": "accuracy (the model's own types)",
        "threads": "1",
    }

    def __init__(self) -> None:
        self.core = openvino.Core()

    def load(self, path: str) -> Model:
        return Model(self.core, path)

    def refusal(self, error: Exception) -> Refused:
        # Names that OpenVINO makes up count through the life of the process.
        message = re.sub(r"\b([A-Za-z]\w*)_\d+\b", r"\1_N", str(error))
        return Refused("unsupported" if UNSUPPORTED.search(message) else "error", message)


if __name__ == "__main__":
    serve(Runtime())

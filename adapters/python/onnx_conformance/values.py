"""Values in files of serialised ONNX messages, from and to NumPy arrays, lists and None.

A value's kind is a tuple from the outside in: `("tensor",)`, `("optional", "sequence", "tensor")`.
"""

from __future__ import annotations

import ctypes
from collections.abc import Sequence
from typing import Any, TypeVar

import numpy as np
from google.protobuf.message import DecodeError, Message
from onnx import OptionalProto, SequenceProto, TensorProto, TypeProto, numpy_helper

from onnx_conformance.refusal import Refused

Kinds = tuple[str, ...]
M = TypeVar("M", bound=Message)


def kinds_of(declared: TypeProto) -> Kinds:
    """The kind of value that a model declares for a port."""
    kind = (declared.WhichOneof("value") or "untyped").removesuffix("_type")
    if kind in ("sequence", "optional"):
        return (kind, *kinds_of(getattr(declared, f"{kind}_type").elem_type))
    return (kind,)


def read_message(kind: type[M], path: str) -> M:
    """The message in a file."""
    return _parsed(kind, _content(path))


def _content(path: str) -> bytes:
    with open(path, "rb", buffering=0) as file:
        return file.read()


def _parsed(kind: type[M], content: bytes) -> M:
    try:
        return kind.FromString(content)
    except DecodeError as error:
        raise Refused("invalid", str(error)) from error


def write_message(path: str, message: Message) -> None:
    """Writes a message to a new file."""
    with open(path, "wb") as file:
        file.write(message.SerializeToString())


def read_value(path: str, kinds: Kinds) -> Any:
    """The value in a file: an array, a list for a sequence, None for an empty optional."""
    return decode(_content(path), kinds)


def decode(content: bytes, kinds: Kinds) -> Any:
    """The value in the content of a file, as `read_value` has it."""
    match kinds[0]:
        case "tensor":
            return read_array(_parsed(TensorProto, content))
        case "sequence":
            return _list(_parsed(SequenceProto, content))
        case "optional":
            return _optional_value(_parsed(OptionalProto, content))
        case other:
            raise Refused("unsupported", f"this adapter takes no {other} values")


def read_array(tensor: TensorProto) -> np.ndarray[Any, Any]:
    """The tensor as an array, strings as objects: arrays of texts of one length drop a NUL at their end."""
    if tensor.data_type != TensorProto.STRING:
        return numpy_helper.to_array(tensor)
    array = np.empty(len(tensor.string_data), dtype=object)
    array[:] = [string.decode() for string in tensor.string_data]
    return array.reshape(tuple(tensor.dims))


def _list(sequence: SequenceProto) -> list[Any]:
    if sequence.elem_type == SequenceProto.TENSOR:
        return [read_array(tensor) for tensor in sequence.tensor_values]
    return numpy_helper.to_list(sequence)


def _optional_value(optional: OptionalProto) -> Any:
    if optional.elem_type == OptionalProto.TENSOR and optional.HasField("tensor_value"):
        return read_array(optional.tensor_value)
    if optional.elem_type == OptionalProto.SEQUENCE and optional.HasField("sequence_value"):
        return _list(optional.sequence_value)
    return numpy_helper.to_optional(optional)


def read_raw_tensor(path: str) -> TensorProto:
    """The tensor in a file, its elements in `raw_data` whatever field holds them there."""
    tensor = read_message(TensorProto, path)
    if tensor.HasField("raw_data") or tensor.data_type == TensorProto.STRING:
        return tensor
    return numpy_helper.from_array(numpy_helper.to_array(tensor))


def copy_elements(tensor: TensorProto, address: int, size: int) -> None:
    """Copies the bits of a tensor's elements to where a runtime has so many bytes for them."""
    if size != len(tensor.raw_data):
        raise Refused("invalid", f"a tensor of {size} bytes has {len(tensor.raw_data)}")
    ctypes.memmove(address, tensor.raw_data, size)


def write_elements(path: str, shape: Sequence[int], code: int, address: int, size: int) -> None:
    """Writes a tensor of so many bytes from where a runtime has them; `code` is its ONNX type."""
    data = ctypes.string_at(address, size)
    write_message(path, TensorProto(dims=shape, data_type=code, raw_data=data))


def write_value(path: str, value: Any, kinds: Kinds) -> None:
    """Writes a value of the kind that a port declares; its element type is the value's own."""
    write_message(path, _message(value, kinds))


def encode(value: Any, kinds: Kinds) -> bytes:
    """The content of a file with a value, as `write_value` writes it."""
    return _message(value, kinds).SerializeToString()


def _message(value: Any, kinds: Kinds) -> Message:
    match kinds[0]:
        case "tensor":
            return _tensor(value)
        case "sequence":
            return _sequence(value, kinds[1:])
        case "optional":
            return _optional(value, kinds[1:])
        case other:
            raise Refused("unsupported", f"this adapter gives no {other} values")


def _tensor(value: Any) -> TensorProto:
    if not isinstance(value, (np.ndarray, np.generic)):
        raise Refused("error", f"the runtime gave a {type(value).__name__} for a tensor")
    array = np.asarray(value)
    try:
        return numpy_helper.from_array(array)
    except Exception as error:
        message = f"the runtime gave an array of {array.dtype}, which is no type of ONNX"
        raise Refused("error", message) from error


def _sequence(value: Any, element: Kinds) -> SequenceProto:
    if not isinstance(value, (list, tuple)):
        raise Refused("error", f"the runtime gave a {type(value).__name__} for a sequence")
    sequence = SequenceProto(elem_type=SequenceProto.DataType.Value(element[0].upper()))
    getattr(sequence, f"{element[0]}_values").extend(_message(item, element) for item in value)
    return sequence


def _optional(value: Any, element: Kinds) -> OptionalProto:
    if value is None:
        return OptionalProto(elem_type=OptionalProto.UNDEFINED)
    optional = OptionalProto(elem_type=OptionalProto.DataType.Value(element[0].upper()))
    getattr(optional, f"{element[0]}_value").CopyFrom(_message(value, element))
    return optional

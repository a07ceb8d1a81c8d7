"""Values in files of serialised ONNX messages, from and to NumPy arrays, lists and None.

A value's kind is a tuple from the outside in: `("tensor",)`, `("optional", "sequence", "tensor")`.
"""

from __future__ import annotations

from typing import Any

import numpy as np
from onnx import OptionalProto, SequenceProto, TensorProto, TypeProto, numpy_helper

from protocol import Refused

Kinds = tuple[str, ...]


def kinds_of(declared: TypeProto) -> Kinds:
    """The kind of value that a model declares for a port."""
    kind = (declared.WhichOneof("value") or "untyped").removesuffix("_type")
    if kind in ("sequence", "optional"):
        return (kind, *kinds_of(getattr(declared, f"{kind}_type").elem_type))
    return (kind,)


def read_bytes(path: str) -> bytes:
    """The content of a file."""
    with open(path, "rb", buffering=0) as file:
        return file.read()


def write_bytes(path: str, content: bytes) -> None:
    """Writes a new file."""
    with open(path, "wb") as file:
        file.write(content)


def read_value(path: str, kinds: Kinds) -> Any:
    """The value in a file: an array, a list for a sequence, None for an empty optional."""
    content = read_bytes(path)
    match kinds[0]:
        case "tensor":
            return numpy_helper.to_array(TensorProto.FromString(content))
        case "sequence":
            return numpy_helper.to_list(SequenceProto.FromString(content))
        case "optional":
            return numpy_helper.to_optional(OptionalProto.FromString(content))
        case other:
            raise Refused("unsupported", f"this adapter takes no {other} values")


def write_value(path: str, value: Any, kinds: Kinds) -> None:
    """Writes a value of the kind that a port declares; its element type is the value's own."""
    write_bytes(path, _message(value, kinds).SerializeToString())


def _message(value: Any, kinds: Kinds) -> Any:
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

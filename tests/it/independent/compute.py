"""Computes what `plan.json` in the folder of the first argument asks for, and writes the bits that come of it there.

Each call of the plan is computed by NumPy, here, by the evaluator of the package `onnx`, and for a function that
neither rounds correctly in decimal numbers of many digits. `outcome.json` says of each call and source that it has no
function for it (null), what it refused with (a text), or the shapes of the outputs with the number of bytes that their
elements have in the file of the source's name, one output after the other.
"""

import json
import math
import struct
import sys
import warnings
from decimal import Context, Decimal
from fractions import Fraction
from pathlib import Path

import ml_dtypes
import numpy as np
from onnx import AttributeProto, TensorProto, helper, numpy_helper
from onnx.reference import ReferenceEvaluator

import choosing
import moving
import quantized
import strings

TYPES = {
    "string": np.dtype(object),
    "bool": np.bool_, "float16": np.float16, "float32": np.float32, "float64": np.float64,
    "complex64": np.complex64, "complex128": np.complex128, "bfloat16": ml_dtypes.bfloat16,
    "float8e4m3fn": ml_dtypes.float8_e4m3fn, "float8e4m3fnuz": ml_dtypes.float8_e4m3fnuz,
    "float8e5m2": ml_dtypes.float8_e5m2, "float8e5m2fnuz": ml_dtypes.float8_e5m2fnuz,
    "float8e8m0": ml_dtypes.float8_e8m0fnu, "float4e2m1": ml_dtypes.float4_e2m1fn,
    "float6e2m3": ml_dtypes.float6_e2m3fn, "float6e3m2": ml_dtypes.float6_e3m2fn,
    "int4": ml_dtypes.int4, "uint4": ml_dtypes.uint4, "int2": ml_dtypes.int2, "uint2": ml_dtypes.uint2,
}
TYPES |= {f"{sign}int{bits}": np.dtype(f"{sign}int{bits}") for sign in ("", "u") for bits in (8, 16, 32, 64)}
NARROW = {"int4": 4, "uint4": 4, "int2": 2, "uint2": 2}
# Floats of less than a byte, which `ml_dtypes` keeps in one, with their bits.
TINY_FLOATS = {"float4e2m1": 4, "float6e2m3": 6, "float6e3m2": 6}
SIGNED = {"int2", "int4", "int8", "int16", "int32", "int64"}
INTEGERS = SIGNED | {f"u{name}" for name in SIGNED}
# Significand bits and exponent bits.
FORMATS = {"float16": (10, 5), "bfloat16": (7, 8), "float32": (23, 8), "float64": (52, 11)}


def read(raw, name, shape):
    """The array of elements of whole bytes, in the order of the file, or of the strings of a list."""
    if name == "string":
        array = np.empty(math.prod(shape), object)
        array[:] = json.loads(raw)
        return array.reshape(shape)
    dtype = np.dtype(TYPES[name])
    if name in NARROW:
        values = np.frombuffer(raw, np.uint8).astype(np.int16)
        if name in SIGNED:
            values = np.where(values >> (NARROW[name] - 1), values - (1 << NARROW[name]), values)
        return values.astype(dtype).reshape(shape)
    if name == "bool":
        return np.frombuffer(raw, np.uint8).astype(np.bool_).reshape(shape)
    if name.startswith("complex"):
        return np.frombuffer(raw, dtype).reshape(shape)
    return np.frombuffer(raw, f"<u{dtype.itemsize}").view(dtype).reshape(shape)


def written(array, name):
    """The bytes of an array that has to have a type, or a list of strings."""
    if name == "string":
        if array.dtype.kind not in "OU":
            raise TypeError(f"gives {array.dtype}")
        return json.dumps([str(text) for text in array.ravel()]).encode()
    array = np.ascontiguousarray(array)
    if array.dtype != np.dtype(TYPES[name]):
        raise TypeError(f"gives {array.dtype}")
    if name in NARROW:
        return (array.astype(np.int8).view(np.uint8) & ((1 << NARROW[name]) - 1)).tobytes()
    if name in TINY_FLOATS:
        return (array.view(np.uint8) & ((1 << TINY_FLOATS[name]) - 1)).tobytes()
    return array.tobytes()


def truncated_quotient(a, b):
    """That of integers; NumPy rounds it down."""
    quotient = np.floor_divide(a, b)
    rest = a - quotient * b
    return np.where((rest != 0) & ((a < 0) != (b < 0)), quotient + quotient.dtype.type(1), quotient)


def to_quantized(call, x, scale, zero=None):
    """Along axis 0, of types of integers; computed in the scale's type."""
    name = call["outputs"][0]
    if name not in INTEGERS:
        return None
    scale = scale.reshape(-1, 1)
    bits = int(name.lstrip("uint"))
    low, high = (-(1 << (bits - 1)), (1 << (bits - 1)) - 1) if name in SIGNED else (0, (1 << bits) - 1)
    whole = np.rint((x.astype(scale.dtype) / scale).astype(np.float64)) + zero.reshape(-1, 1).astype(np.float64)
    clipped = np.clip(np.nan_to_num(whole, nan=0.0), low, high)
    return clipped.astype(np.int32).astype(TYPES[name])


def dequantized(call, x, scale, zero=None):
    """Along axis 0, with the difference and the product in float64, which hold either of them exactly."""
    difference = x.astype(np.float64)
    if zero is not None:
        difference = difference - zero.reshape(-1, 1).astype(np.float64)
    return (difference * scale.reshape(-1, 1).astype(np.float64)).astype(scale.dtype)


def converted(call, x, like=None):
    """Through what holds each element exactly, as NumPy itself does not convert between all types; saturated."""
    source, name = call["inputs"][0][0], call["outputs"][0]
    if name == "float8e8m0":
        return None
    if source == name == "string":
        return x
    if name == "string":
        return np.array([str(int(number)) for number in x], object)
    if source == "string":
        if name in INTEGERS:
            return np.array([int(text) for text in x], np.int8 if name in NARROW else TYPES[name]).astype(TYPES[name])
        return np.array([float(text) for text in x]).astype(TYPES[name])
    if source in NARROW:
        x = x.astype(np.int8)
    elif source.startswith("float8") or source in TINY_FLOATS:
        x = x.astype(np.float64)
    result = x.astype(TYPES[name])
    if name.startswith("float8") and call["attributes"].get("saturate", 1):
        largest = ml_dtypes.finfo(TYPES[name]).max
        beyond = ~np.isfinite(result) & ~np.isnan(x.astype(np.float64))
        result = np.where(beyond, np.where(x < 0, -largest, largest), result)
    return result


def clipped(x, low=None, high=None):
    x = x if low is None else np.maximum(x, low)
    return x if high is None else np.minimum(x, high)


def infinities(call, x):
    asked = call["attributes"]
    below = np.isinf(x) & np.signbit(x.astype(np.float32)) & bool(asked.get("detect_negative", 1))
    above = np.isinf(x) & ~np.signbit(x.astype(np.float32)) & bool(asked.get("detect_positive", 1))
    return below | above


def leaky(call, x):
    alpha = struct.unpack("<f", struct.pack("<I", call["attributes"].get("alpha", {"bits": 0x3C23D70A})["bits"]))[0]
    return np.where(x < 0, x * np.asarray(alpha, x.dtype), x)


def by_type(of_floats, of_integers):
    return lambda call, *xs: (of_floats if call["inputs"][0][0] in FORMATS else of_integers)(*xs)


def plain(function):
    return lambda call, *xs: function(*xs)


def folded(function):
    def apply(call, first, *rest):
        for x in rest:
            first = function(first, x)
        return first
    return apply


def remainder(call, a, b):
    return np.fmod(a, b) if call["attributes"].get("fmod", 0) else np.mod(a, b)


def shift(call, x, by):
    width = 8 * x.dtype.itemsize
    # NumPy's shifts by as many bits as there are, and more, are what the processor makes of them.
    beyond = (by < 0) | (by >= width)
    within = np.where(beyond, 0, by).astype(x.dtype)
    if call["attributes"]["direction"] == "LEFT":
        return np.where(beyond, 0, np.left_shift(x, within)).astype(x.dtype)
    return np.where(beyond, np.where(x < 0, -1, 0).astype(x.dtype), np.right_shift(x, within))


def given(call, name, otherwise):
    """The value of an attribute of type float32, as a number of the type of the first input."""
    value = call["attributes"].get(name)
    number = otherwise if value is None else struct.unpack("<f", struct.pack("<I", value["bits"]))[0]
    return np.array(number).astype(TYPES[call["inputs"][0][0]])


def thresholded(call, x):
    return np.where(x > given(call, "alpha", 1.0), x, x.dtype.type(0))


def shrunk(call, x):
    lambd, bias = given(call, "lambd", 0.5), given(call, "bias", 0.0)
    # Nothing without a sign is below a negative number.
    below = x < -lambd if call["inputs"][0][0] not in INTEGERS - SIGNED else np.zeros_like(x, bool)
    return np.where(below, x + bias, np.where(x > lambd, x - bias, x.dtype.type(0)))


def bit_cast(call, x):
    # Of types of less than a byte NumPy has no more to say than what the byte holds that they are in.
    to = call["outputs"][0]
    return None if to in NARROW or to in TINY_FLOATS else x.view(np.dtype(TYPES[to]))


NUMPY = {
    "Abs": plain(np.abs), "Acos": plain(np.arccos), "Add": plain(np.add), "And": plain(np.logical_and),
    "Asin": plain(np.arcsin), "Atan": plain(np.arctan), "Cos": plain(np.cos), "Sin": plain(np.sin), "Tan": plain(np.tan), "Ceil": plain(np.ceil),
    "Clip": plain(clipped), "Div": by_type(np.divide, truncated_quotient), "Equal": plain(np.equal),
    "Exp": plain(np.exp), "Floor": plain(np.floor), "Greater": plain(np.greater),
    "GreaterOrEqual": plain(np.greater_equal), "Identity": plain(np.copy), "IsInf": infinities,
    "IsNaN": plain(np.isnan), "LeakyRelu": leaky, "Less": plain(np.less), "LessOrEqual": plain(np.less_equal),
    "Max": folded(np.maximum), "Min": folded(np.minimum), "Mod": remainder, "Mul": plain(np.multiply),
    "Neg": plain(np.negative), "Not": plain(np.logical_not), "Or": plain(np.logical_or),
    "PRelu": plain(lambda x, slope: np.where(x < 0, x * slope, x)),
    "Reciprocal": plain(lambda x: np.divide(x.dtype.type(1), x)),
    "Relu": by_type(lambda x: np.where(np.isnan(x) | (x > 0), x, x.dtype.type(0)), lambda x: np.where(x > 0, x, 0 * x)),
    "Round": plain(np.rint), "Sign": plain(np.sign), "Sqrt": plain(np.sqrt), "Sub": plain(np.subtract),
    "Where": plain(np.where), "Xor": plain(np.logical_xor),
    "BitShift": shift, "BitwiseAnd": plain(np.bitwise_and), "BitwiseNot": plain(np.bitwise_not), "BitwiseOr": plain(np.bitwise_or),
    "BitwiseXor": plain(np.bitwise_xor), "Shrink": shrunk, "ThresholdedRelu": thresholded,
    "BitCast": bit_cast, "Cast": converted, "CastLike": converted,
    "QuantizeLinear": to_quantized, "DequantizeLinear": dequantized,
} | moving.NUMPY | choosing.NUMPY | quantized.NUMPY | strings.NUMPY


def by_numpy(call, inputs):
    function = NUMPY.get(call["operator"])
    result = function and function(call, *inputs)
    return result if result is None or isinstance(result, list) else [result]


def number(value):
    """The value of an attribute: of floats by their bits."""
    return np.array(value["bits"], np.uint32).view(np.float32).tolist() if isinstance(value, dict) else value


def attribute(name, value):
    """What the evaluator is given."""
    value = numpy_helper.from_array(value) if isinstance(value, np.ndarray) else number(value)
    # Of what there are none, nothing else says.
    of_none = {"value_floats": AttributeProto.FLOATS, "value_strings": AttributeProto.STRINGS}
    return helper.make_attribute(name, value, attr_type=of_none.get(name, AttributeProto.INTS) if value == [] else None)


def by_evaluator(call, inputs):
    names = [f"x{at}" for at in range(len(inputs))]
    given = ["" if x is None else name for name, x in zip(names, inputs)]
    while given and not given[-1]:
        given.pop()
    results = [f"y{at}" for at in range(len(call["outputs"]))]
    node = helper.make_node(call["operator"], given, results)
    node.attribute.extend(attribute(name, value) for name, value in call["attributes"].items())
    code = lambda of: getattr(TensorProto, {"float32": "FLOAT", "float64": "DOUBLE"}.get(of, of.upper()))
    graph = helper.make_graph(
        [node], "graph",
        [helper.make_tensor_value_info(name, code(of[0]), of[1])
         for name, of in zip(names, call["inputs"]) if of is not None],
        [helper.make_tensor_value_info(name, code(of), None) for name, of in zip(results, call["outputs"])],
    )
    model = helper.make_model(graph, opset_imports=[helper.make_opsetid("", call["version"])])
    feeds = {name: x for name, x in zip(names, inputs) if x is not None}
    return ReferenceEvaluator(model).run(None, feeds)


def pattern(number, name):
    """The bits of the nearest number of a format, of two as near ones the even one; for a positive fraction."""
    field, exponents = FORMATS[name]
    bias = (1 << (exponents - 1)) - 1
    exponent = number.numerator.bit_length() - number.denominator.bit_length()
    exponent -= number < Fraction(2) ** exponent
    exponent = max(exponent, 1 - bias)
    significand = round(number / Fraction(2) ** (exponent - field))
    bits = ((exponent + bias - 1) << field) + significand
    return min(bits, ((1 << exponents) - 1) << field)


def by_decimal(call, inputs):
    """e^x in 80 digits: no x but 0 has a power in the middle of two numbers, and none of these formats one so near."""
    if call["operator"] != "Exp":
        return None
    name = call["outputs"][0]
    field, exponents = FORMATS[name]
    infinity, context = ((1 << exponents) - 1) << field, Context(prec=80, Emax=10**9, Emin=-10**9)

    def power(x):
        x = float(x)
        if math.isnan(x):
            return infinity | 1
        if x > 800 or x < -800:
            return infinity if x > 0 else 0
        return pattern(Fraction(context.exp(Decimal(x))), name)

    width = np.dtype(TYPES[name]).itemsize
    return [np.array([power(x) for x in inputs[0]], f"<u{width}").view(TYPES[name])]


SOURCES = {"numpy": by_numpy, "evaluator": by_evaluator, "decimal": by_decimal}


def outcome(call, inputs, source, file):
    try:
        results = source(call, inputs)
        if results is None:
            return None
        results = [np.asarray(result) for result in results]
        raw = [written(result, of) for result, of in zip(results, call["outputs"], strict=True)]
    except Exception as error:
        return f"{type(error).__name__}: {error}"
    for elements in raw:
        file.write(elements)
    return [[result.shape, len(elements)] for result, elements in zip(results, raw)]


def run(folder, sources, prepare=None):
    """Has all sources compute the calls of a plan, after what prepares each, which is told its place and inputs."""
    warnings.simplefilter("ignore")
    np.seterr(all="ignore")
    plan, raw = json.loads((folder / "plan.json").read_text()), (folder / "inputs").read_bytes()
    files, outcomes = {name: (folder / name).open("wb") for name in sources}, []
    for at, call in enumerate(plan):
        for name, value in call["attributes"].items():
            if isinstance(value, dict) and "tensor" in value:
                of, shape, elements = value["tensor"]
                call["attributes"][name] = read(bytes.fromhex(elements), of, shape)
        given = lambda: [of and read(raw[of[2][0]:of[2][1]], of[0], of[1]) for of in call["inputs"]]
        if prepare:
            prepare(folder, at, call, given())
        outcomes.append({name: outcome(call, given(), source, files[name]) for name, source in sources.items()})
    for file in files.values():
        file.close()
    (folder / "outcome.json").write_text(json.dumps(outcomes))


if __name__ == "__main__":
    run(Path(sys.argv[1]), SOURCES)

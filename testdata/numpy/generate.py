"""Writes what ONNX's official runner says of pairs of outputs.

    pip install -r requirements.txt
    python generate.py FOLDER        writes the files into the folder
    python generate.py --versions    prints the versions of the packages that decide

The releases' runners differ in bfloat16 alone, so its pairs have a file for each release,
`bfloat16-RELEASE.txt`, and `elements.txt` and `values.jsonl` are the same whichever runs. Every
verdict is that of `assert_similar_outputs` of `onnx.backend.test.runner`, called once for
each row. The pairs are chosen around the limit of each tolerance, at the ends of each type and,
with a fixed seed, at random; the same versions write the same bytes.
"""

import json
import math
import random
import sys
from fractions import Fraction
from pathlib import Path

import ml_dtypes
import numpy as np
import onnx
from onnx.backend.test.runner import Runner

NUMPY = f"numpy {np.__version__}, ml_dtypes {ml_dtypes.__version__}"
VERSIONS = f"onnx {onnx.__version__}, {NUMPY}"
DEFAULT = (1e-3, 1e-7)
# Relative and absolute parts alone; wide and narrow ones; some that overflow float16 and float32 to
# infinity; some that float16 or float32 rounds up to the difference between two values; and one
# that lies so near the middle between two values of float16 that rounding it twice goes wrong.
TOLERANCES = [
    DEFAULT,
    (0.0, 0.0),
    (0.0, 1e-7),
    (2e-3, 0.0),
    (1e-5, 1e-8),
    (0.25, 0.5),
    (2.0, 0.0),
    (0.0, 3.0),
    (0.0, 7e4),
    (7e4, 0.0),
    (1e40, 0.0),
    (0.25 - 1e-10, 0.0),
    (0.25 - 1e-5, 0.0),
    (0.0, 1 - 1e-10),
    (0.0, 1 - 1e-5),
    (0.0, 0.25 * (1 + 2**-11 + 2**-40)),
]


class Type:
    """An element type: its name here, its NumPy type, and its layout."""

    def __init__(self, name, dtype, kind, width):
        self.name, self.dtype, self.kind, self.width = name, np.dtype(dtype), kind, width

    def array(self, bits, shape=(1,)):
        """An array of elements with these bits."""
        if self.kind in ("int", "uint") and self.width < 8:
            # ml_dtypes keeps these sign-extended in a byte.
            values = [self.value(b) for b in bits]
            return np.array(values, dtype=np.int8).astype(self.dtype).reshape(shape)
        if self.kind == "complex":
            half = self.width // 2
            parts = [p for b in bits for p in (b & ((1 << half) - 1), b >> half)]
            return np.array(parts, dtype=f"u{half // 8}").view(self.dtype).reshape(shape)
        if self.kind == "bool":
            return np.array(bits, dtype=bool).reshape(shape)
        return np.array(bits, dtype=f"u{max(self.width // 8, 1)}").view(self.dtype).reshape(shape)

    def value(self, bits):
        """The number with these bits."""
        if self.kind == "int" and bits >> (self.width - 1):
            return bits - (1 << self.width)
        if self.kind in ("int", "uint", "bool"):
            return bits
        return float(self.array([bits])[0])

    def bits(self, value):
        """The bits of the nearest value of a float type."""
        with np.errstate(over="ignore"):
            array = np.array([value], dtype=np.float64).astype(self.dtype)
        return int(array.view(f"u{self.width // 8}")[0])

    def ordinal(self, bits):
        sign = 1 << (self.width - 1)
        return -(bits - sign) if bits & sign else bits

    def at(self, ordinal):
        """The bits of a float at a place on the line of all values, or nothing past its ends."""
        sign = 1 << (self.width - 1)
        if abs(ordinal) >= sign:
            return None
        return ordinal if ordinal >= 0 else sign - ordinal


FLOATS = [
    Type("float16", np.float16, "float", 16),
    Type("bfloat16", ml_dtypes.bfloat16, "float", 16),
    Type("float32", np.float32, "float", 32),
    Type("float64", np.float64, "float", 64),
]
BFLOAT16 = FLOATS[1]
BYTES = [
    Type("float8e4m3fn", ml_dtypes.float8_e4m3fn, "float", 8),
    Type("float8e4m3fnuz", ml_dtypes.float8_e4m3fnuz, "float", 8),
    Type("float8e5m2", ml_dtypes.float8_e5m2, "float", 8),
    Type("float8e5m2fnuz", ml_dtypes.float8_e5m2fnuz, "float", 8),
    Type("float8e8m0", ml_dtypes.float8_e8m0fnu, "float", 8),
    Type("int8", np.int8, "int", 8),
    Type("uint8", np.uint8, "uint", 8),
]
TINY = [
    Type("float4e2m1", ml_dtypes.float4_e2m1fn, "float", 4),
    Type("int4", ml_dtypes.int4, "int", 4),
    Type("uint4", ml_dtypes.uint4, "uint", 4),
    Type("int2", ml_dtypes.int2, "int", 2),
    Type("uint2", ml_dtypes.uint2, "uint", 2),
    Type("bool", np.bool_, "bool", 1),
]
SIX_BITS = [
    Type("float6e2m3", ml_dtypes.float6_e2m3fn, "float", 6),
    Type("float6e3m2", ml_dtypes.float6_e3m2fn, "float", 6),
]
INTS = [
    Type("int16", np.int16, "int", 16),
    Type("int32", np.int32, "int", 32),
    Type("int64", np.int64, "int", 64),
    Type("uint16", np.uint16, "uint", 16),
    Type("uint32", np.uint32, "uint", 32),
    Type("uint64", np.uint64, "uint", 64),
]
COMPLEX = [
    Type("complex64", np.complex64, "complex", 64),
    Type("complex128", np.complex128, "complex", 128),
]
TYPES = {t.name: t for t in FLOATS + BYTES + TINY + SIX_BITS + INTS + COMPLEX}


# Most of the time would go into messages that nobody reads; no verdict depends on them.
np.testing._private.utils.build_err_msg = lambda *_, **__: ""


def verdict(expected, actual, rtol, atol):
    """`pass`, `fail`, or the error the official runner stumbles with."""
    try:
        with np.errstate(all="ignore"):
            Runner.assert_similar_outputs([expected], [actual], rtol, atol)
    except AssertionError:
        return "fail"
    except Exception as error:  # noqa: BLE001
        return type(error).__name__
    return "pass"


def unique(bits):
    return list(dict.fromkeys(b for b in bits if b is not None))


def limits(value, rtol, atol):
    """The two numbers that lie at the tolerance from a finite one, as well as float64 knows."""
    reach = atol + rtol * abs(value)
    return [value - reach, value + reach]


def float_rows(t, tolerance, rng, count):
    """Expected floats, each with actual ones on both sides of both limits."""
    inf, one, top = t.bits(math.inf), t.bits(1.0), 1 << (t.width - 1)
    quiet = t.bits(math.nan)
    specials = [0, top, 1, top | 1, inf - 1, inf, inf | top, quiet, quiet | top | 1, one]
    numbers = [1e-7, 2e-7, 1e-4, 0.1, -0.1, 0.5, 1.0, 1.5, -3.0, 10.0, 100.0, 1000.0, -12345.0]
    smallest_normal = t.bits(float(ml_dtypes.finfo(t.dtype).smallest_normal))
    expected = specials + [t.bits(v) for v in numbers]
    expected += [smallest_normal - 1, smallest_normal, inf - 2, inf - 100, top | (inf - 1)]
    expected += [t.bits(rng.choice([-1, 1]) * math.exp(rng.uniform(-9, 9))) for _ in range(count)]
    expected += [rng.getrandbits(t.width) for _ in range(count // 2)]
    for e in unique(expected):
        others = specials if tolerance == DEFAULT else [inf - 1, inf, quiet]
        actual = [0, e, e ^ top, e ^ 1, *others, rng.getrandbits(t.width)]
        value = t.value(e)
        if math.isfinite(value):
            for limit in limits(value, *effective(t, tolerance)):
                place = t.ordinal(t.bits(limit))
                actual += [t.at(place + step) for step in range(-2, 3)]
        yield e, unique(actual)


def integer_rows(t, tolerance, rng, count):
    """Expected integers, each with actual ones on both sides of both limits."""
    mask = (1 << t.width) - 1
    low, high = (-(1 << t.width - 1), mask >> 1) if t.kind == "int" else (0, mask)
    ends = [low, low + 1, low + 2, high, high - 1, high - 2, high // 2]
    near = [0, 1, -1, 2, 3, 7, -7, 100, -100, 999, 1000, 1001, 12345, 30000]
    exact = [s * (1 << 53) + d for s in (1, -1, 3) for d in (-1, 0, 1, 2)]
    expected = ends + near + exact
    expected += [rng.randint(low, high) for _ in range(count // 2)]
    expected += [rng.randint(-1, 1) * int(math.exp(rng.uniform(0, 43))) for _ in range(count)]
    for e in unique(expected):
        if not low <= e <= high:
            continue
        others = ends if tolerance == DEFAULT else [low, high]
        actual = [0, e - 1, e, e + 1, -e, *others, rng.randint(low, high)]
        for limit in limits(e, *tolerance):
            step = max(1, round(math.ulp(limit)))
            actual += [round(limit) + step * steps for steps in range(-2, 3)]
        yield e & mask, unique([a & mask for a in actual if low <= a <= high])


def byte_rows(t, tolerance, rng, count):
    """Expected bytes, with their neighbours, the ends of each sign and some others."""
    ends = [0, 1, 126, 127, 128, 129, 254, 255]
    expected = range(256) if tolerance == DEFAULT else ends + rng.sample(range(2, 254), count)
    for e in unique(expected):
        near = [(e + step) % 256 for step in range(-2, 3)]
        yield e, unique(near + ends + [e ^ 128] + [rng.getrandbits(8) for _ in range(4)])


def six_bit_rows(t, tolerance, rng, count):
    """Floats of 6 bits, with their neighbours, the ends of each sign, and those that are nearest to either limit."""
    del count
    values = [t.value(bits) for bits in range(64)]
    for e in range(64) if tolerance == DEFAULT else rng.sample(range(64), 12):
        near = [(e + step) % 64 for step in range(-2, 3)]
        for limit in limits(values[e], *tolerance):
            near += sorted(range(64), key=lambda bits: (abs(values[bits] - limit), bits))[:3]
        yield e, unique([*near, 0, 31, 32, 63, e ^ 32])


def tiny_rows(t, tolerance, rng, count):
    """Every pair."""
    del tolerance, rng, count
    for e in range(1 << t.width):
        yield e, list(range(1 << t.width))


def complex_rows(t, tolerance, rng, count):
    """Every pair of special parts; limits along the axes; and other directions where the modulus
    is not so near the limit that its last bit, which depends on the machine, decides."""
    part = TYPES["float32" if t.width == 64 else "float64"]
    half = part.width

    def joined(real, imaginary):
        return real | imaginary << half

    if tolerance == DEFAULT:
        specials = [part.bits(v) for v in (0.0, -0.0, 1.0, -1e30, math.inf, -math.inf, math.nan)]
        pairs = [joined(r, i) for r in specials for i in specials]
        for e in pairs:
            yield e, pairs[:: 1 if t.width == 64 else 3]
    for e, actual in float_rows(part, tolerance, rng, count // 4):
        if math.isfinite(part.value(e)):
            yield joined(e, 0), [joined(a, 0) for a in actual] + [joined(0, a) for a in actual[:6]]
            yield joined(0, e), [joined(0, a) for a in actual]
    margin = Fraction(1, 10**5 if t.width == 64 else 10**12)
    rtol, atol = (Fraction(x) for x in tolerance)
    for _ in range(count):
        y = [part.value(part.bits(rng.uniform(-100, 100))) for _ in range(2)]
        reach = float(atol) + float(rtol) * math.hypot(*y)
        rows = []
        for factor in (0.5, 0.999, 0.99999, 1.00001, 1.001, 2.0):
            angle = rng.uniform(0, 2 * math.pi)
            moved = (y[0] + factor * reach * math.cos(angle), y[1] + factor * reach * math.sin(angle))
            x = [part.value(part.bits(v)) for v in moved]
            if not all(map(math.isfinite, x)):
                continue
            distance = sum((Fraction(a) - Fraction(b)) ** 2 for a, b in zip(x, y, strict=True))
            limit = (atol + rtol * Fraction(math.hypot(*y))) ** 2
            if abs(distance - limit) > margin * max(limit, Fraction(1, 10**9)):
                rows.append(joined(part.bits(x[0]), part.bits(x[1])))
        if rows:
            yield joined(part.bits(y[0]), part.bits(y[1])), unique(rows)


def effective(t, tolerance):
    """The tolerance that the release's runner applies: 1.23's widens that of bfloat16."""
    rtol, atol = tolerance
    widens = tuple(map(int, onnx.__version__.split(".")[:2])) >= (1, 23)
    return (max(rtol, 2**-6), atol) if widens and t is BFLOAT16 else tolerance


def elements(chosen):
    """The lines of a file of elements, less the first."""
    for types, rows, count in chosen:
        for t in types:
            for tolerance in TOLERANCES[:: 5 if types is COMPLEX else 1]:
                rng = random.Random(f"{t.name} {tolerance}")
                rtol, atol = tolerance
                yield f"{t.name} {rtol!r} {atol!r}"
                share = count if tolerance == DEFAULT else count // 4
                for e, actual in rows(t, tolerance, rng, share):
                    wanted = t.array([e])
                    signs = [
                        "+" if verdict(wanted, t.array([a]), rtol, atol) == "pass" else "-"
                        for a in actual
                    ]
                    found = "".join(f" {s}{a:x}" for s, a in zip(signs, actual, strict=True))
                    yield f"{e:x}{found}"


def tensor(name, shape, *bits):
    return {"type": name, "shape": shape, "bits": [f"{b:x}" for b in bits]}


def strings(shape, *texts):
    return {"type": "string", "shape": shape, "strings": texts}


def materialised(value):
    """A value as the official runner gets it."""
    if "sequence" in value:
        return [materialised(v) for v in value["sequence"]]
    if "strings" in value:
        return np.array(value["strings"], dtype=object).reshape(value["shape"])
    t = TYPES[value["type"]]
    return t.array([int(b, 16) for b in value["bits"]], value["shape"])


def values():
    """Pairs of whole values, and the verdict expected here where it is meant to differ."""
    one, two, near = 0x3F800000, 0x40000000, 0x3F800001
    vector = tensor("float32", [2], one, two)
    row = tensor("float32", [1, 2], one, two)
    scalar = tensor("float32", [], one)
    empty = tensor("float32", [0])
    flat = tensor("float32", [2, 0])
    texts = strings([2], "abc", "\u00fc")

    def sequence(*values):
        return {"sequence": values}

    yield vector, vector, None
    yield vector, tensor("float32", [2], near, two), None
    yield vector, tensor("float32", [2], one, one), None
    yield vector, tensor("float32", [3], one, two, one), None
    yield vector, row, None
    yield row, vector, None
    yield scalar, tensor("float32", [1], one), None
    yield tensor("float32", [1], one), scalar, None
    yield tensor("float32", [2], one, one), scalar, None
    yield scalar, scalar, None
    yield scalar, tensor("float32", [], two), None
    yield empty, empty, None
    yield empty, flat, None
    yield flat, tensor("float32", [0, 2]), None
    yield scalar, empty, None
    yield empty, scalar, None
    yield empty, tensor("float64", [0]), None
    for name in TYPES:
        other = "float32" if name != "float32" else "int32"
        yield tensor(name, [1], 1), tensor(name, [1], 1), None
        yield tensor(name, [1], 1), tensor(other, [1], 1), None
        yield tensor(name, [2, 1], 1, 0), tensor(name, [2, 1], 1, 1), None
        yield tensor(name, [2, 1], 1, 0), tensor(name, [1, 2], 1, 0), None
        yield tensor(name, [], 1), tensor(name, [], 1), None
    yield texts, texts, None
    yield texts, strings([2], "abc", "u"), None
    yield texts, strings([1, 2], "abc", "\u00fc"), None
    yield strings([], "a"), strings([], "a"), None
    yield strings([], "a"), strings([], "b"), None
    yield strings([0]), strings([0]), None
    yield strings([1], "1"), tensor("int32", [1], 1), None
    yield tensor("int32", [1], 1), strings([1], "1"), None
    yield strings([0]), empty, "fail"
    yield sequence(vector, row), sequence(vector, row), None
    yield sequence(vector, row), sequence(vector, vector), None
    yield sequence(row, row), sequence(row, tensor("float32", [1, 2], one, near)), None
    yield sequence(row, row), sequence(row, tensor("float32", [2, 1], one, two)), None
    yield sequence(vector), sequence(tensor("float32", [2], two, two)), None
    yield sequence(vector), sequence(tensor("float64", [2], 0, 0)), None
    yield sequence(), sequence(), None
    yield vector, sequence(vector), None
    yield sequence(vector), vector, "fail"
    yield sequence(vector, row), sequence(vector), "fail"
    yield sequence(vector), sequence(vector, row), "fail"
    yield sequence(vector), sequence(), "fail"
    yield sequence(flat), sequence(tensor("float32", [2, 0])), None
    yield sequence(empty), sequence(tensor("float64", [0])), "fail"
    yield sequence(empty), sequence(tensor("float32", [0, 3])), "fail"
    yield sequence(scalar), sequence(scalar), "pass"
    yield sequence(texts), sequence(texts), "pass"


def write(path, versions, chosen):
    """Writes a file of elements of the chosen types."""
    lines = list(elements(chosen))
    count = sum(line.count(" +") + line.count(" -") for line in lines)
    text = "\n".join([f"{count} pairs by {versions}", *lines, ""])
    path.write_text(text, encoding="ascii", newline="\n")


def main():
    if sys.argv[1:] == ["--versions"]:
        print(VERSIONS)
        return
    folder = Path(sys.argv[1])
    others = [t for t in FLOATS if t is not BFLOAT16]
    chosen = [(others, float_rows, 24), (BYTES, byte_rows, 16), (TINY, tiny_rows, 0), (SIX_BITS, six_bit_rows, 0)]
    chosen += [(INTS, integer_rows, 16), (COMPLEX, complex_rows, 16)]
    write(folder / "elements.txt", NUMPY, chosen)
    bfloat16 = folder / f"bfloat16-{onnx.__version__}.txt"
    write(bfloat16, VERSIONS, [([BFLOAT16], float_rows, 24)])
    with (folder / "values.jsonl").open("w", encoding="ascii", newline="\n") as file:
        for expected, actual, here in values():
            official = verdict(materialised(expected), materialised(actual), *DEFAULT)
            if here == official:
                sys.exit(f"`{here}` is no difference: {official} of {actual} for {expected}")
            row = {"expected": expected, "actual": actual, "official": official}
            file.write(json.dumps(row if here is None else {**row, "here": here}) + "\n")


if __name__ == "__main__":
    main()

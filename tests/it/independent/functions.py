"""Computes a function of numbers with 200 bits, by mpmath or by MPFR, and rounds each result once.

The arguments are mpmath or mpfr, the name of an operator and an element type. Standard input has the bits of the operands, those of one
result after the other, each as a little-endian integer of 64 bits, and standard output gets those of the results in the same way. Both libraries have the functions
under the same names.
"""

import struct
import sys

SOURCE, OPERATOR, TYPE = sys.argv[1:]
if SOURCE == "mpfr":
    import gmpy2
    from gmpy2 import acos, acosh, asin, asinh, atan, atanh, cos, cosh, erf, erfc, exp, expm1, log, log1p, sin, sinh, sqrt, tan, tanh

    gmpy2.get_context().precision = 200
    Number, pi = gmpy2.mpfr, gmpy2.const_pi()
else:
    import mpmath
    from mpmath import acos, acosh, asin, asinh, atan, atanh, cos, cosh, erf, erfc, exp, expm1, log, log1p, sin, sinh, sqrt, tan, tanh

    mpmath.mp.prec = 200
    Number, pi = mpmath.mpf, +mpmath.pi

# Bits of the exponent and of the fraction.
FORMATS = {"float16": (5, 10), "bfloat16": (8, 7), "float32": (8, 23), "float64": (11, 52)}
INFINITY = Number("inf")
ALPHA, GAMMA = Number(1.67326319217681884765625), Number(1.05070102214813232421875)
# Beyond this every power of e overflows, or is nothing beside the smallest number.
FAR = 3000


def softplus(x):
    if abs(x) > FAR:
        return max(x, Number(0))
    return log1p(exp(x))


def less_1(x):
    return Number(-1) if x < -FAR else expm1(x)


def tanh_of(x):
    return Number(1 if x > 0 else -1) if abs(x) > FAR else tanh(x)


def gelu(x):
    if abs(x) > FAR:
        return max(x, Number(0))
    if abs(x) < Number(2) ** -120:
        # x / 2 + x^2 / sqrt(2 pi): on which side of half of the least number it lies is beyond 200 bits.
        return x / 2 * (1 + (1 if x > 0 else -1) * Number(2) ** -150)
    return x * erfc(-x / sqrt(Number(2))) / 2


def swish(x):
    if abs(x) > FAR:
        return max(x, Number(0))
    if abs(x) < Number(2) ** -120:
        # x / 2 + x^2 / 4, likewise.
        return x / 2 * (1 + (1 if x > 0 else -1) * Number(2) ** -150)
    return x / (1 + exp(-x))


def huge(x, odd):
    return -INFINITY if odd and x < 0 else INFINITY


FUNCTIONS = {
    "Acos": lambda x: acos(x) if abs(x) <= 1 else None,
    "Acosh": lambda x: acosh(x) if x >= 1 else None,
    "Asin": lambda x: asin(x) if abs(x) <= 1 else None,
    "Asinh": asinh,
    "Atan": atan,
    "Atanh": lambda x: (INFINITY * x if abs(x) == 1 else atanh(x)) if abs(x) <= 1 else None,
    "Celu": lambda x: x if x > 0 else less_1(x),
    "Cos": cos,
    "Cosh": lambda x: huge(x, False) if abs(x) > FAR else cosh(x),
    "Elu": lambda x: x if x > 0 else less_1(x),
    "Erf": erf,
    "Exp": lambda x: (INFINITY if x > 0 else Number(0)) if abs(x) > FAR else exp(x),
    "Gelu": gelu,
    "Log": lambda x: -INFINITY if x == 0 else log(x) if x > 0 else None,
    "Mish": lambda x: x * tanh_of(softplus(x)),
    "Selu": lambda x: GAMMA * (x if x > 0 else ALPHA * less_1(x)),
    "Sigmoid": lambda x: Number(0 if x < 0 else 1) if abs(x) > FAR else 1 / (1 + exp(-x)),
    "Sin": sin,
    "Sinh": lambda x: huge(x, True) if abs(x) > FAR else sinh(x),
    "Softplus": softplus,
    "Softsign": lambda x: x / (1 + abs(x)),
    "Swish": swish,
    "Tan": tan,
    "Tanh": tanh_of,
}
# What the functions have at the infinities; None is a NaN.
LIMITS = {
    "Acos": (None, None), "Acosh": (None, INFINITY), "Asin": (None, None), "Asinh": (-INFINITY, INFINITY),
    "Atan": (-pi / 2, pi / 2), "Atanh": (None, None), "Celu": (Number(-1), INFINITY), "Cos": (None, None), "Cosh": (INFINITY, INFINITY),
    "Elu": (Number(-1), INFINITY), "Erf": (Number(-1), Number(1)), "Exp": (Number(0), INFINITY), "Gelu": (Number(0), INFINITY), "Log": (None, INFINITY),
    "Mish": (None, INFINITY), "Selu": (-GAMMA * ALPHA, INFINITY), "Sigmoid": (Number(0), Number(1)), "Sin": (None, None),
    "Sinh": (-INFINITY, INFINITY), "Softplus": (Number(0), INFINITY), "Softsign": (Number(-1), Number(1)), "Swish": (Number(0), INFINITY), "Tan": (None, None), "Tanh": (Number(-1), Number(1)),
}
# Those that have the zero that the operand is.
KEEP_ZERO = {"Asin", "Asinh", "Atan", "Atanh", "Celu", "Elu", "Erf", "Gelu", "Mish", "Selu", "Sin", "Sinh", "Softsign", "Swish", "Tan", "Tanh"}


def rounded(value, negative, name):
    """The bits of the nearest number, of two as near ones the even one."""
    exponents, field = FORMATS[name]
    bias, sign = (1 << (exponents - 1)) - 1, int(negative) << (exponents + field)
    infinity = ((1 << exponents) - 1) << field
    value = abs(value)
    if value == 0:
        return sign
    if value == INFINITY:
        return sign | infinity
    mantissa, exponent = value.as_mantissa_exp() if SOURCE == "mpfr" else value.man_exp
    length = int(mantissa).bit_length()
    unit = max(exponent + length - 1, 1 - bias) - field
    shift = unit - exponent
    if shift <= 0:
        kept = int(mantissa) << -shift
    else:
        kept, rest = int(mantissa) >> shift, int(mantissa) & ((1 << shift) - 1)
        half = 1 << (shift - 1)
        kept += rest > half or rest == half and kept & 1
    return sign | min(((unit - (1 - bias - field)) << field) + kept, infinity)


def nan(name):
    exponents, field = FORMATS[name]
    return ((1 << exponents) - 1) << field | 1


def number(bits, name):
    """The number of an element, None of a NaN, and whether it has a sign."""
    exponents, field = FORMATS[name]
    negative, magnitude = bits >> (exponents + field), bits & ~(1 << (exponents + field))
    infinity = ((1 << exponents) - 1) << field
    if magnitude > infinity:
        return None, negative
    exponent, fraction = magnitude >> field, magnitude & ((1 << field) - 1)
    significand = Number(fraction | (1 << field if exponent else 0))
    value = significand * Number(2) ** (max(exponent, 1) - ((1 << (exponents - 1)) - 1) - field)
    return (-1 if negative else 1) * (INFINITY if magnitude == infinity else value), negative


def result(operator, bits, name):
    x, negative = number(bits, name)
    if x is None:
        return nan(name)
    if x == 0 and operator in KEEP_ZERO:
        return bits
    value = LIMITS[operator][1 - negative] if abs(x) == INFINITY else FUNCTIONS[operator](x)
    if value is None:
        return nan(name)
    # What is 0 here has underflowed, and has the operand's sign if the function has.
    return rounded(value, value < 0 or value == 0 and negative and operator in KEEP_ZERO, name)


def power(base, exponent, name):
    """The bits of IEEE 754's pow (9.2.1)."""
    (x, negative), (y, _) = number(base, name), number(exponent, name)
    if y == 0 or x == 1:
        return rounded(Number(1), False, name)
    if x is None or y is None:
        return nan(name)
    is_whole = abs(y) != INFINITY and y == int(y)
    negative = negative and is_whole and int(y) % 2 == 1
    if x < 0 and abs(x) != INFINITY and abs(y) != INFINITY and not is_whole:
        return nan(name)
    size = abs(x)
    if size == 1:
        return rounded(Number(1), negative, name)
    if size == 0 or size == INFINITY or abs(y) == INFINITY:
        grows = (size > 1) == (y > 0)
    else:
        doublings = y * log(size) / log(Number(2))
        if abs(doublings) <= FAR:
            return rounded(exp(y * log(size)), negative, name)
        grows = doublings > 0
    return rounded(INFINITY if grows else Number(0), negative, name)


def main():
    data = sys.stdin.buffer.read()
    operands = struct.unpack(f"<{len(data) // 8}Q", data)
    if OPERATOR == "Pow":
        results = [power(x, y, TYPE) for x, y in zip(operands[::2], operands[1::2])]
    elif OPERATOR in FUNCTIONS:
        results = [result(OPERATOR, bits, TYPE) for bits in operands]
    else:
        sys.exit(f"no function for {OPERATOR}")
    sys.stdout.buffer.write(struct.pack(f"<{len(results)}Q", *results))


main()

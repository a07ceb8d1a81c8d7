"""Computes what operators of `plan.json` in the folder of the first argument add up or multiply, in integers without rounding.

Of each element of a float type come the nearest number and the ends of what `docs/numerics.md` bounds every order of the operations to,
from the rules stated there; of one of an integer type, the integers that conform. They are written to `CALL.exact`, as `Record` has them.
The same sums are computed by NumPy in float64 (`wide`), in the type itself in an order that is drawn (`ordered`), and by the evaluator of
the package `onnx`; `outcome.json` is that of `compute.py`. Where elements and weights meet is worked out here, for all three but the evaluator.
"""

import itertools
import math
import random
import struct
import sys
from pathlib import Path

import numpy as np

from compute import FORMATS, TYPES, SIGNED, by_evaluator, number, run

# What a record says of an element: whether numbers conform, -0 where 0 does, either infinity, NaN; that nothing is decided; and
# whether the distance of the nearest number is a whole number of steps.
NUMBERS, NEGATIVE_ZERO, PLUS, MINUS, NAN, OPEN, WHOLE = 1, 2, 4, 8, 16, 32, 64
ZERO, FINITE, INFINITE, NOT = range(4)
STEPS = 20


class Format:
    """A float format; numbers of it are integers in steps of 2^-base, fine enough for all products and what they may lose."""

    def __init__(self, name):
        self.name = name
        self.field, exponents = FORMATS[name]
        self.precision = self.field + 1
        bias = (1 << (exponents - 1)) - 1
        self.normal, self.eta = 1 - bias, 1 - bias - self.field
        self.infinity = ((1 << exponents) - 1) << self.field
        self.sign = 1 << (self.field + exponents)
        self.all = 1 << self.precision
        self.fine = max(149, -self.eta)
        self.base = max(149 - 2 * self.eta, self.fine - self.eta + 1)
        # Half a unit above the largest number.
        self.overflow = (2 * (self.all - 1) + 1) << (bias - self.field - 1 + self.base)

    def element(self, bits):
        """Class, sign, odd significand and exponent."""
        magnitude, negative = bits & (self.sign - 1), bool(bits & self.sign)
        if magnitude >= self.infinity:
            return (INFINITE if magnitude == self.infinity else NOT, negative, 0, 0)
        if magnitude == 0:
            return (ZERO, negative, 0, 0)
        exponent, significand = magnitude >> self.field, magnitude & ((1 << self.field) - 1)
        if exponent:
            significand |= 1 << self.field
        zeros = (significand & -significand).bit_length() - 1
        return (FINITE, negative, significand >> zeros, max(exponent, 1) + self.eta - 1 + zeros)

    def step(self, number, denominator):
        """The exponent of the unit in the last place of a positive fraction, as if there were no largest number."""
        exponent = number.bit_length() - denominator.bit_length()
        if (number < denominator << exponent) if exponent >= 0 else (number << -exponent < denominator):
            exponent -= 1
        return max(exponent - self.base, self.normal) - self.field

    def ordinal(self, number, denominator):
        """The nearest number of the format, of two as near ones the even one, as its rank on the line of all."""
        if number == 0:
            return 0
        magnitude = abs(number)
        step = self.step(magnitude, denominator)
        shift = -self.base - step
        above, below = (magnitude << shift, denominator) if shift >= 0 else (magnitude, denominator << -shift)
        quotient, rest = divmod(above, below)
        quotient += 2 * rest > below or (2 * rest == below and quotient & 1)
        rank = min(((step - self.eta) << self.field) + quotient, self.infinity)
        return -rank if number < 0 else rank

    def distance(self, number, denominator, rank):
        """How far a number of the format is, in steps of 2^-20 units, rounded up, and whether that is exact."""
        if abs(rank) >= self.infinity:
            return 0, True
        step = self.step(abs(number), denominator) if number else self.eta
        _, negative, significand, exponent = self.element(abs(rank))
        value = (significand << (exponent + self.base)) if significand else 0
        away = abs((-value if rank < 0 else value) * denominator - number) << STEPS
        unit = denominator << (step + self.base)
        return -(-away // unit), away % unit == 0


class Factor:
    """A number that a sum is multiplied by: the float32 of an attribute."""

    def __init__(self, bits):
        self.kind, self.negative, self.odd, self.exponent = SINGLE.element(bits)
        self.is_number = self.kind in (ZERO, FINITE)
        self.is_zero = self.kind == ZERO
        self.is_unit = self.odd == 1 and self.exponent == 0

    def roundings(self, form):
        """Of a product by it: none by a power of two, one by a number of the format, and its own; None where it is out of range."""
        if self.is_zero:
            return 0
        rank = form.ordinal(self.odd << (self.exponent + form.base), 1) if self.exponent + form.base >= 0 else 0
        kind, _, odd, exponent = form.element(rank)
        if kind == FINITE and (odd, exponent) == (self.odd, self.exponent):
            return 0 if self.odd == 1 else 1
        top = self.exponent + self.odd.bit_length() - 1
        is_normal = form.normal <= top < -form.normal + 1
        return (1 + (self.odd != 1)) if is_normal else None


SINGLE = Format("float32")
ONE = Factor(0x3F800000)
SELF = (FINITE, False, 1, 0)


def count_roundings(divisor, form):
    """Of an element that is divided by a count or multiplied by its reciprocal; None where that is no normal number."""
    is_power = divisor & (divisor - 1) == 0
    if divisor == 0 or divisor.bit_length() - 1 > -form.normal - (not is_power):
        return None
    odd = divisor // (divisor & -divisor)
    return 0 if odd == 1 else 2 + (odd.bit_length() > form.precision)


def record(form, numerator, error, denominator, flags, overflows):
    """The ends of the bound, with the infinities and the NaN that overflow makes of it."""
    ends = [form.ordinal(numerator - error, denominator), form.ordinal(numerator + error, denominator)]
    for sign, at in ((PLUS, 1), (MINUS, 0)):
        is_beyond = ends[1] >= form.infinity if sign == PLUS else ends[0] <= -form.infinity
        flags |= sign if overflows[1 - at] or is_beyond else 0
    flags |= NAN if all(overflows) else 0
    largest = form.infinity - 1
    ends = [max(ends[0], -largest), min(ends[1], largest)]
    flags |= NUMBERS if ends[0] <= ends[1] else 0
    nearest = form.ordinal(numerator, denominator)
    steps, is_whole = form.distance(numerator, denominator, nearest)
    return (flags | (WHOLE if is_whole else 0), *ends, nearest, steps)


def special(flags):
    return (flags, 0, 0, 0, -1)


def signed_infinity(negative):
    return MINUS if negative else PLUS


def overflows_of(form, sums, count, inexact):
    """Whether partial sums of products may overflow to each infinity; None where there are too many terms to say."""
    rest = form.all - count
    if rest <= 0:
        return None
    lost = inexact * form.all * rest << (form.eta - 1 + form.base)
    whole, gamma = rest * (rest + 1), count * (rest + 1)

    def overflows(same, other):
        return same * (whole + gamma) + other * max(0, gamma - whole) + lost >= form.overflow * whole

    return [overflows(*sums), overflows(*sums[::-1])]


def is_held(form, sums, lowest, divisor=1):
    """Whether every partial sum is a number of the format: multiples of 2^lowest, 2^p of them at most."""
    return sum(sums) <= divisor << (lowest + form.precision + form.base)


def dot(form, pairs):
    """A sum of products."""
    sums, seen, infinities, count, inexact, lowest = [0, 0], [False, False], 0, 0, 0, []
    for (kind, a_negative, a, low), (other, b_negative, b, b_low) in pairs:
        negative = a_negative != b_negative
        seen[negative] = True
        if NOT in (kind, other) or {kind, other} == {INFINITE, ZERO}:
            infinities |= NAN
        elif INFINITE in (kind, other):
            infinities |= signed_infinity(negative)
        elif kind == other == FINITE:
            sums[negative] += a * b << (low + b_low + form.base)
            count += 1
            inexact += low + b_low < form.eta
            lowest.append(low + b_low)
    if count and not inexact and is_held(form, sums, min(lowest)):
        count = 0
    if infinities & NAN or infinities == PLUS | MINUS:
        return special(NAN)
    beyond = overflows_of(form, sums, count, inexact)
    if beyond is None:
        return special(OPEN)
    rest = form.all - count
    # Over rest (rest + 1): gamma(n) is n (rest + 1), and 1 + gamma(n - 1) is 2^p rest.
    lost = inexact * form.all * rest << (form.eta - 1 + form.base)
    whole = rest * (rest + 1)
    gamma = count * (rest + 1)
    if infinities:
        return special(infinities | (NAN if beyond[infinities == PLUS] else 0))
    share = 2 if count == 1 else 1
    error = (sums[0] + sums[1]) * gamma + lost
    flags = NEGATIVE_ZERO if seen[1] else 0
    return record(form, (sums[0] - sums[1]) * whole * share, error, whole * share, flags, beyond)


def scaled_sum(form, pairs, are_products, alpha=ONE, divisor=1, addend=None, beta=ONE, has_negative_zero=False):
    """`alpha (t1 + t2 + ...) / divisor + beta c`."""
    by_alpha, by_beta = alpha.roundings(form), beta.roundings(form)
    by_count = count_roundings(divisor, form)
    if None in (by_alpha, by_count) or (addend is not None and by_beta is None):
        return special(OPEN)
    raw, seen, infinities, count, lost, lowest = [0, 0], [False, False], 0, 0, 0, []
    power = (divisor & -divisor).bit_length() - 1
    factor_overflows, vanishes, before_zero, inexact = False, False, 0, 0
    is_scaled = divisor != 1 or not alpha.is_unit

    def times(magnitude, exponent):
        return magnitude << (exponent + form.fine)

    for (kind, a_negative, a, low), (other, b_negative, b, b_low) in pairs:
        negative = (a_negative != b_negative) != alpha.negative
        seen[negative] = True
        if alpha.is_zero:
            infinities |= NAN if {kind, other} & {NOT, INFINITE} else 0
            if kind == other == FINITE:
                raw[a_negative != b_negative] += a * b << (low + b_low + form.base)
                before_zero += 1
                inexact += low + b_low < form.eta
            continue
        if NOT in (kind, other) or {kind, other} == {INFINITE, ZERO}:
            infinities |= NAN
        elif INFINITE in (kind, other):
            infinities |= signed_infinity(negative)
        elif kind == other == FINITE:
            raw[negative] += a * b << (low + b_low + form.base)
            count += 1
            product = low + b_low
            lowest.append(product + alpha.exponent - power)
            if divisor != 1:
                is_power = divisor == 1 << power
                lost += times(1, 0) if not is_power or product - power < form.eta else 0
            else:
                lost += times(alpha.odd, alpha.exponent) if product < form.eta else 0
                if not alpha.is_unit:
                    lost += times(b, b_low) if alpha.exponent + low < form.eta else 0
                    lost += times(a, low) if alpha.exponent + b_low < form.eta else 0
                    lost += times(1, 0) if alpha.exponent + product < form.eta else 0
        if not alpha.is_unit:
            for (own, _, odd, exponent), across in (((kind, 0, a, low), other), ((other, 0, b, b_low), kind)):
                if own == FINITE:
                    scaled = alpha.odd * odd << (alpha.exponent + exponent + form.base)
                    factor_overflows |= scaled >= form.overflow
                    vanishes |= across == INFINITE and scaled <= 1 << (form.eta + form.base)
    if alpha.is_zero:
        # An infinity that is multiplied by 0 is a NaN.
        beyond = overflows_of(form, raw, before_zero, inexact)
        vanishes, raw = beyond is None or any(beyond), [0, 0]
    sums = [alpha.odd * part for part in raw]
    sums = [part << alpha.exponent if alpha.exponent >= 0 else part >> -alpha.exponent for part in sums]
    is_added = False
    if addend is not None:
        kind, negative, odd, low = addend
        negative = negative != beta.negative
        seen[negative] = True
        if kind == NOT or (kind == INFINITE and beta.is_zero):
            infinities |= NAN
        elif kind == INFINITE:
            infinities |= signed_infinity(negative)
        elif kind == FINITE and not beta.is_zero:
            sums[negative] += (odd * beta.odd << (low + beta.exponent + form.base)) * divisor
            lost += times(1, 0) if low + beta.exponent < form.eta else 0
            lowest.append(low + beta.exponent)
            is_added = True
    if infinities & NAN or infinities & (PLUS | MINUS) == PLUS | MINUS:
        return special(NAN)
    terms = count + is_added
    before = 0 if count == 0 else are_products + (by_count if divisor != 1 else by_alpha)
    roundings = max(terms - 1, 0) + max(before, by_beta if is_added else 0)
    scales = [by_count if divisor != 1 else by_alpha, by_beta if is_added else 0]
    if lost == 0 and max(scales) <= 1 and (not lowest or is_held(form, sums, min(lowest), divisor)):
        roundings = 0
    rest = form.all - roundings
    if rest <= 0:
        return special(OPEN)
    lost = (lost << (form.base + form.eta - 1 - form.fine)) * form.all

    def overflows(parts, over):
        same, other = parts
        return same * form.all + other * max(0, roundings - rest) + lost * over >= form.overflow * rest * over

    def beyond(order):
        scaled = overflows(sums[::order], divisor)
        return factor_overflows or scaled or (is_scaled and overflows(raw[::order], 1))

    outside = [beyond(1), beyond(-1)]
    if infinities:
        return special(infinities | (NAN if vanishes or outside[infinities == PLUS] else 0))
    is_plain = terms <= 1 and not is_scaled
    share = 2 if roundings <= 1 and (lost == 0 or is_plain) else 1
    error = (sums[0] + sums[1]) * roundings + lost * divisor
    if terms == 1 and roundings == 0 and not are_products:
        error = 0
    # A sum of elements as they are is -0 only where all of them are.
    is_negative = seen[1] and not (not are_products and not is_scaled and seen[0])
    flags = NEGATIVE_ZERO if is_negative or has_negative_zero or alpha.negative else 0
    flags |= NAN if vanishes and alpha.is_zero else 0
    denominator = rest * share * divisor
    return record(form, (sums[0] - sums[1]) * rest * share, error, denominator, flags, outside)


def product(form, factors):
    """A product of elements."""
    negative, kinds = False, set()
    parts = {True: [1, 0], False: [1, 0]}
    inexact = others = 0
    for kind, sign, odd, exponent in factors:
        negative ^= sign
        kinds.add(kind)
        if kind != FINITE or (odd, exponent) == (1, 0):
            continue
        part = parts[exponent + odd.bit_length() > 0]
        part[0] *= odd
        part[1] += exponent
        others += 1
        inexact += odd != 1
    if NOT in kinds or {INFINITE, ZERO} <= kinds:
        return special(NAN)
    roundings = 0 if parts[True][0] * parts[False][0] < form.all else max(inexact - 1, 0)
    rest = form.all - roundings
    if rest <= 0:
        return special(OPEN)

    def reaches(odd, exponent, bound, low):
        common = min(exponent, low)
        return odd << (exponent - common) >= bound << (low - common)

    (above, up), (below, down) = parts[True], parts[False]
    overflows = reaches(above * form.all, up - form.base, form.overflow * rest, -2 * form.base)
    underflows = others > 1 and not reaches(below * rest, down, form.all, form.normal)
    if underflows and others >= form.all // 2:
        return special(OPEN)
    if INFINITE in kinds:
        return special(signed_infinity(negative) | (NAN if underflows else 0))
    if ZERO in kinds:
        flags = NAN if overflows else 0
        return (flags | NUMBERS | (NEGATIVE_ZERO if negative else 0), 0, 0, 0, -1)
    share = 2 if roundings <= 1 and not underflows else 1
    exponent = up + down
    size, error = above * below, above * below * roundings
    common = -form.base
    if underflows:
        largest, high = (above, up) if reaches(above, up, 1, 0) else (1, 0)
        lost, low = largest * (others - 1) * form.all, high + form.eta
        common = min(exponent, low, common)
        error = (error << (exponent - common)) + (lost << (low - common))
    else:
        common = min(exponent, common)
        error <<= exponent - common
    size <<= exponent - common
    # In steps of 2^common, which is a fraction of the steps of the format.
    denominator = rest * share << (-form.base - common)
    numerator = size * rest * share
    numerator, ends = (-numerator if negative else numerator), [numerator - error, numerator + error]
    ends = [max(ends[0], 0), ends[1]]
    ranks = [form.ordinal(end, denominator) for end in ends]
    flags = signed_infinity(negative) if overflows or ranks[1] >= form.infinity else 0
    flags |= NAN if overflows and underflows else 0
    ranks = [ranks[0], min(ranks[1], form.infinity - 1)]
    # A negative product is no +0.
    flags |= (NEGATIVE_ZERO if ranks[0] == 0 else 0) if negative else 0
    flags |= NUMBERS if ranks[0] <= ranks[1] else 0
    ranks = [-ranks[1], -ranks[0]] if negative else ranks
    nearest = form.ordinal(numerator, denominator)
    steps, is_whole = form.distance(numerator, denominator, nearest)
    return (flags | (WHOLE if is_whole else 0), *ranks, nearest, steps)


def least_of_several(exponents):
    """The least sum of two of them or more; None of fewer."""
    first, second, *others = sorted(exponents) if len(exponents) > 1 else (None, None)
    return None if first is None else first + second + sum(it for it in others if it < 0)


def product_of_operands(form, factors):
    """A product that may be added to +0, and of several operands a part of it before."""
    flags, least, greatest, *rest = product(form, factors)
    has_zero = flags & NUMBERS and least <= 0 <= greatest
    has_minus = len(factors) > 2 and any(factor[1] for factor in factors)
    return (flags | (NEGATIVE_ZERO if has_zero and has_minus else 0), least, greatest, *rest)


def sum_of_products(form, terms, count, partials, is_factored, begins_anew):
    """A sum of products of so many factors each, which may be added up before they are multiplied where it is factored."""
    own = max(form.base, 1 - count * form.eta)
    sums, seen, infinities, lowest, lost, tops = [0, 0], [False, False], 0, [], 0, [0] * count
    is_nan = is_zero_by_infinity = vanishes = has_negative = False
    for factors in terms:
        kinds = {factor[0] for factor in factors}
        negative = sum(factor[1] for factor in factors) % 2 == 1
        has_negative |= any(factor[1] for factor in factors)
        seen[negative] = True
        finite = [(odd, low) for kind, _, odd, low in factors if kind == FINITE]
        tops = [max(top, low + odd.bit_length()) if kind == FINITE else top for top, (kind, _, odd, low) in zip(tops, factors)]
        is_nan |= NOT in kinds
        if INFINITE in kinds:
            is_zero_by_infinity |= ZERO in kinds
            infinities |= 0 if ZERO in kinds else signed_infinity(negative)
            least = least_of_several([low + odd.bit_length() - 1 for odd, low in finite])
            vanishes |= ZERO not in kinds and least is not None and least <= form.eta
        elif ZERO not in kinds and NOT not in kinds:
            low = sum(low for _, low in finite)
            sums[negative] += math.prod(odd for odd, _ in finite) << (low + own)
            lowest.append(low)
            least = least_of_several([low for _, low in finite])
            if least is not None and least < form.eta:
                others = sorted(max(low + odd.bit_length(), 0) for odd, low in finite)
                lost += (count - 1) * (2 if count > 3 else 1) << sum(others[2:])
    if is_nan:
        return special(NAN)
    terms = len(lowest)
    is_exact = not lost and (not lowest or sum(sums) <= 1 << (min(lowest) + form.precision + own))
    roundings = 0 if is_exact else terms - 1 + count - 1
    rest = form.all - roundings
    if rest <= 0:
        return special(OPEN)
    lost = lost * form.all << (own + form.eta - 1)

    def reaches(same, other):
        return same * form.all + other * max(0, roundings - rest) + lost >= (form.overflow << (own - form.base)) * rest

    def leaves(without, products):
        most = sum(top for at, top in enumerate(tops) if at != without) + (products - 1).bit_length()
        return most + form.precision - rest.bit_length() + 2 > 1 - form.normal

    outside = [reaches(*sums), reaches(*sums[::-1])]
    is_left = any(leaves(*partial) for partial in partials)
    if is_zero_by_infinity or infinities == PLUS | MINUS:
        return special(NAN | (PLUS | MINUS if is_factored else 0))
    if infinities:
        return special(infinities | (NAN if outside[infinities == PLUS] or is_left or vanishes else 0))
    share = 2 if roundings <= 1 and (not lost or terms <= 1) else 1
    is_negative = seen[1] and not (count == 1 and seen[0])
    flags = NEGATIVE_ZERO if is_negative or (begins_anew and has_negative) else 0
    error, denominator = sum(sums) * roundings + lost, rest * share << (own - form.base)
    return record(form, (sums[0] - sums[1]) * rest * share, error, denominator, flags, [True] * 2 if is_left else outside)


# Where the elements lie that an element of the output is made of: pairs of places, or places; what they are divided by; the place of one
# more term; and the weights that meet no element.


def strides_of(shape):
    strides = [1] * len(shape)
    for at in range(len(shape) - 2, -1, -1):
        strides[at] = strides[at + 1] * shape[at + 1]
    return strides


def place(at, strides):
    return sum(a * b for a, b in zip(at, strides))


def every(shape):
    return itertools.product(*map(range, shape))


def made(places, divisor=1, addend=None, idle=(), is_open=False):
    return (places, divisor, addend, idle, is_open)


def along(call, shapes, inputs):
    """Sums, means and products along axes, and sums of magnitudes."""
    shape, attributes = shapes[0], call["attributes"]
    axes = [] if len(inputs) < 2 or inputs[1] is None else [int(axis) % len(shape) for axis in inputs[1]]
    if not axes and not attributes.get("noop_with_empty_axes", 0):
        axes = list(range(len(shape)))
    kept = [at for at in range(len(shape)) if at not in axes]
    strides = strides_of(shape)
    is_mean = call["operator"] == "ReduceMean"
    for at in every([shape[axis] for axis in kept]):
        first = sum(index * strides[axis] for index, axis in zip(at, kept))
        steps = every([shape[axis] for axis in axes])
        places = [first + sum(index * strides[axis] for index, axis in zip(step, axes)) for step in steps]
        yield made(places, len(places) if is_mean else 1, is_open=is_mean and not places)


def squared(call, shapes, inputs):
    """Sums of squares along axes."""
    for places, *rest in along(call, shapes, inputs):
        yield ([(at, at) for at in places], *rest)


def stacked(call, shapes, _):
    """Sums and means of tensors: each place is that of an input and of its element."""
    shape = np.broadcast_shapes(*map(tuple, shapes))
    own = [np.broadcast_to(np.arange(math.prod(of)).reshape(of), shape).reshape(-1).tolist() for of in shapes]
    for places in zip(*own):
        yield made(list(enumerate(places)), len(shapes) if call["operator"] == "Mean" else 1)


def cumulative(call, shapes, inputs):
    shape, attributes = shapes[0], call["attributes"]
    axis = int(inputs[1]) % len(shape)
    strides = strides_of(shape)
    for at in every(shape):
        own = at[axis]
        if attributes.get("reverse", 0):
            those = range(own + bool(attributes.get("exclusive", 0)), shape[axis])
        else:
            those = range(own + (not attributes.get("exclusive", 0)))
        first = place(at, strides) - own * strides[axis]
        yield made([first + index * strides[axis] for index in those])


def pooled(call, shapes, _):
    batch, channels, *sizes = shapes[0]
    strides = strides_of(shapes[0])
    count = 1
    for size in sizes:
        count *= size
    for at in every([batch, channels]):
        places = [place((*at, *step), strides) for step in every(sizes)]
        yield made(places, count, is_open=count == 0)


def spatial(call, rank):
    attributes = call["attributes"]
    strides = attributes.get("strides", [1] * rank)
    dilations = attributes.get("dilations", [1] * rank)
    pads = attributes.get("pads", [0] * 2 * rank)
    return strides, dilations, pads, attributes.get("auto_pad", "NOTSET")


def as_small_as_can_be(size, output, stride, reach, auto):
    both = max((output - 1) * stride + reach - size, 0)
    return both // 2 if auto == "SAME_UPPER" else both - both // 2


def windows(call, shapes, _):
    """Means of windows."""
    batch, channels, *sizes = shapes[0]
    attributes, rank = call["attributes"], len(sizes)
    kernel = attributes["kernel_shape"]
    strides, dilations, pads, auto = spatial(call, rank)
    lines = []
    for axis in range(rank):
        size, stride, dilation = sizes[axis], strides[axis], dilations[axis]
        reach = (kernel[axis] - 1) * dilation + 1
        before, after = pads[axis], pads[axis + rank]
        if auto.startswith("SAME"):
            output = -(-size // stride)
            before = as_small_as_can_be(size, output, stride, reach, auto)
            after = max((output - 1) * stride + reach - size, 0) - before
        else:
            room = size + before + after - reach
            output = room // stride + 1
            if attributes.get("ceil_mode", 0) and auto == "NOTSET" and room % stride:
                # A window that would begin behind the input is left out.
                output += output * stride < size + before
        line = []
        for window in range(output):
            at = [window * stride - before + step * dilation for step in range(kernel[axis])]
            line.append(([a for a in at if 0 <= a < size], sum(a < size + after for a in at)))
        lines.append(line)
    steps = strides_of(shapes[0])
    for n, channel in every([batch, channels]):
        for window in itertools.product(*lines):
            places = [place((n, channel, *at), steps) for at in itertools.product(*(own for own, _ in window))]
            count = len(places)
            if attributes.get("count_include_pad", 0):
                count = 1
                for _, padded in window:
                    count *= padded
            yield made(places, count, is_open=count == 0)


def multiplied(call, shapes, _):
    """Stacks of matrices."""
    a, b = ([1, *shapes[0]] if len(shapes[0]) == 1 else shapes[0]), ([*shapes[1], 1] if len(shapes[1]) == 1 else shapes[1])
    stack = np.broadcast_shapes(tuple(a[:-2]), tuple(b[:-2]))
    a_strides, b_strides = strides_of(a), strides_of(b)

    def first(at, shape, strides):
        own = at[len(at) - (len(shape) - 2):]
        return sum(index * stride for index, size, stride in zip(own, shape, strides) if size != 1)

    for at in every(stack):
        left, right = first(at, a, a_strides), first(at, b, b_strides)
        for row, column in every([a[-2], b[-1]]):
            yield made([(left + row * a_strides[-2] + k, right + k * b_strides[-2] + column) for k in range(a[-1])])


def general(call, shapes, _):
    attributes = call["attributes"]
    (m, k), (_, n) = shapes[0], shapes[1]
    a_step, b_step = (k, 1), (n, 1)
    if attributes.get("transA", 0):
        m, k, a_step = k, m, (1, k)
    if attributes.get("transB", 0):
        n, b_step = shapes[1][0], (1, shapes[1][1])
    third = shapes[2] if len(shapes) > 2 else None
    for row, column in every([m, n]):
        addend = None
        if third is not None:
            at = (row, column)[2 - len(third):]
            addend = place([0 if size == 1 else index for index, size in zip(at, third)], strides_of(third))
        pairs = [(row * a_step[0] + j * a_step[1], j * b_step[0] + column * b_step[1]) for j in range(k)]
        yield made(pairs, addend=addend)


def convolved(call, shapes, _):
    (batch, _, *sizes), (outputs, depth, *kernel) = shapes[0], shapes[1]
    strides, dilations, pads, auto = spatial(call, len(sizes))
    lines = []
    for axis, size in enumerate(sizes):
        stride, dilation, reach = strides[axis], dilations[axis], (kernel[axis] - 1) * dilations[axis] + 1
        before = pads[axis]
        output = (size + before + pads[axis + len(sizes)] - reach) // stride + 1
        if auto.startswith("SAME"):
            output = -(-size // stride)
            before = as_small_as_can_be(size, output, stride, reach, auto)
        lines.append([[at * stride - before + step * dilation for step in range(kernel[axis])] for at in range(output)])
    x_steps, w_steps = strides_of(shapes[0]), strides_of(shapes[1])
    per_group = outputs // call["attributes"].get("group", 1)
    for n, output in every([batch, outputs]):
        first = output // per_group * depth
        for window in itertools.product(*lines):
            pairs, idle = [], []
            for channel, *taps in every([depth, *kernel]):
                at = [line[tap] for line, tap in zip(window, taps)]
                weight = place((output, channel, *taps), w_steps)
                if all(0 <= own < size for own, size in zip(at, sizes)):
                    pairs.append((place((n, first + channel, *at), x_steps), weight))
                else:
                    idle.append(weight)
            yield made(pairs, addend=output if len(shapes) > 2 else None, idle=idle)


def transposed(call, shapes, _):
    """What each element of the data adds to the output, gathered."""
    (batch, channels, *sizes), (_, per_group, *kernel) = shapes[0], shapes[1]
    attributes, rank = call["attributes"], len(sizes)
    strides, dilations, pads, auto = spatial(call, rank)
    more = attributes.get("output_padding", [0] * rank)
    groups = attributes.get("group", 1)
    begins, lengths, is_open = [], [], False
    for axis, size in enumerate(sizes):
        whole = strides[axis] * (size - 1) + more[axis] + (kernel[axis] - 1) * dilations[axis] + 1
        if "output_shape" in attributes or auto.startswith("SAME"):
            length = attributes["output_shape"][axis] if "output_shape" in attributes else size * strides[axis]
            total = whole - length
            is_open |= total < 0
            begins.append(total // 2 if auto == "SAME_UPPER" else total - total // 2)
        else:
            length = whole - pads[axis] - pads[axis + rank]
            begins.append(pads[axis])
        lengths.append(length)
    shape = [batch, per_group * groups, *lengths]
    steps, x_steps, w_steps = strides_of(shape), strides_of(shapes[0]), strides_of(shapes[1])
    hits = [[] for _ in every(shape)]
    for n, channel, *at in every(shapes[0]):
        group = channel // (channels // groups)
        source = place((n, channel, *at), x_steps)
        for tap in every(kernel):
            to = [a * s + t * d - b for a, s, t, d, b in zip(at, strides, tap, dilations, begins)]
            if all(0 <= own < length for own, length in zip(to, lengths)):
                for own in range(per_group):
                    weight = place((channel, own, *tap), w_steps)
                    hits[place((n, group * per_group + own, *to), steps)].append((source, weight))
    for index, (_, output, *_) in enumerate(every(shape)):
        group, own = divmod(output, per_group)
        those = range(group * (channels // groups), (group + 1) * (channels // groups))
        used = {weight for _, weight in hits[index]}
        weights = (place((channel, own, *tap), w_steps) for channel in those for tap in every(kernel))
        idle = [weight for weight in weights if weight not in used]
        yield made(hits[index], addend=output if len(shapes) > 2 else None, idle=idle, is_open=is_open)


def contracted(call, shapes, _):
    """Sums of products by an equation: of each term a place of every input; and of all, what may be computed first."""
    left, arrow, output = call["attributes"]["equation"].replace(" ", "").partition("->")
    terms = left.split(",")
    rank = max((len(shape) - len(term) + 3 for term, shape in zip(terms, shapes) if "." in term), default=0)
    digits = "".join(map(str, range(rank)))
    terms = [term.replace("...", digits) for term in terms]
    sizes = {}
    for label, size in itertools.chain(*map(zip, terms, shapes)):
        sizes[label] = size if sizes.get(label, 1) == 1 else sizes[label]
    all_labels = "".join(terms)
    once = digits + "".join(sorted(label for label in set(all_labels) - set(digits) if all_labels.count(label) == 1))
    output = output.replace("...", digits) if arrow else once
    summed = [label for label in sizes if label not in output]
    lacked = [[sizes[label] for label in summed if label not in term] for term in terms]
    several = len(terms) > 1
    partials = [(at, math.prod(own)) for at, own in enumerate(lacked) if several and (len(terms) > 2 or math.prod(own) > 1)]
    is_factored = several and any(lacked)
    begins_anew = is_factored or several and any(sizes[label] == 1 for label in summed)
    is_open = is_factored and any(sizes[label] == 0 for label in summed)

    def place_of(term, shape, at):
        return place([0 if size == 1 else at[label] for label, size in zip(term, shape)], strides_of(shape))

    for own in every([sizes[label] for label in output]):
        places = []
        for step in every([sizes[label] for label in summed]):
            at = dict(zip([*output, *summed], [*own, *step]))
            places.append(tuple(place_of(term, shape, at) for term, shape in zip(terms, shapes)))
        yield made(places, idle=(bool(summed), partials, is_factored, begins_anew), is_open=is_open)


MADE = {
    "Einsum": contracted,
    "ReduceSum": along, "ReduceMean": along, "ReduceProd": along, "ReduceL1": along, "ReduceSumSquare": squared, "Sum": stacked, "Mean": stacked, "CumSum": cumulative, "CumProd": cumulative, "GlobalAveragePool": pooled,
    "AveragePool": windows, "MatMul": multiplied, "Gemm": general, "Conv": convolved, "ConvTranspose": transposed,
}
OF_FACTORS = {"ReduceProd", "CumProd"}
OF_PRODUCTS = {"MatMul", "Gemm", "Conv", "ConvTranspose", "ReduceSumSquare"}
OF_TENSORS = {"Sum", "Mean"}
OF_MAGNITUDES = {"ReduceL1"}


def second(call):
    """The input of the second factors."""
    return 0 if call["operator"] == "ReduceSumSquare" else 1


def factor_of(call, name):
    given = call["attributes"].get(name)
    return ONE if given is None else Factor(given["bits"])


def of_floats(call, form, tensors, element):
    """The record of an element of a float type."""
    places, divisor, addend, idle, is_open = element
    if is_open:
        return special(OPEN)
    operator = call["operator"]
    if operator == "Einsum":
        factors = [[tensor[at] for tensor, at in zip(tensors, term)] for term in places]
        is_sum, *orders = idle
        return sum_of_products(form, factors, len(tensors), *orders) if is_sum else product_of_operands(form, factors[0])
    if operator in OF_FACTORS:
        return product(form, [tensors[0][at] for at in places])
    if operator not in OF_PRODUCTS:
        terms = [tensors[at[0]][at[1]] if operator in OF_TENSORS else tensors[0][at] for at in places]
        if operator in OF_MAGNITUDES:
            terms = [(kind, False, *rest) for kind, _, *rest in terms]
        return scaled_sum(form, [(term, SELF) for term in terms], False, divisor=divisor)
    pairs = [(tensors[0][a], tensors[second(call)][b]) for a, b in places]
    if operator == "MatMul":
        return dot(form, pairs)
    third = None if addend is None else tensors[2][addend]
    if operator != "Gemm":
        weights = [tensors[1][at] for at in idle]
        told = scaled_sum(form, pairs, True, addend=third, has_negative_zero=any(weight[1] for weight in weights))
        # The product of a zero around the data by an infinity is a NaN, or left out.
        is_special = any(weight[0] in (INFINITE, NOT) for weight in weights)
        return (told[0] | NAN, *told[1:]) if is_special and not told[0] & OPEN else told
    alpha, beta = factor_of(call, "alpha"), factor_of(call, "beta")
    if not (alpha.is_number and beta.is_number):
        return special(OPEN)
    told = scaled_sum(form, pairs, True, alpha=alpha, addend=third, beta=beta)
    if told[4] == -1 and (alpha.is_zero or beta.is_zero):
        # BLAS leaves out what is multiplied by 0.
        left = scaled_sum(form, [] if alpha.is_zero else pairs, True, alpha=alpha,
                          addend=None if beta.is_zero else third, beta=beta)
        return (told[0] | left[0], *left[1:4], -1)
    return told


def of_integers(call, name, arrays, element):
    """The integers that conform, which are neighbours."""
    places, divisor, addend, _, is_open = element
    bits = int(name.lstrip("uint"))
    low, high = (-(1 << (bits - 1)), (1 << (bits - 1)) - 1) if name in SIGNED else (0, (1 << bits) - 1)
    operator = call["operator"]
    if is_open:
        return special(OPEN)
    if operator == "Einsum":
        total = sum(math.prod(array[at] for array, at in zip(arrays, term)) for term in places)
    elif operator in OF_FACTORS:
        total = 1
        for at in places:
            total *= arrays[0][at]
    elif operator in OF_PRODUCTS:
        total = sum(arrays[0][a] * arrays[second(call)][b] for a, b in places)
    elif operator in OF_MAGNITUDES:
        if any(-arrays[0][at] > high for at in places):
            return special(OPEN)
        total = sum(abs(arrays[0][at]) for at in places)
    else:
        total = sum(arrays[0][at] for at in places)
    if operator == "ReduceMean":
        if not low <= total <= high:
            return special(OPEN)
        least = total // divisor
        return (NUMBERS, least, least + (total % divisor != 0), least, 0)
    if operator == "Gemm":
        third = 0 if addend is None else arrays[2][addend]
        alpha, beta = (call["attributes"].get(of) for of in ("alpha", "beta"))
        alpha, beta = (1.0 if of is None else number(of) for of in (alpha, beta))
        is_one = alpha == beta == 1.0
        if not (float(alpha).is_integer() and float(beta).is_integer()):
            return special(OPEN)
        total = int(alpha) * total + int(beta) * third
        if not is_one and not low <= total <= high:
            return special(OPEN)
    total &= (1 << bits) - 1
    total -= (1 << bits) if name in SIGNED and total >> (bits - 1) else 0
    return (NUMBERS, total, total, total, 0)


def bits_of(array):
    return array.reshape(-1).view(f"<u{array.dtype.itemsize}").tolist()


def exact(call, inputs, elements):
    name = call["inputs"][0][0]
    if name in FORMATS:
        form = Format(name)
        tensors = [None if x is None else [form.element(bits) for bits in bits_of(x)] for x in inputs if x is None or x.dtype == inputs[0].dtype]
        records = [of_floats(call, form, tensors, element) for element in elements]
    else:
        arrays = [None if x is None else x.reshape(-1).tolist() for x in inputs]
        records = [of_integers(call, name, arrays, element) for element in elements]
        records = [tuple((value + (1 << 63)) % (1 << 64) - (1 << 63) for value in told) for told in records]
    return b"".join(struct.pack("<5q", *told) for told in records)


def terms_of(call, inputs, element, dtype):
    places, _, addend, _, _ = element
    if call["operator"] in OF_TENSORS:
        return np.array([inputs[of].reshape(-1)[at] for of, at in places]).astype(dtype), None, None
    x = inputs[0].reshape(-1).astype(dtype)
    if call["operator"] in OF_MAGNITUDES:
        return np.abs(x[places]), None, None
    third = None if addend is None else inputs[2].reshape(-1)[addend].astype(dtype)
    if call["operator"] not in OF_PRODUCTS:
        return x[places], None, third
    w = inputs[second(call)].reshape(-1).astype(dtype)
    a, b = (np.array([pair[at] for pair in places], dtype=np.int64) for at in (0, 1))
    return x[a], w[b], third


def contracted_in(inputs, element, dtype, order=None):
    """The sum of products of an element in a type, the terms and factors of each in an order that is drawn, if one is."""
    places, _, _, (is_sum, *_), _ = element
    factors = [x.reshape(-1).astype(dtype)[[term[at] for term in places]] for at, x in enumerate(inputs)]
    if order:
        order.shuffle(factors)
    terms = factors[0]
    for others in factors[1:]:
        terms = terms * others
    if order:
        terms = terms[order.sample(range(len(terms)), len(terms))]
    if not is_sum:
        return terms[0]
    return np.add.accumulate(terms, dtype=dtype)[-1] if len(terms) else dtype.type(0)


def wide(call, inputs, elements):
    """In float64, rounded in the end, or in the type of integers."""
    name = call["inputs"][0][0]
    if name not in FORMATS and call["operator"] in ("ReduceMean", "Gemm"):
        return None
    own = np.dtype(TYPES[name])
    dtype = np.dtype(np.float64) if name in FORMATS else own
    alpha, beta = (dtype.type(number(call["attributes"].get(of, 1))) for of in ("alpha", "beta"))
    results = np.zeros(len(elements), dtype)
    for at, element in enumerate(elements):
        if call["operator"] == "Einsum":
            results[at] = contracted_in(inputs, element, dtype)
            continue
        a, b, third = terms_of(call, inputs, element, dtype)
        if call["operator"] in OF_FACTORS:
            results[at] = np.multiply.reduce(a, dtype=dtype)
            continue
        total = np.add.reduce(a if b is None else a * b, dtype=dtype)
        if name in FORMATS:
            total = total / dtype.type(element[1]) * alpha
        results[at] = total if third is None else total + third * beta
    return narrowed(results, name)


def narrowed(results, name):
    """Rounded once: bfloat16 by way of what is odd in the last bit where it is not exact."""
    if name != "bfloat16":
        return results.astype(TYPES[name])
    single = results.astype(np.float32)
    bits = single.view(np.uint32)
    back = single.astype(np.float64)
    is_inexact = np.isfinite(results) & (back != results)
    # Towards zero, then odd.
    bits = np.where(is_inexact & (np.abs(back) > np.abs(results)), bits - np.uint32(1), bits)
    bits = np.where(is_inexact, bits | np.uint32(1), bits)
    return bits.astype(np.uint32).view(np.float32).astype(TYPES[name])


def ordered(call, inputs, elements):
    """In the type itself, in an order that is drawn, scaled at a place that is drawn."""
    name = call["inputs"][0][0]
    if name not in FORMATS:
        return None
    draw = random.Random(f"{call}")
    dtype = np.dtype(TYPES[name])
    alpha, beta = (np.float32(number(call["attributes"].get(of, 1))).astype(dtype) for of in ("alpha", "beta"))
    results = np.zeros(len(elements), dtype)
    for at, element in enumerate(elements):
        if call["operator"] == "Einsum":
            results[at] = contracted_in(inputs, element, dtype, draw)
            continue
        a, b, third = terms_of(call, inputs, element, dtype)
        order = list(range(len(a)))
        draw.shuffle(order)
        order = np.array(order, dtype=np.int64)
        if call["operator"] in OF_FACTORS:
            results[at] = np.multiply.accumulate(a[order])[-1] if len(a) else 1
            continue
        divisor = np.asarray(element[1]).astype(dtype)
        by = draw.choice(("before", "between", "after"))
        is_divided = draw.random() < 0.5
        scale = (lambda x: x / divisor if is_divided else x * (dtype.type(1) / divisor)) if element[1] != 1 else (lambda x: x * alpha)
        if by == "before":
            a = scale(a)
        terms = a if b is None else a * b
        terms = scale(terms) if by == "between" else terms
        terms = terms[order]
        is_inside = third is not None and by != "after" and draw.random() < 0.5
        if is_inside:
            terms = np.insert(terms, draw.randrange(len(terms) + 1), third * beta)
        total = np.add.accumulate(terms)[-1] if len(terms) else dtype.type(0)
        total = scale(total) if by == "after" else total
        results[at] = total if third is None or is_inside else total + third * beta
    return results


def prepare(folder, at, call, inputs):
    """Where the elements of a call come from, which all sources but the evaluator take from here, and what is exact of them."""
    while inputs and inputs[-1] is None:
        inputs.pop()
    shapes = [None if of is None else of[1] for of in call["inputs"][:len(inputs)]]
    call["elements"] = list(MADE[call["operator"]](call, shapes, inputs))
    (folder / f"{at}.exact").write_bytes(exact(call, inputs, call["elements"]))


def of_elements(source):
    def compute(call, inputs):
        while inputs and inputs[-1] is None:
            inputs.pop()
        elements = call["elements"]
        result = source({name: value for name, value in call.items() if name != "elements"}, inputs, elements)
        return result if result is None else [np.asarray(result).reshape(call["shapes"][0])]
    return compute


SOURCES = {"wide": of_elements(wide), "ordered": of_elements(ordered), "evaluator": by_evaluator}

if __name__ == "__main__":
    run(Path(sys.argv[1]), SOURCES, prepare)

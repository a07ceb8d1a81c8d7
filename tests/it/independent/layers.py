"""Computes what composed operators of `plan.json` in the folder of the first argument give, each result rounded once to its type.

The evaluator of the package `onnx` is given float64 in the place of every float type; mpmath computes shares of powers, their logarithms and
the normalizations, with as many bits as the sums of the operands need and 200 more. `outcome.json` is that of `compute.py`; results that are
not computed are null, as all of mpmath are without it. The rounding is that of `sums.py`.
"""

import itertools
import math
import sys
from fractions import Fraction
from pathlib import Path

import numpy as np

try:
    from mpmath import mp, mpf
except ImportError:
    mp = None

from compute import FORMATS, TYPES, by_evaluator, number, run
from sums import Format, along


def as_double(call, inputs):
    """The call and its inputs with float64 for every float type."""
    double = dict(call)
    double["inputs"] = [of and ["float64" if of[0] in FORMATS else of[0], of[1]] for of in call["inputs"]]
    double["outputs"] = ["float64" if name in FORMATS else name for name in call["outputs"]]
    return double, [x if x is None or of[0] not in FORMATS else x.astype(np.float64) for x, of in zip(inputs, call["inputs"])]


def packed(form, rank):
    """The bits of a number of a format by its rank."""
    return -rank | form.sign if rank < 0 else rank


def bits_of(form, value):
    """Those of the number nearest to a float64."""
    value = float(value)
    if value != value:
        return form.infinity | 1
    if value in (float("inf"), float("-inf")):
        return form.infinity | (form.sign if value < 0 else 0)
    if value == 0:
        return form.sign if str(value)[0] == "-" else 0
    numerator, denominator = value.as_integer_ratio()
    bits = packed(form, form.ordinal(numerator << form.base, denominator))
    return bits | (form.sign if value < 0 else 0)


def array(bits, name, shape):
    """The elements of a type that these bits are."""
    dtype = np.dtype(TYPES[name])
    return np.array(bits, f"<u{dtype.itemsize}").view(dtype).reshape(shape)


def by_double(call, inputs):
    results = []
    for result, name in zip(by_evaluator(*as_double(call, inputs)), call["outputs"], strict=True):
        result = np.asarray(result)
        if name in FORMATS:
            if result.dtype != np.float64:
                raise TypeError(f"gives {result.dtype}")
            form = Format(name)
            result = array([bits_of(form, value) for value in result.reshape(-1)], name, result.shape)
        results.append(result)
    return results


def single(call, name, otherwise):
    given = call["attributes"].get(name)
    return mpf(float(otherwise) if given is None else number(given))


def lines_of(x, first, last):
    """The places of lines along dimensions, in the order of the elements."""
    places = np.arange(x.size).reshape(x.shape)
    outer = int(np.prod(x.shape[:first], dtype=np.int64))
    inner = int(np.prod(x.shape[last:], dtype=np.int64))
    return [places.reshape(outer, -1, inner)[o, :, i] for o in range(outer) for i in range(inner)]


def shares(call, xs):
    x = xs[0]
    axis = call["attributes"].get("axis", -1) % x.ndim
    values, results = x.reshape(-1), [None] * x.size
    for line in lines_of(x, axis, axis + 1):
        own = [values[at] for at in line]
        largest = max(own)
        powers = [mp.exp(value - largest) for value in own]
        total = mp.fsum(powers)
        for at, value, power in zip(line, own, powers):
            results[at] = power / total if call["operator"] == "Softmax" else value - largest - mp.log(total)
    return [results]


def lengths(call, xs):
    x = xs[0]
    axis, p = call["attributes"].get("axis", -1) % x.ndim, call["attributes"].get("p", 2)
    values, results = x.reshape(-1), [None] * x.size
    for line in lines_of(x, axis, axis + 1):
        own = [values[at] for at in line]
        norm = mp.fsum(abs(value) for value in own) if p == 1 else mp.sqrt(mp.fsum(value * value for value in own))
        for at, value in zip(line, own):
            # A zero has the sign of the element, which a number of mpmath does not keep.
            results[at] = value / norm if value else call["signs"][at]
    return [results]


def moments(own):
    mean = mp.fsum(own) / len(own)
    return mean, mp.fsum((value - mean) ** 2 for value in own) / len(own)


def batch(call, xs):
    x, scale, shift, given_mean, given_variance = xs
    epsilon, momentum = single(call, "epsilon", np.float32(1e-5)), single(call, "momentum", np.float32(0.9))
    channels = scale.size
    by_channel = np.moveaxis(np.arange(x.size).reshape(x.shape), 1, 0).reshape(channels, -1) if x.ndim > 1 else np.arange(x.size).reshape(1, -1)
    values, results, means, variances = x.reshape(-1), [None] * x.size, [], []
    for channel in range(channels):
        own = [values[at] for at in by_channel[channel]]
        mean, variance = given_mean[channel], given_variance[channel]
        if call["attributes"].get("training_mode", 0):
            held_mean, held_variance = mean, variance
            mean, variance = moments(own)
            means.append(held_mean * momentum + mean * (1 - momentum))
            variances.append(held_variance * momentum + variance * (1 - momentum))
        root = mp.sqrt(variance + epsilon)
        for at, value in zip(by_channel[channel], own):
            results[at] = (value - mean) / root * scale[channel] + shift[channel]
    return [results, means, variances][:len(call["outputs"])]


def instance(call, xs):
    x, scale, shift = xs
    epsilon = single(call, "epsilon", np.float32(1e-5))
    values, results = x.reshape(-1), [None] * x.size
    for number, line in enumerate(lines_of(x, 2, x.ndim)):
        own = [values[at] for at in line]
        mean, variance = moments(own)
        root, channel = mp.sqrt(variance + epsilon), number % scale.size
        for at, value in zip(line, own):
            results[at] = (value - mean) / root * scale[channel] + shift[channel]
    return [results]


def layer(call, xs):
    x, scale = xs[:2]
    axis = call["attributes"].get("axis", -1) % x.ndim
    epsilon = single(call, "epsilon", np.float32(1e-5))
    scales = np.broadcast_to(scale, x.shape).reshape(-1)
    shifts = None if len(xs) < 3 else np.broadcast_to(xs[2], x.shape).reshape(-1)
    values, results, means, inverses = x.reshape(-1), [None] * x.size, [], []
    for line in lines_of(x, axis, x.ndim):
        own = [values[at] for at in line]
        mean, variance = moments(own)
        inverse = 1 / mp.sqrt(variance + epsilon)
        means.append(mean)
        inverses.append(inverse)
        for at, value in zip(line, own):
            results[at] = (value - mean) * inverse * scales[at] + (0 if shifts is None else shifts[at])
    return [results, means, inverses][:len(call["outputs"])]


def root_mean_square(call, xs):
    x, scale = xs
    axis = call["attributes"].get("axis", -1) % x.ndim
    epsilon = single(call, "epsilon", np.float32(1e-5))
    scales = np.broadcast_to(scale, x.shape).reshape(-1)
    values, results = x.reshape(-1), [None] * x.size
    zeros = (0.0 * call["given"][0] * call["given"][1]).reshape(-1).tolist()
    for line in lines_of(x, axis, x.ndim):
        root = mp.sqrt(mp.fsum(values[at] ** 2 for at in line) / len(line) + epsilon)
        for at in line:
            # A zero has the sign of the element and of the scale, which numbers of mpmath do not keep.
            results[at] = values[at] / root * scales[at] if values[at] and scales[at] else zeros[at]
    return [results]


def group(call, xs):
    x, scale, shift = xs
    epsilon, groups = single(call, "epsilon", np.float32(1e-5)), call["attributes"]["num_groups"]
    values, results, channels = x.reshape(-1), [None] * x.size, x.shape[1]
    size = x.size // (x.shape[0] * channels)
    for line in np.arange(x.size).reshape(x.shape[0] * groups, -1):
        mean, variance = moments([values[at] for at in line])
        root = mp.sqrt(variance + epsilon)
        for at in line:
            channel = at // size % channels
            results[at] = (values[at] - mean) / root * scale[channel] + shift[channel]
    return [results]


def mean_variance(call, xs):
    x = xs[0]
    axes = call["attributes"].get("axes", [0, 2, 3])
    values, results = x.reshape(-1), [None] * x.size
    places = np.moveaxis(np.arange(x.size).reshape(x.shape), axes, range(len(axes)))
    lines = places.reshape(int(np.prod([x.shape[axis] for axis in axes])), -1).T
    for line in lines:
        mean, variance = moments([values[at] for at in line])
        if variance == 0:
            # A NaN, of any bits.
            return None
        for at in line:
            results[at] = (values[at] - mean) / mp.sqrt(variance)
    return [results]


def attention(call, xs):
    given = iter(xs)
    q, k, v, mask, past_k, past_v, counts = [next(given) if of else None for of in (call["inputs"] + [None] * 7)[:7]]
    asked, is_flat = call["attributes"], q.ndim == 3
    if is_flat:
        split = lambda x, heads: x.reshape(x.shape[0], x.shape[1], heads, -1).transpose(0, 2, 1, 3)
        q, k, v = split(q, asked["q_num_heads"]), split(k, asked["kv_num_heads"]), split(v, asked["kv_num_heads"])
    before = 0 if past_k is None else past_k.shape[2]
    if before:
        k, v = np.concatenate([past_k, k], 2), np.concatenate([past_v, v], 2)
    (batch, heads, queries, size), (groups, keys) = q.shape, k.shape[1:3]
    scale = number(asked["scale"]) if "scale" in asked else None
    scale = 1 / mp.sqrt(size) if scale is None else mpf(float(scale))
    cap = mpf(float(number(asked["softcap"]))) if "softcap" in asked else 0
    is_truth = mask is not None and call["inputs"][3][0] == "bool"
    if mask is not None:
        columns = mask.shape[-1]
        mask = np.broadcast_to(mask, (batch, heads, queries, columns))
    output = np.empty((batch, heads, queries, v.shape[3]), dtype=object)
    weights = np.empty((batch, heads, queries, keys), dtype=object)
    for b, h, i in np.ndindex(batch, heads, queries):
        of, seen = h * groups // heads, {}
        offset = before if counts is None else int(counts[b]) - queries
        for j in range(keys):
            ahead = j - i - offset
            left, right = asked.get("left_window_size", -1), asked.get("right_window_size", -1)
            is_hidden = (asked.get("is_causal", 0) and ahead > 0) or (0 <= left < -ahead) or (0 <= right < ahead)
            if is_hidden or (counts is not None and j >= counts[b]):
                continue
            if mask is not None and (j >= columns or (is_truth and not mask[b, h, i, j])):
                continue
            score = mp.fsum(q[b, h, i, d] * k[b, of, j, d] for d in range(size)) * scale
            score = cap * mp.tanh(score / cap) if cap else score
            seen[j] = score if mask is None or is_truth else score + mask[b, h, i, j]
        largest = max(seen.values(), default=0)
        powers = {j: mp.exp(score - largest) for j, score in seen.items()}
        total = mp.fsum(powers.values())
        for j in range(keys):
            weights[b, h, i, j] = powers[j] / total if j in powers else mpf(0)
        for c in range(v.shape[3]):
            output[b, h, i, c] = mp.fsum(weights[b, h, i, j] * v[b, of, j, c] for j in powers)
    if is_flat:
        output = output.transpose(0, 2, 1, 3)
    # A sum of zeros has a sign that no number of mpmath keeps, and no one asks for.
    return [output.reshape(-1), weights.reshape(-1)][:len(call["outputs"])]


def norm(own, p):
    total = mp.fsum(abs(value) ** p for value in own)
    return mp.sqrt(total) if p == 2 else total ** (mpf(1) / p)


def of_windows(call, xs):
    x, asked = xs[0], call["attributes"]
    kernel, count = asked["kernel_shape"], x.ndim - 2
    strides, dilations, pads = asked.get("strides", [1] * count), asked.get("dilations", [1] * count), asked.get("pads", [0] * 2 * count)
    results = []
    for batch, channel, *at in np.ndindex(*call["shapes"][0]):
        own = []
        for step in np.ndindex(*kernel):
            place = tuple(at[d] * strides[d] + step[d] * dilations[d] - pads[d] for d in range(count))
            if all(0 <= place[d] < x.shape[2 + d] for d in range(count)):
                own.append(x[(batch, channel) + place])
        results.append(norm(own, asked.get("p", 2)))
    return [results]


def of_channels(call, xs):
    x = xs[0]
    return [[norm(own, call["attributes"].get("p", 2)) for own in x.reshape(x.shape[0] * x.shape[1], -1)]]


def response(call, xs):
    x, size = xs[0], call["attributes"]["size"]
    alpha, beta, bias = single(call, "alpha", np.float32(1e-4)), single(call, "beta", 0.75), single(call, "bias", 1)
    results = []
    for number, place in enumerate(np.ndindex(*x.shape)):
        batch, channel, *rest = place
        first, end = max(0, channel - (size - 1) // 2), min(x.shape[1], channel + size // 2 + 1)
        squares = mp.fsum(x[(batch, other, *rest)] ** 2 for other in range(first, end))
        # A zero has the sign of the element, which a number of mpmath does not keep.
        results.append(x[place] / (bias + alpha / size * squares) ** beta if x[place] else call["signs"][number])
    return [results]


def determinants(call, _):
    """The sum of all products of the definition, in fractions."""
    x = call["given"][0]
    mp.prec, results = 40_000, []
    for matrix in x.reshape(-1, *x.shape[-2:]):
        rows, total = [[Fraction(value) for value in row] for row in matrix.tolist()], Fraction(0)
        for columns in itertools.permutations(range(len(rows))):
            swaps = sum(a > b for a, b in itertools.combinations(columns, 2))
            total += (-1) ** swaps * math.prod(row[column] for row, column in zip(rows, columns))
        results.append(mpf(total.numerator) / total.denominator)
    return [results]


def gated(call, xs):
    """Swish of one tensor times another."""
    alpha, results = single(call, "alpha", 1), []
    signs = np.copysign(0.0, call["given"][0]) * np.copysign(1.0, call["given"][1])
    for a, b, sign in zip(*(x.reshape(-1) for x in (*xs, signs))):
        results.append(a / (1 + mp.exp(-alpha * a)) * b if a and b else float(sign))
    return [results]


def grid(call, xs):
    theta, shape = xs[0], call["shapes"][0]
    spatial, is_by_corners = shape[1:-1], call["attributes"].get("align_corners", 0)
    results = []
    for batch, *at, row in np.ndindex(*shape):
        position = [mpf(2 * i + 1 - n) / (n - 1 if is_by_corners else n) for i, n in zip(at, spatial)][::-1] + [mpf(1)]
        results.append(mp.fsum(factor * value for factor, value in zip(theta[batch, row], position)))
    return [results]


def reduction(call, xs):
    """A function of sums along axes. Of what has no logarithm nothing is computed."""
    if call["inputs"][0][0] not in FORMATS:
        return None
    x, axes = xs[0], None if len(xs) < 2 else [int(axis) for axis in xs[1].reshape(-1)]
    values, results = x.reshape(-1), []
    for places, *_ in along(call, [list(x.shape)], [x, axes]):
        own = [values[at] for at in places]
        if call["operator"] == "ReduceL2":
            results.append(mp.sqrt(mp.fsum(value * value for value in own)))
            continue
        is_sum = call["operator"] == "ReduceLogSum"
        largest = 0 if is_sum else max(own)
        total = mp.fsum(own) if is_sum else mp.fsum(mp.exp(value - largest) for value in own)
        if total < 0:
            return None
        results.append(largest + mp.log(total) if total else float("-inf"))
    return [results]


def losses(call, xs):
    """The losses of samples, or what they are reduced to, and the logarithms of the shares of their classes. Of the mean of none nothing is computed."""
    x, labels = xs[0].reshape(*xs[0].shape[:2], -1), xs[1].reshape(xs[1].shape[0], -1)
    asked, weights = call["attributes"], xs[2] if len(xs) > 2 else None
    logs, signs = x, -call["given"][0].reshape(x.shape)
    if call["operator"] == "SoftmaxCrossEntropyLoss":
        logs = np.empty(x.shape, dtype=object)
        for batch, sample in np.ndindex(*labels.shape):
            own = x[batch, :, sample]
            largest = max(own)
            total = mp.log(mp.fsum(mp.exp(score - largest) for score in own))
            logs[batch, :, sample] = [score - largest - total for score in own]
    results, divisor = [], mpf(0)
    for batch, sample in np.ndindex(*labels.shape):
        label = int(labels[batch, sample])
        if label == asked.get("ignore_index"):
            results.append(mpf(0))
            continue
        weight = mpf(1) if weights is None else weights[label]
        divisor += weight
        loss = -logs[batch, label, sample] * weight
        # A zero has the sign of the product, which numbers of mpmath do not keep.
        sign = 1.0 if weights is None else call["given"][2][label]
        results.append(loss if loss else float(np.copysign(0.0, signs[batch, label, sample]) * np.copysign(1.0, sign)))
    reduction = asked.get("reduction", "mean")
    if reduction != "none":
        total = mp.fsum(results)
        if reduction == "mean" and not divisor:
            return None
        results = [total / divisor if reduction == "mean" else total]
    return [results, logs.reshape(-1)][:len(call["outputs"])]


def window(call, xs):
    """Sums of cosines, with weights that are integers."""
    size = int(xs[0])
    if call["outputs"][0] not in FORMATS:
        return None
    a, b, c, d = {"HannWindow": (1, 1, 0, 2), "HammingWindow": (25, 21, 0, 46), "BlackmanWindow": (21, 25, 4, 50)}[call["operator"]]
    parts = size - 1 + call["attributes"].get("periodic", 1)
    cosine = lambda n: mp.cospi(mpf(2 * n) / parts)
    return [[(a - b * cosine(n) + c * cosine(2 * n)) / d for n in range(size)]]


def fourier(call, xs):
    """The sums by their definition. What is smaller than what mpmath tells from 0 is 0."""
    given = dict(zip((at for at, of in enumerate(call["inputs"]) if of), xs))
    x, inverse, onesided = given[0], call["attributes"].get("inverse", 0), call["attributes"].get("onesided", 0)
    axis = int(given[2]) % x.ndim if 2 in given else x.ndim - 2
    size = x.shape[axis]
    is_to_real = inverse and onesided
    length = int(given[1]) if 1 in given else 2 * (size - 1) if is_to_real else size
    lines = np.moveaxis(x, axis, -2)
    places = length // 2 + 1 if onesided and not inverse else length
    results = np.empty([*lines.shape[:-2], places, 1 if is_to_real else 2], object)
    factors = [(mp.cospi(mpf(2 * at) / length), mp.sinpi(mpf(2 * at) / length)) for at in range(length)]
    for outer in np.ndindex(*lines.shape[:-2]):
        numbers = [(row[0], row[1] if len(row) == 2 else mpf(0)) for row in lines[outer][:length // 2 + 1 if is_to_real else length]]
        if is_to_real:
            zero = (mpf(0), mpf(0))
            half = [numbers[at] if at < len(numbers) else zero for at in range(length // 2 + 1)]
            numbers = [half[at] if 2 * at <= length else (half[length - at][0], -half[length - at][1]) for at in range(length)]
        total = mp.fsum(abs(part) for number in numbers for part in number)
        for k in range(places):
            terms = [(number, factors[k * n % length]) for n, number in enumerate(numbers)]
            sign = 1 if inverse else -1
            real = mp.fsum(a * c - sign * b * s for (a, b), (c, s) in terms)
            imaginary = mp.fsum(b * c + sign * a * s for (a, b), (c, s) in terms)
            for part, value in enumerate((real, imaginary)[:results.shape[-1]]):
                is_zero = abs(value) <= total * mpf(2) ** -150
                results[(*outer, k, part)] = 0.0 if is_zero else value / (length if inverse else 1)
    return [list(np.moveaxis(results, -2, axis).reshape(-1))]


MULTIPRECISION = {
    "NegativeLogLikelihoodLoss": losses, "SoftmaxCrossEntropyLoss": losses,
    "BlackmanWindow": window, "HammingWindow": window, "HannWindow": window, "DFT": fourier,
    "AffineGrid": grid, "GlobalLpPool": of_channels, "LpPool": of_windows, "LRN": response, "SwiGLU": gated, "Det": determinants,
    "Attention": attention,
    "Softmax": shares, "LogSoftmax": shares, "LpNormalization": lengths, "BatchNormalization": batch,
    "InstanceNormalization": instance, "LayerNormalization": layer,
    "ReduceL2": reduction, "ReduceLogSum": reduction, "ReduceLogSumExp": reduction, "RMSNormalization": root_mean_square, "GroupNormalization": group, "MeanVarianceNormalization": mean_variance,
}


def nearest(form, value):
    """The bits of the number nearest to one of mpmath, or of a zero of a sign."""
    if isinstance(value, float):
        return bits_of(form, value)
    sign, significand, exponent, count = mpf(value)._mpf_
    if significand == 0:
        return 0
    if exponent + count > 2000 or exponent + count < form.eta - 60:
        rank = form.infinity if exponent + count > 0 else 0
    else:
        shift = exponent + form.base
        rank = form.ordinal(int(significand) << max(shift, 0), 1 << max(-shift, 0))
    return rank | (form.sign if sign else 0)


def by_mpmath(call, inputs):
    function = MULTIPRECISION.get(call["operator"])
    given = [x.astype(np.float64) for x in inputs if x is not None]
    if mp is None or function is None or any(not np.all(np.isfinite(x)) or x.size == 0 for x in given):
        return None
    if any(given[0].shape[axis] == 0 for axis in range(given[0].ndim)):
        return None
    exponents = [int(e) for x in given for e, value in zip(np.frexp(x)[1].reshape(-1), x.reshape(-1)) if value]
    mp.prec = 200 + 2 * (max(exponents, default=0) - min(exponents, default=0))
    exact = [np.array([mpf(value) for value in x.reshape(-1).tolist()] + [None], dtype=object)[:-1].reshape(x.shape) for x in given]
    parts = []
    call = call | {"given": given, "signs": [0.0 * value for value in given[0].reshape(-1).tolist()]}
    made = function(call, exact)
    if made is None:
        return None
    for results, name, shape in zip(made, call["outputs"], call["shapes"], strict=True):
        form = Format(name)
        parts.append(array([nearest(form, value) for value in results], name, shape))
    return parts


SOURCES = {"evaluator": by_double, "mpmath": by_mpmath}


if __name__ == "__main__":
    run(Path(sys.argv[1]), SOURCES)

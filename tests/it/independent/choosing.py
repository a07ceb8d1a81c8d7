"""The operators that choose one of several elements, in NumPy: each function takes a call and its inputs."""

import math
from fractions import Fraction

import numpy as np

from moving import asked


def padding(call, sizes, kernel):
    """Along each dimension the padding before the elements, and the number of windows."""
    count, auto = len(sizes), asked(call, "auto_pad", "NOTSET")
    strides, dilations = (asked(call, name, [1] * count) for name in ("strides", "dilations"))
    pads, is_ceil = asked(call, "pads", [0] * 2 * count), auto != "VALID" and asked(call, "ceil_mode", 0)
    for at, (size, length, stride, dilation) in enumerate(zip(sizes, kernel, strides, dilations)):
        reach = (length - 1) * dilation + 1
        if auto.startswith("SAME"):
            windows = -(-size // stride)
            both = max((windows - 1) * stride + reach - size, 0)
            before = both // 2 if auto == "SAME_UPPER" else both - both // 2
        else:
            before = pads[at]
            room = size + before + pads[count + at] - reach
            windows = (-(-room // stride) if is_ceil else room // stride) + 1
            # Windows that would begin in the padding at the end are left out.
            windows -= bool(is_ceil and (windows - 1) * stride >= size + before)
        yield before, windows, stride, dilation


def windows(call, sizes):
    """Along each dimension the places of the elements of each window."""
    kernel = asked(call, "kernel_shape")
    for size, length, (before, count, stride, dilation) in zip(sizes, kernel, padding(call, sizes, kernel)):
        places = [range(at * stride - before, at * stride - before + length * dilation, dilation) for at in range(count)]
        yield [[place for place in window if 0 <= place < size] for window in places]


def max_pool(call, x):
    sizes, along = x.shape[2:], list(windows(call, x.shape[2:]))
    shape = x.shape[:2] + tuple(map(len, along))
    y, indices = np.zeros(shape, x.dtype), np.zeros(shape, np.int64)
    numbered = np.arange(x.size).reshape(x.shape)
    if asked(call, "storage_order", 0):
        plane = np.arange(math.prod(sizes))
        numbered = numbered - plane.reshape(sizes) + plane.reshape(sizes, order="F")
    for at in np.ndindex(shape):
        within = np.ix_(*(places[window] for places, window in zip(along, at[2:])))
        values, places = x[at[:2]][within].ravel(), numbered[at[:2]][within].ravel()
        if values.size:
            largest = np.argmax(values)
            y[at], indices[at] = values[largest], places[largest]
    return [y, indices][:len(call["outputs"])]


def max_roi_pool(call, x, rois):
    """Corners are rounded to the elements that both belong to the region; windows begin and end in integer arithmetic."""
    (high, wide), sizes = asked(call, "pooled_shape"), x.shape[2:]
    y = np.zeros((len(rois), x.shape[1], high, wide), x.dtype)
    for region, (batch, *corners) in enumerate(rois.astype(np.float64).tolist()):
        left, top, right, bottom = map(round, corners)
        for row, column in np.ndindex(high, wide):
            window = [
                slice(max(first + at * (last - first + 1) // bins, 0), min(first - (-(at + 1) * (last - first + 1) // bins), size))
                for first, last, at, bins, size in zip((top, left), (bottom, right), (row, column), (high, wide), sizes)
            ]
            y[region, :, row, column] = x[int(batch)][:, window[0], window[1]].max(axis=(1, 2))
    return y


def place_of_extreme(extreme):
    def apply(call, x):
        axis = asked(call, "axis", 0)
        if asked(call, "select_last_index", 0):
            places = x.shape[axis] - 1 - extreme(np.flip(x, axis), axis=axis)
        else:
            places = extreme(x, axis=axis)
        return np.expand_dims(places, axis) if asked(call, "keepdims", 1) else places
    return apply


def top_k(call, x, k):
    axis, k = asked(call, "axis", -1), int(k[0])
    if asked(call, "largest", 1):
        # The last of the stable order of the elements from behind: of equal ones the first comes first.
        places = np.flip(x.shape[axis] - 1 - np.argsort(np.flip(x, axis), axis=axis, kind="stable"), axis)
    else:
        places = np.argsort(x, axis=axis, kind="stable")
    places = np.take(places, range(k), axis=axis)
    return [np.take_along_axis(x, places, axis), places.astype(np.int64)]


def reduced(extreme, infinity, end):
    """With the element that every other one replaces as the first."""
    def apply(call, x, axes=None):
        axes = () if axes is None else tuple(int(axis) for axis in axes)
        if not axes and not asked(call, "noop_with_empty_axes", 0):
            axes = None
        if x.dtype == np.bool_:
            initial = end(False, True)
        elif np.issubdtype(x.dtype, np.integer):
            initial = end(np.iinfo(x.dtype).min, np.iinfo(x.dtype).max)
        else:
            initial = x.dtype.type(infinity)
        return np.asarray(extreme.reduce(x, axis=axes, keepdims=bool(asked(call, "keepdims", 1)), initial=initial), x.dtype)
    return apply


def non_zero(call, x):
    # A scalar has no dimension that an index would be along.
    count = np.count_nonzero(x)
    return np.array(np.nonzero(x) if x.ndim else [], np.int64).reshape(x.ndim, count)


def one_hot(call, indices, depth, values):
    depth, axis = int(depth.reshape(())), asked(call, "axis", -1) % (indices.ndim + 1)
    indices = np.expand_dims(indices.astype(np.int64), axis)
    indices = np.where(indices < 0, indices + depth, indices)
    places = np.arange(depth).reshape([-1 if at == axis else 1 for at in range(indices.ndim)])
    return values[(indices == places).astype(np.int64)]


def hardmax(call, x):
    axis = asked(call, "axis", -1)
    places = np.expand_dims(np.argmax(x, axis), axis)
    result = np.zeros_like(x)
    np.put_along_axis(result, places, x.dtype.type(1), axis)
    return result


def unique(call, x):
    """Slice by slice, by a search through those that were found before."""
    axis = asked(call, "axis")
    slices = x.reshape(-1, 1) if axis is None else np.moveaxis(x, axis, 0).reshape(x.shape[axis], -1)
    found = {}
    for at, row in enumerate(slices.tolist()):
        found.setdefault(tuple(row), []).append(at)
    groups = [found[row] for row in sorted(found)] if asked(call, "sorted", 1) else list(found.values())
    first = [group[0] for group in groups]
    inverse = {at: place for place, group in enumerate(groups) for at in group}
    y = x.reshape(-1)[first] if axis is None else np.take(x, first, axis)
    lists = [first, [inverse[at] for at in range(len(slices))], [len(group) for group in groups]]
    return ([y] + [np.array(numbers, np.int64) for numbers in lists])[:len(call["outputs"])]


def part_in_common(one, other):
    """Intersection over union of two boxes, each the ends along either dimension."""
    common = math.prod(max(min(a[1], b[1]) - max(a[0], b[0]), 0) for a, b in zip(one, other))
    areas = [math.prod(high - low for low, high in box) for box in (one, other)]
    return common / (sum(areas) - common)


def non_max_suppression(call, boxes, scores, limit=None, overlap=None, least=None):
    limit, overlap = 0 if limit is None else int(limit.item()), Fraction(0 if overlap is None else overlap.item())
    rows = []
    for batch, class_ in np.ndindex(scores.shape[:2]):
        sides = []
        for box in boxes[batch].tolist():
            a, b, c, d = map(Fraction, box)
            centred = [(a - c / 2, a + c / 2), (b - d / 2, b + d / 2)]
            sides.append(centred if asked(call, "center_point_box", 0) else [sorted((a, c)), sorted((b, d))])
        own, chosen = scores[batch, class_].tolist(), []
        for at in sorted(range(len(own)), key=lambda at: -own[at]):
            is_low = least is not None and own[at] < least.item()
            if len(chosen) < limit and not is_low and all(part_in_common(sides[at], sides[other]) <= overlap for other in chosen):
                chosen.append(at)
        rows += [[batch, class_, at] for at in chosen]
    return np.array(rows, np.int64).reshape(-1, 3)


NUMPY = {
    "NonMaxSuppression": non_max_suppression,
    "Compress": lambda call, x, kept: np.compress(kept, x, asked(call, "axis")),
    "Hardmax": hardmax, "NonZero": non_zero, "OneHot": one_hot, "Unique": unique,
    "ArgMax": place_of_extreme(np.argmax), "ArgMin": place_of_extreme(np.argmin),
    "GlobalMaxPool": lambda call, x: np.max(x, axis=tuple(range(2, x.ndim)), keepdims=True),
    "MaxPool": max_pool, "MaxRoiPool": max_roi_pool,
    "ReduceMax": reduced(np.maximum, -math.inf, lambda least, greatest: least),
    "ReduceMin": reduced(np.minimum, math.inf, lambda least, greatest: greatest),
    "TopK": top_k,
}

"""The operators that choose one of several elements, in NumPy: each function takes a call and its inputs."""

import math

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


NUMPY = {
    "ArgMax": place_of_extreme(np.argmax), "ArgMin": place_of_extreme(np.argmin),
    "GlobalMaxPool": lambda call, x: np.max(x, axis=tuple(range(2, x.ndim)), keepdims=True),
    "MaxPool": max_pool,
    "ReduceMax": reduced(np.maximum, -math.inf, lambda least, greatest: least),
    "ReduceMin": reduced(np.minimum, math.inf, lambda least, greatest: greatest),
    "TopK": top_k,
}

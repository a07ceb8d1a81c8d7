"""The products of integers and of quantized tensors, in NumPy: in int64, and scaled in float64."""

import ml_dtypes
import numpy as np

from choosing import padding
from moving import asked


def less(x, zero):
    """An operand less its zero point, which is one of all elements or has the shape to broadcast with them."""
    wide = np.int64 if np.issubdtype(x.dtype, np.integer) else np.float64
    return x.astype(wide) if zero is None else x.astype(wide) - zero.astype(wide)


def by_row(x, parameter):
    """One number for each row of a matrix as a column."""
    is_list = parameter is not None and parameter.ndim == 1 and x.ndim == 2
    return parameter.reshape(-1, 1) if is_list else parameter


def by_channel(w, parameter):
    return None if parameter is None else parameter.reshape([-1] + [1] * (w.ndim - 1))


def product(call, a, b, a_zero=None, b_zero=None):
    return np.matmul(less(a, by_row(a, a_zero)), less(b, b_zero)).astype(np.int32)


def convolved(call, x, w):
    sizes, (outputs, depth), kernel = x.shape[2:], w.shape[:2], w.shape[2:]
    group = outputs // asked(call, "group", 1)
    along = list(padding(call, sizes, kernel))
    ends = [max((count - 1) * stride + (length - 1) * dilation + 1 - size - before, 0)
            for size, length, (before, count, stride, dilation) in zip(sizes, kernel, along)]
    x = np.pad(x, [(0, 0), (0, 0)] + [(before, end) for (before, *_), end in zip(along, ends)])
    y = np.zeros((x.shape[0], outputs) + tuple(count for _, count, *_ in along), x.dtype)
    for tap in np.ndindex(kernel):
        steps = tuple(slice(at * dilation, at * dilation + (count - 1) * stride + 1, stride)
                      for at, (_, count, stride, dilation) in zip(tap, along))
        met = x[(slice(None), slice(None)) + steps]
        for channel in range(outputs):
            first = channel // group * depth
            y[:, channel] += np.tensordot(w[(channel, slice(None)) + tap], met[:, first:first + depth], axes=(0, 1))
    return y


def convolution(call, x, w, x_zero=None, w_zero=None):
    return convolved(call, less(x, x_zero), less(w, by_channel(w, w_zero))).astype(np.int32)


def requantized(quotient, zero):
    """Rounded to integers and moved, or to floats of 8 bits; saturated."""
    of = zero.dtype
    if np.issubdtype(of, np.integer):
        ends = np.iinfo(of)
        return np.clip(np.nan_to_num(np.rint(quotient) + int(zero), nan=0.0), ends.min, ends.max).astype(of)
    largest = float(ml_dtypes.finfo(of).max)
    return np.clip(quotient, -largest, largest).astype(of)


def quantized_product(call, a, a_scale, a_zero, b, b_scale, b_zero, y_scale, y_zero):
    left, right = less(a, by_row(a, a_zero)), less(b, b_zero)
    left, right = left[np.newaxis] if a.ndim == 1 else left, right[:, np.newaxis] if b.ndim == 1 else right
    scales = [scale.astype(np.float64) for scale in (by_row(a, a_scale), b_scale, y_scale)]
    y = requantized(np.matmul(left, right) * (scales[0] * scales[1] / scales[2]), y_zero.reshape(()))
    y = y[..., 0] if b.ndim == 1 else y
    return y[..., 0, :] if a.ndim == 1 and b.ndim > 1 else y[..., 0] if a.ndim == 1 else y


def quantized_convolution(call, x, x_scale, x_zero, w, w_scale, w_zero, y_scale, y_zero, bias=None):
    sums = convolved(call, less(x, x_zero), less(w, by_channel(w, w_zero)))
    shape = [-1] + [1] * (x.ndim - 2)
    if bias is not None:
        sums = sums + bias.reshape(shape)
    scale = x_scale.astype(np.float64) * w_scale.astype(np.float64) / y_scale.astype(np.float64)
    return requantized(sums * scale.reshape(shape), y_zero.reshape(()))


def dynamically_quantized(call, x):
    """Each step in float32."""
    zero = np.float32(0)
    least, greatest = np.min(x, initial=zero), np.max(x, initial=zero)
    scale = np.float32((greatest - least) / np.float32(255))
    point = np.uint8(np.clip(np.nan_to_num(np.rint((zero - least) / scale)), 0, 255))
    y = np.clip(np.nan_to_num(np.rint(x / scale) + np.float32(point)), 0, 255).astype(np.uint8)
    return [y, np.asarray(scale), np.asarray(point)]


NUMPY = {
    "ConvInteger": convolution, "DynamicQuantizeLinear": dynamically_quantized, "MatMulInteger": product,
    "QLinearConv": quantized_convolution, "QLinearMatMul": quantized_product,
}

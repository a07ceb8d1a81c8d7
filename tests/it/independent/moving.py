"""The operators that move elements, in NumPy: each function takes a call and its inputs, and gives the output or a list of them."""

import math

import numpy as np


def asked(call, name, otherwise=None):
    return call["attributes"].get(name, otherwise)


def numbers(array):
    """The list that an input is; none where it is left out."""
    return None if array is None else [int(number) for number in array]


def concat(call, *parts):
    return np.concatenate(parts, axis=asked(call, "axis"))


def constant(call):
    ((name, value),) = call["attributes"].items()
    match name:
        case "value":
            return value
        case "value_float" | "value_floats":
            return np.array(value["bits"], np.uint32).view(np.float32)
        case "value_int" | "value_ints":
            return np.array(value, np.int64)
        case "value_string" | "value_strings":
            return np.array(value, object)


def constant_of_shape(call, shape):
    value = asked(call, "value", np.zeros(1, np.float32))
    return np.broadcast_to(value.reshape(()), numbers(shape))


def expand(call, x, shape):
    return np.broadcast_to(x, np.broadcast_shapes(x.shape, tuple(numbers(shape))))


def flatten(call, x):
    axis = asked(call, "axis", 1)
    return x.reshape(math.prod(x.shape[:axis]), math.prod(x.shape[axis:]))


def gather(call, x, indices):
    return np.take(x, indices, axis=asked(call, "axis", 0))


def gather_elements(call, x, indices):
    axis = asked(call, "axis", 0) % x.ndim
    within = tuple(slice(None if at == axis else size) for at, size in enumerate(indices.shape))
    return np.take_along_axis(x[within], indices, axis)


def gather_nd(call, x, indices):
    batch, outer = asked(call, "batch_dims", 0), indices.shape[:-1]
    result = np.empty(outer + x.shape[batch + indices.shape[-1]:], x.dtype)
    for at in np.ndindex(outer):
        result[at] = x[at[:batch] + tuple(indices[at])]
    return result


def pad(call, x, pads, value=None, axes=None):
    """What is removed is so before anything is added."""
    axes = range(x.ndim) if axes is None else numbers(axes)
    pads, count = numbers(pads), len(axes)
    added, kept = [[0, 0] for _ in x.shape], [slice(None)] * x.ndim
    for axis, before, after in zip(axes, pads[:count], pads[count:]):
        kept[axis] = slice(max(-before, 0), x.shape[axis] - max(-after, 0))
        added[axis] = [max(before, 0), max(after, 0)]
    x, mode = x[tuple(kept)], asked(call, "mode", "constant")
    if mode != "constant":
        return np.pad(x, added, mode)
    fill = (np.array("", object) if x.dtype == object else np.zeros((), x.dtype)) if value is None else value
    result = np.empty([before + size + after for size, (before, after) in zip(x.shape, added)], x.dtype)
    result[...] = fill
    result[tuple(slice(before, before + size) for size, (before, _) in zip(x.shape, added))] = x
    return result


def reshape(call, x, shape):
    shape = numbers(shape)
    if not asked(call, "allowzero", 0):
        shape = [x.shape[at] if size == 0 else size for at, size in enumerate(shape)]
    return x.reshape(shape)


REDUCTIONS = {
    "none": lambda old, new: new, "add": np.add, "mul": np.multiply, "max": np.maximum, "min": np.minimum,
}


def scatter_elements(call, x, indices, updates):
    axis, reduce = asked(call, "axis", 0), REDUCTIONS[asked(call, "reduction", "none")]
    result = x.copy()
    for at in np.ndindex(indices.shape):
        to = list(at)
        to[axis] = indices[at]
        to = tuple(to)
        result[to] = reduce(result[to], updates[at])
    return result


def scatter_nd(call, x, indices, updates):
    reduce = REDUCTIONS[asked(call, "reduction", "none")]
    result = x.copy()
    for at in np.ndindex(indices.shape[:-1]):
        to = tuple(indices[at])
        result[to] = reduce(result[to], updates[at])
    return result


def slices(call, x, starts, ends, axes=None, steps=None):
    taken, starts = [slice(None)] * x.ndim, numbers(starts)
    axes = range(len(starts)) if axes is None else numbers(axes)
    steps = [1] * len(starts) if steps is None else numbers(steps)
    for start, end, axis, step in zip(starts, numbers(ends), axes, steps):
        taken[axis] = slice(start, end, step)
    return x[tuple(taken)]


def split(call, x, sizes=None):
    axis = asked(call, "axis", 0)
    if sizes is None:
        count, size = asked(call, "num_outputs"), x.shape[axis]
        length = -(-size // count)
        sizes = [min(length, size - length * part) for part in range(count)]
    return np.split(x, np.cumsum(sizes)[:-1], axis)


def squeeze(call, x, axes=None):
    return np.squeeze(x, None if axes is None else tuple(numbers(axes)))


def unsqueeze(call, x, axes):
    return np.expand_dims(x, tuple(numbers(axes)))


def depth_to_space(call, x):
    size, (batches, channels, height, width) = asked(call, "blocksize"), x.shape
    depth = channels // size**2
    if asked(call, "mode", "DCR") == "DCR":
        blocks = x.reshape(batches, size, size, depth, height, width).transpose(0, 3, 4, 1, 5, 2)
    else:
        blocks = x.reshape(batches, depth, size, size, height, width).transpose(0, 1, 4, 2, 5, 3)
    return blocks.reshape(batches, depth, height * size, width * size)


def space_to_depth(call, x):
    size, (batches, channels, height, width) = asked(call, "blocksize"), x.shape
    height, width = height // size, width // size
    blocks = x.reshape(batches, channels, height, size, width, size).transpose(0, 3, 5, 1, 2, 4)
    return blocks.reshape(batches, size * size * channels, height, width)


def trilu(call, x, k=None):
    above = np.arange(x.shape[-1]) - np.arange(x.shape[-2]).reshape(-1, 1)
    k = 0 if k is None else int(k)
    kept = above >= k if asked(call, "upper", 1) else above <= k
    return np.where(kept, x, np.zeros((), x.dtype))


def tensor_scatter(call, cache, update, indices=None):
    axis, result = asked(call, "axis", -2) % cache.ndim, cache.copy()
    for sample in range(cache.shape[0]):
        first = 0 if indices is None else int(indices[sample])
        for step in range(update.shape[axis]):
            to, of = [slice(None)] * cache.ndim, [slice(None)] * cache.ndim
            to[0] = of[0] = sample
            to[axis], of[axis] = (first + step) % cache.shape[axis], step
            result[tuple(to)] = update[tuple(of)]
    return result


def center_crop_pad(call, x, shape):
    for axis, size in zip(asked(call, "axes", range(x.ndim)), numbers(shape)):
        length = x.shape[axis]
        if size < length:
            first = (length - size) // 2
            x = np.take(x, range(first, first + size), axis)
        else:
            before = (size - length) // 2
            pads = [(0, 0)] * x.ndim
            pads[axis] = (before, size - length - before)
            zeros = [np.zeros([p if at == axis % x.ndim else n for at, n in enumerate(x.shape)], x.dtype) for p in pads[axis]]
            x = np.concatenate([zeros[0], x, zeros[1]], axis)
    return x


def col2im(call, x, image, block):
    """Each element of the blocks, of all blocks at once, is added to the padded image."""
    image, block = numbers(image), numbers(block)
    count = len(image)
    strides, dilations, pads = asked(call, "strides", [1] * count), asked(call, "dilations", [1] * count), asked(call, "pads", [0] * 2 * count)
    padded = [image[d] + pads[d] + pads[count + d] for d in range(count)]
    blocks = [(padded[d] - dilations[d] * (block[d] - 1) - 1) // strides[d] + 1 for d in range(count)]
    parts = x.reshape([x.shape[0], -1, *block, *blocks])
    result = np.zeros([*parts.shape[:2], *padded], x.dtype)
    for at in np.ndindex(*block):
        places = [slice(at[d] * dilations[d], at[d] * dilations[d] + (blocks[d] - 1) * strides[d] + 1, strides[d]) for d in range(count)]
        own = parts[(slice(None), slice(None), *at)]
        if x.dtype == object:
            result[(slice(None), slice(None), *places)] = own
        else:
            result[(slice(None), slice(None), *places)] += own
    inner = [slice(pads[d], pads[d] + image[d]) for d in range(count)]
    result = result[(slice(None), slice(None), *inner)]
    # No document says which string lies where no block does.
    return np.array(["" if value == 0 else value for value in result.reshape(-1)], object).reshape(result.shape) if x.dtype == object else result


def max_unpool(call, x, indices, shape=None):
    kernel = asked(call, "kernel_shape")
    strides, pads = asked(call, "strides", [1] * len(kernel)), asked(call, "pads", [0] * 2 * len(kernel))
    sizes = [(n - 1) * strides[d] + kernel[d] - pads[d] - pads[len(kernel) + d] for d, n in enumerate(x.shape[2:])]
    result = np.zeros([*x.shape[:2], *sizes], x.dtype)
    np.put(result, indices.reshape(-1), x.reshape(-1))
    return result


def dropout(call, x, ratio=None, training=None):
    return [x, np.ones(x.shape, np.bool_)][:len(call["outputs"])]


def eye_like(call, x):
    above = np.arange(x.shape[1]) - np.arange(x.shape[0]).reshape(-1, 1)
    types = {1: np.float32, 2: np.uint8, 7: np.int64, 9: np.bool_, 10: np.float16}
    return (above == asked(call, "k", 0)).astype(types.get(asked(call, "dtype"), x.dtype))


def reverse_sequence(call, x, lengths):
    batch, time = asked(call, "batch_axis", 1), asked(call, "time_axis", 0)
    samples = np.moveaxis(x, [batch, time], [0, 1]).copy()
    for sample, length in zip(samples, numbers(lengths)):
        sample[:length] = sample[:length][::-1].copy()
    return np.moveaxis(samples, [0, 1], [batch, time])


def upsample(call, x, scales):
    for axis, scale in enumerate(scales.tolist()):
        x = np.take(x, (np.arange(int(x.shape[axis] * scale)) / scale).astype(np.int64), axis=axis)
    return x


NUMPY = {
    "Col2Im": col2im, "MaxUnpool": max_unpool,
    "CenterCropPad": center_crop_pad,
    "TensorScatter": tensor_scatter,
    "Concat": concat, "Constant": constant, "ConstantOfShape": constant_of_shape, "DepthToSpace": depth_to_space,
    "Dropout": dropout, "EyeLike": eye_like, "ReverseSequence": reverse_sequence, "Scatter": scatter_elements,
    "Expand": expand,
    "Flatten": flatten, "Gather": gather, "GatherElements": gather_elements, "GatherND": gather_nd, "Pad": pad,
    "Reshape": reshape, "ScatterElements": scatter_elements, "ScatterND": scatter_nd,
    "Shape": lambda call, x: np.array(x.shape[asked(call, "start"):asked(call, "end")], np.int64),
    "Size": lambda call, x: np.array(x.size, np.int64),
    "Slice": slices, "SpaceToDepth": space_to_depth, "Split": split, "Squeeze": squeeze,
    "Tile": lambda call, x, repeats: np.tile(x, numbers(repeats)),
    "Transpose": lambda call, x: np.transpose(x, asked(call, "perm")),
    "Trilu": trilu, "Unsqueeze": unsqueeze, "Upsample": upsample,
}

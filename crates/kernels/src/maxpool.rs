//! MaxPool: the largest element of each window, and its place in the input.

use super::elementwise::{output, tensor};
use super::operand::values;
use super::pooling::{Axis, Larger, largest};
use super::reshaping::{integer_list, refused};
use super::signature::{AttributeSpec, Domain, Input, Restriction, SONNX_FLOAT, Shapes, Version};
use super::types::{FLOATS, with_type, without_bfloat16};
use super::{Attribute, Attributes, Call, Kernel, KernelError};
use crate::arg_extremum::switch;
use values::dtype::DType::{self, Bfloat16, Float16, Float32, Float64, Int8, Int64, Uint8};
use values::tensor::Tensor;

pub(super) static MAXPOOL: Kernel = Kernel {
    domain: Domain::Onnx,
    name: "MaxPool",
    inputs: &[Input::new("X")],
    is_elementwise: false,
    slices: None,
    versions: &[
        Version::with(1, without_bfloat16(FLOATS), &ATTRIBUTES_1),
        Version::with(8, without_bfloat16(FLOATS), &ATTRIBUTES_8),
        Version::with(10, without_bfloat16(FLOATS), &ATTRIBUTES_10),
        Version::with(11, without_bfloat16(FLOATS), &ATTRIBUTES_10),
        Version::with(12, without_bfloat16(TYPES), &ATTRIBUTES_10),
        Version::with(22, TYPES, &ATTRIBUTES_10),
    ],
    restricted: &[Restriction {
        types: &[without_bfloat16(TYPES)],
        shapes: Shapes::Rank(4),
        needed: &[
            "auto_pad",
            "ceil_mode",
            "dilations",
            "kernel_shape",
            "pads",
            "storage_order",
            "strides",
        ],
        problem: Some(|_, attributes| restricted(attributes)),
        ..SONNX_FLOAT
    }],
    run,
};

const TYPES: &[DType] = &[Bfloat16, Float16, Float32, Float64, Int8, Uint8];

pub(super) const AUTO_PAD: AttributeSpec = AttributeSpec {
    name: "auto_pad",
    accepts: |value| {
        let Attribute::Text(text) = value else { return false };
        ["NOTSET", "SAME_UPPER", "SAME_LOWER", "VALID"].contains(&text.as_str())
    },
    expected: "NOTSET, SAME_UPPER, SAME_LOWER or VALID",
};
const ATTRIBUTES_1: [AttributeSpec; 4] =
    [AUTO_PAD, integer_list("kernel_shape"), integer_list("pads"), integer_list("strides")];
const ATTRIBUTES_8: [AttributeSpec; 5] = {
    let [auto_pad, kernel_shape, pads, strides] = ATTRIBUTES_1;
    [auto_pad, kernel_shape, pads, switch("storage_order"), strides]
};
const ATTRIBUTES_10: [AttributeSpec; 7] = {
    let [auto_pad, kernel_shape, pads, storage_order, strides] = ATTRIBUTES_8;
    let (ceil_mode, dilations) = (switch("ceil_mode"), integer_list("dilations"));
    [auto_pad, ceil_mode, dilations, kernel_shape, pads, storage_order, strides]
};

/// What SONNX wants of the attributes and does not find.
fn restricted(attributes: &Attributes) -> Option<&'static str> {
    let is = |name: &str, value: Attribute| attributes.get(name) == Some(&value);
    if !is("auto_pad", Attribute::Text("NOTSET".to_owned())) {
        return Some("`auto_pad` is NOTSET");
    }
    if !is("ceil_mode", Attribute::Int(0)) || !is("storage_order", Attribute::Int(0)) {
        return Some("`ceil_mode` and `storage_order` are 0");
    }
    let list = |name: &str| match attributes.get(name) {
        Some(Attribute::Ints(list)) => list.as_slice(),
        _ => &[],
    };
    let windows = list("kernel_shape").iter().zip(list("dilations"));
    let lengths = windows.map(|(&kernel, &step)| (i128::from(kernel) - 1) * i128::from(step) + 1);
    let is_short = |(length, &pad): (i128, &i64)| length <= i128::from(pad);
    // Each dimension has two pads, one in either half of the list.
    let mut pairs = lengths.collect::<Vec<_>>().repeat(2).into_iter().zip(list("pads"));
    pairs.any(is_short).then_some("windows are longer than the padding")
}

fn run(call: &Call<'_>) -> Result<Vec<Tensor>, KernelError> {
    let [data] = call.inputs()?;
    let (axes, dtype) = (axes(call, data.shape())?, data.dtype());
    let mut shape = data.shape().to_vec();
    for (size, axis) in shape[2..].iter_mut().zip(&axes) {
        *size = axis.windows;
    }
    let mut indices = output::<i64>(&shape, Int64)?;
    let is_by_columns = call.int("storage_order", 0) == 1;
    let foreign = KernelError::Type { operator: call.operator, dtype };
    let mut outputs = with_type!(numbers, dtype, T => {
        let mut results = output::<T>(&shape, dtype)?;
        let mut at = results.iter_mut().zip(&mut indices);
        if !shape.contains(&0) {
            let channels = shape[0] * shape[1];
            largest(&values::<T>(data), channels, &axes, |found| {
                let Some((result, index)) = at.next() else { return };
                let place = found.map(|(_, place)| place);
                *result = found.map_or(T::LEAST, |(element, _)| element);
                *index = match place {
                    None => -1,
                    Some(place) if is_by_columns => by_columns(&axes, place) as i64,
                    Some(place) => place as i64,
                };
            });
        }
        tensor(dtype, &shape, results)
    }, else Err(foreign))?;
    if call.outputs > 1 {
        outputs.extend(tensor(Int64, &shape, indices)?);
    }
    Ok(outputs)
}

/// The index of a place where the first of the spatial dimensions comes first, channel by channel.
fn by_columns(axes: &[Axis], place: usize) -> usize {
    let size: usize = axes.iter().map(|axis| axis.size).product();
    let (mut within, mut index, mut stride) = (place % size, place - place % size, size);
    for axis in axes.iter().rev() {
        stride /= axis.size;
        index += within % axis.size * stride;
        within /= axis.size;
    }
    index
}

/// How the windows lie.
pub(super) fn axes(call: &Call<'_>, shape: &[usize]) -> Result<Vec<Axis>, KernelError> {
    let Some((_, sizes)) = shape.split_at_checked(2).filter(|(_, sizes)| !sizes.is_empty()) else {
        return Err(refused(call, "there are a batch, channels and a spatial dimension"));
    };
    let list = |name, expected, count: usize, otherwise: i64, least: i64| {
        let bad = KernelError::BadAttribute { operator: call.operator, name, expected };
        match call.attributes.get(name) {
            Some(Attribute::Ints(list)) if list.len() == count => {
                let is_good = list.iter().all(|value| *value >= least);
                if is_good { Ok(list.clone()) } else { Err(bad) }
            }
            None if name != "kernel_shape" => Ok(vec![otherwise; count]),
            _ => Err(bad),
        }
    };
    let rank = sizes.len();
    let one_each = "a positive integer for each spatial dimension";
    let kernel = list("kernel_shape", one_each, rank, 1, 1)?;
    let strides = list("strides", one_each, rank, 1, 1)?;
    let dilations = list("dilations", one_each, rank, 1, 1)?;
    let pads = list("pads", "two integers from 0 on for each spatial dimension", 2 * rank, 0, 0)?;
    let auto_pad = match call.attributes.get("auto_pad") {
        Some(Attribute::Text(text)) if text != "NOTSET" => Some(text.as_str()),
        _ => None,
    };
    if auto_pad.is_some() && call.attributes.contains_key("pads") {
        let (name, expected) = ("pads", "left out where `auto_pad` says them");
        return Err(KernelError::BadAttribute { operator: call.operator, name, expected });
    }
    let wide = |list: &[i64], at: usize| i128::from(list[at]);
    let is_ceil = call.int("ceil_mode", 0) == 1;
    let mut axes = Vec::new();
    for (at, &size) in sizes.iter().enumerate() {
        let (kernel, stride, step) = (wide(&kernel, at), wide(&strides, at), wide(&dilations, at));
        let (length, before) = (step * (kernel - 1) + 1, wide(&pads, at));
        let after = wide(&pads, rank + at);
        let mut axis = Axis { size, windows: 0, kernel, step, stride, padding: before, after };
        let size = size as i128;
        let windows = match auto_pad {
            Some(same @ ("SAME_UPPER" | "SAME_LOWER")) => {
                // The output has the size of the input, divided by the stride and rounded up.
                let windows = (size - 1).div_euclid(stride) + 1;
                let needed = ((windows - 1) * stride + length - size).max(0);
                axis.padding = (needed + i128::from(same == "SAME_LOWER")) >> 1;
                axis.after = needed - axis.padding;
                windows
            }
            _ => {
                let padded = size + before + after;
                if length > padded {
                    return Err(refused(call, "a window is larger than the padded input"));
                }
                let steps = padded - length;
                let mut windows = steps / stride + 1;
                if is_ceil && auto_pad.is_none() {
                    windows += i128::from(steps % stride > 0);
                    // Since version 22 none begins beyond the input.
                    if call.operator.since_version() >= 22 {
                        windows = windows.min((size + before - 1).div_euclid(stride) + 1);
                    }
                }
                windows
            }
        };
        axis.windows = usize::try_from(windows).map_err(|_| refused(call, "they are too many"))?;
        axes.push(axis);
    }
    Ok(axes)
}

#[cfg(test)]
mod tests;

//! AveragePool: the mean of each window, in float32 for float16 and bfloat16.

use super::arg_extremum::switch;
use super::elementwise::{output, tensor};
use super::matmul::{Accumulate, Steps};
use super::maxpool::{AUTO_PAD, axes};
use super::operand::values;
use super::pooling::{Axis, each_window};
use super::reshaping::integer_list;
use super::signature::{AttributeSpec, Domain, Input, Version};
use super::types::{FLOATS, with_type, without_bfloat16};
use super::{Call, Kernel, KernelError};
use bytemuck::Zeroable;
use values::dtype::DType;
use values::tensor::Tensor;

pub(super) static AVERAGEPOOL: Kernel = Kernel {
    domain: Domain::Onnx,
    name: "AveragePool",
    inputs: &[Input::new("X")],
    is_elementwise: false,
    slices: None,
    versions: &[
        Version::with(1, without_bfloat16(FLOATS), &ATTRIBUTES_1),
        Version::with(7, without_bfloat16(FLOATS), &ATTRIBUTES_7),
        Version::with(10, without_bfloat16(FLOATS), &ATTRIBUTES_10),
        Version::with(11, without_bfloat16(FLOATS), &ATTRIBUTES_10),
        Version::with(19, without_bfloat16(FLOATS), &ATTRIBUTES_19),
        Version::with(22, FLOATS, &ATTRIBUTES_19),
    ],
    restricted: &[],
    run: |call| {
        let [data] = call.inputs()?;
        let axes = axes(call, data.shape())?;
        averaged(call, data, &axes, call.int("count_include_pad", 0) == 1)
    },
};

const ATTRIBUTES_1: [AttributeSpec; 4] =
    [AUTO_PAD, integer_list("kernel_shape"), integer_list("pads"), integer_list("strides")];
const ATTRIBUTES_7: [AttributeSpec; 5] = {
    let [auto_pad, kernel_shape, pads, strides] = ATTRIBUTES_1;
    [auto_pad, switch("count_include_pad"), kernel_shape, pads, strides]
};
const ATTRIBUTES_10: [AttributeSpec; 6] = {
    let [auto_pad, count_include_pad, kernel_shape, pads, strides] = ATTRIBUTES_7;
    [auto_pad, switch("ceil_mode"), count_include_pad, kernel_shape, pads, strides]
};
const ATTRIBUTES_19: [AttributeSpec; 7] = {
    let [auto_pad, ceil_mode, count_include_pad, kernel_shape, pads, strides] = ATTRIBUTES_10;
    let dilations = integer_list("dilations");
    [auto_pad, ceil_mode, count_include_pad, dilations, kernel_shape, pads, strides]
};

/// The means of the windows that lie along these axes.
pub(super) fn averaged(
    call: &Call<'_>,
    data: &Tensor,
    axes: &[Axis],
    counts_padding: bool,
) -> Result<Vec<Tensor>, KernelError> {
    let mut shape = data.shape().to_vec();
    for (size, axis) in shape[2..].iter_mut().zip(axes) {
        *size = axis.windows;
    }
    let dtype = data.dtype();
    let foreign = KernelError::Type { operator: call.operator, dtype };
    with_type!(floats, dtype, T => {
        let mut results = output::<T>(&shape, dtype)?;
        means::<T>(data, axes, counts_padding, &mut results);
        tensor(dtype, &shape, results)
    }, else Err(foreign))
}

fn means<T: Accumulate>(data: &Tensor, axes: &[Axis], counts_padding: bool, results: &mut [T]) {
    let windows: usize = axes.iter().map(|axis| axis.windows).product();
    if results.is_empty() || windows == 0 {
        return;
    }
    let elements = values::<T>(data);
    let channels = results.len() / windows;
    let mut at = results.iter_mut();
    each_window(channels, axes, |window, places| {
        let Some(result) = at.next() else { return };
        let mut sum = T::Sum::zeroed();
        places.visit(&mut |place| sum = sum.plus(elements[place].widen()));
        let mut count = places.count();
        if counts_padding {
            let mut rest = window;
            count = 1;
            for axis in axes.iter().rev() {
                count = count.saturating_mul(axis.padded(rest % axis.windows));
                rest /= axis.windows;
            }
        }
        *result = T::narrow(sum.over(count));
    });
}

#[cfg(test)]
mod tests;

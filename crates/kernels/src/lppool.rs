//! LpPool: the p-th root of the sum of the p-th powers of the magnitudes of each window, computed in binary64 and rounded once.

use super::arg_extremum::switch;
use super::maxpool::{AUTO_PAD, axes};
use super::pooling::{Axis, each_window};
use super::quantization::{encoded, format_of, packed, value};
use super::reshaping::{integer, integer_list};
use super::signature::{AttributeSpec, Domain, Input, Version};
use super::types::{FLOATS, without_bfloat16};
use super::{Attribute, Call, Kernel, KernelError};
use values::tensor::Tensor;

pub(super) static LPPOOL: Kernel = Kernel {
    domain: Domain::Onnx,
    name: "LpPool",
    inputs: &[Input::new("X")],
    is_elementwise: false,
    slices: None,
    versions: &[
        Version::with(1, without_bfloat16(FLOATS), &ATTRIBUTES_1),
        Version::with(2, without_bfloat16(FLOATS), &ATTRIBUTES_2),
        Version::with(11, without_bfloat16(FLOATS), &ATTRIBUTES_2),
        Version::with(18, without_bfloat16(FLOATS), &ATTRIBUTES_18),
        Version::with(22, FLOATS, &ATTRIBUTES_18),
    ],
    restricted: &[],
    run: |call| {
        let [data] = call.inputs()?;
        norms(call, data, &axes(call, data.shape())?)
    },
};

/// The order of the norm, as version 1 has it, and since version 2.
pub(super) const P_1: AttributeSpec = AttributeSpec::number("p");
pub(super) const P: AttributeSpec = integer("p");

const ATTRIBUTES_1: [AttributeSpec; 5] =
    [AUTO_PAD, integer_list("kernel_shape"), P_1, integer_list("pads"), integer_list("strides")];
const ATTRIBUTES_2: [AttributeSpec; 5] = {
    let [auto_pad, kernel_shape, _, pads, strides] = ATTRIBUTES_1;
    [auto_pad, kernel_shape, P, pads, strides]
};
const ATTRIBUTES_18: [AttributeSpec; 7] = {
    let [auto_pad, kernel_shape, p, pads, strides] = ATTRIBUTES_2;
    [auto_pad, switch("ceil_mode"), integer_list("dilations"), kernel_shape, p, pads, strides]
};

/// The norm of numbers.
fn norm(numbers: impl Iterator<Item = f64>, order: f64) -> f64 {
    let magnitudes = numbers.map(f64::abs);
    match order {
        1.0 => magnitudes.sum(),
        2.0 => magnitudes.map(|number| number * number).sum::<f64>().sqrt(),
        _ => libm::pow(magnitudes.map(|number| libm::pow(number, order)).sum(), order.recip()),
    }
}

/// The norms of the windows that lie along these axes.
pub(super) fn norms(
    call: &Call<'_>,
    data: &Tensor,
    axes: &[Axis],
) -> Result<Vec<Tensor>, KernelError> {
    let format = format_of(call, data)?;
    let order = match call.attributes.get("p") {
        Some(Attribute::Float(order)) => f64::from(*order),
        _ => call.int("p", 2) as f64,
    };
    let mut shape = data.shape().to_vec();
    for (size, axis) in shape[2..].iter_mut().zip(axes) {
        *size = axis.windows;
    }
    // Without elements there may be any number of channels.
    let channels = if shape.contains(&0) { 0 } else { shape[0] * shape[1] };
    super::elementwise::checked_len(&shape, data.dtype(), size_of::<u64>())?;
    let (mut results, mut numbers) = (Vec::new(), Vec::new());
    each_window(channels, axes, |_, places| {
        numbers.clear();
        places.visit(&mut |place| numbers.push(value(data, place)));
        // A sum of nothing is +0.
        results.push(encoded(format, norm(numbers.iter().copied(), order).abs(), false));
    });
    Ok(vec![packed(data.dtype(), &shape, |at| results[at])?])
}

#[cfg(test)]
mod tests;

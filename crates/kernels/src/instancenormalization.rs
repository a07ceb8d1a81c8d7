//! InstanceNormalization: each channel of each instance by its own mean and variance, computed in binary64 and
//! rounded once.

use super::lines::{moments, numbers};
use super::quantization::{encoded, format_of, packed, value};
use super::reshaping::refused;
use super::signature::{AttributeSpec, CONSUMED_INPUTS, Domain, Input, Version};
use super::types::{FLOATS, without_bfloat16};
use super::{Call, Kernel, KernelError};
use values::tensor::Tensor;

pub(super) static INSTANCENORMALIZATION: Kernel = Kernel {
    domain: Domain::Onnx,
    name: "InstanceNormalization",
    inputs: &[Input::new("input"), Input::new("scale"), Input::new("B")],
    is_elementwise: false,
    slices: None,
    versions: &[
        Version::with(1, without_bfloat16(FLOATS), &[EPSILON, CONSUMED_INPUTS]),
        Version::with(6, without_bfloat16(FLOATS), &[EPSILON]),
        Version::with(22, FLOATS, &[EPSILON]),
    ],
    restricted: &[],
    run,
};

pub(super) const EPSILON: AttributeSpec = AttributeSpec::number("epsilon");

fn run(call: &Call<'_>) -> Result<Vec<Tensor>, KernelError> {
    let [input, scale, shift] = call.inputs()?;
    let format = format_of(call, input)?;
    let shape = input.shape();
    let least = if call.operator.since_version() < 6 { 4 } else { 3 };
    let (channels, features) = match shape {
        [_, channels, features @ ..] if shape.len() >= least => (*channels, features),
        _ => return Err(refused(call, "there are not enough dimensions")),
    };
    if least == 4 && shape.len() > 4 {
        return Err(refused(call, "there are too many dimensions"));
    }
    if [scale, shift].iter().any(|tensor| tensor.shape() != [channels]) {
        return Err(refused(call, "scale and B have no element for each channel"));
    }
    let epsilon = f64::from(call.float("epsilon", 1e-5));
    if shape.contains(&0) {
        return Ok(vec![packed(input.dtype(), shape, |_| 0)?]);
    }
    let count: usize = features.iter().product();
    let known: Vec<(f64, f64)> = (0..input.elements() / count)
        .map(|line| moments(&numbers(input, line * count, count, 1)))
        .collect();
    let result = |at: usize| {
        let (line, channel) = (at / count, at / count % channels);
        let (mean, variance) = known[line];
        let normal = (value(input, at) - mean) / (variance + epsilon).sqrt();
        encoded(format, normal * value(scale, channel) + value(shift, channel), false)
    };
    Ok(vec![packed(input.dtype(), shape, result)?])
}

#[cfg(test)]
mod tests;

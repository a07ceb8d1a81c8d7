//! LpNormalization: elements divided by the norm of their line, computed in binary64 and rounded once. Squares of
//! binary64 numbers that overflow or underflow are avoided by powers of two.

use super::lines::{first, numbers};
use super::quantization::{encoded, format_of, packed, value};
use super::reshaping::{axis_of, integer, refused};
use super::signature::{AttributeSpec, Domain, Input, Version};
use super::types::{FLOATS, without_bfloat16};
use super::{Attribute, Call, Kernel, KernelError};
use values::tensor::Tensor;

pub(super) static LPNORMALIZATION: Kernel = Kernel {
    domain: Domain::Onnx,
    name: "LpNormalization",
    inputs: &[Input::new("input")],
    is_elementwise: false,
    slices: None,
    versions: &[
        Version::with(1, without_bfloat16(FLOATS), &[AXIS, P]),
        Version::with(22, FLOATS, &[AXIS, P]),
    ],
    restricted: &[],
    run,
};

const AXIS: AttributeSpec = integer("axis");
const P: AttributeSpec = AttributeSpec {
    name: "p",
    accepts: |value| matches!(value, Attribute::Int(1 | 2)),
    expected: "1 or 2",
};

/// The root of the sum of the squares, or the sum of the magnitudes, of numbers that are at most about 1.
fn norm(line: &[f64], order: i64) -> f64 {
    match order {
        1 => line.iter().map(|number| number.abs()).sum(),
        _ => line.iter().map(|number| number * number).sum::<f64>().sqrt(),
    }
}

/// A power of two near a number, which a product with it brings near 1; 1 for zeros, infinities and NaNs.
fn scale(largest: f64) -> f64 {
    if largest == 0.0 || !largest.is_finite() {
        return 1.0;
    }
    let exponent = (largest.to_bits() >> 52) as i64 - 1023;
    f64::from_bits(((1023 - exponent.clamp(-1000, 1000)) as u64) << 52)
}

fn run(call: &Call<'_>) -> Result<Vec<Tensor>, KernelError> {
    let [input] = call.inputs()?;
    let format = format_of(call, input)?;
    let shape = input.shape();
    let axis = axis_of(call, call.int("axis", -1), shape.len(), 1)?;
    let order = call.int("p", 2);
    let (count, after) = shape
        .split_at(axis)
        .1
        .split_first()
        .ok_or_else(|| refused(call, "there is no dimension"))?;
    let (count, step) = (*count, after.iter().product::<usize>());
    let result = |at: usize| {
        let line = numbers(input, first(at, count, step), count, step);
        let by = scale(line.iter().fold(0.0, |largest: f64, number| largest.max(number.abs())));
        let scaled: Vec<f64> = line.iter().map(|number| number * by).collect();
        let norm = norm(&scaled, order);
        let quotient = if norm == 0.0 { 0.0 } else { value(input, at) * by / norm };
        encoded(format, quotient, false)
    };
    Ok(vec![packed(input.dtype(), shape, result)?])
}

#[cfg(test)]
mod tests;

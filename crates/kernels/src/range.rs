//! Range: start + i delta, for as many i as the quotient (limit - start) / delta says, rounded up. Integers are computed in
//! 128 bits. Floats are computed in binary64 and rounded once; how many there are is decided by products, not by the
//! quotient, which may be rounded across an integer.

use super::quantization::{encoded, packed, value};
use super::reshaping::refused;
use super::signature::{AttributeSpec, Domain, Input, Restriction, SONNX_FLOAT, Shapes, Version};
use super::{Attribute, Call, Kernel, KernelError};
use values::dtype::DType::{self, Bfloat16, Float16, Float32, Float64, Int16, Int32, Int64};
use values::dtype::{Kind, integer};
use values::tensor::Tensor;

pub(super) static RANGE: Kernel = Kernel {
    domain: Domain::Onnx,
    name: "Range",
    inputs: &[Input::new("start"), Input::new("limit"), Input::new("delta")],
    is_elementwise: false,
    slices: None,
    versions: &[Version::new(11, WIDE), Version::with(27, TYPES, &[STASH_TYPE])],
    restricted: &[Restriction {
        types: &[WIDE; 3],
        shapes: Shapes::Rank(0),
        needed: &["stash_type"],
        ..SONNX_FLOAT
    }],
    run,
};

const TYPES: &[DType] = &[Float32, Float64, Int16, Int32, Int64, Float16, Bfloat16];
const WIDE: &[DType] = TYPES.split_at(5).0;
const STASH_TYPE: AttributeSpec = AttributeSpec {
    name: "stash_type",
    accepts: |value| matches!(value, Attribute::Int(1 | 10 | 11 | 16)),
    expected: "the number of a float type",
};

fn run(call: &Call<'_>) -> Result<Vec<Tensor>, KernelError> {
    let [start, limit, delta] = call.inputs()?;
    let dtype = start.dtype();
    if [start, limit, delta].iter().any(|input| !input.shape().is_empty()) {
        return Err(refused(call, "the inputs are no scalars"));
    }
    match dtype.kind() {
        Kind::Int { signed, bits } => {
            let number =
                |tensor: &Tensor| integer(tensor.element(0).unwrap_or_default(), signed, bits);
            let [start, limit, delta] = [start, limit, delta].map(number);
            if delta == 0 {
                return Err(refused(call, "delta is 0"));
            }
            let (distance, step) = ((limit - start) * delta.signum(), delta.abs());
            let count = if distance > 0 { (distance + step - 1) / step } else { 0 };
            let count = usize::try_from(count).map_err(|_| refused(call, "there are too many"))?;
            let mask = u64::MAX >> (u64::BITS - bits);
            let element = |at: usize| (start + at as i128 * delta) as u64 & mask;
            Ok(vec![packed(dtype, &[count], element)?])
        }
        Kind::Float(format) => {
            let [start, limit, delta] = [start, limit, delta].map(|tensor| value(tensor, 0));
            let stash = call.int("stash_type", 1);
            let own = if dtype == Float16 { 10 } else { 16 };
            let is_narrow = matches!(dtype, Float16 | Bfloat16);
            if is_narrow && ![1, 11, own].contains(&stash) {
                return Err(refused(call, "`stash_type` cannot hold the inputs"));
            }
            let count = count(call, start, limit, delta)?;
            let element = |at: usize| encoded(format, (at as f64).mul_add(delta, start), false);
            Ok(vec![packed(dtype, &[count], element)?])
        }
        _ => Err(KernelError::Type { operator: call.operator, dtype }),
    }
}

/// The least number of steps that is not short of the limit.
fn count(call: &Call<'_>, start: f64, limit: f64, delta: f64) -> Result<usize, KernelError> {
    let none = || refused(call, "the inputs give no number of elements");
    let distance = limit - start;
    // Two numbers that are far apart may have a distance beyond binary64.
    let is_infinite = limit.is_infinite() || start.is_infinite();
    if delta == 0.0 || delta.is_nan() || distance.is_nan() || delta.is_infinite() && is_infinite {
        return Err(none());
    }
    if distance * delta.signum() <= 0.0 || delta.is_infinite() {
        return Ok(0);
    }
    let near = ((limit - start) / delta).ceil();
    if near >= 9e15 {
        return Err(refused(call, "there are too many"));
    }
    let is_short = |steps: f64| {
        // The sum of what rounding loses of product, difference and sum decides where these are equal.
        let product = steps * delta;
        let rest = steps.mul_add(delta, -product);
        let distance = limit - start;
        let lost = lost(limit, -start, distance);
        let apart = distance - product;
        if apart == 0.0 { lost - rest } else { apart + (lost - rest) }
    };
    let mut steps = near.max(1.0) - 1.0;
    while is_short(steps) * delta.signum() > 0.0 {
        steps += 1.0;
    }
    Ok(steps as usize)
}

/// What a sum lacks of the exact one (D. Knuth, *The Art of Computer Programming*, volume 2, 4.2.2).
fn lost(a: f64, b: f64, sum: f64) -> f64 {
    let other = sum - a;
    (a - (sum - other)) + (b - other)
}

#[cfg(test)]
mod tests;

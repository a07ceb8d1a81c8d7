//! RMSNormalization: elements by the root of the mean of the squares of the last dimensions. The first stage is computed in
//! binary64 of what X is in the type that `stash_type` names, and rounded to that type and to X's; the product with scale is
//! rounded once, to the type of scale.

use super::instancenormalization::EPSILON;
use super::lines::numbers;
use super::quantization::{encoded, packed, rounded, value};
use super::reshaping::{axis_of, integer, refused};
use super::signature::{AttributeSpec, Domain, Input, Version};
use super::types::FLOATS;
use super::{Attribute, Broadcast, Call, Kernel, KernelError};
use values::dtype::{DType, Kind};
use values::float::FloatFormat;
use values::tensor::Tensor;

pub(super) static RMSNORMALIZATION: Kernel = Kernel {
    domain: Domain::Onnx,
    name: "RMSNormalization",
    inputs: &[Input::new("X"), Input::free("scale")],
    is_elementwise: false,
    slices: None,
    versions: &[Version::with(23, FLOATS, &[integer("axis"), EPSILON, STASH_TYPE])],
    restricted: &[],
    run,
};

/// The type of the first stage.
pub(super) const STASH_TYPE: AttributeSpec = AttributeSpec {
    name: "stash_type",
    accepts: |value| matches!(value, Attribute::Int(1 | 10 | 11 | 16)),
    expected: "the number of a float type of 16 bits or more",
};

/// The type that [`STASH_TYPE`] names.
pub(super) fn stash(call: &Call<'_>) -> DType {
    match call.int("stash_type", 1) {
        10 => DType::Float16,
        11 => DType::Float64,
        16 => DType::Bfloat16,
        _ => DType::Float32,
    }
}

fn format(call: &Call<'_>, dtype: DType) -> Result<&'static FloatFormat, KernelError> {
    match dtype.kind() {
        Kind::Float(format) => Ok(format),
        _ => Err(KernelError::Type { operator: call.operator, dtype }),
    }
}

fn run(call: &Call<'_>) -> Result<Vec<Tensor>, KernelError> {
    let [x, scale] = call.inputs()?;
    let (own, last) = (format(call, x.dtype())?, format(call, scale.dtype())?);
    let stage = format(call, stash(call))?;
    let shape = x.shape();
    let axis = axis_of(call, call.int("axis", -1), shape.len(), 23)?;
    let places = Broadcast::unidirectional(shape, &[shape, scale.shape()])
        .map_err(|_| refused(call, "scale cannot be broadcast to X"))?;
    let (outer, inner) = shape.split_at(axis);
    let count: usize = inner.iter().product();
    let epsilon = rounded(stage, f64::from(call.float("epsilon", 1e-5)));
    let roots: Vec<f64> = (0..outer.iter().product())
        .map(|line: usize| {
            let all = numbers(x, line * count, count, 1).into_iter().map(|x| rounded(stage, x));
            (all.map(|x| x * x).sum::<f64>() / count as f64 + epsilon).sqrt()
        })
        .collect();
    let result = |at: usize| {
        let normal = rounded(stage, rounded(stage, value(x, at)) / roots[at / count]);
        let factor = places.operand_index(1, at).map_or(f64::NAN, |place| value(scale, place));
        encoded(last, rounded(own, normal) * factor, false)
    };
    Ok(vec![packed(scale.dtype(), shape, result)?])
}

#[cfg(test)]
mod tests;

//! LayerNormalization: elements by the mean and the variance of the last dimensions. The first stage is computed in
//! binary64 of what the inputs are in the type that `stash_type` names, and rounded to that type and to the data's; the second
//! stage too.

use super::instancenormalization::EPSILON;
use super::lines::{moments, numbers};
use super::quantization::{encoded, packed, rounded, value};
use super::reshaping::{axis_of, integer, refused};
use super::rmsnormalization::stash;
use super::signature::{AttributeSpec, Domain, Input, Version};
use super::types::FLOATS;
use super::{Attribute, Broadcast, Call, Kernel, KernelError};
use values::dtype::Kind;
use values::tensor::Tensor;

pub(super) static LAYERNORMALIZATION: Kernel = Kernel {
    domain: Domain::Onnx,
    name: "LayerNormalization",
    inputs: &[Input::new("X"), Input::new("Scale"), Input::new("B").optional()],
    is_elementwise: false,
    slices: None,
    versions: &[Version::with(17, FLOATS, &[integer("axis"), EPSILON, STASH_TYPE])],
    restricted: &[],
    run,
};

const STASH_TYPE: AttributeSpec = AttributeSpec {
    name: "stash_type",
    accepts: |value| matches!(value, Attribute::Int(1 | 16)),
    expected: "the number of float32 or of bfloat16",
};

fn run(call: &Call<'_>) -> Result<Vec<Tensor>, KernelError> {
    let missing =
        || KernelError::Arity { operator: call.operator, expected: 2, actual: call.given.len() };
    let (Some(x), Some(scale)) = (call.input(0), call.input(1)) else { return Err(missing()) };
    let shift = call.input(2);
    let stash = stash(call);
    let (Kind::Float(format), Kind::Float(stage)) = (x.dtype().kind(), stash.kind()) else {
        return Err(missing());
    };
    let shape = x.shape();
    let axis = axis_of(call, call.int("axis", -1), shape.len(), 17)?;
    let places = |tensor: &Tensor| {
        let plan = Broadcast::unidirectional(shape, &[shape, tensor.shape()]);
        plan.map_err(|_| refused(call, "an input cannot be broadcast to X"))
    };
    let scales = places(scale)?;
    let shifts = shift.map(places).transpose()?;
    let (outer, inner) = shape.split_at(axis);
    let count: usize = inner.iter().product();
    let saved: Vec<usize> = outer.iter().copied().chain(inner.iter().map(|_| 1)).collect();
    let epsilon = f64::from(call.float("epsilon", 1e-5));
    let lines: usize = outer.iter().product();
    let line = |at: usize| {
        let all = numbers(x, at * count, count, 1);
        moments(&all.iter().map(|number| rounded(stage, *number)).collect::<Vec<_>>())
    };
    let known: Vec<(f64, f64)> = (0..lines)
        .map(line)
        .map(|(mean, variance)| (mean, 1.0 / (variance + epsilon).sqrt()))
        .collect();
    let own = |tensor: &Tensor, places: &Broadcast, at: usize| {
        places.operand_index(1, at).map_or(f64::NAN, |place| value(tensor, place))
    };
    let result = |at: usize| {
        let (mean, inverse) = known[at / count];
        let normal = (rounded(stage, value(x, at)) - mean) * inverse;
        let normal = rounded(format, rounded(stage, normal));
        let scaled = normal * own(scale, &scales, at);
        let shift = shift.zip(shifts.as_ref()).map(|(tensor, places)| own(tensor, places, at));
        encoded(format, shift.map_or(scaled, |shift| scaled + shift), false)
    };
    let mut outputs = vec![packed(x.dtype(), shape, result)?];
    if call.outputs > 1 {
        outputs.push(packed(stash, &saved, |at| encoded(stage, known[at].0, false))?);
    }
    if call.outputs > 2 {
        outputs.push(packed(stash, &saved, |at| encoded(stage, known[at].1, false))?);
    }
    Ok(outputs)
}

#[cfg(test)]
mod tests;

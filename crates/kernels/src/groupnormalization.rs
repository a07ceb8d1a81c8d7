//! GroupNormalization: each group of channels of each instance by its own mean and variance. They are computed in binary64, since
//! version 21 of what X is in the type that `stash_type` names, with a result that is rounded to that type and to X's; what scales
//! and shifts has an element for each channel since then, and for each group before.

use super::instancenormalization::EPSILON;
use super::lines::{moments, numbers};
use super::quantization::{encoded, packed, rounded, value};
use super::reshaping::{integer, refused};
use super::rmsnormalization::{STASH_TYPE, stash};
use super::signature::{AttributeSpec, Domain, Input, Version};
use super::types::FLOATS;
use super::{Call, Kernel, KernelError};
use values::dtype::{DType, Kind};
use values::tensor::Tensor;

pub(super) static GROUPNORMALIZATION: Kernel = Kernel {
    domain: Domain::Onnx,
    name: "GroupNormalization",
    inputs: &[Input::new("X"), Input::new("scale"), Input::new("bias")],
    is_elementwise: false,
    slices: None,
    versions: &[
        Version::with(18, FLOATS, &[EPSILON, NUM_GROUPS]),
        Version::with(21, FLOATS, &[EPSILON, NUM_GROUPS, STASH_TYPE]),
    ],
    restricted: &[],
    run,
};

const NUM_GROUPS: AttributeSpec = integer("num_groups");

fn run(call: &Call<'_>) -> Result<Vec<Tensor>, KernelError> {
    let [x, scale, bias] = call.inputs()?;
    let is_staged = call.operator.since_version() >= 21;
    // The one formula of version 18 is computed in binary64 throughout.
    let stash = if is_staged { stash(call) } else { DType::Float64 };
    let (Kind::Float(format), Kind::Float(stage)) = (x.dtype().kind(), stash.kind()) else {
        return Err(KernelError::Type { operator: call.operator, dtype: x.dtype() });
    };
    let shape = x.shape();
    let (&[_, channels, ..], Ok(groups)) = (shape, usize::try_from(call.int("num_groups", 0)))
    else {
        return Err(refused(call, "there are no channels, or no groups"));
    };
    if groups == 0 || channels % groups != 0 {
        return Err(refused(call, "the groups do not divide the channels"));
    }
    let own = if is_staged { channels } else { groups };
    if [scale, bias].iter().any(|tensor| tensor.shape() != [own]) {
        return Err(refused(call, "scale or bias has another number of elements"));
    }
    if shape.contains(&0) {
        return Ok(vec![packed(x.dtype(), shape, |_| 0)?]);
    }
    let size: usize = shape[2..].iter().product();
    let count = channels / groups * size;
    let epsilon = f64::from(call.float("epsilon", 1e-5));
    let known: Vec<(f64, f64)> = (0..x.elements() / count)
        .map(|group| {
            let all = numbers(x, group * count, count, 1);
            moments(&all.iter().map(|x| rounded(stage, *x)).collect::<Vec<_>>())
        })
        .map(|(mean, variance)| (mean, (variance + epsilon).sqrt()))
        .collect();
    let result = |at: usize| {
        let (mean, deviation) = known[at / count];
        let normal = (rounded(stage, value(x, at)) - mean) / deviation;
        let normal = if is_staged { rounded(format, rounded(stage, normal)) } else { normal };
        let place = if is_staged { at / size % channels } else { at / count % groups };
        encoded(format, normal * value(scale, place) + value(bias, place), false)
    };
    Ok(vec![packed(x.dtype(), shape, result)?])
}

#[cfg(test)]
mod tests;

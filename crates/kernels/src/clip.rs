//! Clip: what lies beyond a bound becomes the bound. One that is NaN or left out bounds nothing, and the maximum
//! takes precedence over the minimum.

use bytemuck::Pod;

use super::broadcast::Mismatch;
use super::elementwise::{each, output, tensor};
use super::narrow::Nearest;
use super::operand::values;
use super::signature::{
    AttributeSpec, CONSUMED_INPUTS, Domain, Input, Restriction, SONNX_FLOAT, Shapes, Version,
};
use super::types::{FLOATS, NUMBERS, with_type, without_bfloat16};
use super::{Call, Kernel, KernelError};
use values::dtype::DType;
use values::tensor::Tensor;

pub(super) static CLIP: Kernel = Kernel {
    domain: Domain::Onnx,
    name: "Clip",
    inputs: &[
        Input::new("input"),
        Input::new("min").optional().since(11),
        Input::new("max").optional().since(11),
    ],
    is_elementwise: true,
    slices: None,
    versions: &[
        Version::with(
            1,
            without_bfloat16(FLOATS),
            &[CONSUMED_INPUTS, AttributeSpec::number("max"), AttributeSpec::number("min")],
        ),
        Version::with(
            6,
            without_bfloat16(FLOATS),
            &[AttributeSpec::number("max"), AttributeSpec::number("min")],
        ),
        Version::new(11, without_bfloat16(FLOATS)),
        Version::new(12, without_bfloat16(NUMBERS)),
        Version::new(13, NUMBERS),
    ],
    restricted: &[Restriction {
        types: &[without_bfloat16(NUMBERS); 3],
        shapes: Shapes::Free,
        needed: &["min", "max"],
        ..SONNX_FLOAT
    }],
    run: |call| {
        let Some(input) = call.input(0) else { return Ok(Vec::new()) };
        let dtype = input.dtype();
        let foreign = KernelError::Type { operator: call.operator, dtype };
        if call.operator.since_version() >= 11 {
            return with_type!(numbers, dtype, T => {
                clipped::<T>(input, [scalar(call, 1)?, scalar(call, 2)?])
            }, else Err(foreign));
        }
        with_type!(floats, dtype, T => {
            let min = call.float("min", f32::MIN);
            let max = call.float("max", f32::MAX);
            clipped(input, [Some(T::nearest(min)), Some(T::nearest(max))])
        }, else Err(foreign))
    },
};

/// The bound at a place among the inputs, if it is given.
fn scalar<T: Pod>(call: &Call<'_>, at: usize) -> Result<Option<T>, KernelError> {
    let Some(bound) = call.input(at) else { return Ok(None) };
    if !bound.shape().is_empty() {
        let shapes: Vec<&[usize]> = call.given.iter().flatten().map(|it| it.shape()).collect();
        return Err(call.operator.mismatch(&shapes, Mismatch::Rule("bounds are scalars")));
    }
    Ok(values::<T>(bound).first().copied())
}

fn clipped<T: Pod + PartialOrd + Send + Sync>(
    input: &Tensor,
    bounds: [Option<T>; 2],
) -> Result<Vec<Tensor>, KernelError> {
    let (dtype, shape) = (input.dtype(), input.shape());
    let mut results = output::<T>(shape, dtype)?;
    // A NaN has no order, not even to itself.
    let [min, max] = bounds.map(|bound| bound.filter(|it| it.partial_cmp(it).is_some()));
    let values = values::<T>(input);
    let clip = |x: &T| match (min, max) {
        (Some(min), Some(max)) if max < min => max,
        (Some(min), _) if *x < min => min,
        (_, Some(max)) if *x > max => max,
        _ => *x,
    };
    each(values.iter(), &mut results, clip);
    tensor(dtype, shape, results)
}

#[cfg(test)]
mod tests;

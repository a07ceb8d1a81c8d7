//! What Softmax and LogSoftmax have in common, and Hardmax in part: lines along a dimension, or along all from one on before version
//! 13, and the powers of e of their elements and the sum of these. The largest number is subtracted first; all is computed in binary64 and rounded once.

use super::lines::{first, numbers};
use super::quantization::{encoded, format_of, packed, value};
use super::reshaping::{axis_of, integer};
use super::signature::{AttributeSpec, Version};
use super::types::{FLOATS, without_bfloat16};
use super::{Call, KernelError};
use values::tensor::Tensor;

const AXIS: AttributeSpec = integer("axis");

pub(super) static VERSIONS: [Version; 3] = [
    Version::with(1, without_bfloat16(FLOATS), &[AXIS]),
    Version::with(11, without_bfloat16(FLOATS), &[AXIS]),
    Version::with(13, FLOATS, &[AXIS]),
];

/// How many elements a line has and how far apart they are: before version 13 all from the axis on, then those along it.
/// None of a tensor without elements.
pub(super) fn lines(
    call: &Call<'_>,
    input: &Tensor,
) -> Result<Option<(usize, usize)>, KernelError> {
    let is_early = call.operator.since_version() < 13;
    let shape = input.shape();
    let axis = axis_of(call, call.int("axis", if is_early { 1 } else { -1 }), shape.len(), 11)?;
    let after: usize = shape[axis + 1..].iter().product();
    let (count, step) = if is_early { (shape[axis] * after, 1) } else { (shape[axis], after) };
    Ok((!shape.contains(&0)).then_some((count, step)))
}

/// What is made of an element, the largest of its line, and the sum of the powers of the distances from that.
pub(super) fn shared(
    call: &Call<'_>,
    share: fn(f64, f64, f64) -> f64,
) -> Result<Vec<Tensor>, KernelError> {
    let [input] = call.inputs()?;
    let format = format_of(call, input)?;
    let shape = input.shape();
    let Some((count, step)) = lines(call, input)? else {
        return Ok(vec![packed(input.dtype(), shape, |_| 0)?]);
    };
    let mut known: Vec<Option<(f64, f64)>> = vec![None; input.elements() / count];
    let mut results = vec![0_u64; input.elements()];
    for (at, result) in results.iter_mut().enumerate() {
        let line = at / (count * step) * step + at % step;
        let (largest, sum) = *known[line].get_or_insert_with(|| {
            let line = numbers(input, first(at, count, step), count, step);
            let largest = line.iter().copied().fold(f64::NEG_INFINITY, f64::max);
            (largest, line.iter().map(|number| (number - largest).exp()).sum())
        });
        *result = encoded(format, share(value(input, at), largest, sum), false);
    }
    Ok(vec![packed(input.dtype(), shape, |at| results[at])?])
}

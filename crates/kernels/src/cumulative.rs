//! What CumSum and CumProd share: along a dimension, what comes of all elements up to each one.

use super::arg_extremum::switch;
use super::elementwise::{output, tensor};
use super::matmul::Accumulate;
use super::operand::values;
use super::reshaping::{axis_of, integers, refused};
use super::signature::AttributeSpec;
use super::{Call, KernelError};
use values::tensor::Tensor;

pub(super) const ATTRIBUTES: &[AttributeSpec] = &[switch("exclusive"), switch("reverse")];

/// The data, and the dimension that the axis of an operator of a version names.
pub(super) fn operands<'a>(
    call: &Call<'a>,
    since: i64,
) -> Result<(&'a Tensor, usize), KernelError> {
    let [data, axis] = call.inputs()?;
    let is_scalar = axis.shape().is_empty();
    let [axis] = integers(axis)[..] else {
        return Err(refused(call, "the axis is one integer"));
    };
    if !is_scalar {
        return Err(refused(call, "the axis is a scalar"));
    }
    Ok((data, axis_of(call, axis, data.shape().len(), since)?))
}

/// Each element taken into what came of those before it, from the end that `reverse` names, beginning with `none`.
pub(super) fn along<T: Accumulate + Send + Sync>(
    call: &Call<'_>,
    (data, axis): (&Tensor, usize),
    none: T::Sum,
    with: impl Fn(T::Sum, T::Sum) -> T::Sum,
) -> Result<Vec<Tensor>, KernelError> {
    let shape = data.shape();
    let mut results = output::<T>(shape, data.dtype())?;
    let is_exclusive = call.int("exclusive", 0) == 1;
    let is_reverse = call.int("reverse", 0) == 1;
    if !results.is_empty() {
        let elements = values::<T>(data);
        let size = shape[axis];
        let stride: usize = shape[axis + 1..].iter().product();
        for line in 0..results.len() / size {
            let first = line / stride * stride * size + line % stride;
            let mut so_far = none;
            for step in 0..size {
                let at = if is_reverse { size - 1 - step } else { step };
                let place = first + at * stride;
                let next = with(so_far, elements[place].widen());
                results[place] = T::narrow(if is_exclusive { so_far } else { next });
                so_far = next;
            }
        }
    }
    tensor(data.dtype(), shape, results)
}

//! What ArgMax and ArgMin have in common: the place of the extreme along a dimension. A NaN comes before every
//! number, and of several places the first or the last is told.

use super::reshaping::{axis_of, integer, refused};
use super::signature::{AttributeSpec, Version};
use super::types::{NUMBERS, with_type, without_bfloat16};
use super::{Attribute, Call, KernelError};
use crate::elementwise::{output, tensor};
use crate::operand::values;
use values::dtype::DType::{self, Int64};
use values::tensor::Tensor;

pub(super) static VERSIONS: [Version; 4] = [
    Version::with(1, without_bfloat16(NUMBERS), &[AXIS, KEEPDIMS]),
    Version::with(11, without_bfloat16(NUMBERS), &[AXIS, KEEPDIMS]),
    Version::with(12, without_bfloat16(NUMBERS), &[AXIS, KEEPDIMS, SELECT_LAST_INDEX]),
    Version::with(13, NUMBERS, &[AXIS, KEEPDIMS, SELECT_LAST_INDEX]),
];

const AXIS: AttributeSpec = integer("axis");
const KEEPDIMS: AttributeSpec = switch("keepdims");
const SELECT_LAST_INDEX: AttributeSpec = switch("select_last_index");

/// An attribute that is 0 or 1.
pub(super) const fn switch(name: &'static str) -> AttributeSpec {
    let accepts = |value: &Attribute| matches!(value, Attribute::Int(0 | 1));
    AttributeSpec { name, accepts, expected: "0 or 1" }
}

/// The place of the largest element along the axis, or of the smallest.
pub(super) fn places(call: &Call<'_>, is_largest: bool) -> Result<Vec<Tensor>, KernelError> {
    let [data] = call.inputs()?;
    let sizes = data.shape();
    let axis = axis_of(call, call.int("axis", 0), sizes.len(), 11)?;
    let is_empty = sizes.contains(&0);
    if sizes[axis] == 0 || is_empty && call.operator.since_version() == 11 {
        return Err(refused(call, "there are no elements"));
    }
    let mut shape = sizes.to_vec();
    match call.int("keepdims", 1) {
        0 => drop(shape.remove(axis)),
        _ => shape[axis] = 1,
    }
    let mut found = output::<i64>(&shape, Int64)?;
    if is_empty {
        return tensor(Int64, &shape, found);
    }
    let (count, step) = (sizes[axis], sizes[axis + 1..].iter().product::<usize>());
    let is_last = call.int("select_last_index", 0) == 1;
    let foreign = KernelError::Type { operator: call.operator, dtype: data.dtype() };
    with_type!(numbers, data.dtype(), T => {
        let values = values::<T>(data);
        for (at, place) in found.iter_mut().enumerate() {
            let from = at / step * count * step + at % step;
            let elements = values[from..].iter().step_by(step).take(count);
            *place = extreme(elements.copied(), is_largest, is_last);
        }
        tensor(Int64, &shape, found)
    }, else Err(foreign))
}

/// The place of the extreme among elements.
#[expect(clippy::eq_op, reason = "a NaN alone differs from itself")]
fn extreme<T: PartialOrd + Copy>(
    mut elements: impl Iterator<Item = T>,
    is_largest: bool,
    is_last: bool,
) -> i64 {
    let Some(mut best) = elements.next() else { return 0 };
    let mut place = 0;
    for (at, element) in (1..).zip(elements) {
        let is_taken = match (best != best, element != element) {
            (true, is_nan) => is_nan && is_last,
            (false, true) => true,
            (false, false) if element == best => is_last,
            (false, false) => (element > best) == is_largest,
        };
        if is_taken {
            (best, place) = (element, at);
        }
    }
    place
}

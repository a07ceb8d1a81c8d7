//! TopK: the largest or smallest elements along a dimension, in order, and their places. Of equal elements the lower
//! place comes first; a NaN is larger than every number.

use std::cmp::Ordering;

use super::arg_extremum::switch;
use super::elementwise::output;
use super::operand::values;
use super::reshaping::{axis_of, integer, integers, refused};
use super::signature::{AttributeSpec, Domain, Input, Version};
use super::types::{FLOATS, NUMBERS, with_type, without_bfloat16};
use super::{Attribute, Call, Kernel, KernelError};
use values::dtype::DType::{self, Int64};
use values::tensor::Tensor;

pub(super) static TOPK: Kernel = Kernel {
    domain: Domain::Onnx,
    name: "TopK",
    inputs: &[Input::new("X"), Input::of("K", Int64).since(10)],
    is_elementwise: false,
    slices: None,
    versions: &[
        Version::with(1, without_bfloat16(FLOATS), &[AXIS, integer("k")]),
        Version::with(10, without_bfloat16(FLOATS), &[AXIS]),
        Version::with(11, without_bfloat16(NUMBERS), &[AXIS, LARGEST, SORTED]),
        Version::with(24, NUMBERS, &[AXIS, LARGEST, SORTED]),
    ],
    restricted: &[],
    run,
};

const AXIS: AttributeSpec = integer("axis");
const LARGEST: AttributeSpec = switch("largest");
const SORTED: AttributeSpec = switch("sorted");

/// How many elements are asked for.
fn count(call: &Call<'_>) -> Result<i64, KernelError> {
    match (call.input(1), call.attributes.get("k")) {
        (Some(k), _) if k.shape() == [1] => match integers(k)[..] {
            [k] if k > 0 => Ok(k),
            _ => Err(refused(call, "K is not positive")),
        },
        (Some(_), _) => Err(refused(call, "K is no list of one integer")),
        (None, Some(Attribute::Int(k))) => Ok(*k),
        (None, _) => Err(refused(call, "`k` is left out")),
    }
}

fn run(call: &Call<'_>) -> Result<Vec<Tensor>, KernelError> {
    let x = call.input(0).ok_or_else(|| refused(call, "there is no data"))?;
    let axis = axis_of(call, call.int("axis", -1), x.shape().len(), 1)?;
    let size = x.shape()[axis];
    let k = usize::try_from(count(call)?).ok().filter(|k| *k <= size);
    let k = k.ok_or_else(|| refused(call, "there are not so many elements"))?;
    let mut shape = x.shape().to_vec();
    shape[axis] = k;
    let is_largest = call.int("largest", 1) == 1;
    let foreign = KernelError::Type { operator: call.operator, dtype: x.dtype() };
    with_type!(numbers, x.dtype(), T => {
        let mut elements = output::<T>(&shape, x.dtype())?;
        let mut places = output::<i64>(&shape, Int64)?;
        let step = if elements.is_empty() { 1 } else { shape[axis + 1..].iter().product() };
        let from = values::<T>(x);
        let mut order: Vec<usize> = Vec::new();
        for stretch in 0..elements.len().checked_div(k).unwrap_or(0) {
            let (outer, inner) = (stretch / step, stretch % step);
            let element = |at: usize| from[(outer * size + at) * step + inner];
            order.clear();
            order.extend(0..size);
            order.sort_by(|&a, &b| {
                let ascending = ascending(element(a), element(b));
                if is_largest { ascending.reverse() } else { ascending }
            });
            for (rank, &at) in order.iter().take(k).enumerate() {
                let to = (outer * k + rank) * step + inner;
                (elements[to], places[to]) = (element(at), at as i64);
            }
        }
        Ok(vec![
            Tensor::from_values(x.dtype(), shape.clone(), elements)?,
            Tensor::from_values(Int64, shape, places)?,
        ])
    }, else Err(foreign))
}

/// The order of two elements, in which a NaN comes last.
#[expect(clippy::eq_op, reason = "a NaN alone differs from itself")]
fn ascending<T: PartialOrd + Copy>(a: T, b: T) -> Ordering {
    a.partial_cmp(&b).unwrap_or_else(|| (a != a).cmp(&(b != b)))
}

#[cfg(test)]
mod tests;

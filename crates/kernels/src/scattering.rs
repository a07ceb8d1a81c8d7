//! What ScatterElements, Scatter and ScatterND share: copies of their data with updates written into them, one after the other.

use bytemuck::{cast_slice, cast_slice_mut};

use super::add::ADD;
use super::elementwise::tensor;
use super::gatherelements::elements;
use super::max::MAX;
use super::min::MIN;
use super::moving::Moving;
use super::mul::MUL;
use super::operand::values;
use super::reshaping::{axis_of, integers, refused};
use super::signature::{AttributeSpec, Slices};
use super::types::with_type;
use super::{Attribute, Call, KernelError};
use values::dtype::DType;
use values::tensor::Tensor;

/// What updates and elements become, in version 16.
pub(super) const SUM_OR_PRODUCT: AttributeSpec = AttributeSpec {
    name: "reduction",
    accepts: |value| matches!(value, Attribute::Text(text) if ["none", "add", "mul"].contains(&text.as_str())),
    expected: "none, add or mul",
};

/// The same since version 18.
pub(super) const REDUCTION: AttributeSpec = AttributeSpec {
    name: "reduction",
    accepts: |value| match value {
        Attribute::Text(text) => ["none", "add", "mul", "max", "min"].contains(&text.as_str()),
        _ => false,
    },
    expected: "none, add, mul, max or min",
};

/// The kernel of the operation that updates are reduced by, where they are.
fn reduction(call: &Call<'_>) -> Option<Slices> {
    match call.attributes.get("reduction") {
        Some(Attribute::Text(text)) => match text.as_str() {
            "add" => ADD.slices,
            "mul" => MUL.slices,
            "max" => MAX.slices,
            "min" => MIN.slices,
            _ => None,
        },
        _ => None,
    }
}

/// The data with each update where it lies itself, but for one dimension, along which an index says it.
pub(super) fn along_axis(call: &Call<'_>) -> Result<Vec<Tensor>, KernelError> {
    let [data, indices, updates] = call.inputs()?;
    let axis = axis_of(call, call.int("axis", 0), data.shape().len(), 1)?;
    if updates.shape() != indices.shape() {
        return Err(refused(call, "there is an index for each update"));
    }
    let indices = (indices.shape(), integers(indices));
    let targets = elements(call, data.shape(), indices.0, &indices.1, axis)?;
    scattered(call, 1, &targets)
}

/// The data with stretches of so many elements updated: the targets are the places of these stretches in the data,
/// in the order of the updates.
pub(super) fn scattered(
    call: &Call<'_>,
    length: usize,
    targets: &[usize],
) -> Result<Vec<Tensor>, KernelError> {
    let [data, _, updates] = call.inputs()?;
    if length == 0 || targets.is_empty() {
        return Ok(vec![data.clone()]);
    }
    match reduction(call) {
        Some(combine) => combined(call, length, targets, combine),
        None => {
            let count = data.elements() / length;
            let mut newest = vec![None; count];
            for (update, &target) in targets.iter().enumerate() {
                *newest.get_mut(target).ok_or_else(|| refused(call, OUTSIDE))? = Some(update);
            }
            let mut output = Moving::new(data.dtype(), data.shape().to_vec())?;
            for (at, update) in newest.into_iter().enumerate() {
                match update {
                    Some(update) => output.take(updates, update * length, length),
                    None => output.take(data, at * length, length),
                }
            }
            Ok(vec![output.done()?])
        }
    }
}

const OUTSIDE: &str = "an update is for no element of the data";

fn combined(
    call: &Call<'_>,
    length: usize,
    targets: &[usize],
    combine: Slices,
) -> Result<Vec<Tensor>, KernelError> {
    let [data, _, updates] = call.inputs()?;
    let dtype = data.dtype();
    let foreign = || KernelError::Type { operator: call.operator, dtype };
    with_type!(numbers, dtype, T => {
        let mut elements = values::<T>(data).into_owned();
        let updates = values::<T>(updates);
        for (&target, update) in targets.iter().zip(updates.chunks(length)) {
            let own = elements.chunks_mut(length).nth(target);
            let own = own.ok_or_else(|| refused(call, OUTSIDE))?;
            let before = own.to_vec();
            let operands = [cast_slice(&before), cast_slice(update)];
            let done = combine(dtype, &operands, cast_slice_mut(own));
            done.and_then(Result::ok).ok_or_else(foreign)?;
        }
        tensor(dtype, data.shape(), elements)
    }, else Err(foreign()))
}

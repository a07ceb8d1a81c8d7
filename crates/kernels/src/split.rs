//! Split: parts of a tensor along one dimension, each an output.

use super::moving::Moving;
use super::operand::values;
use super::reshaping::{axis_of, integer, integer_list, list, moving, refused};
use super::signature::{AttributeSpec, Domain, Input, Version};
use super::types::{FLOATS, without_bfloat16};
use super::{Attribute, Call, Kernel, KernelError};
use half::f16;
use values::dtype::DType;
use values::tensor::Tensor;

/// The first version, whose list may be an input of floats.
pub(super) static SPLIT_1: Kernel = Kernel {
    domain: Domain::Onnx,
    name: "Split",
    inputs: &[Input::new("input"), Input::new("split").optional()],
    is_elementwise: false,
    slices: None,
    versions: &[Version::with(1, without_bfloat16(FLOATS), &[AXIS, LENGTHS])],
    restricted: &[],
    run: |call| {
        if !call.attributes.contains_key("axis") {
            return Err(refused(call, "there is no axis"));
        }
        let lengths = match (call.input(1), call.attributes.get("split")) {
            (Some(_), Some(_)) => return Err(refused(call, "there are two lists")),
            (Some(list), None) if list.shape().len() == 1 => Some(
                whole_numbers(list).ok_or_else(|| refused(call, "a length is no whole number"))?,
            ),
            (Some(_), None) => return Err(refused(call, "a list has one dimension")),
            (None, Some(Attribute::Ints(list))) => Some(list.clone()),
            (None, _) => None,
        };
        split(call, lengths)
    },
};

/// All later versions.
pub(super) static SPLIT: Kernel = Kernel {
    domain: Domain::Onnx,
    name: "Split",
    inputs: &[Input::new("input"), Input::of("split", DType::Int64).optional().since(13)],
    is_elementwise: false,
    slices: None,
    versions: &[
        moving(2, 15, &[AXIS, LENGTHS]),
        moving(11, 15, &[AXIS, LENGTHS]),
        moving(13, 16, &[AXIS]),
        moving(18, 16, &[AXIS, NUM_OUTPUTS]),
    ],
    restricted: &[],
    run: |call| split(call, list(call, 1, "split")?),
};

const AXIS: AttributeSpec = integer("axis");
const LENGTHS: AttributeSpec = integer_list("split");
const NUM_OUTPUTS: AttributeSpec = AttributeSpec {
    name: "num_outputs",
    accepts: |value| matches!(value, Attribute::Int(1..)),
    expected: "a positive integer",
};

/// The floats of a list, where they are whole numbers that an int64 holds.
fn whole_numbers(list: &Tensor) -> Option<Vec<i64>> {
    let numbers: Vec<f64> = match list.dtype() {
        DType::Float16 => values::<f16>(list).iter().map(|&it| it.into()).collect(),
        DType::Float32 => values::<f32>(list).iter().map(|&it| it.into()).collect(),
        DType::Float64 => values::<f64>(list).to_vec(),
        _ => return None,
    };
    // 2^53, below which every whole number is one.
    let is_whole = |number: &f64| number.fract() == 0.0 && number.abs() <= 9_007_199_254_740_992.0;
    numbers.into_iter().map(|it| is_whole(&it).then_some(it as i64)).collect()
}

fn split(call: &Call<'_>, lengths: Option<Vec<i64>>) -> Result<Vec<Tensor>, KernelError> {
    let data = call.input(0).ok_or_else(|| refused(call, "there is no data"))?;
    let axis = axis_of(call, call.int("axis", 0), data.shape().len(), 11)?;
    let lengths = lengths_of(call, data.shape()[axis], lengths)?;
    let inner: usize = match data.elements() {
        0 => 0,
        _ => data.shape()[axis + 1..].iter().product(),
    };
    let row = data.shape()[axis].wrapping_mul(inner);
    let mut start = 0;
    let mut parts = Vec::with_capacity(lengths.len());
    for length in lengths {
        let mut shape = data.shape().to_vec();
        shape[axis] = length;
        let mut part = Moving::new(data.dtype(), shape)?;
        if part.elements > 0 {
            for from in (0..data.elements()).step_by(row) {
                part.take(data, from + start * inner, length * inner);
            }
        }
        start += length;
        parts.push(part.done()?);
    }
    Ok(parts)
}

/// The lengths of the parts, as many as outputs are asked for, which are the dimension together.
fn lengths_of(
    call: &Call<'_>,
    size: usize,
    lengths: Option<Vec<i64>>,
) -> Result<Vec<usize>, KernelError> {
    let wrong = || refused(call, "the parts are not the dimension");
    let (parts, number) = (call.outputs, call.attributes.get("num_outputs"));
    let is_new = call.operator.since_version() >= 18;
    if is_new && lengths.is_some() == number.is_some() {
        return Err(refused(call, "either a list or a number of parts is wanted"));
    }
    if let Some(list) = lengths {
        let lengths: Option<Vec<usize>> =
            list.into_iter().map(|length| usize::try_from(length).ok()).collect();
        let lengths = lengths.filter(|lengths| lengths.len() == parts).ok_or_else(wrong)?;
        let sum = lengths.iter().try_fold(0_usize, |sum, &length| sum.checked_add(length));
        return if sum == Some(size) { Ok(lengths) } else { Err(wrong()) };
    }
    let is_other = |number: &Attribute| *number != Attribute::Int(parts as i64);
    if parts == 0 || number.is_some_and(is_other) || !is_new && !size.is_multiple_of(parts) {
        return Err(wrong());
    }
    let mut lengths = vec![size.div_ceil(parts); parts - 1];
    let rest = size.checked_sub(lengths.iter().sum()).ok_or_else(wrong)?;
    lengths.push(rest);
    Ok(lengths)
}

#[cfg(test)]
mod tests;

//! What quantization and its inverse have in common: which scale and zero point an element has.
//!
//! Shapes say it: a scalar is that of all elements, a list has one for each place along a dimension, and a tensor of
//! as many dimensions one for each block along one of them. What the documents leave open:
//!
//! - A list for data of one dimension: some versions say that all elements then have one scale, which a list does
//!   not name.
//! - A list of one element in the place of a scalar, which ONNX's evaluator takes and no document names. ONNX's own
//!   cases give such a zero point to a scale that is a scalar, so that this one is no error.
//! - A single block that is longer than the data: `block_size` is to be less than `ceil(Di / (Si - 1))`, where Si is 1.

use values::dtype::DType;
use values::tensor::{Tensor, coordinates, row_major};

use crate::operator::{
    Attribute, AttributeType, AttributeValue, Attributes, Call, Invalid, Otherwise,
};

pub(crate) mod inputs;

/// The dimension along which scales differ.
pub(crate) const AXIS: Attribute =
    Attribute::new("axis", AttributeType::Int).otherwise(Otherwise::Int(1));
/// How many elements along that dimension have the same.
pub(crate) const BLOCK_SIZE: Attribute =
    Attribute::new("block_size", AttributeType::Int).otherwise(Otherwise::Int(0));
/// The type of the output; 0 where it is not given.
pub(crate) const OUTPUT_DTYPE: Attribute =
    Attribute::new("output_dtype", AttributeType::Int).otherwise(Otherwise::Int(0));

const OPEN: &str =
    "the document does not say which elements a list of scales is for, where it is for these";

const LONGER: &str = "of one block the range that `block_size` may have divides by 0: nothing says whether it may be longer than the data";

/// Which scale an element has.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Granularity {
    form: Form,
    /// Why the document does not decide it.
    pub(crate) open: Option<&'static str>,
}

#[derive(Clone, Debug, PartialEq, Eq)]
enum Form {
    Tensor,
    Axis(usize),
    Blocks { axis: usize, size: usize, scales: Vec<usize> },
}

impl Granularity {
    /// That of a call whose first inputs are data, scale and zero point.
    pub(crate) fn of(call: &Call) -> Result<Self, Invalid> {
        let [data, scale] = [call.input(0)?.shape(), call.input(1)?.shape()];
        let zero = call.inputs.get(2).and_then(Option::as_ref).map_or(scale, Tensor::shape);
        let is_single = |shape: &[usize]| matches!(shape, [] | [1]);
        let are_alike = zero == scale || is_single(zero) && is_single(scale);
        if !are_alike {
            let problem = format!("takes no zero point of shape {zero:?} to a scale of {scale:?}");
            return Err(call.invalid(&problem));
        }
        let form = |form| Ok(Self { form, open: None });
        let open = Self { form: Form::Tensor, open: Some(OPEN) };
        match (scale, axis(call, data.len())) {
            ([], _) => form(Form::Tensor),
            ([size], Some(axis)) if data.len() > 1 && data[axis] == *size => form(Form::Axis(axis)),
            ([1], _) => Ok(open),
            ([size], _) if data.len() == 1 && call.version.since > 10 => {
                let blocks = block_size(call).map(|block| data[0].div_ceil(block));
                match data[0] == *size || blocks == Some(*size) {
                    true => Ok(open),
                    false => Err(refusal(call, data, scale)),
                }
            }
            ([_, _, ..], Some(axis)) if data.len() == scale.len() => {
                let size = block_size(call).ok_or_else(|| refusal(call, data, scale))?;
                let fits = |(at, (data, scale)): (usize, (&usize, &usize))| match at == axis {
                    true => data.div_ceil(size) == *scale,
                    false => data == scale,
                };
                if !data.iter().zip(scale).enumerate().all(fits) {
                    return Err(refusal(call, data, scale));
                }
                let open = (scale[axis] == 1 && size > data[axis]).then_some(LONGER);
                Ok(Self { form: Form::Blocks { axis, size, scales: scale.to_vec() }, open })
            }
            _ => Err(refusal(call, data, scale)),
        }
    }

    /// The place of the scale, and of the zero point, of the element at an index of data of a shape.
    pub(crate) fn place(&self, index: usize, data: &[usize]) -> Option<usize> {
        match &self.form {
            Form::Tensor => Some(0),
            Form::Axis(axis) => coordinates(index, data).get(*axis).copied(),
            Form::Blocks { axis, size, scales } => {
                let mut place = coordinates(index, data);
                *place.get_mut(*axis)? /= size;
                row_major(&place, scales)
            }
        }
    }
}

fn refusal(call: &Call, data: &[usize], scale: &[usize]) -> Invalid {
    call.invalid(&format!("takes no scale of shape {scale:?} to data of {data:?}"))
}

/// The dimension that the attribute says, counted from the end where it is negative; `None` where there is none.
fn axis(call: &Call, rank: usize) -> Option<usize> {
    let axis = call.int("axis")?;
    let axis = if axis < 0 { axis.checked_add(rank as i64)? } else { axis };
    usize::try_from(axis).ok().filter(|axis| *axis < rank)
}

/// The elements of a block, where that is given.
fn block_size(call: &Call) -> Option<usize> {
    call.int("block_size").and_then(|size| usize::try_from(size).ok()).filter(|size| *size > 0)
}

/// Refuses a block size that is no size.
pub(crate) fn check_block_size(call: &Call) -> Result<(), Invalid> {
    match call.int("block_size") {
        Some(size) if size < 0 => Err(call.invalid(&format!("takes no blocks of {size} elements"))),
        _ => Ok(()),
    }
}

/// The type that the attribute `output_dtype` names, one of these; `None` where it names none.
pub(crate) fn output_dtype(call: &Call, types: &[DType]) -> Result<Option<DType>, Invalid> {
    let Some(code) = call.int("output_dtype").filter(|code| *code != 0) else { return Ok(None) };
    let dtype = i32::try_from(code).ok().and_then(DType::from_onnx);
    match dtype.filter(|dtype| types.contains(dtype)) {
        Some(dtype) => Ok(Some(dtype)),
        None => Err(call.invalid(&format!("has no `output_dtype` {code}"))),
    }
}

/// The integer that is given for an attribute.
pub(crate) fn int_of(attributes: &Attributes, name: &str) -> Option<i64> {
    match attributes.get(name) {
        Some(AttributeValue::Int(value)) => Some(*value),
        _ => None,
    }
}

/// The type whose number is given for an attribute.
pub(crate) fn type_named(attributes: &Attributes, name: &str) -> Option<DType> {
    let code = i32::try_from(int_of(attributes, name)?).ok()?;
    DType::from_onnx(code)
}

/// The bits of a tensor's element.
pub(crate) fn bits(tensor: &Tensor, at: usize) -> Option<u64> {
    tensor.element(at).and_then(|bits| u64::try_from(bits).ok())
}

//! What the operators share that keep the elements of their input, and the lists of integers that they are
//! given.

use bytemuck::pod_collect_to_vec;

use super::signature::{AttributeSpec, Version};
use super::types::{ALL_TYPES, first};
use super::{Attribute, Call, KernelError};
use values::dtype::DType;
use values::tensor::Tensor;

/// The tensor with other dimensions.
pub(super) fn with_shape(tensor: &Tensor, shape: Vec<usize>) -> Result<Vec<Tensor>, KernelError> {
    let same = match (tensor.strings(), tensor.bits()) {
        (Some(strings), _) => Tensor::from_strings(shape, strings.to_vec())?,
        (None, bits) => {
            Tensor::from_bits(tensor.dtype(), shape, bits.cloned().unwrap_or_default())?
        }
    };
    Ok(vec![same])
}

/// The integers of an input of int32 or int64.
pub(super) fn integers(tensor: &Tensor) -> Vec<i64> {
    let bits = tensor.bits().map_or(&[][..], |bits| bits);
    match tensor.dtype() {
        DType::Int64 => pod_collect_to_vec(bits),
        _ => pod_collect_to_vec::<u8, i32>(bits).into_iter().map(i64::from).collect(),
    }
}

/// The integers that an input gives, or an attribute of older versions.
pub(super) fn list(
    call: &Call<'_>,
    at: usize,
    name: &str,
) -> Result<Option<Vec<i64>>, KernelError> {
    match (call.input(at), call.attributes.get(name)) {
        (Some(list), _) if list.shape().len() != 1 => {
            let shapes = vec![list.shape().to_vec()];
            let reason = "a list has one dimension";
            Err(KernelError::Shapes { operator: call.operator, shapes, reason })
        }
        (Some(list), _) => Ok(Some(integers(list))),
        (None, Some(Attribute::Ints(list))) => Ok(Some(list.clone())),
        (None, _) => Ok(None),
    }
}

/// The dimension among so many that a number says, counted from the end where it is negative and the version is
/// not before `negative_since`.
pub(super) fn axis_of(
    call: &Call<'_>,
    axis: i64,
    rank: usize,
    negative_since: i64,
) -> Result<usize, KernelError> {
    let is_counted_back = call.operator.since_version() >= negative_since;
    let axis = if axis < 0 && is_counted_back { axis.wrapping_add(rank as i64) } else { axis };
    match usize::try_from(axis) {
        Ok(axis) if axis < rank => Ok(axis),
        _ => Err(refused(call, "there is no such dimension")),
    }
}

/// A tensor as slices along a dimension.
pub(super) struct Slices {
    pub(super) shape: Vec<usize>,
    pub(super) axis: usize,
    /// How many elements the dimensions before it have and those behind it; none if the tensor has none.
    pub(super) around: [usize; 2],
}

/// The slices along `axis`, which may be counted from the end since version 11; without it, all elements in a row.
pub(super) fn slices(call: &Call<'_>, data: &Tensor) -> Result<Slices, KernelError> {
    let (shape, axis) = match call.attributes.get("axis") {
        Some(Attribute::Int(axis)) => {
            let shape = data.shape().to_vec();
            let axis = axis_of(call, *axis, shape.len(), 11)?;
            (shape, axis)
        }
        _ => (vec![data.elements()], 0),
    };
    let around = match data.elements() {
        0 => [0; 2],
        _ => [&shape[..axis], &shape[axis + 1..]].map(|sizes| sizes.iter().product()),
    };
    Ok(Slices { shape, axis, around })
}

/// The refusal of the shapes of all inputs that are given.
pub(super) fn refused(call: &Call<'_>, reason: &'static str) -> KernelError {
    let shapes = call.given.iter().flatten().map(|input| input.shape().to_vec()).collect();
    KernelError::Shapes { operator: call.operator, shapes, reason }
}

/// A version that takes the first so many types.
pub(super) const fn moving(
    since: i64,
    types: usize,
    attributes: &'static [AttributeSpec],
) -> Version {
    Version::with(since, first(ALL_TYPES, types), attributes)
}

/// An attribute that is an integer.
pub(super) const fn integer(name: &'static str) -> AttributeSpec {
    let accepts = |value: &Attribute| matches!(value, Attribute::Int(_));
    AttributeSpec { name, accepts, expected: "an integer" }
}

/// An attribute that is a list of integers.
pub(super) const fn integer_list(name: &'static str) -> AttributeSpec {
    let accepts = |value: &Attribute| matches!(value, Attribute::Ints(_));
    AttributeSpec { name, accepts, expected: "a list of integers" }
}

//! Of Gather.

use super::*;
use crate::exact::Conforming;
use crate::operator::{AttributeValue, Attributes, Specification};
use values::dtype::DType::{Int32, Int64, Uint8};
use values::tensor::{Tensor, element_count};

/// The shape of an operator's output and what each element of it may be.
pub(crate) fn allowed_by(
    operator: &'static Operator,
    since: i64,
    inputs: &[&Tensor],
    attributes: &[(&str, AttributeValue)],
) -> Result<(Vec<usize>, Vec<Conforming>), Invalid> {
    let attributes: Attributes =
        attributes.iter().map(|(name, value)| ((*name).to_owned(), value.clone())).collect();
    let inputs = inputs.iter().map(|&input| Some(input.clone())).collect();
    let version = operator.version(since).unwrap();
    let (call, types) = Call::new(operator, version, Specification::Onnx, attributes, inputs)?;
    let allowed = operator.reference.allowed(&call, &types);
    let count = element_count(&types[0].shape).unwrap();
    let elements = (0..count).map(|index| allowed[0].at(index)).collect();
    Ok((types[0].shape.clone(), elements))
}

/// The numbers from 0 on in a tensor of bytes.
pub(crate) fn counted(shape: &[usize]) -> Tensor {
    let count = element_count(shape).unwrap();
    Tensor::from_values(Uint8, shape.to_vec(), (0..count as u8).collect()).unwrap()
}

/// Indices of int64.
pub(crate) fn indices(shape: &[usize], indices: &[i64]) -> Tensor {
    Tensor::from_values(Int64, shape.to_vec(), indices.to_vec()).unwrap()
}

/// The bits of elements that are decided.
pub(crate) fn bits(all: &[Conforming]) -> Vec<Option<u128>> {
    all.iter().map(|one| one.is_decided().then(|| one.example()).flatten()).collect()
}

fn gathered(
    since: i64,
    shape: &[usize],
    at: &Tensor,
    axis: i64,
) -> Option<(Vec<usize>, Vec<u128>)> {
    let axis = [("axis", AttributeValue::Int(axis))];
    let (shape, all) = allowed_by(&GATHER, since, &[&counted(shape), at], &axis).ok()?;
    Some((shape, bits(&all).into_iter().flatten().collect()))
}

#[test]
fn entries_are_those_that_the_indices_say() {
    let at = Tensor::from_values(Int32, vec![1, 2], vec![2_i32, 0]).unwrap();
    let rows = vec![4, 5, 0, 1];
    assert_eq!(gathered(13, &[3, 2], &at, 0), Some((vec![1, 2, 2], rows)));
    let columns = vec![2, 0, 5, 3];
    assert_eq!(gathered(1, &[2, 3], &at, -1), Some((vec![2, 1, 2], columns)));
    assert_eq!(gathered(13, &[2, 3], &indices(&[], &[-1]), 0), Some((vec![3], vec![3, 4, 5])));
    assert_eq!(gathered(13, &[0, 3], &indices(&[0], &[]), 0), Some((vec![0, 3], vec![])));
}

#[test]
fn a_negative_index_is_open_before_version_11() {
    let at = indices(&[1], &[-1]);
    assert_eq!(gathered(1, &[3], &at, 0), Some((vec![1], vec![])));
    assert_eq!(gathered(11, &[3], &at, 0), Some((vec![1], vec![2])));
    assert_eq!(gathered(1, &[3], &indices(&[1], &[-4]), 0), None);
}

#[test]
fn what_is_not_there_is_refused() {
    for index in [3, -4, i64::MIN, i64::MAX, 1 << 32] {
        assert_eq!(gathered(13, &[3], &indices(&[1], &[index]), 0), None, "{index}");
    }
    let at = indices(&[1], &[0]);
    for (shape, axis) in [(&[3][..], 1), (&[3], -2), (&[], 0), (&[3], i64::MIN), (&[0], 0)] {
        assert_eq!(gathered(13, shape, &at, axis), None, "{shape:?} {axis}");
    }
    let huge = indices(&[usize::MAX, 0], &[]);
    let ranks = [0; values::tensor::MAX_RANK];
    assert_eq!(gathered(13, &[1, usize::MAX, 0], &huge, 0).unwrap().0.len(), 4);
    assert_eq!(gathered(13, &[1, 1, 1], &indices(&ranks, &[]), 0), None);
}

//! Of GatherElements.

use super::super::gather::tests::{allowed_by, bits, counted, indices};
use super::*;
use crate::operator::AttributeValue;
use values::tensor::Tensor;

fn gathered(shape: &[usize], at: &Tensor, axis: i64) -> Option<Vec<Option<u128>>> {
    let axis = [("axis", AttributeValue::Int(axis))];
    let (shape, all) = allowed_by(&GATHERELEMENTS, 13, &[&counted(shape), at], &axis).ok()?;
    assert_eq!(shape, at.shape());
    Some(bits(&all))
}

#[test]
fn elements_lie_where_the_indices_do_but_for_the_axis() {
    let at = indices(&[2, 2], &[1, 0, -1, 1]);
    let some = |all: [u128; 4]| Some(all.map(Some).to_vec());
    assert_eq!(gathered(&[2, 3], &at, 1), some([1, 0, 5, 4]));
    assert_eq!(gathered(&[3, 2], &at, 0), some([2, 1, 4, 3]));
    assert_eq!(gathered(&[3, 2], &at, -2), some([2, 1, 4, 3]));
}

#[test]
fn indices_beyond_another_dimension_are_open() {
    assert_eq!(gathered(&[3, 1], &indices(&[1, 2], &[2, 1]), 0), Some(vec![None, None]));
    assert_eq!(gathered(&[3, 1], &indices(&[0, 2], &[]), 0), Some(vec![]));
}

#[test]
fn what_is_not_there_is_refused() {
    for (shape, of_indices, index, axis) in [
        (&[2, 2][..], &[1, 1][..], 2, 0),
        (&[2, 2], &[1, 1], -3, 0),
        (&[2, 2], &[1, 1], i64::MIN, 0),
        (&[2, 2], &[1, 1], i64::MAX, 0),
        (&[2, 2], &[1, 1], 0, 2),
        (&[2, 2], &[1, 1], 0, -3),
        (&[2, 2], &[1], 0, 0),
        (&[], &[], 0, 0),
        (&[0, usize::MAX, usize::MAX], &[1, 1, 1], 0, 0),
    ] {
        let at = indices(of_indices, &[index]);
        assert_eq!(gathered(shape, &at, axis), None, "{shape:?} {of_indices:?} {index} {axis}");
    }
}

//! Of ScatterElements.

use super::super::gather::tests::{allowed_by, bits, counted, indices};
use super::*;
use crate::operator::AttributeValue;

fn scattered(
    since: i64,
    shape: &[usize],
    (of_indices, at): (&[usize], &[i64]),
    of_updates: &[usize],
    axis: i64,
) -> Option<Vec<Option<u128>>> {
    let inputs = [&counted(shape), &indices(of_indices, at), &counted(of_updates)];
    let axis = [("axis", AttributeValue::Int(axis))];
    let (output, all) = allowed_by(&SCATTERELEMENTS, since, &inputs, &axis).ok()?;
    assert_eq!(output, shape);
    Some(bits(&all))
}

#[test]
fn updates_go_where_they_lie_but_for_the_axis() {
    let some = |all: [u128; 6]| Some(all.map(Some).to_vec());
    let at = (&[1, 2][..], &[1, -1][..]);
    assert_eq!(scattered(11, &[3, 2], at, &[1, 2], 0), some([0, 1, 0, 3, 4, 1]));
    assert_eq!(scattered(18, &[2, 3], at, &[1, 2], -1), some([0, 0, 1, 3, 4, 5]));
    let none = (&[0, 9][..], &[][..]);
    assert_eq!(scattered(18, &[2, 3], none, &[0, 9], 0), some([0, 1, 2, 3, 4, 5]));
}

#[test]
fn several_updates_of_an_element_and_those_of_none_are_open() {
    let twice = scattered(18, &[3], (&[2], &[1, -2]), &[2], 0);
    assert_eq!(twice, Some(vec![Some(0), None, Some(2)]));
    let beyond = scattered(18, &[2, 1], (&[1, 2], &[0, 1]), &[1, 2], 0);
    assert_eq!(beyond, Some(vec![None, None]));
}

#[test]
fn what_does_not_go_together_is_refused() {
    for (shape, of_indices, index, of_updates, axis) in [
        (&[2, 2][..], &[1, 1][..], 2, &[1, 1][..], 0),
        (&[2, 2], &[1, 1], -3, &[1, 1], 0),
        (&[2, 2], &[1, 1], i64::MIN, &[1, 1], 0),
        (&[2, 2], &[1, 1], 0, &[1, 2], 0),
        (&[2, 2], &[1, 1], 0, &[1], 0),
        (&[2, 2], &[1, 1], 0, &[1, 1], 2),
        (&[2, 2], &[1], 0, &[1], 0),
        (&[], &[], 0, &[], 0),
        (&[0, usize::MAX, usize::MAX], &[1, 1, 1], 0, &[1, 1, 1], 0),
    ] {
        let output = scattered(18, shape, (of_indices, &[index]), of_updates, axis);
        assert_eq!(output, None, "{shape:?} {of_indices:?} {index} {of_updates:?} {axis}");
    }
    let reduction = [("reduction", AttributeValue::Text("max".to_owned()))];
    let inputs = [&counted(&[1]), &indices(&[1], &[0]), &counted(&[1])];
    assert!(allowed_by(&SCATTERELEMENTS, 16, &inputs, &reduction).is_err());
    assert!(allowed_by(&SCATTERELEMENTS, 18, &inputs, &reduction).is_ok());
}

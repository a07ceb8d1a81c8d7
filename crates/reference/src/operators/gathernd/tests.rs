//! Of GatherND.

use super::super::gather::tests::{allowed_by, bits, counted, indices};
use super::*;
use crate::operator::AttributeValue;

fn gathered(
    shape: &[usize],
    of_indices: &[usize],
    at: &[i64],
    batches: i64,
) -> Option<(Vec<usize>, Vec<u128>)> {
    let batches = [("batch_dims", AttributeValue::Int(batches))];
    let inputs = [&counted(shape), &indices(of_indices, at)];
    let (shape, all) = allowed_by(&GATHERND, 13, &inputs, &batches).ok()?;
    Some((shape, bits(&all).into_iter().flatten().collect()))
}

#[test]
fn rows_take_elements_or_parts_within_their_batch() {
    assert_eq!(gathered(&[2, 2], &[2, 2], &[0, 0, -1, 1], 0), Some((vec![2], vec![0, 3])));
    assert_eq!(gathered(&[2, 2], &[2, 1], &[1, 0], 0), Some((vec![2, 2], vec![2, 3, 0, 1])));
    assert_eq!(gathered(&[2, 2, 2], &[2, 1], &[1, 0], 1), Some((vec![2, 2], vec![2, 3, 4, 5])));
    let batches = gathered(&[2, 3], &[2, 2, 1], &[2, 0, 1, -1], 1);
    assert_eq!(batches, Some((vec![2, 2], vec![2, 0, 4, 5])));
    assert_eq!(gathered(&[2, 2], &[2], &[1, 0], 0), Some((vec![], vec![2])));
    assert_eq!(gathered(&[0, 3], &[0, 1], &[], 1), Some((vec![0], vec![])));
}

#[test]
fn what_does_not_go_together_is_refused() {
    for (shape, of_indices, at, batches) in [
        (&[2, 2][..], &[1, 1][..], &[2][..], 0),
        (&[2, 2], &[1, 1], &[i64::MIN], 0),
        (&[2, 2], &[1, 2], &[0, -3], 0),
        (&[2, 2], &[1, 3], &[0, 0, 0], 0),
        (&[2, 2], &[1, 0], &[], 0),
        (&[2, 2], &[], &[0], 0),
        (&[], &[1, 0], &[], 0),
        (&[2, 2], &[1, 1], &[0], 1),
        (&[2, 2], &[2, 2], &[0; 4], 1),
        (&[2, 2], &[2, 2, 1], &[0; 4], 2),
        (&[2, 2, 2], &[2, 1], &[0; 2], 2),
        (&[2, 2], &[2, 1], &[0; 2], -1),
        (&[2, 2], &[2, 1], &[0; 2], i64::MAX),
    ] {
        let output = gathered(shape, of_indices, at, batches);
        assert_eq!(output, None, "{shape:?} {of_indices:?} {at:?} {batches}");
    }
    let huge = [0, usize::MAX, usize::MAX];
    assert!(gathered(&huge, &[usize::MAX, 0, 1], &[], 0).is_some());
}

//! Of ScatterND.

use super::super::gather::tests::{allowed_by, bits, counted, indices};
use super::*;

fn scattered(
    shape: &[usize],
    (of_indices, at): (&[usize], &[i64]),
    of_updates: &[usize],
) -> Option<Vec<Option<u128>>> {
    let inputs = [&counted(shape), &indices(of_indices, at), &counted(of_updates)];
    let (output, all) = allowed_by(&SCATTERND, 18, &inputs, &[]).ok()?;
    assert_eq!(output, shape);
    Some(bits(&all))
}

#[test]
fn updates_go_to_elements_or_to_parts() {
    let some = |all: &[u128]| Some(all.iter().copied().map(Some).collect());
    let elements = scattered(&[2, 3], (&[2, 2], &[1, 0, -2, -1]), &[2]);
    assert_eq!(elements, some(&[0, 1, 1, 0, 4, 5]));
    let rows = scattered(&[3, 2], (&[2, 1], &[2, 0]), &[2, 2]);
    assert_eq!(rows, some(&[2, 3, 2, 3, 0, 1]));
    assert_eq!(scattered(&[3, 2], (&[1], &[1]), &[2]), some(&[0, 1, 0, 1, 4, 5]));
    assert_eq!(scattered(&[1, 2], (&[0], &[]), &[1, 2]), some(&[0, 1]));
    assert_eq!(scattered(&[2], (&[0, 1], &[]), &[0]), some(&[0, 1]));
    let twice = scattered(&[2, 2], (&[2, 1], &[1, -1]), &[2, 2]);
    assert_eq!(twice, Some(vec![Some(0), Some(1), None, None]));
}

#[test]
fn what_does_not_go_together_is_refused() {
    for (shape, of_indices, at, of_updates) in [
        (&[2, 2][..], &[1, 1][..], &[2][..], &[1, 2][..]),
        (&[2, 2], &[1, 1], &[-3], &[1, 2]),
        (&[2, 2], &[1, 2], &[0, i64::MAX], &[1]),
        (&[2, 2], &[1, 3], &[0, 0, 0], &[1]),
        (&[2, 2], &[1, 1], &[0], &[2]),
        (&[2, 2], &[1, 1], &[0], &[1, 1]),
        (&[2, 2], &[], &[0], &[2, 2]),
        (&[], &[1, 0], &[], &[1]),
        (&[0, 2], &[1, 1], &[0], &[1, 2]),
    ] {
        let output = scattered(shape, (of_indices, at), of_updates);
        assert_eq!(output, None, "{shape:?} {of_indices:?} {at:?}");
    }
}

#[test]
fn sizes_without_elements_take_no_memory() {
    let huge = [0, usize::MAX, usize::MAX];
    assert_eq!(scattered(&huge, (&[0, 2], &[]), &[0, usize::MAX]), Some(vec![]));
    let many = [usize::MAX, 0];
    assert_eq!(scattered(&[0], (&many, &[]), &many), Some(vec![]));
}

//! Slices forward and backward, of every type, and the lists that are none.

use crate::tests::{ones, read, run, tensor};
use crate::{Attribute, Attributes, Document, ErrorKind, KernelError, find};
use values::dtype::DType::*;
use values::tensor::Tensor;

/// Of bytes that count from 0, by starts, ends, axes and steps.
fn sliced(shape: &[usize], lists: [&[i64]; 4]) -> Result<Tensor, KernelError> {
    let bytes: Vec<u8> = (0..shape.iter().product::<usize>()).map(|at| at as u8).collect();
    let data = tensor(Uint8, shape, &bytes);
    let lists = lists.map(|list| tensor(Int64, &[list.len()], list));
    let inputs: Vec<&Tensor> = [&data].into_iter().chain(&lists).collect();
    run(find("Slice", 13).unwrap(), &inputs, &Attributes::new())
}

#[test]
fn elements_are_taken_forward_and_backward_and_ends_are_clamped() {
    for (entry, expected) in [
        ([2, 5, 1], &[2, 3, 4][..]),
        ([-3, i64::MAX, 1], &[7, 8, 9]),
        ([i64::MIN, -8, 1], &[0, 1]),
        ([1, 8, 3], &[1, 4, 7]),
        ([i64::MAX, i64::MIN, -4], &[9, 5, 1]),
        ([3, -10, -1], &[3, 2, 1]),
        ([-11, i64::MIN, -1], &[0]),
        ([9, 2, -3], &[9, 6, 3]),
        ([0, 10, i64::MAX], &[0]),
        ([9, i64::MIN, i64::MIN], &[9]),
        ([5, 5, 1], &[]),
        ([6, 5, 1], &[]),
        ([10, 20, 1], &[]),
        ([3, 3, -1], &[]),
        ([3, 5, -2], &[]),
    ] {
        let [start, end, step] = entry.map(|entry| [entry]);
        let output = sliced(&[10], [&start, &end, &[0], &step]).unwrap();
        assert_eq!(read::<u8>(&output), expected, "{entry:?}");
    }
    let output = sliced(&[3, 4], [&[1, 2], &[9, -9], &[-1, 0], &[2, -1]]).unwrap();
    assert_eq!((output.shape(), read::<u8>(&output)), (&[3, 2][..], vec![9, 11, 5, 7, 1, 3]));
    let output = sliced(&[0, 2], [&[5, 0], &[i64::MIN, 1], &[0, 1], &[-1, 1]]).unwrap();
    assert_eq!(output.shape(), [0, 1]);
}

#[test]
fn without_axes_the_first_dimensions_are_meant() {
    let data = tensor(Int32, &[2, 3], &[1, 2, 3, 4, 5, 6]);
    let int32 = |list: &[i32]| tensor(Int32, &[list.len()], list);
    let (starts, ends) = (int32(&[0, 1]), int32(&[-1, 1000]));
    let output = run(find("Slice", 10).unwrap(), &[&data, &starts, &ends], &Attributes::new());
    assert_eq!(output.unwrap(), tensor(Int32, &[1, 2], &[2, 3]));
    let list = |name: &str, list| (name.to_owned(), Attribute::Ints(list));
    let attributes = Attributes::from([list("starts", vec![1]), list("ends", vec![2])]);
    let output = run(find("Slice", 1).unwrap(), &[&data], &attributes);
    assert_eq!(output.unwrap(), tensor(Int32, &[1, 3], &[4, 5, 6]));
    let error = run(find("Slice", 1).unwrap(), &[&data], &Attributes::new()).unwrap_err();
    assert_eq!(error.kind(), ErrorKind::Invalid);
}

#[test]
fn lists_that_do_not_go_together_are_refused() {
    for lists in [
        [&[0, 0][..], &[1], &[0], &[1]],
        [&[0], &[1], &[0, 1], &[1]],
        [&[0], &[1], &[0], &[1, 1]],
        [&[0], &[1], &[0], &[0]],
        [&[0], &[1], &[2], &[1]],
        [&[0], &[1], &[-3], &[1]],
        [&[0], &[1], &[i64::MIN], &[1]],
        [&[0, 0], &[1, 1], &[1, -1], &[1, 1]],
    ] {
        assert_eq!(sliced(&[2, 3], lists).unwrap_err().kind(), ErrorKind::Invalid, "{lists:?}");
    }
}

#[test]
fn sonnx_wants_an_entry_for_each_dimension_and_places_within_it() {
    let restriction = find("Slice", 13).unwrap().restriction(Document::Sonnx).unwrap();
    let problem = |lists: [&[i64]; 4]| {
        let data = ones(Float32, &[4]);
        let lists = lists.map(|list| tensor(Int64, &[list.len()], list));
        let operands: Vec<Option<&Tensor>> = [&data].into_iter().chain(&lists).map(Some).collect();
        (restriction.problem.unwrap())(&operands, &Attributes::new())
    };
    for (start, end, step) in [(0, 4, 1), (-4, -1, 3), (3, -5, -1), (-1, 0, -2), (2, 2, 1)] {
        assert_eq!(problem([&[start], &[end], &[0], &[step]]), None);
    }
    for (start, end, step) in [(4, 4, 1), (-5, 4, 1), (0, 5, 1), (3, 2, 1), (3, 4, -1), (3, -6, -1)]
    {
        assert!(problem([&[start], &[end], &[0], &[step]]).is_some(), "{start} {end} {step}");
    }
    assert!(problem([&[0], &[1], &[1], &[1]]).is_some());
    assert!(problem([&[0, 0], &[1, 1], &[0, 0], &[1, 1]]).is_some());
}

//! Slices of lists and matrices, and what is none.

use super::*;
use crate::exact::Conforming;
use crate::operator::{AttributeValue, Attributes, Specification};
use values::tensor::Tensor;

/// The shape and the elements that bytes of this shape give; no elements where they are left open.
fn sliced(
    specification: Specification,
    since: i64,
    sizes: &[usize],
    lists: [Option<&[i64]>; 4],
) -> Option<(Vec<usize>, Vec<u128>)> {
    let bytes = (0..sizes.iter().product::<usize>()).map(|at| at as u8).collect();
    let data = Tensor::from_values(DType::Uint8, sizes.to_vec(), bytes).unwrap();
    let (mut inputs, mut attributes) = (vec![Some(data)], Attributes::new());
    for (name, list) in ["starts", "ends", "axes", "steps"].into_iter().zip(lists) {
        match list {
            Some(list) if since == 1 => {
                attributes.insert(name.to_owned(), AttributeValue::Ints(list.to_vec()));
            }
            list if since > 1 => inputs.push(list.map(|list| {
                Tensor::from_values(DType::Int64, vec![list.len()], list.to_vec()).unwrap()
            })),
            _ => {}
        }
    }
    let version = SLICE.version(since).unwrap();
    let (call, types) = Call::new(&SLICE, version, specification, attributes, inputs).ok()?;
    let allowed = SLICE.reference.allowed(&call, &types);
    let count: usize = types[0].shape.iter().product();
    let elements = (0..count).filter_map(|at| match allowed[0].at(at) {
        Conforming::Unspecified(_) => None,
        conforming => conforming.example(),
    });
    Some((types[0].shape.clone(), elements.collect()))
}

/// Of ten bytes in one dimension.
fn of_ten(start: i64, end: i64, step: i64) -> Vec<u128> {
    let lists = [Some(&[start][..]), Some(&[end]), Some(&[0]), Some(&[step])];
    sliced(Specification::Onnx, 13, &[10], lists).unwrap().1
}

#[test]
fn places_are_clamped_and_go_by_the_step() {
    assert_eq!(of_ten(2, 5, 1), [2, 3, 4]);
    assert_eq!(of_ten(-3, i64::MAX, 1), [7, 8, 9]);
    assert_eq!(of_ten(i64::MIN, -8, 1), [0, 1]);
    assert_eq!(of_ten(1, 8, 3), [1, 4, 7]);
    assert_eq!(of_ten(1, 7, 3), [1, 4]);
    assert_eq!(of_ten(i64::MAX, i64::MIN, -4), [9, 5, 1]);
    assert_eq!(of_ten(3, -10, -1), [3, 2, 1]);
    assert_eq!(of_ten(3, -11, -1), [3, 2, 1, 0]);
    assert_eq!(of_ten(-11, i64::MIN, -1), [0]);
    assert_eq!(of_ten(0, 10, i64::MAX), [0]);
    assert_eq!(of_ten(9, i64::MIN, i64::MIN), [9]);
    for (start, end, step) in [(5, 5, 1), (6, 5, 1), (10, 20, 1), (3, 3, -1), (3, 5, -2)] {
        assert!(of_ten(start, end, step).is_empty());
    }
    let lists = [Some(&[i64::MAX, 0][..]), Some(&[i64::MIN, 2]), None, Some(&[-1, 1])];
    assert_eq!(sliced(Specification::Onnx, 13, &[0, 2], lists), Some((vec![0, 2], vec![])));
}

#[test]
fn lists_are_of_the_dimensions_that_axes_say() {
    let matrix = |since, lists| sliced(Specification::Onnx, since, &[3, 4], lists);
    let of_last = [Some(&[1][..]), Some(&[3]), Some(&[1]), None];
    let columns = Some((vec![3, 2], vec![1, 2, 5, 6, 9, 10]));
    for since in [1, 10, 11, 13] {
        assert_eq!(matrix(since, of_last), columns);
        let both = [Some(&[1, -1][..]), Some(&[2, 4]), None, None];
        assert_eq!(matrix(since, both), Some((vec![1, 1], vec![7])));
    }
    assert_eq!(matrix(13, [Some(&[1]), Some(&[3]), Some(&[-1]), None]), columns);
    let rows = [Some(&[1][..]), Some(&[3]), None, None];
    assert_eq!(matrix(1, rows).unwrap().0, [2, 4]);
    assert_eq!(
        sliced(Specification::Onnx, 13, &[], [Some(&[]), Some(&[]), None, None]).unwrap().1,
        [0]
    );
}

#[test]
fn what_nothing_says_is_open() {
    let open = Some((vec![1, 1], vec![]));
    let matrix = |since, lists| sliced(Specification::Onnx, since, &[3, 4], lists);
    assert_eq!(matrix(13, [Some(&[1]), Some(&[3]), None, None]), open);
    assert_eq!(matrix(13, [Some(&[1, 1]), Some(&[3, 3]), Some(&[1, -1]), None]), open);
    assert_eq!(matrix(10, [Some(&[1]), Some(&[3]), Some(&[-1]), None]), open);
    let before = [Some(&[-9][..]), Some(&[i64::MIN]), Some(&[1]), Some(&[-1])];
    assert_eq!(matrix(11, before), open);
    assert_eq!(matrix(13, before), Some((vec![3, 1], vec![0, 4, 8])));
}

#[test]
fn lists_that_do_not_go_together_and_steps_of_0_are_refused() {
    for lists in [
        [Some(&[1, 1][..]), Some(&[3]), Some(&[0]), None],
        [Some(&[1]), Some(&[3]), Some(&[0, 1]), None],
        [Some(&[1]), Some(&[3]), Some(&[0]), Some(&[1, 1])],
        [Some(&[1]), Some(&[3]), Some(&[2]), None],
        [Some(&[1]), Some(&[3]), Some(&[-3]), None],
        [Some(&[1]), Some(&[3]), Some(&[i64::MIN]), None],
        [Some(&[1]), Some(&[3]), Some(&[0]), Some(&[0])],
        [Some(&[0, 0, 0]), Some(&[1, 1, 1]), None, None],
    ] {
        assert_eq!(sliced(Specification::Onnx, 13, &[3, 4], lists), None, "{lists:?}");
    }
}

#[test]
fn sonnx_takes_an_entry_for_each_dimension_within_it() {
    let by = |start, end, step| {
        let lists = [Some(&[start][..]), Some(&[end]), Some(&[0]), Some(&[step])];
        sliced(Specification::Sonnx, 13, &[4], lists).map(|(_, elements)| elements)
    };
    assert_eq!(by(1, 4, 2), Some(vec![1, 3]));
    assert_eq!(by(-1, -5, -2), Some(vec![3, 1]));
    assert_eq!((by(2, 2, 1), by(2, 2, -1)), (Some(vec![]), Some(vec![])));
    for (start, end, step) in [
        (4, 4, 1),
        (-5, 4, 1),
        (0, 5, 1),
        (0, -5, 1),
        (3, 2, 1),
        (3, 4, -1),
        (3, -6, -1),
        (1, 2, -1),
    ] {
        assert_eq!(by(start, end, step), None, "{start} {end} {step}");
    }
    let matrix = |lists| sliced(Specification::Sonnx, 13, &[3, 4], lists);
    assert!(matrix([Some(&[0, 0]), Some(&[1, 1]), Some(&[1, 0]), Some(&[1, 1])]).is_some());
    for lists in [
        [Some(&[0, 0][..]), Some(&[1, 1]), None, Some(&[1, 1])],
        [Some(&[0, 0]), Some(&[1, 1]), Some(&[0, 1]), None],
        [Some(&[0]), Some(&[1]), Some(&[0]), Some(&[1])],
        [Some(&[0, 0]), Some(&[1, 1]), Some(&[1, -1]), Some(&[1, 1])],
    ] {
        assert_eq!(matrix(lists), None, "{lists:?}");
    }
}

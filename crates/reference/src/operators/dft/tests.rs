//! Dimensions, lengths and halves, and what fits no transform.

use super::*;
use crate::exact::Conforming;
use crate::operator::{AttributeValue, Attributes, Specification};
use values::dtype::DType::Float32;
use values::tensor::Tensor;

type Made = (Vec<usize>, Vec<Conforming>);

fn made(
    since: i64,
    x: (&[usize], &[f32]),
    numbers: [Option<i64>; 2],
    attributes: &[(&str, i64)],
) -> Option<Made> {
    let named = |(name, value): &(&str, i64)| ((*name).to_owned(), AttributeValue::Int(*value));
    let attributes: Attributes = attributes.iter().map(named).collect();
    let scalar = |number: i64| Tensor::from_values(Int64, vec![], vec![number]).unwrap();
    let x = Tensor::from_values(Float32, x.0.to_vec(), x.1.to_vec()).unwrap();
    let mut inputs = vec![Some(x)];
    inputs.extend(numbers.map(|number| number.map(scalar)));
    let version = DFT.version(since).unwrap();
    inputs.truncate(version.inputs.len());
    let (call, types) = Call::new(&DFT, version, Specification::Onnx, attributes, inputs).ok()?;
    let allowed = DFT.reference.allowed(&call, &types);
    let count = types[0].shape.iter().product();
    Some((types[0].shape.clone(), (0..count).map(|at| allowed[0].at(at)).collect()))
}

fn accept(all: &[Conforming], numbers: &[f32]) -> bool {
    let accepts = |(one, number): (&Conforming, &f32)| {
        one.is_decided()
            && one.accepts(number.to_bits().into())
            && !one.accepts((number + 0.01).to_bits().into())
    };
    all.len() == numbers.len() && all.iter().zip(numbers).all(accepts)
}

#[test]
fn quarters_of_a_turn_give_one_result() {
    let (shape, all) = made(20, (&[1, 4, 1], &[1.0, 2.0, 3.0, 4.0]), [None; 2], &[]).unwrap();
    assert_eq!(shape, [1, 4, 2]);
    assert!(accept(&all, &[10.0, 0.0, -2.0, 2.0, -2.0, 0.0, -2.0, -2.0]), "{all:?}");
    assert_eq!(all[0], Conforming::One(10_f32.to_bits().into()));
    let spectrum = [10.0, 0.0, -2.0, 2.0, -2.0, 0.0, -2.0, -2.0];
    let (_, all) = made(17, (&[1, 4, 2], &spectrum), [None; 2], &[("inverse", 1)]).unwrap();
    assert!(accept(&all, &[1.0, 0.0, 2.0, 0.0, 3.0, 0.0, 4.0, 0.0]), "{all:?}");
    let halves = [("inverse", 1), ("onesided", 1)];
    let (shape, all) = made(20, (&[3, 2], &spectrum[..6]), [None; 2], &halves).unwrap();
    assert_eq!(shape, [4, 1]);
    assert!(accept(&all, &[1.0, 2.0, 3.0, 4.0]), "{all:?}");
}

#[test]
fn dimensions_and_lengths_are_those_of_the_call() {
    let x: (&[usize], &[f32]) = (&[2, 2, 1], &[1.0, 2.0, 3.0, 4.0]);
    let (shape, all) = made(17, x, [None; 2], &[("axis", 0)]).unwrap();
    assert_eq!(shape, [2, 2, 2]);
    assert!(accept(&all, &[4.0, 0.0, 6.0, 0.0, -2.0, 0.0, -2.0, 0.0]), "{all:?}");
    assert_eq!(made(20, x, [None, Some(0)], &[]).unwrap().1, all);
    let (shape, all) = made(20, x, [Some(3), None], &[("onesided", 1)]).unwrap();
    assert_eq!(shape, [2, 2, 2]);
    let root = 0.75_f32.sqrt();
    let expected = [3.0, 0.0, 0.0, -2.0 * root, 7.0, 0.0, 1.0, -4.0 * root];
    assert!(accept(&all, &expected), "{all:?}");
    assert_eq!(made(20, (&[2, 0, 1], &[]), [Some(2), None], &[]).unwrap().0, [2, 2, 2]);
}

#[test]
fn an_imaginary_part_against_the_symmetry_leaves_all_open() {
    let halves = [("inverse", 1), ("onesided", 1)];
    let of = |spectrum: &[f32], length| {
        made(20, (&[1, 3, 2], spectrum), [length, None], &halves).unwrap().1
    };
    assert!(of(&[1.0, 2.0, 3.0, 4.0, 5.0, 0.0], None).iter().all(|it| !it.is_decided()));
    let middle = [1.0, 0.0, 3.0, 4.0, 5.0, 6.0];
    assert!(of(&middle, None).iter().all(|it| !it.is_decided()));
    assert!(of(&middle, Some(5)).iter().all(Conforming::is_decided));
}

#[test]
fn what_fits_no_transform_is_refused() {
    let x: (&[usize], &[f32]) = (&[1, 2, 2], &[1.0, 2.0, 3.0, 4.0]);
    assert_eq!(made(20, x, [None; 2], &[("onesided", 1)]), None);
    assert_eq!(made(20, (&[4], &[1.0; 4]), [None; 2], &[]), None);
    assert_eq!(made(20, (&[1, 1, 3], &[1.0; 3]), [None; 2], &[]), None);
    for axis in [2, -1, -4, i64::MIN, i64::MAX] {
        assert_eq!(made(20, x, [None, Some(axis)], &[]), None);
        assert_eq!(made(17, x, [None; 2], &[("axis", axis)]), None);
    }
    for length in [-1, i64::MIN, i64::MAX, 1 << 31] {
        assert_eq!(made(20, x, [Some(length), None], &[]), None);
    }
}

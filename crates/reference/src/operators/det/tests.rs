//! Batches of matrices, special values, and what no bound decides.

use super::*;
use crate::operator::{Attributes, Specification};

fn det(shape: &[usize], values: &[f32]) -> Option<(Vec<usize>, Vec<Conforming>)> {
    let input = Tensor::from_values(Float32, shape.to_vec(), values.to_vec()).unwrap();
    let (version, onnx) = (DET.newest(), Specification::Onnx);
    let made = Call::new(&DET, version, onnx, Attributes::new(), vec![Some(input)]);
    let (call, types) = made.ok()?;
    let allowed = DET.reference.allowed(&call, &types);
    let count: usize = types[0].shape.iter().product();
    Some((types[0].shape.clone(), (0..count).map(|at| allowed[0].at(at)).collect()))
}

fn accepts(conforming: &Conforming, result: f32) -> bool {
    conforming.accepts(result.to_bits().into())
}

#[test]
fn permutations_have_the_sign_of_the_determinant() {
    let count = |size| {
        let all = permutations(size);
        (all.len(), all.iter().filter(|(_, is_odd)| *is_odd).count())
    };
    assert_eq!([0, 1, 2, 3, 4].map(count), [(1, 0), (1, 0), (2, 1), (6, 3), (24, 12)]);
    assert!(permutations(3).contains(&(vec![1, 2, 0], false)));
    assert!(permutations(3).contains(&(vec![1, 0, 2], true)));
}

#[test]
fn every_matrix_of_a_batch_has_its_determinant() {
    let matrices = [1.0, 2.0, 3.0, 4.0, 1.0, 2.0, 2.0, 1.0, 1.0, 3.0, 3.0, 1.0];
    let (shape, all) = det(&[3, 2, 2], &matrices).unwrap();
    assert_eq!(shape, [3]);
    for (one, exact) in all.iter().zip([-2.0_f32, -3.0, -8.0]) {
        assert_eq!(one.example(), Some(exact.to_bits().into()));
        assert!(!accepts(one, exact * 1.001) && !accepts(one, -exact));
    }
    let (shape, all) = det(&[1, 1, 1, 1], &[-0.0]).unwrap();
    assert_eq!((shape, all[0].example()), (vec![1, 1], Some(1 << 31)));
    assert!(accepts(&all[0], 0.0) && !accepts(&all[0], 1e-45));
    let (_, all) = det(&[1, 1, 1], &[1e-45]).unwrap();
    assert_eq!(all[0], Conforming::One(1));
    let (shape, all) = det(&[2, 0, 0], &[]).unwrap();
    assert_eq!((shape, all.len()), (vec![2], 2));
    assert!(accepts(&all[0], 1.0) && !accepts(&all[0], 0.0));
}

#[test]
fn what_is_computed_by_the_definition_conforms_too() {
    // By elimination 1 and -1 are divided first; the definition multiplies exactly.
    let (_, all) = det(&[3, 3], &[3.0, 1.0, 2.0, 1.0, 3.0, 1.0, 2.0, 1.0, 3.0]).unwrap();
    assert!(accepts(&all[0], 13.0) && !accepts(&all[0], 13.01));
}

#[test]
fn what_is_no_number_makes_a_nan_or_is_open() {
    let (nan, infinity) = (f32::NAN, f32::INFINITY);
    let of = |all: [f32; 4]| det(&[2, 2], &all).unwrap().1.remove(0);
    assert!(accepts(&of([1.0, nan, 2.0, 3.0]), nan) && !accepts(&of([1.0, nan, 2.0, 3.0]), 0.0));
    assert!(!of([0.0, nan, 0.0, 1.0]).is_decided());
    assert!(!of([infinity, 1.0, 1.0, 1.0]).is_decided());
    assert!(!of([f32::MAX, 1.0, 1.0, f32::MAX]).is_decided());
    assert!(accepts(&det(&[1, 1], &[nan]).unwrap().1[0], nan));
    assert!(accepts(&det(&[1, 1], &[infinity]).unwrap().1[0], infinity));
    let large = MOST + 1;
    let (_, all) = det(&[large, large], &vec![1.0; large * large]).unwrap();
    assert!(!all[0].is_decided());
}

#[test]
fn other_shapes_are_refused() {
    for shape in [&[][..], &[1], &[2, 3], &[2, 2, 1], &[0, 1]] {
        assert!(det(shape, &vec![1.0; shape.iter().product()]).is_none(), "{shape:?}");
    }
}

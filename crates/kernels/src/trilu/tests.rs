//! Trilu of every type, by diagonals within and beyond the matrix.

use crate::tests::{run, tensor};
use crate::{Attribute, Attributes, ErrorKind, find};
use values::dtype::DType::{Int64, String, Uint8};
use values::tensor::Tensor;

fn kept(shape: &[usize], k: i64, upper: i64) -> Vec<u8> {
    let data = tensor(Uint8, shape, &vec![1_u8; shape.iter().product()]);
    let upper = Attributes::from([("upper".to_owned(), Attribute::Int(upper))]);
    let trilu = find("Trilu", 14).unwrap();
    let output = run(trilu, &[&data, &tensor(Int64, &[], &[k])], &upper).unwrap();
    crate::tests::read(&output)
}

#[test]
fn elements_on_and_beyond_the_diagonal_are_kept() {
    assert_eq!(kept(&[2, 3], 0, 1), [1, 1, 1, 0, 1, 1]);
    assert_eq!(kept(&[2, 3], 1, 1), [0, 1, 1, 0, 0, 1]);
    assert_eq!(kept(&[3, 2], 0, 0), [1, 0, 1, 1, 1, 1]);
    assert_eq!(kept(&[2, 2, 2], -1, 0), [0, 0, 1, 0, 0, 0, 1, 0]);
    assert_eq!(kept(&[2, 2], i64::MAX, 1), [0; 4]);
    assert_eq!(kept(&[2, 2], i64::MIN, 1), [1; 4]);
}

#[test]
fn among_strings_others_are_empty() {
    let all = ["a", "b", "c", "d"].map(Into::into).to_vec();
    let data = Tensor::from_strings(vec![2, 2], all).unwrap();
    let output = run(find("Trilu", 14).unwrap(), &[&data], &Attributes::new()).unwrap();
    assert_eq!((output.dtype(), output.strings().unwrap()[2].len()), (String, 0));
}

#[test]
fn what_is_no_matrix_is_refused() {
    let (vector, matrix) = (tensor(Uint8, &[2], &[0_u8; 2]), tensor(Uint8, &[1, 1], &[0_u8]));
    let trilu = find("Trilu", 14).unwrap();
    let list = tensor(Int64, &[1], &[0_i64]);
    for inputs in [&[&vector][..], &[&matrix, &list]] {
        let error = run(trilu, inputs, &Attributes::new()).unwrap_err();
        assert_eq!(error.kind(), ErrorKind::Invalid);
    }
}

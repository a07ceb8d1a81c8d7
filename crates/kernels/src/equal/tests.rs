//! Equality against that of wider native types, of truth values and of strings.

use bytes::Bytes;

use crate::comparison::tests::check_all;
use crate::tests::{read, run, tensor};
use crate::{Attributes, find};
use values::dtype::DType::Bool;
use values::tensor::Tensor;

fn equal(a: &Tensor, b: &Tensor) -> Vec<u8> {
    read(&run(find("Equal", 19).unwrap(), &[a, b], &Attributes::new()).unwrap())
}

#[test]
fn every_type_is_compared_by_its_numbers() {
    check_all("Equal", |a, b| a == b, |a, b| a == b);
}

#[test]
fn truth_values_are_equal_where_both_hold_or_neither_does() {
    let (a, b) = (tensor(Bool, &[4], &[0_u8, 0, 1, 1]), tensor(Bool, &[4], &[0_u8, 1, 0, 1]));
    assert_eq!(equal(&a, &b), [1, 0, 0, 1]);
}

#[test]
fn strings_are_equal_byte_by_byte_and_broadcast() {
    let strings = |shape: &[usize], texts: &[&'static str]| {
        let texts = texts.iter().map(|text| Bytes::from_static(text.as_bytes()));
        Tensor::from_strings(shape.to_vec(), texts.collect()).unwrap()
    };
    let row = strings(&[3], &["", "a", "a\0"]);
    let column = strings(&[4, 1], &["a", "A", "", "a\0b"]);
    assert_eq!(equal(&column, &row), [0, 1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 0]);
    let (composed, decomposed) = (strings(&[1], &["\u{e9}"]), strings(&[1], &["e\u{301}"]));
    assert_eq!(equal(&composed, &decomposed), [0]);
}

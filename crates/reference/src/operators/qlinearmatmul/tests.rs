//! Rounding, saturation, what stays open, and what is refused.

use values::tensor::Tensor;

use super::*;
use crate::elements::tensor;
use crate::exact::Conforming;
use crate::operator::{Attributes, Specification};

fn f32s(shape: &[usize], values: &[f32]) -> Tensor {
    Tensor::from_values(Float32, shape.to_vec(), values.to_vec()).unwrap()
}

fn signed(shape: &[usize], values: &[i8]) -> Tensor {
    Tensor::from_values(Int8, shape.to_vec(), values.to_vec()).unwrap()
}

fn product(inputs: &[Tensor; 8]) -> Result<Vec<Conforming>, Invalid> {
    let inputs = inputs.iter().cloned().map(Some).collect();
    let (version, attributes) = (QLINEARMATMUL.newest(), Attributes::new());
    let (call, types) =
        Call::new(&QLINEARMATMUL, version, Specification::Onnx, attributes, inputs)?;
    let allowed = QLINEARMATMUL.reference.allowed(&call, &types);
    let count: usize = types[0].shape.iter().product();
    Ok((0..count).map(|index| allowed[0].at(index)).collect())
}

/// The inputs for a column and a one, with these scales.
fn column(values: &[i8], [a, b, y]: [f32; 3], zero: Tensor) -> [Tensor; 8] {
    let (one, none) = (signed(&[1, 1], &[1]), signed(&[], &[0]));
    let [a, b, y] = [a, b, y].map(|scale| f32s(&[], &[scale]));
    [signed(&[values.len(), 1], values), a, none.clone(), one, b, none, y, zero]
}

fn bits(all: &[i8]) -> Vec<Conforming> {
    all.iter().map(|own| Conforming::One(u64::from(*own as u8))).collect()
}

#[test]
fn ties_go_to_even_before_the_zero_point_is_added() {
    let inputs = column(&[1, 3, -1, -3, 127, -128], [0.5, 1.0, 1.0], signed(&[], &[1]));
    assert_eq!(product(&inputs), Ok(bits(&[1, 3, 1, -1, 65, -63])));
    let inputs = column(&[1, 100, -100], [4.0, 1.0, 1.0], signed(&[], &[-10]));
    assert_eq!(product(&inputs), Ok(bits(&[-6, 127, -128])));
}

#[test]
fn what_the_document_leaves_open_is_not_decided() {
    let is_decided = |inputs: &[Tensor; 8]| product(inputs).unwrap()[0].is_decided();
    let none = signed(&[], &[0]);
    assert!(is_decided(&column(&[1], [1.0; 3], none.clone())));
    assert!(!is_decided(&column(&[1], [1.0, 1.0, 0.0], none.clone())));
    assert!(!is_decided(&column(&[1], [1.0, 1.0, f32::NAN], none.clone())));
    assert!(!is_decided(&column(&[0], [f32::INFINITY, 1.0, 1.0], none.clone())));
    assert!(is_decided(&column(&[1], [f32::INFINITY, 1.0, 1.0], none)));
    let zero = |bits| tensor(Float8E4M3Fn, &[], &[bits]).unwrap();
    assert!(is_decided(&column(&[1], [1.0; 3], zero(0x80))));
    assert!(!is_decided(&column(&[1], [1.0; 3], zero(0x38))));
}

#[test]
fn a_sum_beyond_32_bits_may_wrap() {
    let bytes = |shape: &[usize]| {
        let values = vec![255_u8; shape.iter().product()];
        Tensor::from_values(Uint8, shape.to_vec(), values).unwrap()
    };
    let (one, none) = (f32s(&[], &[1.0]), tensor(Uint8, &[], &[0]).unwrap());
    let inputs = [
        bytes(&[1, 33_034]),
        one.clone(),
        none.clone(),
        bytes(&[33_034, 1]),
        one,
        none,
        f32s(&[], &[30_000_000.0]),
        signed(&[], &[0]),
    ];
    let own = product(&inputs).unwrap().remove(0);
    let of = |number: i8| u64::from(number as u8);
    assert!(own.accepts(of(72)) && own.accepts(of(-72)), "{own:?}");
    assert!(own.is_decided() && !own.accepts(0));
}

#[test]
fn shapes_and_types_that_do_not_go_together_are_refused() {
    let right = column(&[1, 2], [1.0; 3], signed(&[], &[0]));
    assert!(product(&right).is_ok());
    for (at, other) in [
        (1, f32s(&[2], &[1.0; 2])),
        (2, signed(&[2], &[0; 2])),
        (3, signed(&[2, 1], &[1; 2])),
        (4, tensor(Float16, &[], &[0x3c00]).unwrap()),
        (5, tensor(Uint8, &[], &[0]).unwrap()),
        (6, f32s(&[2], &[1.0; 2])),
    ] {
        let mut inputs = right.clone();
        inputs[at] = other;
        assert!(product(&inputs).is_err(), "{at}");
    }
    let mut rows = right;
    rows[1] = f32s(&[2], &[1.0; 2]);
    rows[2] = signed(&[2], &[0; 2]);
    assert!(product(&rows).is_ok());
}

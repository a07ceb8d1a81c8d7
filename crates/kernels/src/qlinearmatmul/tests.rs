//! Sums that are scaled, rounded and saturated, for scales of every form.

use super::*;
use crate::tests::{ones, read, tensor};
use crate::{Attributes, KernelError, find};
use values::tensor::Tensor;

fn f32s(shape: &[usize], values: &[f32]) -> Tensor {
    tensor(Float32, shape, values)
}

fn signed(shape: &[usize], values: &[i8]) -> Tensor {
    tensor(Int8, shape, values)
}

fn product(inputs: &[Tensor; 8]) -> Result<Tensor, KernelError> {
    let inputs: Vec<_> = inputs.iter().map(Some).collect();
    Ok(find("QLinearMatMul", 21).unwrap().run(&inputs, &Attributes::new())?.remove(0))
}

/// The inputs for a column and a one, with these scales.
fn column(values: &[i8], [a, b, y]: [f32; 3], zero: Tensor) -> [Tensor; 8] {
    let (one, none) = (signed(&[1, 1], &[1]), signed(&[], &[0]));
    let column = signed(&[values.len(), 1], values);
    let [a, b, y] = [a, b, y].map(|scale| f32s(&[], &[scale]));
    [column, a, none.clone(), one, b, none, y, zero]
}

#[test]
fn quotients_are_rounded_to_even_before_the_zero_point_is_added() {
    let inputs = column(&[1, 3, -1, -3, 127, -128], [0.5, 1.0, 1.0], signed(&[], &[1]));
    let y: Vec<i8> = read(&product(&inputs).unwrap());
    assert_eq!(y, [1, 3, 1, -1, 65, -63]);
    let zero = tensor(Uint8, &[], &[200_u8]);
    let y: Vec<u8> =
        read(&product(&column(&[1, 3, -1, 127, -128], [0.5, 4.0, 1.0], zero)).unwrap());
    assert_eq!(y, [202, 206, 198, 255, 0]);
}

#[test]
fn rows_and_columns_have_their_scales() {
    let a = signed(&[2, 1], &[10, 20]);
    let b = signed(&[1, 2], &[1, 2]);
    let of = |a_shape: &[usize], b_shape: &[usize]| {
        let inputs = [
            a.clone(),
            f32s(a_shape, &[1.0, 0.5]),
            signed(a_shape, &[0, 10]),
            b.clone(),
            f32s(b_shape, &[1.0, 2.0]),
            signed(b_shape, &[0, 1]),
            f32s(&[], &[0.5]),
            signed(&[1], &[0]),
        ];
        product(&inputs).map(|y| read::<i8>(&y))
    };
    assert_eq!(of(&[2], &[2]), Ok(vec![20, 40, 10, 20]));
    assert_eq!(of(&[2, 1], &[1, 2]), Ok(vec![20, 40, 10, 20]));
    assert!(of(&[1, 2], &[2]).is_err() && of(&[2], &[2, 1]).is_err());
}

#[test]
fn scales_and_zero_points_that_do_not_go_together_are_refused() {
    let right = column(&[1, 2], [1.0; 3], signed(&[], &[0]));
    assert!(product(&right).is_ok());
    for (at, other) in [
        (1, f32s(&[2], &[1.0; 2])),
        (2, signed(&[2], &[0; 2])),
        (6, f32s(&[2], &[1.0; 2])),
        (7, signed(&[2], &[0; 2])),
    ] {
        let mut inputs = right.clone();
        inputs[at] = other;
        let error = product(&inputs).unwrap_err();
        assert!(matches!(error, KernelError::Shapes { .. }), "{error}");
    }
    for (at, other) in [(4, ones(Float16, &[])), (5, ones(Uint8, &[]))] {
        let mut inputs = right.clone();
        inputs[at] = other;
        let error = product(&inputs).unwrap_err();
        assert!(matches!(error, KernelError::TypesDiffer { .. }), "{error}");
    }
}

#[test]
fn floats_of_8_bits_are_summed_up_and_saturate() {
    // 1, 448 and 1.25 in float8e4m3fn.
    let of = |values: &[u8]| tensor(Float8E4M3Fn, &[values.len(), 1], values);
    let (one, zero) = (f32s(&[], &[1.0]), tensor(Float8E4M3Fn, &[], &[0_u8]));
    let inputs = [
        of(&[0x38, 0x7e, 0x3a]),
        one.clone(),
        zero.clone(),
        of(&[0x3a]),
        one.clone(),
        zero.clone(),
        one,
        zero,
    ];
    assert_eq!(read::<u8>(&product(&inputs).unwrap()), [0x3a, 0x7e, 0x3c]);
}

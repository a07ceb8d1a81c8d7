//! Zero points of rows and columns, and sums that wrap.

use values::dtype::DType::{Int8, Uint8};
use values::tensor::Tensor;

use super::*;
use crate::operator::{Attributes, Specification};

fn product(inputs: Vec<Option<Tensor>>) -> Result<Vec<u128>, Invalid> {
    let version = MATMULINTEGER.newest();
    let attributes = Attributes::new();
    let (call, types) =
        Call::new(&MATMULINTEGER, version, Specification::Onnx, attributes, inputs)?;
    let allowed = MATMULINTEGER.reference.allowed(&call, &types);
    let count: usize = types[0].shape.iter().product();
    Ok((0..count).map(|index| allowed[0].at(index).example().unwrap()).collect())
}

fn bytes(shape: &[usize], values: &[u8]) -> Option<Tensor> {
    Tensor::from_values(Uint8, shape.to_vec(), values.to_vec()).ok()
}

fn signed(shape: &[usize], values: &[i8]) -> Option<Tensor> {
    Tensor::from_values(Int8, shape.to_vec(), values.to_vec()).ok()
}

#[test]
fn zero_points_are_taken_off_rows_and_columns() {
    let (a, b) = (bytes(&[2, 2], &[1, 2, 3, 4]), signed(&[2, 2], &[1, -1, 2, -2]));
    let of = |a_zero, b_zero| product(vec![a.clone(), b.clone(), a_zero, b_zero]);
    let wrapped = |numbers: [i32; 4]| Ok(numbers.map(|it| u128::from(it as u32)).to_vec());
    assert_eq!(of(None, None), wrapped([5, -5, 11, -11]));
    assert_eq!(of(bytes(&[], &[1]), None), wrapped([2, -2, 8, -8]));
    assert_eq!(of(bytes(&[2], &[1, 3]), None), wrapped([2, -2, 2, -2]));
    assert_eq!(of(None, signed(&[2], &[0, 1])), wrapped([5, -8, 11, -18]));
    assert!(of(bytes(&[3], &[1; 3]), None).is_err());
    assert!(of(None, signed(&[2, 1], &[0, 1])).is_err());
}

#[test]
fn sums_wrap_in_32_bits() {
    let terms = 33_030;
    let row = bytes(&[1, terms], &vec![255; terms]);
    let column = bytes(&[terms, 1], &vec![255; terms]);
    let sum = 255 * 255 * terms as u128;
    assert!(sum > i32::MAX as u128);
    assert_eq!(product(vec![row, column, None, None]), Ok(vec![sum]));
}

//! Products less zero points of every form, written out, and sums that wrap.

use crate::tests::{read, tensor};
use crate::{Attributes, KernelError, find};
use values::dtype::DType::{Int8, Uint8};
use values::tensor::Tensor;

fn product(inputs: &[Option<&Tensor>]) -> Result<Vec<i32>, KernelError> {
    let outputs = find("MatMulInteger", 10).unwrap().run(inputs, &Attributes::new())?;
    Ok(read(&outputs[0]))
}

fn bytes(shape: &[usize], values: &[u8]) -> Tensor {
    tensor(Uint8, shape, values)
}

fn signed(shape: &[usize], values: &[i8]) -> Tensor {
    tensor(Int8, shape, values)
}

#[test]
fn zero_points_are_of_all_of_rows_or_of_columns() {
    let (a, b) = (bytes(&[2, 2], &[1, 2, 3, 4]), signed(&[2, 2], &[1, -1, 2, -2]));
    let of = |a_zero: Option<&Tensor>, b_zero: Option<&Tensor>| {
        product(&[Some(&a), Some(&b), a_zero, b_zero]).unwrap()
    };
    assert_eq!(of(None, None), [5, -5, 11, -11]);
    assert_eq!(of(Some(&bytes(&[], &[255])), None), [-760, 760, -754, 754]);
    assert_eq!(of(Some(&bytes(&[2], &[1, 3])), None), [2, -2, 2, -2]);
    assert_eq!(of(Some(&bytes(&[2, 1], &[1, 3])), None), [2, -2, 2, -2]);
    assert_eq!(of(None, Some(&signed(&[2], &[0, 1]))), [5, -8, 11, -18]);
    for zero in [bytes(&[3], &[0; 3]), bytes(&[1, 2], &[0; 2]), bytes(&[0], &[])] {
        let error = product(&[Some(&a), Some(&b), Some(&zero)]).unwrap_err();
        assert!(matches!(error, KernelError::Shapes { .. }), "{error}");
    }
    let error = product(&[Some(&a), Some(&b), None, Some(&bytes(&[], &[0]))]).unwrap_err();
    assert!(matches!(error, KernelError::TypesDiffer { .. }), "{error}");
}

#[test]
fn each_matrix_of_a_stack_has_its_own_zero_points() {
    let (a, b) = (bytes(&[2, 1, 2], &[1, 2, 3, 4]), signed(&[2, 2, 1], &[1, 2, 3, 4]));
    let (rows, columns) = (bytes(&[2, 1, 1], &[1, 3]), signed(&[2, 1, 1], &[1, 0]));
    let inputs = [Some(&a), Some(&b), Some(&rows), Some(&columns)];
    assert_eq!(product(&inputs), Ok(vec![1, 4]));
}

#[test]
fn sums_wrap_in_32_bits() {
    let row = bytes(&[1, 33_034], &[255; 33_034]);
    let column = bytes(&[33_034, 1], &[255; 33_034]);
    let sum = (255_i64 * 255 * 33_034) as i32;
    assert!(sum < 0);
    assert_eq!(product(&[Some(&row), Some(&column)]), Ok(vec![sum]));
}

#[test]
fn sums_of_no_products_are_zeros() {
    let (a, b) = (bytes(&[2, 0], &[]), signed(&[0, 3], &[]));
    assert_eq!(product(&[Some(&a), Some(&b)]), Ok(vec![0; 6]));
    let zeros = [bytes(&[2], &[1; 2]), signed(&[3], &[1; 3])];
    let inputs = [Some(&a), Some(&b), Some(&zeros[0]), Some(&zeros[1])];
    assert_eq!(product(&inputs), Ok(vec![0; 6]));
}

//! Gather of every type, along every dimension, by indices of any rank.

use bytes::Bytes;

use crate::tests::{ones, read, run, tensor};
use crate::{Attribute, Attributes, ErrorKind, KernelError, find};
use values::dtype::DType::{Float16, Int4, Int32, Int64, String as Text, Uint8};
use values::tensor::Tensor;

fn gathered(
    opset: i64,
    shape: &[usize],
    indices: &Tensor,
    axis: i64,
) -> Result<Tensor, KernelError> {
    let data: Vec<u8> = (0..shape.iter().product::<usize>() as u8).collect();
    let attributes = Attributes::from([("axis".to_owned(), Attribute::Int(axis))]);
    run(find("Gather", opset).unwrap(), &[&tensor(Uint8, shape, &data), indices], &attributes)
}

#[test]
fn entries_lie_where_the_indices_do() {
    let indices = tensor(Int32, &[2, 2], &[2_i32, 0, -1, 1]);
    let rows = gathered(13, &[3, 2], &indices, 0).unwrap();
    assert_eq!((rows.shape(), read(&rows)), (&[2, 2, 2][..], vec![4_u8, 5, 0, 1, 4, 5, 2, 3]));
    let columns = gathered(1, &[2, 3], &indices, -1).unwrap();
    assert_eq!(
        (columns.shape(), read(&columns)),
        (&[2, 2, 2][..], vec![2_u8, 0, 2, 1, 5, 3, 5, 4])
    );
    let scalar = gathered(13, &[2, 3, 2], &tensor(Int64, &[], &[1_i64]), 1).unwrap();
    assert_eq!((scalar.shape(), read(&scalar)), (&[2, 2][..], vec![2_u8, 3, 8, 9]));
    let none = gathered(13, &[0, 2], &tensor::<i64>(Int64, &[0, 7], &[]), 0).unwrap();
    assert_eq!(none.shape(), [0, 7, 2]);
}

#[test]
fn strings_are_moved_whole_and_other_types_are_not_taken() {
    let texts: Vec<Bytes> = ["a", "", "c"].map(Bytes::from).to_vec();
    let data = Tensor::from_strings(vec![3], texts).unwrap();
    let indices = tensor(Int64, &[2], &[2_i64, 1]);
    let operator = find("Gather", 13).unwrap();
    let output = run(operator, &[&data, &indices], &Attributes::new()).unwrap();
    assert_eq!(output.strings().unwrap(), ["c", ""].map(Bytes::from));
    for dtype in [Int4, Float16, Text] {
        let error = run(operator, &[&data, &ones(dtype, &[1])], &Attributes::new()).unwrap_err();
        assert!(matches!(error, KernelError::InputType { .. }), "{error}");
    }
}

#[test]
fn indices_and_axes_that_are_not_there_are_refused() {
    for index in [3, -4, i64::MIN, i64::MAX] {
        let error = gathered(13, &[3, 2], &tensor(Int64, &[1], &[index]), 0).unwrap_err();
        assert_eq!(error.kind(), ErrorKind::Invalid, "{index}");
    }
    let zero = tensor(Int64, &[1], &[0_i64]);
    for (shape, axis) in [(&[3, 2][..], 2), (&[3, 2], -3), (&[], 0), (&[3], i64::MIN), (&[0], 0)] {
        assert!(gathered(13, shape, &zero, axis).is_err(), "{shape:?} {axis}");
    }
    let huge = [usize::MAX, 0, usize::MAX];
    assert!(gathered(13, &huge, &zero, 1).is_err());
    assert_eq!(gathered(13, &huge, &zero, 0).unwrap().shape(), [1, 0, usize::MAX]);
}

//! GatherElements of every type and along every dimension.

use crate::tests::{read, run, tensor};
use crate::{Attribute, Attributes, KernelError, find};
use values::dtype::DType::{Int32, Int64, Uint8};
use values::tensor::Tensor;

fn gathered(shape: &[usize], indices: &Tensor, axis: i64) -> Result<Vec<u8>, KernelError> {
    let data: Vec<u8> = (0..shape.iter().product::<usize>() as u8).collect();
    let attributes = Attributes::from([("axis".to_owned(), Attribute::Int(axis))]);
    let operator = find("GatherElements", 13).unwrap();
    let output = run(operator, &[&tensor(Uint8, shape, &data), indices], &attributes)?;
    assert_eq!(output.shape(), indices.shape());
    Ok(read(&output))
}

#[test]
fn elements_lie_where_the_indices_do_but_for_the_axis() {
    let indices = tensor(Int32, &[2, 2], &[1_i32, 0, -1, 1]);
    assert_eq!(gathered(&[2, 3], &indices, 1).unwrap(), [1, 0, 5, 4]);
    assert_eq!(gathered(&[3, 2], &indices, 0).unwrap(), [2, 1, 4, 3]);
    assert_eq!(gathered(&[3, 2], &indices, -2).unwrap(), [2, 1, 4, 3]);
    let longer = tensor(Int64, &[1, 3, 1], &[1_i64, 0, 1]);
    assert_eq!(gathered(&[2, 2, 2], &longer, 1).unwrap(), [2, 0, 2]);
    assert!(gathered(&[0, 2], &tensor::<i64>(Int64, &[0, 3], &[]), 0).unwrap().is_empty());
}

#[test]
fn what_lies_outside_the_data_is_refused() {
    for (shape, of_indices, index, axis) in [
        (&[2, 2][..], &[1, 1][..], 2, 0),
        (&[2, 2], &[1, 1], -3, 0),
        (&[2, 2], &[1, 1], i64::MIN, 0),
        (&[2, 2], &[1, 1], 0, 2),
        (&[2, 2], &[1], 0, 0),
        (&[2, 2], &[1, 3], 0, 0),
        (&[], &[], 0, 0),
        (&[0, usize::MAX, usize::MAX], &[1, 1, 1], 0, 0),
    ] {
        let count = of_indices.iter().product();
        let indices = tensor(Int64, of_indices, &vec![index; count]);
        assert!(
            gathered(shape, &indices, axis).is_err(),
            "{shape:?} {of_indices:?} {index} {axis}"
        );
    }
}

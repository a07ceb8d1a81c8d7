//! Shares along every dimension, of large and of special numbers.

use crate::tests::{read, run, tensor};
use crate::{Attribute, Attributes, ErrorKind, KernelError, find};
use values::dtype::DType::Float32;
use values::tensor::Tensor;

fn softmax(opset: i64, input: &Tensor, axis: i64) -> Result<Vec<f32>, KernelError> {
    let attributes = Attributes::from([("axis".to_owned(), Attribute::Int(axis))]);
    run(find("Softmax", opset).unwrap(), &[input], &attributes).map(|output| read(&output))
}

#[test]
fn a_line_is_one_dimension_or_all_from_one_on() {
    let input = tensor(Float32, &[2, 2, 2], &[3_f32; 8]);
    for (opset, axis, share) in
        [(13, 0, 0.5), (13, 1, 0.5), (13, -1, 0.5), (11, 0, 0.125), (11, -2, 0.25), (1, 2, 0.5)]
    {
        assert_eq!(softmax(opset, &input, axis), Ok(vec![share; 8]), "{opset} {axis}");
    }
    let columns = tensor(Float32, &[2, 2], &[0_f32, 0.0, 0.0, f32::NEG_INFINITY]);
    assert_eq!(softmax(13, &columns, 0), Ok(vec![0.5, 1.0, 0.5, 0.0]));
}

#[test]
fn the_largest_number_is_subtracted_first() {
    let large = tensor(Float32, &[3, 2], &[1e30_f32, 1e30, -1e30, -1e30, f32::MAX, f32::MIN]);
    assert_eq!(softmax(13, &large, 1), Ok(vec![0.5, 0.5, 0.5, 0.5, 1.0, 0.0]));
}

#[test]
fn a_nan_or_an_infinity_makes_its_line_nan() {
    let rows = [[1.0, f32::NAN], [f32::INFINITY, 1.0], [f32::NEG_INFINITY; 2], [2.0, 2.0]];
    let shares = softmax(13, &tensor(Float32, &[4, 2], rows.as_flattened()), 1).unwrap();
    assert!(shares[..6].iter().all(|share| share.is_nan()) && shares[6..] == [0.5, 0.5]);
}

#[test]
fn what_has_no_such_dimension_is_refused() {
    let input = tensor(Float32, &[2, 1], &[1_f32, 2.0]);
    for (opset, axis) in [(13, 2), (13, -3), (13, i64::MIN), (13, i64::MAX), (1, -1)] {
        assert_eq!(softmax(opset, &input, axis).unwrap_err().kind(), ErrorKind::Invalid, "{axis}");
    }
    assert!(softmax(13, &tensor(Float32, &[], &[1_f32]), -1).is_err());
    assert_eq!(softmax(13, &tensor::<f32>(Float32, &[0, 3], &[]), 0), Ok(vec![]));
}

//! Flatten of every type, at every axis.

use crate::tests::{run, tensor};
use crate::{Attribute, Attributes, ErrorKind, KernelError, find};
use values::dtype::DType::*;

fn flattened(opset: i64, shape: &[usize], axis: i64) -> Result<Vec<usize>, KernelError> {
    let values: Vec<f32> = (0..shape.iter().product::<usize>()).map(|at| at as f32).collect();
    let data = tensor(Float32, shape, &values);
    let attributes = Attributes::from([("axis".to_owned(), Attribute::Int(axis))]);
    let output = run(find("Flatten", opset).unwrap(), &[&data], &attributes)?;
    assert_eq!(output.bits(), data.bits());
    Ok(output.shape().to_vec())
}

#[test]
fn sizes_before_the_axis_make_one_and_the_others_the_other() {
    for (axis, to) in
        [(0, [1, 24]), (1, [2, 12]), (2, [6, 4]), (3, [24, 1]), (-1, [6, 4]), (-3, [1, 24])]
    {
        assert_eq!(flattened(11, &[2, 3, 4], axis).unwrap(), to);
    }
    assert_eq!(flattened(25, &[], 0).unwrap(), [1, 1]);
    assert_eq!(flattened(25, &[2, 0, 3], 1).unwrap(), [2, 0]);
}

#[test]
fn an_axis_beyond_the_dimensions_is_refused_and_before_version_11_a_negative_one() {
    for (opset, axis) in [(25, 4), (25, -4), (9, -1), (1, 4), (25, i64::MIN), (25, i64::MAX)] {
        let error = flattened(opset, &[2, 3, 4], axis).unwrap_err();
        assert_eq!(error.kind(), ErrorKind::Invalid, "{opset} {axis}");
    }
}

//! The largest element of every type, along any dimensions.

use crate::tests::{run, tensor};
use crate::{Attribute, Attributes, ErrorKind, KernelError, find};
use values::dtype::DType::{Bool, Float32, Int8, Int64};
use values::tensor::Tensor;

fn largest(
    opset: i64,
    data: &Tensor,
    axes: &[i64],
    attributes: &[(&str, i64)],
) -> Result<Tensor, KernelError> {
    let int = |&(name, value): &(&str, i64)| (name.to_owned(), Attribute::Int(value));
    let mut attributes: Attributes = attributes.iter().map(int).collect();
    let operator = find("ReduceMax", opset).unwrap();
    if opset < 18 {
        attributes.insert("axes".to_owned(), Attribute::Ints(axes.to_vec()));
        return run(operator, &[data], &attributes);
    }
    run(operator, &[data, &tensor(Int64, &[axes.len()], axes)], &attributes)
}

#[test]
fn elements_are_compared_along_the_dimensions_that_are_listed() {
    let data = tensor(Float32, &[2, 2, 3], &[1_f32, -2., 3., 4., 5., 6., 7., 9., 8., 0., -1., 2.]);
    for opset in [11, 13, 20] {
        let of = |axes: &[i64], keeps| largest(opset, &data, axes, &[("keepdims", keeps)]);
        let middle = tensor(Float32, &[2, 3], &[4_f32, 5., 6., 7., 9., 8.]);
        assert_eq!(of(&[1], 0), Ok(middle.clone()));
        assert_eq!(of(&[-2], 0), Ok(middle));
        let ends = tensor(Float32, &[1, 2, 1], &[9_f32, 6.]);
        assert_eq!(of(&[2, 0], 1), Ok(ends));
        assert_eq!(of(&[], 0), Ok(tensor(Float32, &[], &[9_f32])));
    }
    let noop = [("noop_with_empty_axes", 1), ("keepdims", 0)];
    assert_eq!(largest(18, &data, &[], &noop), Ok(data));
}

#[test]
fn a_nan_is_the_result_and_of_no_elements_the_end_of_the_type_is() {
    let data = tensor(Float32, &[2, 2], &[f32::NAN, 1.0, 2.0, f32::NAN]);
    let found: Vec<f32> = crate::tests::read(&largest(20, &data, &[0], &[]).unwrap());
    assert!(found.iter().all(|it| it.is_nan()));
    let none = tensor::<f32>(Float32, &[0, 2], &[]);
    let least = tensor(Float32, &[1, 2], &[f32::NEG_INFINITY; 2]);
    assert_eq!(largest(20, &none, &[0], &[]), Ok(least));
    let none = tensor::<i8>(Int8, &[0], &[]);
    assert_eq!(largest(20, &none, &[0], &[]), Ok(tensor(Int8, &[1], &[i8::MIN])));
    let truth = tensor(Bool, &[2, 2], &[0_u8, 1, 0, 0]);
    assert_eq!(largest(20, &truth, &[1], &[]), Ok(tensor(Bool, &[2, 1], &[1_u8, 0])));
}

#[test]
fn what_has_no_such_dimension_is_refused() {
    let data = tensor(Float32, &[2, 1], &[1_f32, 2.0]);
    for (opset, axis) in [(20, 2), (20, -3), (13, i64::MIN), (13, i64::MAX), (1, -1)] {
        let error = largest(opset, &data, &[axis], &[]).unwrap_err();
        assert_eq!(error.kind(), ErrorKind::Invalid, "{axis}");
    }
    let operator = find("ReduceMax", 20).unwrap();
    let axes = tensor(Int64, &[1, 1], &[0_i64]);
    assert!(run(operator, &[&data, &axes], &Attributes::new()).is_err());
    let huge = tensor::<f32>(Float32, &[0, 1 << 40], &[]);
    assert!(largest(20, &huge, &[0], &[]).is_err());
}

//! The place of the smallest element of every type, along every axis.

use crate::tests::{run, tensor};
use crate::{Attribute, Attributes, ErrorKind, KernelError, find};
use values::dtype::DType::{Float32, Int64};
use values::tensor::Tensor;

fn place(opset: i64, data: &Tensor, attributes: &[(&str, i64)]) -> Result<Tensor, KernelError> {
    let int = |&(name, value): &(&str, i64)| (name.to_owned(), Attribute::Int(value));
    let attributes: Attributes = attributes.iter().map(int).collect();
    run(find("ArgMin", opset).unwrap(), &[data], &attributes)
}

#[test]
fn the_first_or_the_last_place_is_told_and_that_of_a_nan_before_any() {
    let nan = f32::NAN;
    let rows =
        [[3.0, 2.0, 3.0, 1.0], [2.0, nan, 0.0, 9.0], [-1.0, 0.0, -1.0, 5.0], [3.0, 2.0, 3.0, 1.0]];
    let data = tensor(Float32, &[4, 4], rows.as_flattened());
    let first = place(13, &data, &[("axis", -1), ("keepdims", 0)]).unwrap();
    assert_eq!(first, tensor(Int64, &[4], &[3, 1, 0, 3].map(i64::from)));
    let last = [("axis", 1), ("select_last_index", 1)];
    assert_eq!(
        place(13, &data, &last).unwrap(),
        tensor(Int64, &[4, 1], &[3, 1, 2, 3].map(i64::from))
    );
    let cube = tensor(Float32, &[2, 2, 2], &[1_f32, 8.0, 3.0, 2.0, 5.0, 0.0, 1.0, 7.0]);
    let middle = [0_i64, 1, 1, 0];
    assert_eq!(place(13, &cube, &[("axis", 1)]).unwrap(), tensor(Int64, &[2, 1, 2], &middle));
}

#[test]
fn what_has_no_place_is_refused() {
    let data = tensor(Float32, &[2, 1], &[1_f32, 2.0]);
    for (opset, axis) in [(13, 2), (13, -3), (13, i64::MIN), (13, i64::MAX), (1, -1)] {
        let error = place(opset, &data, &[("axis", axis)]).unwrap_err();
        assert_eq!(error.kind(), ErrorKind::Invalid, "{axis}");
    }
    let empty = tensor::<f32>(Float32, &[0, 2], &[]);
    assert!(place(13, &empty, &[]).is_err() && place(11, &empty, &[("axis", 1)]).is_err());
    assert_eq!(place(13, &empty, &[("axis", 1)]).unwrap().shape(), [0, 1]);
}

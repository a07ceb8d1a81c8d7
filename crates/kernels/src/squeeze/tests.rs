//! Squeeze of every type, with a list and without.

use crate::tests::{run, tensor};
use crate::{Attribute, Attributes, ErrorKind, KernelError, find};
use values::dtype::DType::*;

fn squeezed(opset: i64, shape: &[usize], axes: Option<&[i64]>) -> Result<Vec<usize>, KernelError> {
    let values: Vec<f32> = (0..shape.iter().product::<usize>()).map(|at| at as f32).collect();
    let data = tensor(Float32, shape, &values);
    let list = axes.map(|axes| tensor(Int64, &[axes.len()], axes));
    let squeeze = find("Squeeze", opset).unwrap();
    let output = if opset < 13 {
        let axes = axes.map(|axes| ("axes".to_owned(), Attribute::Ints(axes.to_vec())));
        run(squeeze, &[&data], &Attributes::from_iter(axes))?
    } else {
        let inputs: Vec<_> = [Some(&data), list.as_ref()].into_iter().flatten().collect();
        run(squeeze, &inputs, &Attributes::new())?
    };
    assert_eq!(output.bits(), data.bits());
    Ok(output.shape().to_vec())
}

#[test]
fn listed_dimensions_go_and_all_ones_where_none_are_listed() {
    for opset in [11, 13] {
        assert_eq!(squeezed(opset, &[1, 2, 1, 3, 1], None).unwrap(), [2, 3]);
        assert_eq!(squeezed(opset, &[1, 2, 1, 3, 1], Some(&[4, 0])).unwrap(), [2, 1, 3]);
        assert_eq!(squeezed(opset, &[1, 2, 1], Some(&[-1])).unwrap(), [1, 2]);
    }
    assert_eq!(squeezed(1, &[1, 2], Some(&[0])).unwrap(), [2]);
}

#[test]
fn other_sizes_and_dimensions_that_are_not_there_are_refused() {
    for (opset, axis) in [(13, 1), (13, 3), (13, -4), (11, 1), (1, 3), (1, -1)] {
        let error = squeezed(opset, &[1, 2, 1], Some(&[axis])).unwrap_err();
        assert_eq!(error.kind(), ErrorKind::Invalid, "{opset} {axis}");
    }
}

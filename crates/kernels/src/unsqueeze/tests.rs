//! Unsqueeze of every type, at every place.

use crate::tests::{run, tensor};
use crate::{Attribute, Attributes, ErrorKind, KernelError, find};
use values::dtype::DType::*;

fn unsqueezed(opset: i64, shape: &[usize], axes: &[i64]) -> Result<Vec<usize>, KernelError> {
    let values: Vec<f32> = (0..shape.iter().product::<usize>()).map(|at| at as f32).collect();
    let (data, list) = (tensor(Float32, shape, &values), tensor(Int64, &[axes.len()], axes));
    let unsqueeze = find("Unsqueeze", opset).unwrap();
    let output = if opset < 13 {
        let axes = ("axes".to_owned(), Attribute::Ints(axes.to_vec()));
        run(unsqueeze, &[&data], &Attributes::from([axes]))?
    } else {
        run(unsqueeze, &[&data, &list], &Attributes::new())?
    };
    assert_eq!(output.bits(), data.bits());
    Ok(output.shape().to_vec())
}

#[test]
fn places_are_those_of_the_output_in_any_order() {
    for opset in [11, 13] {
        assert_eq!(unsqueezed(opset, &[3, 4, 5], &[0, 4]).unwrap(), [1, 3, 4, 5, 1]);
        assert_eq!(unsqueezed(opset, &[3, 4, 5], &[4, 0]).unwrap(), [1, 3, 4, 5, 1]);
        assert_eq!(unsqueezed(opset, &[2, 3], &[-1, 1]).unwrap(), [2, 1, 3, 1]);
        assert_eq!(unsqueezed(opset, &[], &[0, 1]).unwrap(), [1, 1]);
    }
    assert_eq!(unsqueezed(1, &[2], &[1]).unwrap(), [2, 1]);
}

#[test]
fn places_that_are_not_there_or_are_listed_twice_are_refused() {
    for (opset, axes) in
        [(13, &[3][..]), (13, &[-4]), (13, &[1, 1]), (11, &[0, -4]), (1, &[-1]), (1, &[3])]
    {
        let error = unsqueezed(opset, &[2, 3], axes).unwrap_err();
        assert_eq!(error.kind(), ErrorKind::Invalid, "{opset} {axes:?}");
    }
}

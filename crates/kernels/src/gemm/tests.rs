//! Products of matrices with factors, transposed, and with a third matrix of every shape.

use crate::tests::{ones, read, tensor};
use crate::{Attribute, Attributes, KernelError, find};
use values::dtype::DType::{Float32, Int32, Uint32};
use values::tensor::Tensor;

fn product(
    opset: i64,
    operands: [Option<&Tensor>; 3],
    attributes: &[(&str, Attribute)],
) -> Result<(Vec<usize>, Vec<f32>), KernelError> {
    let owned = |(name, value): &(&str, Attribute)| ((*name).to_owned(), value.clone());
    let attributes: Attributes = attributes.iter().map(owned).collect();
    let outputs = find("Gemm", opset).unwrap().run(&operands, &attributes)?;
    Ok((outputs[0].shape().to_vec(), read(&outputs[0])))
}

fn floats(shape: &[usize], values: &[f32]) -> Tensor {
    tensor(Float32, shape, values)
}

#[test]
fn factors_are_applied_and_matrices_transposed() {
    let (a, b) = (floats(&[2, 2], &[1., 2., 3., 4.]), floats(&[2, 1], &[1., 10.]));
    let c = floats(&[2, 1], &[100., 200.]);
    let of = |attributes: &[_]| product(13, [Some(&a), Some(&b), Some(&c)], attributes);
    let float = |name, value| (name, Attribute::Float(value));
    assert_eq!(of(&[]), Ok((vec![2, 1], vec![121., 243.])));
    let factors = [float("alpha", 2.0), float("beta", -0.5)];
    assert_eq!(of(&factors), Ok((vec![2, 1], vec![-8., -14.])));
    assert_eq!(of(&[("transA", Attribute::Int(-1))]), Ok((vec![2, 1], vec![131., 242.])));
    let row = floats(&[1, 2], &[1., 10.]);
    let turned = [("transB", Attribute::Int(1))];
    let found = product(13, [Some(&a), Some(&row), None], &turned);
    assert_eq!(found, Ok((vec![2, 1], vec![21., 43.])));
    let none = floats(&[2, 0], &[]);
    let found = product(13, [Some(&none), Some(&floats(&[0, 1], &[])), Some(&c)], &[]);
    assert_eq!(found, Ok((vec![2, 1], vec![100., 200.])));
}

#[test]
fn the_third_matrix_is_broadcast_since_version_7_or_where_it_says_so() {
    let (a, b) = (floats(&[2, 1], &[1., 2.]), floats(&[1, 2], &[1., 10.]));
    let of = |opset, c: &Tensor, attributes: &[_]| {
        product(opset, [Some(&a), Some(&b), Some(c)], attributes).map(|found| found.1)
    };
    let row = floats(&[2], &[100., 200.]);
    let column = floats(&[2, 1], &[100., 200.]);
    for opset in [7, 13] {
        assert_eq!(of(opset, &row, &[]), Ok(vec![101., 210., 102., 220.]));
        assert_eq!(of(opset, &column, &[]), Ok(vec![101., 110., 202., 220.]));
        assert_eq!(of(opset, &floats(&[], &[5.]), &[]), Ok(vec![6., 15., 7., 25.]));
    }
    assert!(of(6, &row, &[]).is_err());
    assert_eq!(of(6, &row, &[("broadcast", Attribute::Int(1))]), Ok(vec![101., 210., 102., 220.]));
    for shape in [&[3][..], &[3, 2], &[1, 2, 2], &[1, 3]] {
        assert!(of(13, &ones(Float32, shape), &[]).is_err(), "{shape:?}");
    }
    assert!(product(9, [Some(&a), Some(&b), None], &[]).is_err());
    assert!(product(11, [Some(&a), Some(&a), None], &[]).is_err());
    assert!(product(11, [Some(&a), Some(&ones(Float32, &[1])), None], &[]).is_err());
}

#[test]
fn integers_wrap_and_are_scaled_by_integers() {
    let attributes: Attributes = [("beta", -1.0), ("alpha", 3.0)]
        .map(|(name, value)| (name.to_owned(), Attribute::Float(value)))
        .into();
    let operator = find("Gemm", 13).unwrap();
    let one = |dtype, value: u32| tensor(dtype, &[1, 1], &[value]);
    for dtype in [Int32, Uint32] {
        let [a, b, c] = [one(dtype, 5), one(dtype, 2), one(dtype, 7)];
        let found = operator.run(&[Some(&a), Some(&b), Some(&c)], &attributes).unwrap();
        assert_eq!(found, [one(dtype, 23)]);
        let large = one(dtype, u32::MAX);
        let found = operator.run(&[Some(&large), Some(&b), Some(&c)], &Attributes::new()).unwrap();
        assert_eq!(found, [one(dtype, 5)]);
    }
}

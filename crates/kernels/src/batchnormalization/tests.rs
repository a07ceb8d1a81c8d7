//! Given statistics and own ones, of channels and of features.

use crate::tests::{ones, read, tensor};
use crate::{Attribute, Attributes, ErrorKind, KernelError, find};
use half::f16;
use values::dtype::DType::{self, Float16, Float32, Float64};
use values::tensor::Tensor;

fn all(
    opset: i64,
    outputs: usize,
    inputs: &[Tensor],
    list: &[(&str, Attribute)],
) -> Result<Vec<Tensor>, KernelError> {
    let mut attributes = Attributes::from([("epsilon".to_owned(), Attribute::Float(0.0))]);
    attributes.extend(list.iter().map(|(name, value)| ((*name).to_owned(), value.clone())));
    let inputs: Vec<Option<&Tensor>> = inputs.iter().map(Some).collect();
    find("BatchNormalization", opset).unwrap().run_for(outputs, &inputs, &attributes)
}

fn doubles(shape: &[usize], all: &[f64]) -> Tensor {
    tensor(Float64, shape, all)
}

/// Two channels of two elements in two instances.
fn inputs() -> Vec<Tensor> {
    let x = doubles(&[2, 2, 2], &[1.0, 3.0, 10.0, 18.0, 1.0, 3.0, 10.0, 18.0]);
    let others = [[1.0, 2.0], [0.0, 0.5], [0.0, 6.0], [4.0, 16.0]];
    std::iter::once(x).chain(others.map(|all| doubles(&[2], &all))).collect()
}

#[test]
fn inference_takes_the_given_statistics_and_training_its_own() {
    let outputs = all(15, 1, &inputs(), &[]).unwrap();
    assert_eq!(read::<f64>(&outputs[0]), [0.5, 1.5, 2.5, 6.5, 0.5, 1.5, 2.5, 6.5]);
    let training = [("training_mode", Attribute::Int(1)), ("momentum", Attribute::Float(0.75))];
    let outputs = all(15, 3, &inputs(), &training).unwrap();
    assert_eq!(read::<f64>(&outputs[0]), [-1.0, 1.0, -1.5, 2.5, -1.0, 1.0, -1.5, 2.5]);
    assert_eq!(read::<f64>(&outputs[1]), [0.5, 8.0]);
    assert_eq!(read::<f64>(&outputs[2]), [3.25, 16.0]);
    assert!(all(15, 2, &inputs(), &[]).is_err(), "inference has one output");
    assert_eq!(all(9, 3, &inputs(), &training[1..]).unwrap(), outputs);
    let test = [("is_test", Attribute::Int(1))];
    assert_eq!(all(6, 1, &inputs(), &test).unwrap(), all(9, 1, &inputs(), &[]).unwrap());
}

#[test]
fn features_and_single_dimensions_have_statistics_of_their_own() {
    let mut features = inputs();
    features[0] = doubles(&[2, 2], &[1.0, 10.0, 3.0, 18.0]);
    let spatial = [("spatial", Attribute::Int(0)), ("momentum", Attribute::Float(0.0))];
    let outputs = all(7, 3, &features, &spatial).unwrap();
    assert_eq!(read::<f64>(&outputs[1]), [2.0, 14.0]);
    let single: Vec<Tensor> = std::iter::once(doubles(&[3], &[2.0, 4.0, 6.0]))
        .chain([1.0, 0.0, 4.0, 4.0].map(|one| doubles(&[1], &[one])))
        .collect();
    assert_eq!(read::<f64>(&all(15, 1, &single, &[]).unwrap()[0]), [-1.0, 0.0, 1.0]);
    assert!(all(7, 1, &single, &[]).is_err());
}

#[test]
fn types_that_the_version_holds_equal_are_refused_where_they_differ() {
    let of = |types: [DType; 5]| {
        let shapes = [&[1, 1][..], &[1], &[1], &[1], &[1]];
        types.iter().zip(shapes).map(|(dtype, shape)| ones(*dtype, shape)).collect::<Vec<_>>()
    };
    let wide = of([Float16, Float32, Float32, Float64, Float64]);
    let output = all(15, 1, &wide, &[]).unwrap().remove(0);
    assert_eq!((output.dtype(), read::<f16>(&output)), (Float16, vec![f16::ONE]));
    for (opset, inputs) in [
        (14, wide),
        (9, of([Float16, Float16, Float16, Float32, Float32])),
        (15, of([Float16, Float32, Float16, Float32, Float32])),
        (15, of([Float16, Float32, Float32, Float32, Float64])),
    ] {
        let error = all(opset, 1, &inputs, &[]).unwrap_err();
        assert!(matches!(error, KernelError::TypesDiffer { .. }), "{error}");
        assert_eq!(error.kind(), ErrorKind::Invalid);
    }
}

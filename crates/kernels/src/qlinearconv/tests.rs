//! Sums with their bias, by the scales of channels.

use super::*;
use crate::tests::{ones, read, tensor};
use crate::{Attributes, KernelError, find};
use values::dtype::DType::{Int8, Uint8};
use values::tensor::Tensor;

fn signed(shape: &[usize], values: &[i8]) -> Tensor {
    tensor(Int8, shape, values)
}

fn convolved(scale: &Tensor, zero: &Tensor, bias: Option<&Tensor>) -> Result<Vec<i8>, KernelError> {
    let (x, w) = (tensor(Uint8, &[1, 1, 2], &[11_u8, 12]), signed(&[2, 1, 1], &[1, 3]));
    let (one, half) = (ones(Float32, &[]), tensor(Float32, &[], &[2_f32]));
    let (x_zero, y_zero) = (tensor(Uint8, &[], &[10_u8]), signed(&[], &[1]));
    let inputs = [&x, &one, &x_zero, &w, scale, zero, &half, &y_zero];
    let inputs: Vec<_> = inputs.into_iter().map(Some).chain([bias]).collect();
    let outputs = find("QLinearConv", 10).unwrap().run(&inputs, &Attributes::new())?;
    Ok(read(&outputs[0]))
}

#[test]
fn channels_have_their_scale_zero_point_and_bias() {
    let (one, none) = (tensor(Float32, &[], &[1_f32]), signed(&[], &[0]));
    assert_eq!(convolved(&one, &none, None), Ok(vec![1, 2, 3, 4]));
    let scales = tensor(Float32, &[2], &[4_f32, 10.0]);
    let zeros = signed(&[2], &[0, 1]);
    assert_eq!(convolved(&scales, &zeros, None), Ok(vec![3, 5, 11, 21]));
    let bias = tensor(Int32, &[2], &[100, -1]);
    assert_eq!(convolved(&scales, &zeros, Some(&bias)), Ok(vec![127, 127, 6, 16]));
}

#[test]
fn what_does_not_go_together_is_refused() {
    let (one, none) = (tensor(Float32, &[], &[1_f32]), signed(&[], &[0]));
    for shape in [&[][..], &[1], &[3], &[2, 1]] {
        let bias = tensor(Int32, shape, &vec![1; shape.iter().product()]);
        let error = convolved(&one, &none, Some(&bias)).unwrap_err();
        assert!(matches!(error, KernelError::Shapes { .. }), "{error}");
    }
    let error = convolved(&one, &signed(&[2], &[0; 2]), None).unwrap_err();
    assert!(matches!(error, KernelError::Shapes { .. }), "{error}");
}

//! The gates of a layer of one unit, worked out by hand.

use values::dtype::DType::Float32;
use values::tensor::Tensor;

use super::*;
use crate::operator::{AttributeValue, Attributes, Call, Specification};

/// What Y holds for a sequence of single numbers, by the weights of the input, of the state and the biases.
fn layer(weights: [&[f32]; 3], x: &[f32], linear_before_reset: i64) -> Vec<f32> {
    let tensor = |shape: &[usize], values: &[f32]| {
        Tensor::from_values(Float32, shape.to_vec(), values.to_vec()).ok()
    };
    let [w, r, b] = weights;
    let inputs = vec![
        tensor(&[x.len(), 1, 1], x),
        tensor(&[1, 3, 1], w),
        tensor(&[1, 3, 1], r),
        tensor(&[1, 6], b),
    ];
    let affine = AttributeValue::Texts(vec!["Affine".to_owned(); 2]);
    let list = |value: f32| AttributeValue::Floats(vec![value.to_bits(); 2]);
    let attributes: Attributes = [
        ("activations", affine),
        ("activation_alpha", list(1.0)),
        ("activation_beta", list(0.0)),
        ("linear_before_reset", AttributeValue::Int(linear_before_reset)),
    ]
    .into_iter()
    .map(|(name, value)| (name.to_owned(), value))
    .collect();
    let version = GRU.newest();
    let (call, types) = Call::new(&GRU, version, Specification::Onnx, attributes, inputs).unwrap();
    let allowed = GRU.reference.allowed(&call, &types);
    let bits = |index| allowed[0].at(index).example().unwrap() as u32;
    (0..x.len()).map(|index| f32::from_bits(bits(index))).collect()
}

#[test]
fn a_state_is_updated_reset_and_mixed() {
    // z = 0.5 x, r = 0.25 x, h = x + r * 2 H; H = 0.5 * 1, then 0.5 * (1 + 0.25 * 2 * 0.5) + 0.5 * 0.5.
    let weights = [&[0.5, 0.25, 1.0][..], &[0.0, 0.0, 2.0], &[0.0; 6]];
    assert_eq!(layer(weights, &[1.0, 1.0], 0), [0.5, 0.875]);
}

#[test]
fn the_bias_of_the_state_is_reset_with_it_where_it_is_weighted_before() {
    let weights = [&[0.5, 0.25, 1.0][..], &[0.0, 0.0, 2.0], &[0.0, 0.0, 1.0, 0.0, 0.0, 4.0]];
    assert_eq!(layer(weights, &[1.0], 0), [0.5 * 6.0]);
    assert_eq!(layer(weights, &[1.0], 1), [0.5 * (2.0 + 0.25 * 4.0)]);
}

//! The gates and the cell of a layer of one unit, worked out by hand, and what SONNX wants.

use values::dtype::DType::{Float32, Int32};
use values::tensor::Tensor;

use super::*;
use crate::operator::{AttributeValue, Attributes, Specification};

fn tensor(shape: &[usize], values: &[f32]) -> Option<Tensor> {
    Tensor::from_values(Float32, shape.to_vec(), values.to_vec()).ok()
}

/// What Y and Y_c hold for a sequence of single numbers, by the weights of the input and of peepholes.
fn layer(w: &[f32], p: &[f32], x: &[f32], input_forget: i64) -> [Vec<f32>; 2] {
    let inputs = vec![
        tensor(&[x.len(), 1, 1], x),
        tensor(&[1, 4, 1], w),
        tensor(&[1, 4, 1], &[0.0; 4]),
        None,
        None,
        None,
        tensor(&[1, 1, 1], &[1.0]),
        tensor(&[1, 3], p),
    ];
    let list = |value: f32| AttributeValue::Floats(vec![value.to_bits(); 3]);
    let attributes: Attributes = [
        ("activations", AttributeValue::Texts(vec!["Affine".to_owned(); 3])),
        ("activation_alpha", list(1.0)),
        ("activation_beta", list(0.0)),
        ("input_forget", AttributeValue::Int(input_forget)),
    ]
    .into_iter()
    .map(|(name, value)| (name.to_owned(), value))
    .collect();
    let version = LSTM.newest();
    let (call, types) = Call::new(&LSTM, version, Specification::Onnx, attributes, inputs).unwrap();
    let allowed = LSTM.reference.allowed(&call, &types);
    [0, 2].map(|output: usize| {
        let count: usize = types[output].shape.iter().product();
        let bits = |index| allowed[output].at(index).example().unwrap() as u32;
        (0..count).map(|index| f32::from_bits(bits(index))).collect()
    })
}

#[test]
fn gates_are_in_the_order_input_output_forget_cell() {
    // i = 0.5 x, o = 2 x, f = 0.25 x, c = x: C = 0.25 * 1 + 0.5 * 1, then 0.5 * 0.75 + 1 * 2.
    let [y, cell] = layer(&[0.5, 2.0, 0.25, 1.0], &[0.0; 3], &[1.0, 2.0], 0);
    assert_eq!((y, cell), (vec![1.5, 9.5], vec![2.375]));
    let [_, cell] = layer(&[0.5, 2.0, 0.25, 1.0], &[0.0; 3], &[1.0], 1);
    assert_eq!(cell, [0.5 + 0.5]);
}

#[test]
fn peepholes_of_input_and_forget_gate_see_the_cell_before_and_that_of_the_output_gate_the_new_one()
{
    // Gates are 0 but for what they see; c = 1. i = 0.5 C, f = 0.25 C, C = 0.25 + 0.5, o = 2 C.
    let [y, cell] = layer(&[0.0, 0.0, 0.0, 1.0], &[0.5, 2.0, 0.25], &[1.0], 0);
    assert_eq!((y, cell), (vec![2.0 * 0.75 * 0.75], vec![0.75]));
}

#[test]
fn sonnx_wants_every_operand_and_two_lists_of_functions_alone() {
    let all = || {
        vec![
            tensor(&[1, 1, 1], &[1.0]),
            tensor(&[1, 4, 1], &[1.0; 4]),
            tensor(&[1, 4, 1], &[1.0; 4]),
            tensor(&[1, 8], &[0.0; 8]),
            Tensor::from_values(Int32, vec![1], vec![1_i32]).ok(),
            tensor(&[1, 1, 1], &[0.0]),
            tensor(&[1, 1, 1], &[0.0]),
            tensor(&[1, 3], &[0.0; 3]),
        ]
    };
    let attributes = |names: &[&str]| -> Attributes {
        let names = names.iter().map(|name| (*name).to_owned()).collect();
        [
            ("activations", AttributeValue::Texts(names)),
            ("input_forget", AttributeValue::Int(0)),
            ("layout", AttributeValue::Int(0)),
        ]
        .into_iter()
        .map(|(name, value)| (name.to_owned(), value))
        .collect()
    };
    let call = |inputs, attributes| {
        Call::new(&LSTM, LSTM.newest(), Specification::Sonnx, attributes, inputs)
    };
    assert!(call(all(), attributes(&["Sigmoid", "Tanh", "Tanh"])).is_ok());
    assert!(call(all(), attributes(&["Relu", "Tanh", "Tanh"])).is_ok());
    assert!(call(all(), attributes(&["Tanh", "Tanh", "Tanh"])).is_err());
    for left_out in 3..8 {
        let mut inputs = all();
        inputs[left_out] = None;
        assert!(call(inputs, attributes(&["Sigmoid", "Tanh", "Tanh"])).is_err(), "{left_out}");
    }
    let mut fewer = attributes(&["Sigmoid", "Tanh", "Tanh"]);
    fewer.remove("layout");
    assert!(call(all(), fewer).is_err());
}

#[test]
fn a_cell_of_zeros_alone_has_either_sign_as_a_sum_from_zero_or_from_its_first_product_has() {
    // i = Relu(-1) = 0 and c = tanh(-1), so that i c is -0; f = 1 and the cell before is -0.
    let names = ["Relu", "Tanh", "Tanh"].map(str::to_owned).to_vec();
    let attributes = [("activations".to_owned(), AttributeValue::Texts(names))].into();
    let inputs = vec![
        tensor(&[1, 1, 1], &[0.0]),
        tensor(&[1, 4, 1], &[0.0; 4]),
        tensor(&[1, 4, 1], &[0.0; 4]),
        tensor(&[1, 8], &[-1.0, 1.0, 1.0, -1.0, 0.0, 0.0, 0.0, 0.0]),
        None,
        None,
        tensor(&[1, 1, 1], &[-0.0]),
    ];
    let onnx = Specification::Onnx;
    let (call, _) = Call::new(&LSTM, LSTM.newest(), onnx, attributes, inputs).unwrap();
    for allowed in LSTM.reference.allowed(&call, &[]) {
        let conforming = allowed.at(0);
        assert!([0, 1 << 31].into_iter().all(|zero| conforming.accepts(zero)), "{conforming:?}");
        assert!(!conforming.accepts(1) && !conforming.accepts(1 << 31 | 1));
    }
}

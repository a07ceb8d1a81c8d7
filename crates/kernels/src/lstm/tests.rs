//! The signature, and steps worked out by hand.

use crate::tests::{FLOATS, FLOATS_WITH_BFLOAT16, Statement, Taken, Trial, ones, read, tensor};
use crate::{Attribute, Attributes, KernelError, find};
use values::dtype::DType::{self, Float32, Int32};

fn text(value: &str) -> Attribute {
    Attribute::Text(value.to_owned())
}

fn names(names: &[&str]) -> Attribute {
    Attribute::Texts(names.iter().map(|name| (*name).to_owned()).collect())
}

#[test]
fn the_kernel_does_what_is_stated_here() {
    let (int, other) = (Attribute::Int(1), Attribute::Other);
    let common: [Taken; 6] = [
        ("activation_alpha", Attribute::Floats(vec![0.5]), int.clone()),
        ("activation_beta", Attribute::Floats(vec![]), int.clone()),
        ("activations", names(&["Sigmoid", "Tanh", "Tanh"]), text("Tanh")),
        ("clip", Attribute::Float(1.5), Attribute::Float(-1.0)),
        ("direction", text("reverse"), text("backward")),
        ("hidden_size", int.clone(), other.clone()),
    ];
    let layout: Taken = ("layout", int.clone(), other.clone());
    let own: Taken = ("input_forget", int.clone(), other.clone());
    let sequence: Taken = ("output_sequence", int, other);
    Statement {
        name: "LSTM",
        versions: &[
            (1, &FLOATS, &[&common[..], &[own.clone(), sequence]].concat()),
            (7, &FLOATS, &[&common[..], std::slice::from_ref(&own)].concat()),
            (14, &FLOATS, &[&common[..], &[own.clone(), layout.clone()]].concat()),
            (22, &FLOATS_WITH_BFLOAT16, &[&common[..], &[own, layout]].concat()),
        ],
        sonnx: Some(&FLOATS_WITH_BFLOAT16),
        is_elementwise: false,
        keeps_ones: false,
    }
    .check_by(&Trial {
        inputs: |_, dtype| {
            // Strings are refused whatever their number.
            let rows = if dtype == DType::String { 1 } else { 4 };
            vec![ones(dtype, &[1; 3]), ones(dtype, &[1, rows, 1]), ones(dtype, &[1, rows, 1])]
        },
        shape: &[1, 1, 1, 1],
        ..Trial::PLAIN
    });
}

/// The outputs of a layer of one unit for a sequence of single numbers, by the weights of its input, of its state and
/// its biases; without these the weights are 1 and `r`.
fn layer(
    weights: &[f32],
    x: &[f32],
    r: f32,
    length: Option<i32>,
    attributes: &[(&str, Attribute)],
) -> Result<Vec<Vec<f32>>, KernelError> {
    let owned = |(name, value): &(&str, Attribute)| ((*name).to_owned(), value.clone());
    let attributes: Attributes = attributes.iter().map(owned).collect();
    let part = |from: usize, count: usize, otherwise: f32| {
        let given = weights.get(from..from + count).map(<[f32]>::to_vec);
        given.unwrap_or_else(|| vec![otherwise; count])
    };
    let inputs = [
        Some(tensor(Float32, &[x.len(), 1, 1], x)),
        Some(tensor(Float32, &[1, 4, 1], &part(0, 4, 1.0))),
        Some(tensor(Float32, &[1, 4, 1], &part(4, 4, r))),
        Some(tensor(Float32, &[1, 8], &part(8, 8, 0.0))),
        length.map(|length| tensor(Int32, &[1], &[length])),
    ];
    let inputs: Vec<_> = inputs.iter().map(Option::as_ref).collect();
    let outputs = find("LSTM", 22).unwrap().run_for(3, &inputs, &attributes)?;
    Ok(outputs.iter().map(read::<f32>).collect())
}

/// Functions that keep everything.
fn kept() -> [(&'static str, Attribute); 3] {
    [
        ("activations", names(&["Affine"; 3])),
        ("activation_alpha", Attribute::Floats(vec![1.0; 3])),
        ("activation_beta", Attribute::Floats(vec![0.0; 3])),
    ]
}

#[test]
fn gates_are_in_the_order_input_output_forget_cell() {
    // i = 0.5 x, o = 2 x, f = 0.25 x, c = x.
    let weights = [0.5, 2.0, 0.25, 1.0, 0.0, 0.0, 0.0, 0.0];
    let all = layer(&weights, &[1.0, 2.0], 0.0, None, &kept()).unwrap();
    // C = 0.5, then 0.5 * 0.5 + 1 * 2; H = 2 C, then 4 C.
    assert_eq!(all, [vec![1.0, 9.0], vec![9.0], vec![2.25]]);
    let coupled = [&kept()[..], &[("input_forget", Attribute::Int(1))]].concat();
    let all = layer(&weights, &[1.0, 0.5], 0.0, None, &coupled).unwrap();
    // C = 0.5, then 0.75 * 0.5 + 0.25 * 0.5.
    assert_eq!(all[2], [0.5]);
}

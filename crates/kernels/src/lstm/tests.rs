//! Steps worked out by hand.

use crate::tests::{read, tensor};
use crate::{Attribute, Attributes, KernelError, find};
use values::dtype::DType::{Float32, Int32};

fn names(names: &[&str]) -> Attribute {
    Attribute::Texts(names.iter().map(|name| (*name).to_owned()).collect())
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

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
        Some(tensor(Float32, &[1, 3, 1], &part(0, 3, 1.0))),
        Some(tensor(Float32, &[1, 3, 1], &part(3, 3, r))),
        Some(tensor(Float32, &[1, 6], &part(6, 6, 0.0))),
        length.map(|length| tensor(Int32, &[1], &[length])),
    ];
    let inputs: Vec<_> = inputs.iter().map(Option::as_ref).collect();
    let outputs = find("GRU", 22).unwrap().run_for(2, &inputs, &attributes)?;
    Ok(outputs.iter().map(read::<f32>).collect())
}

/// A function that keeps what is between 0 and 1, and one that keeps everything.
fn kept() -> [(&'static str, Attribute); 3] {
    [
        ("activations", names(&["Affine", "Affine"])),
        ("activation_alpha", Attribute::Floats(vec![1.0, 1.0])),
        ("activation_beta", Attribute::Floats(vec![0.0, 0.0])),
    ]
}

#[test]
fn a_state_is_updated_reset_and_mixed() {
    // z = 0.5 x, r = 0.25 x, h = x + r * 2 H.
    let weights = [0.5, 0.25, 1.0, 0.0, 0.0, 2.0];
    let all = layer(&weights, &[1.0, 1.0], 0.0, None, &kept()).unwrap();
    // H = 0.5 * 1, then 0.5 * (1 + 0.25 * 2 * 0.5) + 0.5 * 0.5.
    assert_eq!(all, [vec![0.5, 0.875], vec![0.875]]);
}

#[test]
fn the_state_is_weighted_before_it_is_reset_where_that_is_asked_for() {
    // The bias of the weighted state is 4.
    let weights = [0.5, 0.25, 1.0, 0.0, 0.0, 2.0, 0.0, 0.0, 0.0, 0.0, 0.0, 4.0];
    let before = layer(&weights, &[1.0], 0.0, None, &kept()).unwrap();
    assert_eq!(before[0], [0.5 * (1.0 + 4.0)]);
    let linear = [&kept()[..], &[("linear_before_reset", Attribute::Int(1))]].concat();
    let after = layer(&weights, &[1.0], 0.0, None, &linear).unwrap();
    assert_eq!(after[0], [0.5 * (1.0 + 0.25 * 4.0)]);
}

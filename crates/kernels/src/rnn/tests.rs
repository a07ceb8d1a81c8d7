//! Steps worked out by hand.

use crate::tests::{read, tensor};
use crate::{Attribute, Attributes, KernelError, find};
use values::dtype::DType::{Float32, Int32};

fn text(value: &str) -> Attribute {
    Attribute::Text(value.to_owned())
}

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
        Some(tensor(Float32, &[1, 1, 1], &part(0, 1, 1.0))),
        Some(tensor(Float32, &[1, 1, 1], &part(1, 1, r))),
        Some(tensor(Float32, &[1, 2], &part(2, 2, 0.0))),
        length.map(|length| tensor(Int32, &[1], &[length])),
    ];
    let inputs: Vec<_> = inputs.iter().map(Option::as_ref).collect();
    let outputs = find("RNN", 22).unwrap().run_for(2, &inputs, &attributes)?;
    Ok(outputs.iter().map(read::<f32>).collect())
}

#[test]
fn steps_see_the_input_and_the_state_before() {
    let all = layer(&[], &[1.0, 2.0, 3.0], 0.5, None, &[("activations", names(&["Relu"]))]);
    // 1, 2 + 0.5, 3 + 1.25.
    assert_eq!(all.unwrap(), [vec![1.0, 2.5, 4.25], vec![4.25]]);
    let reverse = [("activations", names(&["Relu"])), ("direction", text("reverse"))];
    assert_eq!(
        layer(&[], &[1.0, 2.0, 3.0], 0.5, None, &reverse).unwrap(),
        [vec![2.75, 3.5, 3.0], vec![2.75]]
    );
}

#[test]
fn a_sequence_ends_where_it_is_said_to() {
    let relu = [("activations", names(&["Relu"]))];
    let all = layer(&[], &[1.0, 2.0, 3.0], 0.5, Some(2), &relu);
    assert_eq!(all.unwrap(), [vec![1.0, 2.5, 0.0], vec![2.5]]);
    let reverse = [("activations", names(&["Relu"])), ("direction", text("reverse"))];
    let all = layer(&[], &[1.0, 2.0, 3.0], 0.5, Some(2), &reverse);
    assert_eq!(all.unwrap(), [vec![2.0, 2.0, 0.0], vec![2.0]]);
    assert!(layer(&[], &[1.0, 2.0, 3.0], 0.5, Some(4), &relu).is_err());
    assert!(layer(&[], &[1.0, 2.0, 3.0], 0.5, Some(-1), &relu).is_err());
}

#[test]
fn arguments_are_cut_off_and_functions_have_their_parameters() {
    let clipped = [("activations", names(&["Relu"])), ("clip", Attribute::Float(2.0))];
    assert_eq!(layer(&[], &[1.0, 3.0], 0.5, None, &clipped).unwrap()[0], [1.0, 2.0]);
    let of = |name: &str, alpha: Option<f32>, beta: Option<f32>, x: f32| {
        let mut attributes = vec![("activations", names(&[name]))];
        attributes.extend(alpha.map(|it| ("activation_alpha", Attribute::Floats(vec![it]))));
        attributes.extend(beta.map(|it| ("activation_beta", Attribute::Floats(vec![it]))));
        layer(&[], &[x], 0.0, None, &attributes).map(|all| all[0][0])
    };
    assert_eq!(of("Affine", Some(2.0), Some(1.0), 3.0), Ok(7.0));
    assert!(of("Affine", None, None, 3.0).is_err());
    assert_eq!(of("LeakyRelu", Some(0.5), None, -3.0), Ok(-1.5));
    assert_eq!(of("LeakyRelu", None, None, -1.0), Ok(-0.01));
    assert_eq!(of("ThresholdedRelu", None, None, 0.75), Ok(0.0));
    assert_eq!(of("HardSigmoid", None, None, 1.0), Ok(0.7));
    assert_eq!(of("Softsign", None, None, -3.0), Ok(-0.75));
    assert_eq!(of("Elu", Some(2.0), None, 0.5), Ok(0.5));
    assert!(of("Cosine", None, None, 0.5).is_err());
    for (name, function) in [
        ("Tanh", f32::tanh as fn(f32) -> f32),
        ("Sigmoid", |x| 1.0 / (1.0 + (-x).exp())),
        ("Softplus", |x| (1.0 + x.exp()).ln()),
    ] {
        for x in [-2.0, 0.25, 3.0] {
            let actual = of(name, None, None, x).unwrap();
            assert!((actual - function(x)).abs() < 1e-6, "{name} {x}: {actual}");
        }
    }
}

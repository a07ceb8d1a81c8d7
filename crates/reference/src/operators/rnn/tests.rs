//! Steps, directions, lengths and functions of a layer of one unit, and what is refused.

use values::dtype::DType::{Float32, Int32};
use values::tensor::Tensor;

use super::*;
use crate::exact::Conforming;
use crate::operator::{AttributeValue, Attributes, Call, Invalid, Specification};

fn floats(shape: &[usize], values: &[f32]) -> Option<Tensor> {
    Tensor::from_values(Float32, shape.to_vec(), values.to_vec()).ok()
}

/// What Y and Y_h may be for a sequence of single numbers, with the weight 1 of the input and 0.5 of the state.
fn layer(
    x: &[f32],
    length: Option<i32>,
    attributes: &[(&str, AttributeValue)],
) -> Result<[Vec<Conforming>; 2], Invalid> {
    let owned = |(name, value): &(&str, AttributeValue)| ((*name).to_owned(), value.clone());
    let attributes: Attributes = attributes.iter().map(owned).collect();
    let inputs = vec![
        floats(&[x.len(), 1, 1], x),
        floats(&[1, 1, 1], &[1.0]),
        floats(&[1, 1, 1], &[0.5]),
        None,
        length.map(|length| Tensor::from_values(Int32, vec![1], vec![length]).unwrap()),
    ];
    let (call, types) = Call::new(&RNN, RNN.newest(), Specification::Onnx, attributes, inputs)?;
    let allowed = RNN.reference.allowed(&call, &types);
    Ok([0, 1].map(|output| {
        let count: usize = types[output].shape.iter().product();
        (0..count).map(|index| allowed[output].at(index)).collect()
    }))
}

fn names(names: &[&str]) -> (&'static str, AttributeValue) {
    let names = names.iter().map(|name| (*name).to_owned()).collect();
    ("activations", AttributeValue::Texts(names))
}

fn text(value: &str) -> AttributeValue {
    AttributeValue::Text(value.to_owned())
}

fn numbers(all: &[Conforming]) -> Vec<f32> {
    all.iter().map(|one| f32::from_bits(one.example().unwrap() as u32)).collect()
}

#[test]
fn what_is_not_rounded_is_exact_in_either_direction() {
    let relu = names(&["Relu"]);
    let [y, last] = layer(&[1.0, 2.0, 3.0], None, std::slice::from_ref(&relu)).unwrap();
    let one = |value: f32| Conforming::One(value.to_bits().into());
    assert_eq!((y, last), ([1.0, 2.5, 4.25].map(one).to_vec(), vec![one(4.25)]));
    let reverse = [relu, ("direction", text("reverse"))];
    let [y, last] = layer(&[1.0, 2.0, 3.0], None, &reverse).unwrap();
    assert_eq!((numbers(&y), numbers(&last)), (vec![2.75, 3.5, 3.0], vec![2.75]));
}

#[test]
fn a_shorter_sequence_ends_before_and_what_follows_is_open() {
    let relu = names(&["Relu"]);
    let [y, last] = layer(&[1.0, 2.0, 3.0], Some(2), std::slice::from_ref(&relu)).unwrap();
    assert_eq!((numbers(&y[..2]), numbers(&last)), (vec![1.0, 2.5], vec![2.5]));
    assert!(!y[2].is_decided());
    let reverse = [relu.clone(), ("direction", text("reverse"))];
    let [y, last] = layer(&[1.0, 2.0, 3.0], Some(2), &reverse).unwrap();
    assert_eq!((numbers(&y[..2]), numbers(&last)), (vec![2.0, 2.0], vec![2.0]));
    let [_, last] = layer(&[1.0], Some(0), std::slice::from_ref(&relu)).unwrap();
    assert!(!last[0].is_decided());
    for length in [4, -1, i32::MIN] {
        assert!(layer(&[1.0, 2.0, 3.0], Some(length), std::slice::from_ref(&relu)).is_err());
    }
}

#[test]
fn functions_are_near_their_exact_values_and_not_farther_than_is_permitted() {
    type Exact = (&'static str, fn(f64) -> f64);
    let exact: [Exact; 4] = [
        ("Tanh", f64::tanh),
        ("Sigmoid", |x| 1.0 / (1.0 + (-x).exp())),
        ("Softsign", |x| x / (1.0 + x.abs())),
        ("Softplus", |x| x.exp().ln_1p()),
    ];
    for (name, function) in exact {
        for x in [-2.7_f32, -0.7, 0.1, 2.3] {
            let [y, _] = layer(&[x], None, &[names(&[name])]).unwrap();
            let nearest = (function(x.into()) as f32).to_bits();
            assert_eq!(y[0].example(), Some(nearest.into()), "{name} {x}");
            assert!([nearest - 4, nearest + 4].into_iter().all(|bits| y[0].accepts(bits.into())));
            assert!([nearest - 8, nearest + 8].into_iter().all(|bits| !y[0].accepts(bits.into())));
        }
    }
}

#[test]
fn functions_that_bend_have_both_sides_and_their_parameters() {
    let of = |name: &str, alpha: Option<f32>, beta: Option<f32>, x: f32| {
        let mut attributes = vec![names(&[name])];
        let list = |value: f32| AttributeValue::Floats(vec![value.to_bits()]);
        attributes.extend(alpha.map(|alpha| ("activation_alpha", list(alpha))));
        attributes.extend(beta.map(|beta| ("activation_beta", list(beta))));
        layer(&[x], None, &attributes).unwrap()[0].remove(0)
    };
    for (name, alpha, beta, x, expected) in [
        ("Relu", None, None, -2.0, 0.0),
        ("LeakyRelu", Some(0.5), None, -2.0, -1.0),
        ("LeakyRelu", Some(0.5), None, 2.0, 2.0),
        ("ThresholdedRelu", None, None, 0.75, 0.0),
        ("ThresholdedRelu", None, None, 1.0, 1.0),
        ("HardSigmoid", Some(0.25), None, 1.0, 0.75),
        ("HardSigmoid", None, None, 9.0, 1.0),
        ("HardSigmoid", None, None, -9.0, 0.0),
        ("Affine", Some(2.0), Some(1.0), 3.0, 7.0),
        ("Elu", Some(2.0), None, 0.5, 0.5),
    ] {
        let conforming = of(name, alpha, beta, x);
        let bits = u64::from(f32::to_bits(expected));
        assert!(conforming.accepts(bits), "{name} of {x}: {conforming:?}");
        assert!(!conforming.accepts((expected + 0.01).to_bits().into()), "{name} of {x}");
    }
    assert!(!of("Affine", None, None, 1.0).is_decided());
    assert!(!of("ScaledTanh", None, None, 1.0).is_decided());
}

#[test]
fn arguments_are_cut_off_on_either_side() {
    let clipped = [names(&["Affine"]), ("clip", AttributeValue::Float(0.5_f32.to_bits()))];
    let list = |value: f32| AttributeValue::Floats(vec![value.to_bits()]);
    let attributes =
        [&clipped[..], &[("activation_alpha", list(1.0)), ("activation_beta", list(0.0))]].concat();
    let [y, _] = layer(&[2.0, -4.0, 0.25], None, &attributes).unwrap();
    assert_eq!(numbers(&y), [0.5, -0.5, 0.0]);
    let negative = [names(&["Relu"]), ("clip", AttributeValue::Float((-1.0_f32).to_bits()))];
    assert!(layer(&[1.0], None, &negative).is_err());
}

#[test]
fn an_output_that_is_left_out_is_not_among_what_is_allowed() {
    let inputs = vec![
        floats(&[2, 1, 1], &[1.0, 2.0]),
        floats(&[1, 1, 1], &[1.0]),
        floats(&[1, 1, 1], &[0.5]),
    ];
    let attributes: Attributes =
        [names(&["Relu"])].into_iter().map(|(name, value)| (name.to_owned(), value)).collect();
    let onnx = Specification::Onnx;
    let (call, types) =
        Call::asking_for(&[false, true], &RNN, RNN.newest(), onnx, attributes, inputs).unwrap();
    let allowed = RNN.reference.allowed(&call, &types);
    assert_eq!((types.len(), allowed.len()), (1, 1));
    assert_eq!(types[0].shape, [1, 1, 1]);
    assert_eq!(numbers(&[allowed[0].at(0)]), [2.5]);
}

#[test]
fn shapes_of_any_size_are_refused_or_left_open_at_once() {
    let empty = |shape: &[usize]| Tensor::from_values::<f32>(Float32, shape.to_vec(), vec![]).ok();
    let call = |inputs: Vec<Option<Tensor>>| {
        let onnx = Specification::Onnx;
        Call::new(&RNN, RNN.newest(), onnx, Attributes::new(), inputs)
    };
    let huge = 1 << 60;
    let wide = vec![empty(&[huge, 2, 0]), empty(&[1, 1, 0]), floats(&[1, 1, 1], &[1.0])];
    assert!(call(wide).is_err());
    let none = vec![empty(&[huge, 2, 0]), empty(&[1, 0, 0]), empty(&[1, 0, 0])];
    assert!(call(none).is_ok());
    let long = vec![empty(&[1 << 24, 1, 0]), empty(&[1, 1, 0]), floats(&[1, 1, 1], &[1.0])];
    let (call, types) = call(long).unwrap();
    assert!(!RNN.reference.allowed(&call, &types)[0].at(0).is_decided());
}

/// What Y may hold of a layer of two units with these weights of the state and no others, after one step from a state.
fn weighted(operator: &'static Operator, version: &'static Version, r: &[f32]) -> Vec<Conforming> {
    let gates = r.len() / 4;
    let mut inputs = vec![
        floats(&[1, 1, 1], &[0.0]),
        floats(&[1, 2 * gates, 1], &vec![0.0; 2 * gates]),
        floats(&[1, 2 * gates, 2], r),
        None,
        None,
        floats(&[1, 1, 2], &[0.5, -1.0]),
    ];
    inputs.truncate(version.inputs.len());
    let onnx = Specification::Onnx;
    let (call, _) =
        Call::for_outputs(1, operator, version, onnx, Attributes::new(), inputs).unwrap();
    let allowed = operator.reference.allowed(&call, &[]);
    [0, 1].map(|unit| allowed[0].at(unit)).to_vec()
}

#[test]
fn versions_before_14_multiply_the_state_by_r_or_by_its_transpose() {
    use crate::operators::{gru::GRU, lstm::LSTM};
    for (operator, gates) in [(&RNN, 1), (&GRU, 3), (&LSTM, 4)] {
        let r: Vec<f32> = (1..=4 * gates).map(|n| n as f32 / 8.0).collect();
        let turned: Vec<f32> =
            r.chunks(4).flat_map(|gate| [gate[0], gate[2], gate[1], gate[3]]).collect();
        let literal = weighted(operator, operator.newest(), &turned);
        for version in operator.versions {
            let own = weighted(operator, version, &r);
            for (own, literal) in own.iter().zip(&literal) {
                let literal = literal.example().unwrap() as u64;
                assert_ne!(own.example().unwrap() as u64, literal);
                assert_eq!(
                    own.accepts(literal),
                    version.since < 14,
                    "{operator}-{}",
                    version.since
                );
                assert!(own.is_decided() && !own.accepts(literal ^ 0x1000));
            }
        }
    }
}

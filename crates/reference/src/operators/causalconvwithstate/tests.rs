//! Sums over a state and an input against the machine's, what follows a state, and what no weight may reach.

use values::dtype::DType::{Float16, Float32};
use values::tensor::Tensor;

use super::*;
use crate::operator::{AttributeValue, Attributes, Specification};

fn floats(shape: &[usize], all: &[f32]) -> Option<Tensor> {
    let all: Vec<f32> = all.iter().copied().cycle().take(shape.iter().product()).collect();
    Tensor::from_values(Float32, shape.to_vec(), all).ok()
}

/// What conforms of both outputs.
fn outputs(
    inputs: Vec<Option<Tensor>>,
    activation: Option<&str>,
) -> Result<[Vec<Conforming>; 2], Invalid> {
    let text = |name: &str| ("activation".to_owned(), AttributeValue::Text(name.to_owned()));
    let attributes: Attributes = activation.map(text).into_iter().collect();
    let (operator, version) = (&CAUSALCONVWITHSTATE, CAUSALCONVWITHSTATE.newest());
    let (call, types) = Call::new(operator, version, Specification::Onnx, attributes, inputs)?;
    let allowed = operator.reference.allowed(&call, &types);
    let all = |at: usize| {
        let count = types[at].shape.iter().product();
        (0..count).map(|index| allowed[at].at(index)).collect()
    };
    Ok([all(0), all(1)])
}

fn examples(all: &[Conforming]) -> Vec<f32> {
    all.iter().map(|one| f32::from_bits(one.example().unwrap() as u32)).collect()
}

fn accepts(conforming: &Conforming, actual: f32) -> bool {
    conforming.accepts(actual.to_bits().into())
}

#[test]
fn the_last_weight_meets_the_element_itself_and_the_first_ones_the_state() {
    let input = || floats(&[1, 1, 3], &[1.0, 2.0, 3.0]);
    let weight = || floats(&[1, 1, 3], &[100.0, 10.0, 1.0]);
    let [output, state] = outputs(vec![input(), weight()], None).unwrap();
    assert_eq!(examples(&output), [1.0, 12.0, 123.0]);
    assert_eq!(examples(&state), [2.0, 3.0]);
    let past = floats(&[1, 1, 2], &[4.0, 5.0]);
    let bias = floats(&[1], &[0.5]);
    let [output, state] = outputs(vec![input(), weight(), bias, past], None).unwrap();
    assert_eq!(examples(&output), [451.5, 512.5, 123.5]);
    assert_eq!(examples(&state), [2.0, 3.0]);
}

#[test]
fn a_short_input_leaves_the_end_of_the_state_in_front_of_it() {
    let weight = || floats(&[2, 1, 4], &[1.0, 1.0, 1.0, 1.0]);
    let input = || floats(&[1, 2, 1], &[7.0, 8.0]);
    let past = floats(&[1, 2, 3], &[1.0, 2.0, 3.0, 4.0, 5.0, 6.0]);
    let [output, state] = outputs(vec![input(), weight(), None, past], None).unwrap();
    assert_eq!(examples(&output), [13.0, 23.0]);
    assert_eq!(examples(&state), [2.0, 3.0, 7.0, 5.0, 6.0, 8.0]);
    let [output, state] = outputs(vec![input(), weight()], None).unwrap();
    assert_eq!(examples(&output), [7.0, 8.0]);
    assert_eq!(examples(&state), [0.0, 0.0, 7.0, 0.0, 0.0, 8.0]);
    // A zero in front has no sign of its own.
    assert!(!accepts(&state[0], -0.0));
}

#[test]
fn sums_and_their_activation_in_float32_and_wider_conform_and_nothing_far_from_them() {
    let number = |at: usize| ((at * 37 % 101) as f32 - 50.0) * 0.037;
    let all: Vec<f32> = (0..24).map(number).collect();
    let weights: Vec<f32> = (0..4).map(|at| number(at * 7 + 3)).collect();
    for activation in [None, Some("silu"), Some("swish")] {
        let inputs = vec![floats(&[1, 1, 24], &all), floats(&[1, 1, 4], &weights)];
        let [output, _] = outputs(inputs, activation).unwrap();
        for (at, conforming) in output.iter().enumerate() {
            let met = (0..4_usize)
                .filter_map(|tap| Some((*all.get((at + tap).checked_sub(3)?)?, weights[tap])));
            let terms: Vec<(f32, f32)> = met.collect();
            let narrow = terms.iter().fold(0.0, |sum, (a, b)| sum + a * b);
            let wide: f64 = terms.iter().map(|(a, b)| f64::from(*a) * f64::from(*b)).sum();
            let (narrow, wide) = match activation {
                None => (narrow, wide),
                Some(_) => (narrow * (1.0 / (1.0 + (-narrow).exp())), wide / (1.0 + (-wide).exp())),
            };
            assert!(accepts(conforming, narrow), "{at} {activation:?} {narrow} {conforming:?}");
            assert!(accepts(conforming, wide as f32), "{at} {activation:?} {wide} {conforming:?}");
            let magnitude: f32 = terms.iter().map(|(a, b)| (a * b).abs()).sum();
            let far = narrow + magnitude * 1e-5;
            assert!(!accepts(conforming, far), "{at} {activation:?} {far} {conforming:?}");
        }
    }
}

#[test]
fn a_sum_may_be_rounded_before_its_activation() {
    let half =
        |bits: &[u16]| Tensor::from_values(Float16, vec![1, 1, bits.len()], bits.to_vec()).ok();
    // 1 + 2^-11 is halfway between 1 and the next number.
    let inputs = vec![half(&[0x1000, 0x3c00]), half(&[0x3c00, 0x3c00])];
    let [output, _] = outputs(inputs, Some("silu")).unwrap();
    let one = 1.0_f64 / (1.0 + (-1.0_f64).exp());
    let nearest = ((one - 0.5) * 2048.0).round() as u64 + 0x3800;
    assert!(output[1].accepts(nearest) && output[1].accepts(nearest + 1));
    assert!(!output[1].accepts(nearest + 8) && !output[1].accepts(nearest - 8));
}

#[test]
fn weights_that_are_no_numbers_may_make_nan_of_zeros_in_front() {
    let inputs =
        || vec![floats(&[1, 1, 2], &[1.0, 2.0]), floats(&[1, 1, 2], &[f32::INFINITY, 1.0])];
    for activation in [None, Some("silu")] {
        let [output, _] = outputs(inputs(), activation).unwrap();
        let left_out = if activation.is_some() { 0.731_058_6 } else { 1.0 };
        assert!(accepts(&output[0], f32::NAN) && accepts(&output[0], left_out));
        assert!(!accepts(&output[0], f32::INFINITY) && accepts(&output[1], f32::INFINITY));
        assert!(!accepts(&output[1], f32::NAN));
    }
}

#[test]
fn operands_name_the_state_where_they_are_its_elements() {
    let inputs = vec![
        floats(&[1, 1, 2], &[1.0, 2.0]),
        floats(&[1, 1, 2], &[3.0, 4.0]),
        floats(&[1], &[5.0]),
        floats(&[1, 1, 1], &[6.0]),
    ];
    let (operator, version) = (&CAUSALCONVWITHSTATE, CAUSALCONVWITHSTATE.newest());
    let (call, types) =
        Call::new(operator, version, Specification::Onnx, Attributes::new(), inputs).unwrap();
    let allowed = operator.reference.allowed(&call, &types);
    assert_eq!(allowed[0].sources(0), Some(vec![3, 1, 0, 1, 2]));
    assert_eq!(allowed[0].sources(1), Some(vec![0, 1, 0, 1, 2]));
    let all = allowed[0].operands(0);
    let numbers = all.iter().map(|element| match element {
        Element::Bits(_, bits) => f32::from_bits(*bits as u32),
        Element::String(_) => f32::NAN,
    });
    assert_eq!(numbers.collect::<Vec<_>>(), [6.0, 3.0, 1.0, 4.0, 5.0]);
}

#[test]
fn what_does_not_fit_is_refused() {
    let ones = |shape: &[usize]| floats(shape, &[1.0]);
    let input = || ones(&[2, 3, 4]);
    assert!(outputs(vec![input(), ones(&[3, 1, 1])], None).is_ok());
    for weight in [&[3, 1][..], &[2, 1, 2], &[3, 2, 2], &[3, 1, 0], &[3, 1, 2, 1]] {
        assert!(outputs(vec![input(), ones(weight)], None).is_err(), "{weight:?}");
    }
    for past in [&[2, 3, 2][..], &[1, 3, 1], &[2, 1, 1], &[2, 3]] {
        let inputs = vec![input(), ones(&[3, 1, 2]), None, ones(past)];
        assert!(outputs(inputs, None).is_err(), "{past:?}");
    }
    let inputs = vec![input(), ones(&[3, 1, 2]), ones(&[2])];
    assert!(outputs(inputs, None).is_err());
    assert!(outputs(vec![ones(&[3, 4]), ones(&[3, 1, 2])], None).is_err());
    assert!(outputs(vec![input(), ones(&[3, 1, 2])], Some("relu")).is_err());
}

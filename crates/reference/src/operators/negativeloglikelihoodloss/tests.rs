//! Losses of the classes of samples, weights, readings of a mean, and what does not fit together.

use values::dtype::DType::{Float32, Int32, Int64};
use values::tensor::Tensor;

use super::*;
use crate::exact::Conforming;
use crate::operator::{AttributeValue, Attributes, Specification};

fn bits(x: f32) -> u64 {
    x.to_bits().into()
}

fn floats(shape: &[usize], all: &[f32]) -> Tensor {
    Tensor::from_values(Float32, shape.to_vec(), all.to_vec()).unwrap()
}

fn ints(shape: &[usize], all: &[i64]) -> Tensor {
    Tensor::from_values(Int64, shape.to_vec(), all.to_vec()).unwrap()
}

/// What conforms of each loss, or of what they are reduced to; `None` of a call that is refused.
fn losses(
    scores: Tensor,
    labels: Tensor,
    weights: Option<&[f32]>,
    reduction: &str,
    ignored: Option<i64>,
) -> Option<Vec<Conforming>> {
    let mut attributes = Attributes::new();
    attributes.insert("reduction".to_owned(), AttributeValue::Text(reduction.to_owned()));
    attributes.extend(ignored.map(|it| ("ignore_index".to_owned(), AttributeValue::Int(it))));
    let weights = weights.map(|all| floats(&[all.len()], all));
    let inputs = vec![Some(scores), Some(labels), weights];
    let operator = &NEGATIVELOGLIKELIHOODLOSS;
    let made = Call::new(operator, operator.newest(), Specification::Onnx, attributes, inputs);
    let (call, types) = made.ok()?;
    let allowed = operator.reference.allowed(&call, &types);
    Some((0..types[0].shape.iter().product()).map(|at| allowed[0].at(at)).collect())
}

/// The scores of the text's examples, of two batches of three classes and two samples.
fn scores() -> Tensor {
    floats(&[2, 3, 2], &[1.0, 2.0, 2.0, 2.0, 3.0, 2.0, 0.0, 1.0, 2.0, 2.0, 1.0, 2.0])
}

fn labels() -> Tensor {
    ints(&[2, 2], &[2, 1, 0, 2])
}

fn are(all: &[Conforming], expected: &[f32]) {
    assert_eq!(all.len(), expected.len());
    for (conforming, x) in all.iter().zip(expected) {
        let own = bits(*x);
        assert!(conforming.accepts(own), "{x} {conforming:?}");
        assert!(!conforming.accepts(own + 1) && !conforming.accepts(own - 1), "{x} {conforming:?}");
    }
}

#[test]
fn the_examples_of_the_text_conform() {
    let all = losses(scores(), labels(), None, "none", None).unwrap();
    assert_eq!(all, [-3.0, -2.0, -0.0, -2.0].map(|x| Conforming::One(bits(x))));
    let weights = Some(&[0.2_f32, 0.3, 0.1][..]);
    for (reduction, expected, far) in [("sum", -1.1_f32, 4), ("mean", -1.1 / 0.7, 16)] {
        let all = losses(scores(), labels(), weights, reduction, None).unwrap();
        let near = bits(expected);
        assert!(all[0].accepts(near), "{reduction} {all:?}");
        assert!(!all[0].accepts(near + far) && !all[0].accepts(near - far), "{all:?}");
    }
}

#[test]
fn whole_numbers_and_weights_that_are_powers_of_two_are_exact() {
    let of = |weights, reduction| losses(scores(), labels(), weights, reduction, None).unwrap();
    are(&of(None, "sum"), &[-7.0]);
    are(&of(None, "mean"), &[-1.75]);
    let weights = Some(&[2.0, 0.5, 0.75][..]);
    are(&of(weights, "sum"), &[-4.75]);
    // The weights make 4 together.
    are(&of(weights, "mean"), &[-4.75 / 4.0]);
}

#[test]
fn ignored_samples_have_a_loss_of_0_whatever_their_elements_are() {
    let x = || floats(&[3, 2], &[f32::NAN, 1.0, 2.0, f32::INFINITY, 3.0, 4.0]);
    let labels = || ints(&[3], &[-1, 0, 1]);
    let weights = Some(&[0.5, 2.0][..]);
    let of = |reduction| losses(x(), labels(), weights, reduction, Some(-1)).unwrap();
    let all = of("none");
    assert!(all[0].accepts(0) && all[0].accepts(bits(-0.0)) && !all[0].accepts(1));
    are(&all[1..], &[-1.0, -8.0]);
    are(&of("sum"), &[-9.0]);
    let near = bits(-9.0 / 2.5);
    assert!(of("mean")[0].accepts(near) && !of("mean")[0].accepts(near + 16));
}

#[test]
fn a_mean_counts_ignored_samples_by_the_text_and_not_by_the_function() {
    let x = || floats(&[4, 2], &[1.0, 2.0, 3.0, 5.0, 7.0, 8.0, 9.0, 2.0]);
    let accepted = |labels: &[i64], weights, ignored| {
        let all = losses(x(), ints(&[4], labels), weights, "mean", Some(ignored)).unwrap();
        move |x: f32| all[0].accepts(bits(x))
    };
    // The losses of -1 and -5.
    let plain = accepted(&[0, 1, -1, -1], None, -1);
    assert!(plain(-3.0) && plain(-1.5) && !plain(-2.0) && !plain(f32::NAN));
    let weights = Some(&[2.0, 4.0][..]);
    let foreign = accepted(&[0, 0, -1, -1], weights, -1);
    assert!(foreign(-2.0) && !foreign(-1.0) && !foreign(-0.5));
    let class = accepted(&[0, 0, 1, 1], weights, 1);
    assert!(class(-2.0) && class(-8.0 / 12.0) && !class(-1.0));
    // All of them are ignored.
    let none = accepted(&[-1; 4], None, -1);
    assert!(none(f32::NAN) && none(0.0) && !none(1.0));
    let none = accepted(&[-1; 4], weights, -1);
    assert!(none(f32::NAN) && !none(0.0));
}

#[test]
fn a_mean_that_is_16_ulp_off_fails() {
    let numbers: Vec<f32> = (1..=24_u8).map(|it| f32::from(it).ln() - 4.0).collect();
    let classes = [0, 2, 1, 1, 0, 2, 2, 1];
    let weights = [0.3_f32, 1.7, 0.9];
    let picked = |at: usize| f64::from(numbers[at * 3 + classes[at] as usize]);
    let weight = |at: usize| f64::from(weights[classes[at] as usize]);
    let all = |weights| {
        losses(floats(&[8, 3], &numbers), ints(&[8], &classes), weights, "mean", None).unwrap()
    };
    let plain = -(0..8).map(picked).sum::<f64>() / 8.0;
    let total: f64 = (0..8).map(weight).sum();
    let weighted = -(0..8).map(|at| picked(at) * weight(at)).sum::<f64>() / total;
    for (all, exact) in [(all(None), plain), (all(Some(&weights[..])), weighted)] {
        let near = bits(exact as f32);
        assert!(all[0].accepts(near), "{exact} {all:?}");
        assert!(!all[0].accepts(near + 16) && !all[0].accepts(near - 16), "{exact} {all:?}");
    }
}

#[test]
fn classes_that_there_are_not_leave_the_call_open() {
    for other in [-1, 3, i64::MIN] {
        let all = losses(scores(), ints(&[2, 2], &[0, 1, other, 2]), None, "none", None).unwrap();
        assert!(all.iter().all(|it| !it.is_decided()), "{other}");
    }
    let none = losses(floats(&[0, 3], &[]), ints(&[0], &[]), None, "mean", None).unwrap();
    assert!(!none[0].is_decided());
    let none = losses(floats(&[0, 3], &[]), ints(&[0], &[]), None, "sum", None).unwrap();
    assert!(none[0].accepts(0) && none[0].is_decided());
}

#[test]
fn what_does_not_fit_together_is_refused() {
    let made = |labels: Tensor, weights: Option<&[f32]>, reduction| {
        losses(scores(), labels, weights, reduction, None).is_some()
    };
    assert!(made(labels(), Some(&[1.0; 3]), "sum"));
    for shape in [&[2][..], &[2, 1], &[1, 2], &[2, 2, 1], &[4]] {
        assert!(!made(ints(shape, &vec![0; shape.iter().product()]), None, "sum"), "{shape:?}");
    }
    assert!(!made(labels(), Some(&[1.0; 2]), "sum") && !made(labels(), None, "average"));
    assert!(losses(floats(&[3], &[1.0; 3]), ints(&[], &[0]), None, "none", None).is_none());
}

#[test]
fn operands_are_those_of_the_class_of_each_sample() {
    let labels = Tensor::from_values(Int32, vec![2, 2], vec![2_i32, 1, 0, 2]).unwrap();
    let inputs = vec![Some(scores()), Some(labels), Some(floats(&[3], &[0.5, 2.0, 4.0]))];
    let operator = &NEGATIVELOGLIKELIHOODLOSS;
    let attributes = Attributes::new();
    let made = Call::new(operator, operator.newest(), Specification::Onnx, attributes, inputs);
    let (call, types) = made.unwrap();
    let allowed = operator.reference.allowed(&call, &types);
    let operands = allowed[0].operands(0);
    assert_eq!(operands.len(), 12);
    let own = [bits(3.0), 2, bits(4.0), bits(2.0), 1, bits(2.0)];
    for (operand, own) in operands.iter().zip(own) {
        assert!(matches!(operand, values::element::Element::Bits(_, it) if *it == own.into()));
    }
}

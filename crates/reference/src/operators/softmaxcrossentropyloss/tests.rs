//! Losses of the logarithms of shares, and these logarithms themselves.

use values::dtype::DType::{Float32, Int64};
use values::tensor::Tensor;

use super::*;
use crate::exact::Conforming;
use crate::operator::{AttributeValue, Attributes, Specification};

fn bits(x: f32) -> u64 {
    x.to_bits().into()
}

/// What conforms of both outputs.
fn outputs(
    scores: (&[usize], &[f32]),
    labels: &[i64],
    weights: Option<&[f32]>,
    reduction: &str,
) -> [Vec<Conforming>; 2] {
    let text = AttributeValue::Text(reduction.to_owned());
    let attributes = Attributes::from([("reduction".to_owned(), text)]);
    let (shape, all) = scores;
    let own = [&shape[..1], &shape[2..]].concat();
    let weights = weights.map(|all| (vec![all.len()], all));
    let inputs = vec![
        Tensor::from_values(Float32, shape.to_vec(), all.to_vec()).ok(),
        Tensor::from_values(Int64, own, labels.to_vec()).ok(),
        weights.and_then(|(shape, all)| Tensor::from_values(Float32, shape, all.to_vec()).ok()),
    ];
    let operator = &SOFTMAXCROSSENTROPYLOSS;
    let made = Call::new(operator, operator.newest(), Specification::Onnx, attributes, inputs);
    let (call, types) = made.unwrap();
    let allowed = operator.reference.allowed(&call, &types);
    [0, 1].map(|output| {
        let count = types[output].shape.iter().product();
        (0..count).map(|at| allowed[output].at(at)).collect()
    })
}

/// The logarithms of the shares of a line.
fn logarithms(line: &[f32]) -> Vec<f64> {
    let sum: f64 = line.iter().map(|x| f64::from(*x).exp()).sum();
    line.iter().map(|x| f64::from(*x) - sum.ln()).collect()
}

fn is_near(conforming: &Conforming, exact: f64) {
    let near = bits(exact as f32);
    assert!(conforming.accepts(near), "{exact} {conforming:?}");
    assert!(!conforming.accepts(near + 16) && !conforming.accepts(near - 16), "{conforming:?}");
}

#[test]
fn losses_and_logarithms_that_are_16_ulp_off_fail() {
    let lines = [[1.0_f32, 2.5, -0.5], [0.25, 0.5, -3.0], [2.0, 1.0, 4.0], [0.0, -1.0, 1.0]];
    let (classes, weights) = ([2_i64, 0, 1, 0], [0.7_f32, 1.5, 2.25]);
    let all: Vec<Vec<f64>> = lines.iter().map(|line| logarithms(line)).collect();
    let loss = |at: usize| -all[at][classes[at] as usize];
    let weight = |at: usize| f64::from(weights[classes[at] as usize]);
    let scores = (&[4, 3][..], &lines.concat()[..]);
    let [losses, own] = outputs(scores, &classes, None, "none");
    for at in 0..4 {
        is_near(&losses[at], loss(at));
        (0..3).for_each(|class| is_near(&own[3 * at + class], all[at][class]));
    }
    let mean = (0..4).map(loss).sum::<f64>() / 4.0;
    is_near(&outputs(scores, &classes, None, "mean")[0][0], mean);
    let sum: f64 = (0..4).map(|at| loss(at) * weight(at)).sum();
    is_near(&outputs(scores, &classes, Some(&weights), "sum")[0][0], sum);
    let total: f64 = (0..4).map(weight).sum();
    is_near(&outputs(scores, &classes, Some(&weights), "mean")[0][0], sum / total);
}

#[test]
fn the_line_of_a_sample_is_along_the_classes() {
    // Of one batch two classes and three samples.
    let scores = (&[1, 2, 3][..], &[0.0_f32, 1.0, -2.0, 0.5, 3.0, -1.0][..]);
    let [losses, own] = outputs(scores, &[1, 0, 1], None, "none");
    for (at, (line, class)) in
        [([0.0, 0.5], 1), ([1.0, 3.0], 0), ([-2.0, -1.0], 1)].into_iter().enumerate()
    {
        let all = logarithms(&line);
        is_near(&losses[at], -all[class]);
        is_near(&own[at], all[0]);
        is_near(&own[3 + at], all[1]);
    }
}

#[test]
fn a_certain_class_has_no_loss_and_one_without_a_share_an_infinite_one() {
    let scores = (&[2, 2][..], &[7.0, f32::NEG_INFINITY, 1000.0, -1000.0][..]);
    let [losses, own] = outputs(scores, &[0, 0], None, "none");
    assert!(losses[0].accepts(0) && losses[0].accepts(bits(-0.0)) && !losses[0].accepts(1));
    assert_eq!(own[1], Conforming::One(bits(f32::NEG_INFINITY)));
    let [losses, _] = outputs(scores, &[1, 1], None, "none");
    assert_eq!(losses[0], Conforming::One(bits(f32::INFINITY)));
    assert!(losses[1].accepts(bits(2000.0)) && !losses[1].accepts(bits(f32::INFINITY)));
}

#[test]
fn a_class_that_there_is_not_leaves_both_outputs_open() {
    let [losses, own] = outputs((&[1, 2], &[1.0, 2.0]), &[2], None, "none");
    assert!(losses.iter().chain(&own).all(|it| !it.is_decided()));
}

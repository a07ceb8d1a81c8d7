//! Modes, statistics and orders of evaluation.

use values::dtype::DType::{self, Float16, Float32};
use values::tensor::Tensor;

use super::*;
use crate::exact::Conforming;
use crate::operator::{AttributeValue, Attributes, Specification};

fn single(shape: &[usize], all: &[f32]) -> Option<Tensor> {
    Tensor::from_values(Float32, shape.to_vec(), all.to_vec()).map(Some).unwrap()
}

/// What conforms of the outputs of one channel in version 15, of x, and scale, shift, mean and variance.
fn outputs(x: &[f32], others: [f32; 4], list: &[(&str, AttributeValue)]) -> Vec<Vec<Conforming>> {
    let inputs = std::iter::once(single(&[x.len(), 1], x))
        .chain(others.map(|one| single(&[1], &[one])))
        .collect();
    let mut attributes = Attributes::from([("epsilon".to_owned(), AttributeValue::Float(0))]);
    attributes.extend(list.iter().map(|(name, value)| ((*name).to_owned(), value.clone())));
    let count = if attributes.contains_key("training_mode") { 3 } else { 1 };
    let (operator, version) = (&BATCHNORMALIZATION, BATCHNORMALIZATION.newest());
    let specification = Specification::Onnx;
    let (call, types) =
        Call::for_outputs(count, operator, version, specification, attributes, inputs).unwrap();
    let allowed = operator.reference.allowed(&call, &types);
    let of = |(at, of): (usize, &TensorType)| {
        (0..of.shape.iter().product()).map(|index| allowed[at].at(index)).collect()
    };
    types.iter().enumerate().map(of).collect()
}

fn bits(x: f32) -> u64 {
    x.to_bits().into()
}

fn one(x: f32) -> Conforming {
    Conforming::One(bits(x))
}

#[test]
fn inference_and_training_without_rounding_are_exact() {
    assert_eq!(outputs(&[1.0, 3.0], [2.0, 1.0, 0.0, 4.0], &[]), [[one(2.0), one(4.0)]]);
    let training = [
        ("training_mode", AttributeValue::Int(1)),
        ("momentum", AttributeValue::Float(0.75_f32.to_bits())),
    ];
    let all = outputs(&[1.0, 3.0], [2.0, 1.0, 0.0, 5.0], &training);
    assert_eq!(all, [vec![one(-1.0), one(3.0)], vec![one(0.5)], vec![one(4.0)]]);
}

#[test]
fn a_result_that_is_16_ulp_off_fails_and_one_that_is_folded_conforms() {
    let others = [1.3_f32, -0.7, 0.4, 2.9];
    for x in [-8.0_f32, -3.5, 7.25] {
        let [scale, shift, mean, variance] = others.map(f64::from);
        let near = ((f64::from(x) - mean) / variance.sqrt() * scale + shift) as f32;
        let conforming = &outputs(&[x], others, &[])[0][0];
        assert!(conforming.accepts(bits(near)), "{x} {conforming:?}");
        assert!(!conforming.accepts(bits(near) + 16) && !conforming.accepts(bits(near) - 16));
        let [scale, shift, mean, variance] = others;
        let factor = scale / variance.sqrt();
        let folded = x * factor + (shift - mean * factor);
        assert!(conforming.accepts(bits(folded)), "{x} {folded} {conforming:?}");
    }
}

#[test]
fn folding_is_what_widens_results_of_large_means() {
    let conforming = &outputs(&[1000.25], [0.9, 0.0, 1000.0, 1.1], &[])[0][0];
    let factor = 0.9 / 1.1_f32.sqrt();
    assert!(conforming.accepts(bits(1000.25 * factor + (0.0 - 1000.0 * factor))));
    assert!(!conforming.accepts(bits(0.2155)), "{conforming:?}");
}

#[test]
fn modes_are_told_by_attributes_and_outputs() {
    let mode = |since: i64, count: usize, list: &[(&str, i64)]| {
        let int = |&(name, value): &(&str, i64)| (name.to_owned(), AttributeValue::Int(value));
        let attributes: Attributes = list.iter().map(int).collect();
        let version = BATCHNORMALIZATION.version(since).unwrap();
        let inputs = std::iter::once(single(&[1, 1, 1, 1], &[1.0]))
            .chain([1.0; 4].map(|one| single(&[1], &[one])))
            .collect();
        let specification = Specification::Onnx;
        Call::for_outputs(count, &BATCHNORMALIZATION, version, specification, attributes, inputs)
            .map(|(call, _)| super::mode(&call).unwrap())
            .ok()
    };
    assert!(mode(15, 1, &[]) == Some(Mode::Inference));
    assert!(mode(15, 3, &[("training_mode", 1)]) == Some(Mode::Training));
    assert!(mode(15, 2, &[]).is_none() && mode(14, 1, &[("training_mode", 2)]).is_none());
    assert!(mode(9, 1, &[]) == Some(Mode::Inference));
    assert!(mode(7, 5, &[]) == Some(Mode::Training));
    assert!(mode(6, 1, &[("is_test", 1)]) == Some(Mode::Inference));
    assert!(mode(6, 1, &[]) == Some(Mode::Open(NO_MODE)));
    assert!(mode(6, 1, &[("spatial", 0)]) == Some(Mode::Open(FEATURES)));
}

#[test]
fn statistics_of_float16_are_those_of_float32_since_version_15_and_no_overflow_makes_zeros() {
    let half = |shape: Vec<usize>, all: Vec<u16>| {
        Tensor::from_values(Float16, shape, all).map(Some).unwrap()
    };
    let conforming = |since: i64, elements: &[u16]| {
        let mut inputs = vec![half(vec![elements.len(), 1], elements.to_vec())];
        inputs.extend([0x3c00, 0, 0, 0x3c00].map(|one| half(vec![1], vec![one])));
        let attributes = Attributes::from([("training_mode".to_owned(), AttributeValue::Int(1))]);
        let version = BATCHNORMALIZATION.version(since).unwrap();
        let (call, types) = Call::for_outputs(
            1,
            &BATCHNORMALIZATION,
            version,
            Specification::Onnx,
            attributes,
            inputs,
        )
        .unwrap();
        assert_eq!(types[0].dtype, DType::Float16);
        BATCHNORMALIZATION.reference.allowed(&call, &types)[0].at(0)
    };
    // The mean is 683, of which float16 loses some where 1 is added to 2048.
    let uneven = [0x6156, 0x0000, 0x3c00, 0x6800];
    assert!(conforming(14, &uneven).accepts(0x1500), "{:?}", conforming(14, &uneven));
    assert!(!conforming(15, &uneven).accepts(0x1500), "{:?}", conforming(15, &uneven));
    // 1000 and -1000, whose squares float16 does not hold: divided by infinity all would be 0.
    for since in [14, 15] {
        let conforming = conforming(since, &[0x63d0, 0xe3d0]);
        assert!(conforming.accepts(0x3c00) && !conforming.accepts(0), "{since}: {conforming:?}");
    }
}

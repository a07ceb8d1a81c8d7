//! Both stages, each in its own format.

use values::dtype::DType::{Bfloat16, Float16, Float32};
use values::tensor::Tensor;

use super::*;
use crate::exact::Conforming;
use crate::operator::{AttributeValue, Attributes, Specification};

/// What conforms of the three outputs of a line, with a scale of 1.
fn outputs(x: Tensor, scale: Tensor, stash: i64) -> Vec<Vec<Conforming>> {
    let attributes = Attributes::from([
        ("epsilon".to_owned(), AttributeValue::Float(0)),
        ("stash_type".to_owned(), AttributeValue::Int(stash)),
    ]);
    let (operator, version) = (&LAYERNORMALIZATION, LAYERNORMALIZATION.newest());
    let inputs = vec![Some(x), Some(scale)];
    let (call, types) =
        Call::new(operator, version, Specification::Onnx, attributes, inputs).unwrap();
    let allowed = operator.reference.allowed(&call, &types);
    let of = |(at, of): (usize, &TensorType)| {
        (0..of.shape.iter().product()).map(|index| allowed[at].at(index)).collect()
    };
    types.iter().enumerate().map(of).collect()
}

fn singles(all: &[f32]) -> Tensor {
    Tensor::from_values(Float32, vec![1, all.len()], all.to_vec()).unwrap()
}

fn bits(x: f32) -> Conforming {
    Conforming::One(x.to_bits().into())
}

#[test]
fn statistics_without_rounding_give_exact_outputs() {
    let all = outputs(singles(&[10.0, 18.0]), singles(&[1.0, 2.0]), 1);
    assert_eq!(all, [vec![bits(-1.0), bits(2.0)], vec![bits(14.0)], vec![bits(0.25)]]);
}

#[test]
fn a_result_that_is_16_ulp_off_fails() {
    let x = [1.0_f32, 2.0, 4.0, -3.0, 7.0];
    let all = outputs(singles(&x), singles(&[1.0; 5]), 1);
    let mean = x.iter().map(|x| f64::from(*x)).sum::<f64>() / 5.0;
    let squares = x.iter().map(|x| (f64::from(*x) - mean).powi(2));
    let deviation = (squares.sum::<f64>() / 5.0).sqrt();
    for (conforming, x) in all[0].iter().zip(x) {
        let near = u64::from((((f64::from(x) - mean) / deviation) as f32).to_bits());
        assert!(conforming.accepts(near), "{x} {conforming:?}");
        // Next to the mean, what the mean errs by is much of the difference.
        let is_far = (f64::from(x) - mean).abs() > 1.0;
        let is_off = |near: u64| is_far && conforming.accepts(near);
        assert!(!is_off(near + 16) && !is_off(near - 16), "{x} {conforming:?}");
    }
    let inverse = u64::from(((1.0 / deviation) as f32).to_bits());
    assert!(all[2][0].accepts(inverse) && !all[2][0].accepts(inverse + 16));
}

#[test]
fn the_first_stage_of_float16_is_wider_than_float16() {
    let half = |all: [u16; 4]| Tensor::from_values(Float16, vec![1, 4], all.to_vec()).unwrap();
    // 300, -300, 500, -500, whose squares float16 does not hold.
    let x = || half([0x5cb0, 0xdcb0, 0x5fd0, 0xdfd0]);
    let ones = || half([0x3c00; 4]);
    let wide = outputs(x(), ones(), 1);
    assert!(wide[0].iter().all(|it| !it.accepts(0) && it.is_decided()), "{wide:?}");
    let narrow = outputs(x(), ones(), 16);
    let numbers = |it: &Conforming| match it {
        Conforming::Within { accumulated, .. } => accumulated.numbers.unwrap(),
        Conforming::One(bits) => [bits.cast_signed(); 2],
        other => panic!("{other:?}"),
    };
    let [wide, narrow] = [&wide[0][0], &narrow[0][0]].map(numbers);
    assert!(wide[1] - wide[0] < narrow[1] - narrow[0], "{wide:?} {narrow:?}");
}

#[test]
fn types_of_the_saved_outputs_are_those_of_the_stage() {
    let (operator, version) = (&LAYERNORMALIZATION, LAYERNORMALIZATION.newest());
    let infer = |stash: i64, shape: Vec<usize>| {
        let count = shape.iter().product();
        let x = Tensor::from_values(Float32, shape, vec![1_f32; count]).unwrap();
        let scale = Tensor::from_values(Float32, vec![], vec![1_f32]).unwrap();
        let attributes = Attributes::from([("stash_type".to_owned(), AttributeValue::Int(stash))]);
        Call::new(operator, version, Specification::Onnx, attributes, vec![Some(x), Some(scale)])
            .map(|(_, types)| (types[1].dtype, types[1].shape.clone()))
    };
    assert_eq!(infer(1, vec![2, 3]), Ok((Float32, vec![2, 1])));
    assert_eq!(infer(16, vec![2, 3]), Ok((Bfloat16, vec![2, 1])));
    assert!(infer(10, vec![2, 3]).is_err() && infer(1, vec![]).is_err());
}

#[test]
fn the_variance_is_that_of_the_equations_or_of_the_function() {
    let x = [100.3_f32, 101.7, 99.1, 100.6];
    let mean = x.iter().sum::<f32>() / 4.0;
    let by_function = x.iter().map(|x| x * x).sum::<f32>() / 4.0 - mean * mean;
    let by_equations = x.iter().map(|x| (x - mean) * (x - mean)).sum::<f32>() / 4.0;
    assert_ne!(by_function.to_bits(), by_equations.to_bits());
    let all = outputs(singles(&x), singles(&[1.0; 4]), 1);
    for variance in [by_function, by_equations] {
        let inverse = 1.0 / variance.sqrt();
        assert!(all[2][0].accepts(inverse.to_bits().into()), "{inverse} {:?}", all[2]);
        for (conforming, x) in all[0].iter().zip(x) {
            assert!(conforming.accepts(((x - mean) / variance.sqrt()).to_bits().into()));
        }
    }
    // Where it cancels out, the function gives any result.
    let all = outputs(singles(&[1e6, 1e6 + 1.0]), singles(&[1.0; 2]), 1);
    assert!(all[0].iter().chain(&all[2]).all(|one| !one.is_decided()), "{all:?}");
    assert!(all[1][0].is_decided());
}

#[test]
fn a_deviation_of_zero_has_an_infinite_inverse_and_no_quotient() {
    let all = outputs(singles(&[2.0, 2.0]), singles(&[1.0; 2]), 1);
    let nan = f32::NAN.to_bits().into();
    assert!(all[0].iter().all(|one| one.accepts(nan) && !one.accepts(0)), "{all:?}");
    assert_eq!(all[1..], [[bits(2.0)], [bits(f32::INFINITY)]]);
}

//! The three outputs, and what is open of them.

use values::tensor::Tensor;

use super::*;
use crate::operator::{Attributes, Specification};

fn quantized(x: &[f32]) -> [Vec<Conforming>; 3] {
    let input = Tensor::from_values(Float32, vec![x.len()], x.to_vec()).unwrap();
    let (version, specification) = (DYNAMICQUANTIZELINEAR.newest(), Specification::Onnx);
    let inputs = vec![Some(input)];
    let attributes = Attributes::new();
    let (call, types) =
        Call::new(&DYNAMICQUANTIZELINEAR, version, specification, attributes, inputs).unwrap();
    let allowed = DYNAMICQUANTIZELINEAR.reference.allowed(&call, &types);
    let all = |output: usize| {
        let count: usize = types[output].shape.iter().product();
        (0..count).map(|at| allowed[output].at(at)).collect()
    };
    [all(0), all(1), all(2)]
}

fn number(number: f32) -> Conforming {
    Conforming::One(number.to_bits().into())
}

#[test]
fn the_range_has_zero_in_it_and_is_cut_into_255_parts() {
    let [y, scale, zero] = quantized(&[-255.0, 255.0, 1.0]);
    assert_eq!(y, [0, 255, 128].map(Conforming::One));
    assert_eq!((scale, zero), (vec![number(2.0)], vec![Conforming::One(128)]));
    let [_, scale, zero] = quantized(&[5.0, 255.0]);
    assert_eq!((scale, zero), (vec![number(1.0)], vec![Conforming::One(0)]));
    let [_, scale, zero] = quantized(&[-5.0, -255.0]);
    assert_eq!((scale, zero), (vec![number(1.0)], vec![Conforming::One(255)]));
}

#[test]
fn what_has_no_range_is_open() {
    for x in [&[][..], &[f32::NAN, 1.0]] {
        assert!(quantized(x).iter().flatten().all(|result| !result.is_decided()));
    }
    let [y, scale, zero] = quantized(&[0.0, -0.0]);
    assert!(!y[0].is_decided() && !zero[0].is_decided());
    assert!(scale[0].accepts(0) && scale[0].accepts((1_f32 / 255.0).to_bits().into()));
    assert!(!scale[0].accepts(1_f32.to_bits().into()));
}

#[test]
fn a_range_beyond_float32_is_an_infinity_or_the_number() {
    let [y, scale, zero] = quantized(&[f32::MAX, -f32::MAX, 0.0]);
    let part = (f64::from(f32::MAX) * 2.0 / 255.0) as f32;
    assert_eq!(scale[0], Conforming::OneOf(vec![number(f32::INFINITY), number(part)]));
    // By an infinity everything is 0; by the number it is cut into 255 parts, and 127.5 is a tie.
    assert_eq!(zero[0], Conforming::OneOf([0, 128].map(Conforming::One).to_vec()));
    let all = [[0, 255], [0, 0], [0, 128]].map(|readings| {
        let [first, second] = readings.map(Conforming::One);
        Conforming::one_of([first, second]).unwrap()
    });
    assert_eq!(y, all);
}

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

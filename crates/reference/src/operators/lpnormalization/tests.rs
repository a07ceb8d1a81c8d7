//! Quotients that are exact, narrow bounds, and norms that are lost.

use values::dtype::DType::Float32;
use values::tensor::Tensor;

use super::*;
use crate::exact::Conforming;
use crate::operator::{AttributeValue, Attributes, Specification};

fn line(p: i64, x: &[f32]) -> Vec<Conforming> {
    let input = Tensor::from_values(Float32, vec![x.len()], x.to_vec()).unwrap();
    let attributes = Attributes::from([("p".to_owned(), AttributeValue::Int(p))]);
    let (operator, version) = (&LPNORMALIZATION, LPNORMALIZATION.newest());
    let (call, types) =
        Call::new(operator, version, Specification::Onnx, attributes, vec![Some(input)]).unwrap();
    let allowed = operator.reference.allowed(&call, &types);
    (0..x.len()).map(|at| allowed[0].at(at)).collect()
}

fn bits(x: f32) -> u64 {
    x.to_bits().into()
}

#[test]
fn quotients_by_norms_without_rounding_are_rounded_once_or_as_products_with_a_reciprocal() {
    assert_eq!(line(1, &[1.0, -1.0, 2.0, -4.0])[3], Conforming::One(bits(-0.5)));
    let all = line(2, &[3.0, -4.0]);
    for (conforming, exact) in all.iter().zip([0.6, -0.8]) {
        let near = bits(exact);
        assert!(conforming.accepts(near) && conforming.accepts(bits(exact.signum() * exact.abs())));
        assert!(!conforming.accepts(near + 4) && !conforming.accepts(near - 4), "{conforming:?}");
    }
}

#[test]
fn zeros_stay_zeros_of_either_sign() {
    for p in [1, 2] {
        for zero in line(p, &[0.0, -0.0]) {
            assert!(zero.accepts(bits(0.0)) && zero.accepts(bits(-0.0)));
            assert!(!zero.accepts(bits(f32::NAN)) && !zero.accepts(1));
        }
    }
}

#[test]
fn squares_that_are_lost_or_overflow_leave_the_quotients_open() {
    assert!(!line(2, &[1e-30, 2e-30])[0].is_decided());
    assert!(line(1, &[1e-30, 3e-30])[0].is_decided());
    assert!(!line(2, &[3e30, 4e30])[0].is_decided());
    assert!(line(1, &[3e30, 4e30])[0].is_decided());
}

#[test]
fn infinities_leave_zeros_beside_them() {
    let all = line(2, &[f32::INFINITY, -1.0]);
    assert!(matches!(all[0], Conforming::AnyNan(_)), "{:?}", all[0]);
    assert_eq!(all[1], Conforming::One(bits(-0.0)));
}

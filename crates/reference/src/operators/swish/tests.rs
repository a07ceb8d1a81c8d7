//! Every form of `alpha`.

use values::dtype::DType::{Float32, Float64};
use values::element::Element;

use super::*;
use crate::elementwise::Elementwise;
use crate::exact::Conforming;

fn of(alpha: f32, x: f64) -> Conforming {
    let function = Function(SigmoidWeighted { alpha: alpha.to_bits() });
    function.conforming(Float64, &[Element::Bits(Float64, x.to_bits().into())])
}

fn bits(x: f64) -> Conforming {
    Conforming::One(x.to_bits())
}

#[test]
fn alpha_is_a_factor_below_the_power_alone() {
    for (alpha, x) in [(2.0_f32, 0.75_f64), (-1.5, 0.75), (0.1, -3.0), (100.0, -0.01)] {
        let near = x / (1.0 + (-f64::from(alpha) * x).exp());
        let Conforming::One(result) = of(alpha, x) else { panic!("{alpha} {x}") };
        assert!(result.abs_diff(near.to_bits()) <= 4, "{alpha} {x} {result:#x}");
    }
    assert_eq!(of(0.0, -3.0), bits(-1.5));
    assert_eq!(of(0.0, f64::from_bits(3)), bits(f64::from_bits(2)));
}

#[test]
fn far_from_zero_the_result_is_the_operand_or_nothing() {
    assert_eq!(of(1.0, 1e300), bits(1e300));
    assert_eq!(of(1.0, -1e300), bits(-0.0));
    assert_eq!(of(-1.0, 1e300), bits(0.0));
    assert_eq!(of(-1.0, -1e300), bits(-1e300));
    // A small factor makes the power of a large operand count.
    let Conforming::One(result) = of(1e-38, -8e40) else { panic!() };
    let root = (-f64::from(1e-38_f32) * 4e40).exp();
    assert!((f64::from_bits(result) / (-8e40 * root * root) - 1.0).abs() < 1e-11, "{result:#x}");
}

#[test]
fn next_to_zero_it_is_beside_half_of_the_operand() {
    let x = f64::from_bits(3);
    // 1.5 units and more, or less.
    assert_eq!(of(1.0, x), bits(f64::from_bits(2)));
    assert_eq!(of(-1.0, x), bits(f64::from_bits(1)));
    assert_eq!(of(1.0, -x), bits(-f64::from_bits(1)));
    assert_eq!(of(1.0, -0.0), bits(-0.0));
}

#[test]
fn infinities_are_limits_where_they_are_known() {
    let infinity = f64::INFINITY;
    assert_eq!(of(1.0, infinity), bits(infinity));
    assert_eq!(of(-2.0, -infinity), bits(-infinity));
    let nothing = of(1.0, -infinity);
    assert!(nothing.accepts(f64::NAN.to_bits()) && nothing.accepts(0) && !nothing.accepts(1));
    assert!(!of(0.0, infinity).is_decided() && !of(f32::INFINITY, 0.0).is_decided());
    assert_eq!(of(f32::INFINITY, 3.0), bits(3.0));
    assert_eq!(of(f32::INFINITY, -3.0), bits(-0.0));
    assert_eq!(of(f32::NEG_INFINITY, -3.0), bits(-3.0));
    assert!(of(f32::NAN, 1.0).accepts(f64::NAN.to_bits()) && !of(f32::NAN, 1.0).accepts(0));
}

#[test]
fn the_steps_of_the_body_conform_with_every_factor() {
    for alpha in [1.0_f32, -1.5, 0.01, 30.0] {
        let function = Function(SigmoidWeighted { alpha: alpha.to_bits() });
        for x in (-4000..4000).map(|at| at as f32 * 0.037) {
            let power = (-(alpha * x).abs()).exp();
            let steps = x * (if alpha * x < 0.0 { power } else { 1.0 } / (1.0 + power));
            let x = Element::Bits(Float32, x.to_bits().into());
            let conforming = function.by_body(Float32, &[x]).unwrap();
            assert!(conforming.accepts(steps.to_bits().into()), "{alpha} {steps:e} {conforming:?}");
        }
    }
}

//! Gelu by both formulas against twice the precision, digits that mpmath computed, and special values.

use super::*;
use crate::function::checks;

/// A function in more digits than float64 has, where these tell that it is above half of a number, which may be a tie of
/// a narrower type.
fn not_on_ties(function: fn(f64) -> f64, x: f64) -> f64 {
    if x.abs() < TINY { above_half(x) } else { function(x) }
}

#[test]
fn results_by_the_error_function_are_as_close_as_promised() {
    checks::check_formulas("Gelu", narrow, |x| not_on_ties(wide, x));
    checks::check_digits("Gelu", wide);
}

#[test]
fn results_by_the_tangent_are_as_close_as_promised() {
    let wide = |x| not_on_ties(wide_by_tangent, x);
    checks::check_formulas("Gelu by tanh", narrow_by_tangent, wide);
    checks::check_digits("GeluTanh", wide_by_tangent);
}

#[test]
fn special_values_are_those_of_the_limits() {
    checks::check_special(
        "Gelu",
        &[(0.0, 0.0), (-0.0, -0.0), (f64::INFINITY, f64::INFINITY), (f64::NAN, f64::NAN)],
    );
    for function in [wide_by_tangent, narrow_by_tangent, narrow] {
        assert_eq!(function(f64::INFINITY), f64::INFINITY);
        assert!(function(f64::NAN).is_nan() && function(f64::NEG_INFINITY).is_nan());
    }
}

#[test]
fn half_of_the_smallest_number_is_rounded_up_as_the_function_is_above_it() {
    let smallest = f64::from(f32::from_bits(1));
    for (x, expected) in
        [(smallest, 1), (-smallest, 1 << 31), (3.0 * smallest, 2), (-3.0 * smallest, 1 << 31 | 1)]
    {
        assert_eq!((narrow(x) as f32).to_bits(), expected, "{x:e}");
        assert_eq!((narrow_by_tangent(x) as f32).to_bits(), expected, "{x:e}");
    }
}

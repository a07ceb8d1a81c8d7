//! Acos against `libm`, digits that mpmath computed, and special values.

use super::narrow;
use crate::function::checks;

#[test]
fn results_are_as_close_as_promised() {
    checks::check("Acos", narrow, libm::acos);
}

#[test]
fn special_values_are_those_of_the_limits() {
    checks::check_special(
        "Acos",
        &[
            (1.0, 0.0),
            (-1.0, std::f64::consts::PI),
            (0.0, std::f64::consts::FRAC_PI_2),
            (1.5, f64::NAN),
            (-2.0, f64::NAN),
            (f64::INFINITY, f64::NAN),
            (f64::NEG_INFINITY, f64::NAN),
            (f64::NAN, f64::NAN),
        ],
    );
}

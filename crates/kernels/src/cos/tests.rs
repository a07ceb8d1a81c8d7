//! Cos against `libm`, digits that mpmath computed, and special values.

use crate::function::checks;
use crate::series::cos;

#[test]
fn results_are_as_close_as_promised() {
    checks::check("Cos", cos, libm::cos);
}

#[test]
fn special_values_are_those_of_the_limits() {
    checks::check_special(
        "Cos",
        &[
            (0.0, 1.0),
            (-0.0, 1.0),
            (f64::INFINITY, f64::NAN),
            (f64::NEG_INFINITY, f64::NAN),
            (f64::NAN, f64::NAN),
        ],
    );
}

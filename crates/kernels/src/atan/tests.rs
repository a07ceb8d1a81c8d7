//! Atan against `libm`, digits that mpmath computed, and special values.

use crate::function::checks;
use crate::series::atan;

#[test]
fn results_are_as_close_as_promised() {
    checks::check("Atan", atan, libm::atan);
}

#[test]
fn special_values_are_those_of_the_limits() {
    checks::check_special(
        "Atan",
        &[
            (0.0, 0.0),
            (-0.0, -0.0),
            (f64::INFINITY, std::f64::consts::FRAC_PI_2),
            (f64::NEG_INFINITY, -std::f64::consts::FRAC_PI_2),
            (f64::NAN, f64::NAN),
        ],
    );
}

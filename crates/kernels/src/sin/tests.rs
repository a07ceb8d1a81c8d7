//! Sin against `libm`, digits that mpmath computed, and special values.

use crate::function::checks;
use crate::series::sin;

#[test]
fn results_are_as_close_as_promised() {
    checks::check("Sin", sin, libm::sin);
}

#[test]
fn special_values_are_those_of_the_limits() {
    checks::check_special(
        "Sin",
        &[
            (0.0, 0.0),
            (-0.0, -0.0),
            (f64::INFINITY, f64::NAN),
            (f64::NEG_INFINITY, f64::NAN),
            (f64::NAN, f64::NAN),
        ],
    );
}

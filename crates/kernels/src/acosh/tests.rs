//! Acosh against twice the precision, and digits that mpmath computed.

use super::*;
use crate::function::checks;

#[test]
fn results_are_as_close_as_promised() {
    checks::check("Acosh", narrow, wide);
}

#[test]
fn special_values_are_those_of_the_limits() {
    checks::check_special(
        "Acosh",
        &[
            (1.0, 0.0),
            (0.5, f64::NAN),
            (0.0, f64::NAN),
            (-1.0, f64::NAN),
            (f64::INFINITY, f64::INFINITY),
            (f64::NEG_INFINITY, f64::NAN),
            (f64::NAN, f64::NAN),
        ],
    );
}

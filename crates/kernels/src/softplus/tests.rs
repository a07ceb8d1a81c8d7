//! Softplus against twice the precision, and digits that mpmath computed.

use super::*;
use crate::function::checks;

#[test]
fn results_are_as_close_as_promised() {
    checks::check("Softplus", narrow, wide);
}

#[test]
fn special_values_are_those_of_the_limits() {
    checks::check_special(
        "Softplus",
        &[
            (f64::INFINITY, f64::INFINITY),
            (f64::NEG_INFINITY, 0.0),
            (-800.0, 0.0),
            (800.0, 800.0),
            (f64::NAN, f64::NAN),
        ],
    );
}

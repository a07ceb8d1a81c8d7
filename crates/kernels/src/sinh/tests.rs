//! Sinh against twice the precision, and digits that mpmath computed.

use super::*;
use crate::function::checks;
use crate::tests::{FLOATS, FLOATS_WITH_BFLOAT16, Statement};

#[test]
fn the_kernel_does_what_is_stated_here() {
    Statement {
        name: "Sinh",
        versions: &[(9, &FLOATS, &[]), (22, &FLOATS_WITH_BFLOAT16, &[])],
        sonnx: None,
        is_elementwise: true,
        keeps_ones: false,
    }
    .check();
}

#[test]
fn results_are_as_close_as_promised() {
    checks::check("Sinh", narrow, wide);
}

#[test]
fn special_values_are_those_of_the_limits() {
    checks::check_special(
        "Sinh",
        &[
            (0.0, 0.0),
            (-0.0, -0.0),
            (f64::INFINITY, f64::INFINITY),
            (f64::NEG_INFINITY, f64::NEG_INFINITY),
            (800.0, f64::INFINITY),
            (-800.0, f64::NEG_INFINITY),
            (f64::NAN, f64::NAN),
        ],
    );
}

//! Tan against `libm`, digits that mpmath computed, and special values.

use crate::function::checks;
use crate::series::tan;
use crate::tests::{FLOATS, FLOATS_WITH_BFLOAT16, Statement};

#[test]
fn the_kernel_does_what_is_stated_here() {
    Statement {
        name: "Tan",
        versions: &[(7, &FLOATS, &[]), (22, &FLOATS_WITH_BFLOAT16, &[])],
        sonnx: None,
        is_elementwise: true,
        keeps_ones: false,
    }
    .check();
}

#[test]
fn results_are_as_close_as_promised() {
    checks::check("Tan", tan, libm::tan);
}

#[test]
fn special_values_are_those_of_the_limits() {
    checks::check_special(
        "Tan",
        &[
            (0.0, 0.0),
            (-0.0, -0.0),
            (f64::INFINITY, f64::NAN),
            (f64::NEG_INFINITY, f64::NAN),
            (f64::NAN, f64::NAN),
        ],
    );
}

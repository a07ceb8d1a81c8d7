//! Erf against twice the precision, digits that mpmath computed, and special values.

use super::*;
use crate::function::checks;
use values::dtype::DType;

#[test]
fn results_are_as_close_as_promised() {
    checks::check("Erf", erf, wide);
}

#[test]
fn special_values_are_those_of_the_limits() {
    checks::check_special(
        "Erf",
        &[
            (0.0, 0.0),
            (-0.0, -0.0),
            (f64::INFINITY, 1.0),
            (f64::NEG_INFINITY, -1.0),
            (f64::NAN, f64::NAN),
            (30.0, 1.0),
        ],
    );
}

#[test]
fn integers_become_what_is_left_of_them() {
    let operands: [i8; 5] = [0, 1, -5, 6, -128];
    let mut results = [9_i8; 5];
    let operands = [bytemuck::cast_slice(&operands)];
    let done = SLICES(DType::Int8, &operands, bytemuck::cast_slice_mut(&mut results));
    assert_eq!((done, results), (Some(Ok(())), [0, 0, 0, 1, -1]));
}

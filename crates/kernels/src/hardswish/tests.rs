//! HardSwish against twice the precision, and special values.

use super::*;
use crate::function::checks;

#[test]
fn results_are_as_close_as_promised() {
    // Half of a smallest number is a tie that float64 does not tell the function from.
    let above = |x: f64| if x.abs() < TINY { narrow(x) } else { wide(x) };
    checks::check_formulas("HardSwish", narrow, above);
}

#[test]
fn special_values_are_those_of_the_limits() {
    checks::check_special(
        "HardSwish",
        &[
            (0.0, 0.0),
            (-0.0, -0.0),
            (-3.0, -0.0),
            (-4.0, -0.0),
            (3.0, 3.0),
            (100.0, 100.0),
            (-1.5, -0.375),
            (f64::INFINITY, f64::INFINITY),
            (f64::NAN, f64::NAN),
        ],
    );
    let smallest = f64::from(f32::from_bits(1));
    assert_eq!((narrow(smallest) as f32).to_bits(), 1);
    assert_eq!((narrow(-smallest) as f32).to_bits(), 1 << 31);
}

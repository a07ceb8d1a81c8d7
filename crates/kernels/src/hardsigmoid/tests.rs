//! HardSigmoid in exact arithmetic, and special values.

use super::*;
use crate::function::checks;

/// alpha x + beta for numbers of up to 53 bits, exactly: in steps of `2^-200`.
fn in_steps(x: f64) -> Option<i128> {
    let scaled = x * 2_f64.powi(100);
    (scaled.abs() < 1e37 && scaled.fract() == 0.0).then_some(scaled as i128)
}

#[test]
fn sums_are_rounded_once() {
    let line = [f64::from(FIFTH), f64::from(HALF)];
    for i in -3000..3000_i32 {
        let x = f64::from(i as f32 / 1000.0);
        let (Some(product), Some(beta)) = (in_steps(line[0] * x), in_steps(line[1])) else {
            continue;
        };
        let sum = (product + beta).clamp(0, 1 << 100);
        // An integer of more bits than float32 has is rounded by its conversion, once.
        let expected = sum as f32 / 2_f32.powi(100);
        assert_eq!((Line(line).narrow(x) as f32).to_bits(), expected.to_bits(), "{x}");
        assert_eq!(Line(line).wide(x), sum as f64 / 2_f64.powi(100), "{x}");
    }
}

#[test]
fn special_values_are_those_of_the_limits() {
    checks::check_special(
        "HardSigmoid",
        &[
            (0.0, 0.5),
            (-0.0, 0.5),
            (-3.0, 0.0),
            (3.0, 1.0),
            (f64::INFINITY, 1.0),
            (f64::NEG_INFINITY, 0.0),
            (f64::NAN, f64::NAN),
        ],
    );
    let level = Line([0.0, 0.5]);
    assert!(level.wide(f64::INFINITY).is_nan() && level.narrow(f64::INFINITY).is_nan());
}

//! HardSwish: x (x + 3) / 6 of each element x from -3 to 3, and 0 or the element beyond.

use super::Kernel;
use super::double::Double;
use super::elementwise::computed;
use super::function::function;
use super::signature::{Domain, Input, Slices, Version};
use super::types::{FLOATS, without_bfloat16};

function!(
    HARDSWISH,
    "HardSwish",
    "X",
    &[Version::new(14, without_bfloat16(FLOATS)), Version::new(22, FLOATS)],
    &[],
    narrow,
    wide
);

/// Magnitudes below which it is more than x / 2 by less than float64 shows.
const TINY: f64 = 1e-17;

/// What it is beyond -3 and 3, and where it is next to half of the number.
fn simple(x: f64) -> Option<f64> {
    match x {
        // The formula has no value at -infinity: that of 0 times it.
        f64::NEG_INFINITY => Some(f64::NAN),
        ..=-3.0 => Some(-0.0),
        3.0.. => Some(x),
        _ if x.is_nan() || x == 0.0 => Some(x),
        _ => None,
    }
}

/// That of a number of a narrower type.
fn narrow(x: f64) -> f64 {
    let near = || match x.abs() < TINY {
        // Half of a type's smallest number is a tie, and the function above it.
        true => (x * 0.5).next_up(),
        false => x * (x + 3.0) / 6.0,
    };
    simple(x).unwrap_or_else(near)
}

/// That of a number of float64.
fn wide(x: f64) -> f64 {
    let near = || match x.abs() < TINY {
        true => x * 0.5,
        false => (Double::from(x) * (Double::from(x) + 3.0.into()) / 6.0.into()).nearest(),
    };
    simple(x).unwrap_or_else(near)
}

#[cfg(test)]
mod tests;

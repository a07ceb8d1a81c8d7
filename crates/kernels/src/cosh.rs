//! Cosh: the hyperbolic cosine of each element.

use super::Kernel;
use super::double::Double;
use super::elementwise::computed;
use super::function::function;
use super::series::exp;
use super::signature::{Domain, Input, Slices, Version};
use super::types::{FLOATS, without_bfloat16};

function!(
    COSH,
    "Cosh",
    "input",
    &[Version::new(9, without_bfloat16(FLOATS)), Version::new(22, FLOATS),],
    &[],
    narrow,
    wide
);

/// That of a number of a narrower type.
#[inline(always)]
fn narrow(x: f64) -> f64 {
    let power = exp(x.abs());
    0.5 * (power + 1.0 / power)
}

/// The hyperbolic cosine of a number of float64.
fn wide(x: f64) -> f64 {
    let magnitude = x.abs();
    if x.is_nan() || magnitude > 711.0 {
        return if x.is_nan() { x } else { f64::INFINITY };
    }
    if magnitude > 40.0 {
        let (k, less) = Double::from(magnitude).power();
        return (less + 1.0.into()).scaled(k - 1);
    }
    let power = Double::from(magnitude).exp();
    (power + Double::from(1.0) / power).scaled(-1)
}

#[cfg(test)]
mod tests;

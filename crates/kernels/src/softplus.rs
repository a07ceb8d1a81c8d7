//! Softplus: ln(1 + e^x) of each element x.

use super::Kernel;
use super::double::Double;
use super::elementwise::computed;
use super::function::function;
use super::series::{exp, ln_1_plus};
use super::signature::{Domain, Input, Slices, Version};
use super::types::{FLOATS, without_bfloat16};

function!(
    SOFTPLUS,
    "Softplus",
    "X",
    &[Version::new(1, without_bfloat16(FLOATS)), Version::new(22, FLOATS),],
    &[],
    narrow,
    wide
);

/// That of a number of a narrower type. A NaN is lost in the maximum, and not in the logarithm.
#[inline(always)]
fn narrow(x: f64) -> f64 {
    x.max(0.0) + ln_1_plus(exp(-x.abs()))
}

/// ln(1 + e^x) of a number of float64: for positive x that is x + ln(1 + e^-x).
fn wide(x: f64) -> f64 {
    if x.is_nan() || x > 40.0 {
        return x;
    }
    if x < -40.0 {
        let (k, less) = Double::from(x.max(-800.0)).power();
        return (less + 1.0.into()).scaled(k);
    }
    let more = Double::from(-x.abs()).exp().ln_1_plus();
    (Double::from(x.max(0.0)) + more).nearest()
}

#[cfg(test)]
mod tests;

//! Sigmoid: 1 / (1 + e^-x) of each element x.

use super::Kernel;
use super::double::Double;
use super::elementwise::computed;
use super::function::function;
use super::series::exp;
use super::signature::{Domain, FLOAT_VERSIONS, Input, SONNX_FLOAT, Slices};

function!(SIGMOID, "Sigmoid", "X", &FLOAT_VERSIONS, &[SONNX_FLOAT], narrow, wide);

/// That of a number of a narrower type.
#[inline(always)]
fn narrow(x: f64) -> f64 {
    1.0 / (1.0 + exp(-x))
}

/// The logistic function of a number of float64.
fn wide(x: f64) -> f64 {
    if x.is_nan() {
        return x;
    }
    let one = Double::from(1.0);
    if x >= 0.0 {
        return (one / (one + Double::from(-x.min(700.0)).exp())).nearest();
    }
    // e^x / (1 + e^x), of which the divisor is 1 before the dividend becomes subnormal.
    let (k, less) = Double::from(x.max(-800.0)).power();
    let divisor = if x < -40.0 { one } else { one + Double::from(x).exp() };
    ((one + less) / divisor).scaled(k)
}

#[cfg(test)]
mod tests;

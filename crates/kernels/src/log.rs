//! Log: the natural logarithm of each element.

use super::Kernel;
use super::double::Double;
use super::elementwise::computed;
use super::function::function;
use super::series::ln;
use super::signature::{Domain, FLOAT_VERSIONS, Input, SONNX_FLOAT, Slices};

function!(LOG, "Log", "input", &FLOAT_VERSIONS, &[SONNX_FLOAT], ln, wide);

/// The logarithm of a number of float64.
fn wide(x: f64) -> f64 {
    // The formula is for positive numbers; libm knows the others.
    if x > 0.0 && x.is_finite() { Double::from(x).ln().nearest() } else { libm::log(x) }
}

#[cfg(test)]
mod tests;

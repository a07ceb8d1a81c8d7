//! Tanh: the hyperbolic tangent of each element.

use super::Kernel;
use super::double::Double;
use super::elementwise::computed;
use super::function::function;
use super::series::exp_minus_1;
use super::signature::{Domain, FLOAT_VERSIONS, Input, SONNX_FLOAT, Slices};

function!(TANH, "Tanh", "input", &FLOAT_VERSIONS, &[SONNX_FLOAT], narrow, wide);

/// That of a number of a narrower type: with y = e^2|x| - 1 it is y / (y + 2).
#[inline(always)]
fn narrow(x: f64) -> f64 {
    let less = exp_minus_1(2.0 * x.abs());
    (less / (less + 2.0)).copysign(x)
}

/// The hyperbolic tangent of a number of float64: with y = e^2x - 1 it is y / (y + 2).
fn wide(x: f64) -> f64 {
    let magnitude = x.abs();
    // Elsewhere it is x, or 1, to more than the precision; a NaN is neither.
    if !(1e-9..22.0).contains(&magnitude) {
        return if magnitude < 1.0 || x.is_nan() { x } else { 1.0_f64.copysign(x) };
    }
    let less = Double::from(2.0 * magnitude).exp_minus_1();
    (less / (less + 2.0.into())).nearest().copysign(x)
}

#[cfg(test)]
mod tests;

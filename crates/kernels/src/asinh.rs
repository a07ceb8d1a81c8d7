//! Asinh: the inverse hyperbolic sine of each element.

use super::Kernel;
use super::double::Double;
use super::elementwise::computed;
use super::function::function;
use super::series::ln_1_plus;
use super::signature::{Domain, Input, Slices, Version};
use super::types::{FLOATS, without_bfloat16};

function!(
    ASINH,
    "Asinh",
    "input",
    &[Version::new(9, without_bfloat16(FLOATS)), Version::new(22, FLOATS),],
    &[],
    narrow,
    wide
);

/// That of a number of a narrower type, whose square float64 holds: of |x| it is ln(1 + |x| + x^2 / (1 + sqrt(1 + x^2))).
#[inline(always)]
fn narrow(x: f64) -> f64 {
    let magnitude = x.abs();
    let square = magnitude * magnitude;
    let more = magnitude + square / (1.0 + (1.0 + square).sqrt());
    // An infinity divided by itself is a NaN.
    if x.is_infinite() { x } else { ln_1_plus(more).copysign(x) }
}

/// The same of a number of float64; of a large one it is ln 2|x|.
fn wide(x: f64) -> f64 {
    let magnitude = x.abs();
    if !(1e-9..f64::INFINITY).contains(&magnitude) {
        return x;
    }
    let one = Double::from(1.0);
    let number = Double::from(magnitude);
    let result = if magnitude > 1e20 {
        number.ln() + Double::from(2.0).ln()
    } else {
        let square = number * number;
        (number + square / (one + (one + square).sqrt())).ln_1_plus()
    };
    result.nearest().copysign(x)
}

#[cfg(test)]
mod tests;

//! Atanh: the inverse hyperbolic tangent of each element.

use super::Kernel;
use super::double::Double;
use super::elementwise::computed;
use super::function::function;
use super::series::ln_1_plus;
use super::signature::{Domain, Input, Slices, Version};
use super::types::{FLOATS, without_bfloat16};

function!(
    ATANH,
    "Atanh",
    "input",
    &[Version::new(9, without_bfloat16(FLOATS)), Version::new(22, FLOATS),],
    &[],
    narrow,
    wide
);

/// That of a number of a narrower type: half of ln(1 + 2|x| / (1 - |x|)).
#[inline(always)]
fn narrow(x: f64) -> f64 {
    let magnitude = x.abs();
    (0.5 * ln_1_plus(2.0 * magnitude / (1.0 - magnitude))).copysign(x)
}

/// That of a number of float64: half of ln(1 + 2|x| / (1 - |x|)).
fn wide(x: f64) -> f64 {
    let magnitude = x.abs();
    if !(1e-9..1.0).contains(&magnitude) {
        return if magnitude < 1.0 {
            x
        } else if magnitude == 1.0 {
            f64::INFINITY.copysign(x)
        } else {
            f64::NAN
        };
    }
    let number = Double::from(magnitude);
    let more = (number + number) / (Double::from(1.0) - number);
    more.ln_1_plus().scaled(-1).copysign(x)
}

#[cfg(test)]
mod tests;

//! Acosh: the inverse hyperbolic cosine of each element.

use super::Kernel;
use super::double::Double;
use super::elementwise::computed;
use super::function::function;
use super::series::ln_1_plus;
use super::signature::{Domain, Input, Slices, Version};
use super::types::{FLOATS, without_bfloat16};

function!(
    ACOSH,
    "Acosh",
    "input",
    &[Version::new(9, without_bfloat16(FLOATS)), Version::new(22, FLOATS),],
    &[],
    narrow,
    wide
);

/// That of a number of a narrower type, whose square float64 holds: with y = x - 1 it is ln(1 + y + sqrt(y (y + 2))).
#[inline(always)]
fn narrow(x: f64) -> f64 {
    let less = x - 1.0;
    let result = ln_1_plus(less + (less * (less + 2.0)).sqrt());
    if less < 0.0 { f64::NAN } else { result }
}

/// The same of a number of float64; of a large one it is ln 2x.
fn wide(x: f64) -> f64 {
    if x.is_nan() || x < 1.0 {
        return f64::NAN;
    }
    if x > 1e20 {
        let is_finite = x.is_finite();
        return if is_finite {
            (Double::from(x).ln() + Double::from(2.0).ln()).nearest()
        } else {
            x
        };
    }
    let less = Double::from(x) - Double::from(1.0);
    (less + (less * (less + 2.0.into())).sqrt()).ln_1_plus().nearest()
}

#[cfg(test)]
mod tests;

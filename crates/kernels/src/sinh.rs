//! Sinh: the hyperbolic sine of each element.

use super::Kernel;
use super::double::Double;
use super::elementwise::computed;
use super::function::function;
use super::series::exp_minus_1;
use super::signature::{Domain, Input, Slices, Version};
use super::types::{FLOATS, without_bfloat16};

function!(
    SINH,
    "Sinh",
    "input",
    &[Version::new(9, without_bfloat16(FLOATS)), Version::new(22, FLOATS),],
    &[],
    narrow,
    wide
);

/// That of a number of a narrower type: with y = e^|x| - 1 it is (y + y / (y + 1)) / 2.
#[inline(always)]
fn narrow(x: f64) -> f64 {
    let less = exp_minus_1(x.abs());
    (0.5 * (less + less / (less + 1.0))).copysign(x)
}

/// The hyperbolic sine of a number of float64: with y = e^|x| - 1 it is (y + y / (y + 1)) / 2.
fn wide(x: f64) -> f64 {
    let magnitude = x.abs();
    // It is x to more than the precision, or infinite; a NaN is neither.
    if !(1e-9..711.0).contains(&magnitude) {
        return if magnitude < 1.0 || x.is_nan() { x } else { f64::INFINITY.copysign(x) };
    }
    if magnitude > 40.0 {
        let (k, less) = Double::from(magnitude).power();
        return (less + 1.0.into()).scaled(k - 1).copysign(x);
    }
    let less = Double::from(magnitude).exp_minus_1();
    (less + less / (less + 1.0.into())).scaled(-1).copysign(x)
}

#[cfg(test)]
mod tests;

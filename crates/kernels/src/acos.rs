//! Acos: the arccosine of each element: float64 by `libm`, whose error analysis promises less than 1 ULP; narrower types by a series in float64, rounded once.

use super::Kernel;
use super::elementwise::computed;
use super::function::function;
use super::series::atan;
use super::signature::{Domain, Input, Slices, Version};
use super::types::{FLOATS, without_bfloat16};

function!(
    ACOS,
    "Acos",
    "input",
    &[Version::new(7, without_bfloat16(FLOATS)), Version::new(22, FLOATS)],
    &[],
    narrow,
    libm::acos
);

/// That of a number of a narrower type: twice the arctangent of sqrt((1 - x) / (1 + x)).
#[inline(always)]
fn narrow(x: f64) -> f64 {
    2.0 * atan(((1.0 - x) / (1.0 + x)).sqrt())
}

#[cfg(test)]
mod tests;

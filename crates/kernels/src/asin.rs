//! Asin: the arcsine of each element: float64 by `libm`, whose error analysis promises less than 1 ULP; narrower types by a series in float64, rounded once.

use super::Kernel;
use super::elementwise::computed;
use super::function::function;
use super::series::atan;
use super::signature::{Domain, Input, Slices, Version};
use super::types::{FLOATS, without_bfloat16};

function!(
    ASIN,
    "Asin",
    "input",
    &[Version::new(7, without_bfloat16(FLOATS)), Version::new(22, FLOATS)],
    &[],
    narrow,
    libm::asin
);

/// That of a number of a narrower type: the arctangent of x / sqrt(1 - x^2).
#[inline(always)]
fn narrow(x: f64) -> f64 {
    atan(x / ((1.0 - x) * (1.0 + x)).sqrt())
}

#[cfg(test)]
mod tests;

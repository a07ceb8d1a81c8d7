//! Cos: the cosine of each element: float64 by `libm`, whose error analysis promises less than 1 ULP; narrower types by a series in float64, rounded once.

use super::Kernel;
use super::elementwise::computed;
use super::function::function;
use super::series::cos;
use super::signature::{Domain, Input, Slices, Version};
use super::types::{FLOATS, without_bfloat16};

function!(
    COS,
    "Cos",
    "input",
    &[Version::new(7, without_bfloat16(FLOATS)), Version::new(22, FLOATS)],
    &[],
    cos,
    libm::cos
);

#[cfg(test)]
mod tests;

//! Acos: the arccosine of each element, computed in float64 by `libm`, whose error analysis promises less than 1 ULP, and rounded once.

use super::Kernel;
use super::elementwise::computed;
use super::function::function;
use super::signature::{Domain, Input, Slices, Version};
use super::types::{FLOATS, without_bfloat16};

function!(
    ACOS,
    "Acos",
    "input",
    &[Version::new(7, without_bfloat16(FLOATS)), Version::new(22, FLOATS)],
    &[],
    libm::acos,
    libm::acos
);

#[cfg(test)]
mod tests;

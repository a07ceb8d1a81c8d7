//! Mish: x tanh(ln(1 + e^x)) of each element x.

use super::Kernel;
use super::double::Double;
use super::elementwise::computed;
use super::function::function;
use super::series::exp;
use super::signature::{Domain, Input, Slices, Version};
use super::types::{FLOATS, without_bfloat16};

function!(
    MISH,
    "Mish",
    "X",
    &[Version::new(18, without_bfloat16(FLOATS)), Version::new(22, FLOATS),],
    &[],
    narrow,
    wide
);

/// That of a number of a narrower type: with u = e^-|x| the factor is (1 + 2u) / (1 + 2u (1 + u)), or u (u + 2) / (u (u + 2) + 2)
/// where x is negative.
#[inline(always)]
fn narrow(x: f64) -> f64 {
    // Next to 0 it is nothing even times the largest number. At -infinity the formula has no value: that of 0 times it.
    let u = if x.abs() < 160.0 { exp(-x.abs()) } else { 0.0 };
    let dividend = if x > 0.0 { 1.0 + 2.0 * u } else { u * (u + 2.0) };
    let divisor = if x > 0.0 { 1.0 + 2.0 * u * (1.0 + u) } else { dividend + 2.0 };
    x * (dividend / divisor)
}

/// The same of a number of float64; of a large one it is x, or x e^x where it is negative.
fn wide(x: f64) -> f64 {
    if x.is_nan() || x > 40.0 {
        return x;
    }
    let number = Double::from(x);
    if x < -40.0 {
        // The formula has no value at -infinity: that of 0 times it.
        let (k, less) = Double::from(x.max(-800.0)).power();
        let number = Double::from(x.max(-800.0));
        return if x.is_infinite() { f64::NAN } else { (number * (less + 1.0.into())).scaled(k) };
    }
    let (u, one, two) = (Double::from(-x.abs()).exp(), Double::from(1.0), Double::from(2.0));
    let factor = if x > 0.0 {
        (one + u + u) / (one + (u + u) * (one + u))
    } else {
        let dividend = u * (u + two);
        dividend / (dividend + two)
    };
    // A product with a subnormal number would lose what it is made of.
    if x.abs() < 1e-200 { x * 0.6 } else { (number * factor).nearest() }
}

#[cfg(test)]
mod tests;

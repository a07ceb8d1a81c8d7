//! Formulas of SONNX's accuracy notes that do not hold, as they are written there.
//!
//! They are here to be compared with the sound ones; the tests of this module find the smallest
//! counterexample of each.

use super::{Operand, Unbounded, divisor};
use crate::exact::real::{Rational, power_of_two};

/// The first form of the error that division passes on: (d b - e a) / (b^2 (b + e)) for errors d
/// and e of the operands a and b. It is off by the factor b.
///
/// # Errors
///
/// As [`super::div_propagated`].
pub fn div_propagated(a: &Operand, b: &Operand) -> Result<Rational, Unbounded> {
    let given = divisor(b)?;
    Ok((&a.error * &b.value - &b.error * &a.value) / (&b.value * &b.value * given))
}

/// The bound on the error that integer division introduces: "less than" this. A discarded fraction
/// reaches it, and any value below 1.
#[must_use]
pub fn integer_div_introduced() -> Rational {
    power_of_two(-1)
}

/// The bound to first order on the error that the square root passes on: |e / (2 sqrt(x))| for the
/// error e of the operand x, taken from above. It fails for every e < 0.
///
/// # Errors
///
/// As [`super::sqrt_propagated_bound`].
pub fn sqrt_propagated_bound(x: &Operand, bits: u32) -> Result<Rational, Unbounded> {
    Ok(super::sqrt_propagated_bound(x, bits)? * power_of_two(-1))
}

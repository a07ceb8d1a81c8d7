//! Numerical error of Div and Sqrt: what an operation introduces, what it passes on from its
//! operands, and an enclosure of both together.
//!
//! The error of a result is result minus ideal, where the ideal is the real quotient or root of the
//! ideal operands. Everything is rational arithmetic, so a bound is a bound: nothing is rounded but
//! roots, and those towards the safe side. `docs/numerics.md` has the proofs. The formulas are those
//! of SONNX's accuracy notes where they hold.

use num_traits::{One, Signed, Zero};

use crate::exact::real::{self, Enclosure, Rational, power_of_two};
use values::float::FloatFormat;

/// What computes the result.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Arithmetic {
    /// Exact arithmetic on real numbers.
    Real,
    /// One correctly rounded operation in this format, to nearest, ties to even.
    Float(&'static FloatFormat),
    /// Division of integers that discards the fraction.
    Integer,
}

/// An operand that may be off.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Operand {
    /// The ideal value.
    pub value: Rational,
    /// What the operation is given, less the ideal value.
    pub error: Rational,
}

impl Operand {
    /// An operand without error.
    pub fn exact(value: Rational) -> Self {
        Self { value, error: Rational::zero() }
    }

    /// What the operation is given.
    pub fn given(&self) -> Rational {
        &self.value + &self.error
    }
}

/// The error of this operation has no bound.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub enum Unbounded {
    /// The divisor is 0, or its error reaches or crosses 0.
    #[error("the divisor and the divisor with its error must lie on the same side of 0")]
    Divisor,
    /// The radicand, or the radicand with its error, is negative.
    #[error("the radicand must not be negative, nor become so by its error")]
    Radicand,
    /// A relative bound needs a radicand above 0.
    #[error("the bound is relative to the root, which is 0")]
    ZeroRoot,
    /// The result rounds to an infinity.
    #[error("the result overflows the format")]
    Overflow,
    /// There is no square root of integers.
    #[error("no specification takes the square root of integers")]
    IntegerRoot,
}

/// The unit roundoff u of a format with precision p: half the machine epsilon, 2^-p.
pub fn unit_roundoff(format: &FloatFormat) -> Rational {
    power_of_two(-(format.significand_bits as i32) - 1)
}

/// Bound on the error that a division introduces whose operands, as given, have this quotient.
///
/// Real: 0. Float: u * max(|quotient|, smallest normal number). Integer: 1, which the error's
/// magnitude stays below.
pub fn div_introduced(arithmetic: Arithmetic, quotient: &Rational) -> Result<Rational, Unbounded> {
    match arithmetic {
        Arithmetic::Real => Ok(Rational::zero()),
        Arithmetic::Integer => Ok(Rational::one()),
        Arithmetic::Float(format) => {
            let quotient = quotient.abs();
            if quotient >= real::overflow_threshold(format) {
                return Err(Unbounded::Overflow);
            }
            Ok(unit_roundoff(format) * quotient.max(power_of_two(1 - format.bias)))
        }
    }
}

/// Bound on the error that a square root of `x`, as given, introduces: 0 for reals, u * sqrt(x) for
/// floats, taken from above by less than `2^-bits` of itself.
pub fn sqrt_introduced(
    arithmetic: Arithmetic,
    x: &Rational,
    bits: u32,
) -> Result<Rational, Unbounded> {
    let root = real::sqrt(x, bits).ok_or(Unbounded::Radicand)?;
    match arithmetic {
        Arithmetic::Real => Ok(Rational::zero()),
        Arithmetic::Float(format) => Ok(unit_roundoff(format) * root.upper),
        Arithmetic::Integer => Err(Unbounded::IntegerRoot),
    }
}

/// The error that exact division passes on, exactly: with errors d and e of the operands a and b
///
/// (a + d) / (b + e) - a / b = (d b - e a) / (b (b + e)).
pub fn div_propagated(a: &Operand, b: &Operand) -> Result<Rational, Unbounded> {
    let given = divisor(b)?;
    Ok((&a.error * &b.value - &b.error * &a.value) / (&b.value * given))
}

/// Bound on the magnitude of the error that exact division passes on:
/// (|d| + |a e / b|) / |b + e|, with the names of [`div_propagated`].
pub fn div_propagated_bound(a: &Operand, b: &Operand) -> Result<Rational, Unbounded> {
    let given = divisor(b)?;
    Ok((a.error.abs() + (&a.value * &b.error / &b.value).abs()) / given.abs())
}

/// The error that the exact root passes on: with the error e of the operand x
///
/// sqrt(x + e) - sqrt(x) = e / (sqrt(x + e) + sqrt(x)),
///
/// enclosed to less than `2^-bits` of itself.
pub fn sqrt_propagated(x: &Operand, bits: u32) -> Result<Enclosure, Unbounded> {
    let [ideal, given] = roots(x, bits)?;
    if x.error.is_zero() {
        return Ok(Enclosure::point(Rational::zero()));
    }
    let nearer = &x.error / (ideal.upper + given.upper);
    let farther = &x.error / (ideal.lower + given.lower);
    Ok(if x.error.is_negative() {
        Enclosure { lower: farther, upper: nearer }
    } else {
        Enclosure { lower: nearer, upper: farther }
    })
}

/// Bound on the magnitude of the error that the exact root passes on: |e| / sqrt(x), with the names
/// of [`sqrt_propagated`], taken from above.
pub fn sqrt_propagated_bound(x: &Operand, bits: u32) -> Result<Rational, Unbounded> {
    let [ideal, _] = roots(x, bits)?;
    if ideal.lower.is_zero() {
        return Err(Unbounded::ZeroRoot);
    }
    Ok(x.error.abs() / ideal.lower)
}

/// Where the error of a computed quotient lies: the error passed on from the operands, plus or minus
/// what the operation introduces at the operands as given.
pub fn div_error(arithmetic: Arithmetic, a: &Operand, b: &Operand) -> Result<Enclosure, Unbounded> {
    let propagated = div_propagated(a, b)?;
    let introduced = div_introduced(arithmetic, &(a.given() / b.given()))?;
    Ok(Enclosure { lower: &propagated - &introduced, upper: propagated + introduced })
}

/// Where the error of a computed root lies, as [`div_error`]; `bits` is the precision of the roots
/// that it is computed from.
pub fn sqrt_error(arithmetic: Arithmetic, x: &Operand, bits: u32) -> Result<Enclosure, Unbounded> {
    let propagated = sqrt_propagated(x, bits)?;
    let introduced = sqrt_introduced(arithmetic, &x.given(), bits)?;
    Ok(Enclosure { lower: propagated.lower - &introduced, upper: propagated.upper + introduced })
}

/// The divisor as given, where it lies on the same side of 0 as the ideal one.
fn divisor(b: &Operand) -> Result<Rational, Unbounded> {
    let given = b.given();
    if (&given * &b.value).is_positive() { Ok(given) } else { Err(Unbounded::Divisor) }
}

/// The roots of the radicand, ideal and as given.
fn roots(x: &Operand, bits: u32) -> Result<[Enclosure; 2], Unbounded> {
    let root = |x: &Rational| real::sqrt(x, bits).ok_or(Unbounded::Radicand);
    Ok([root(&x.value)?, root(&x.given())?])
}

#[cfg(test)]
mod tests;

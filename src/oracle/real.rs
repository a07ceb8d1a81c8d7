//! Div and Sqrt over the real numbers.
//!
//! Elements are rational numbers: every element of every type is one, and so are the examples of the
//! documents. Quotients are exact. A root is in general no rational number; it is enclosed between
//! two of them, as closely as asked.

use num_bigint::BigInt;
use num_traits::{One, Signed, Zero};

use super::Number;
use super::number::{Magnitude, Value, largest};
use crate::dtype::DType;
use crate::float::FloatFormat;

/// An exact rational number of any size.
pub use num_rational::BigRational as Rational;

/// Two rational numbers with a real number between them, or equal to it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Enclosure {
    /// At most the real number.
    pub lower: Rational,
    /// At least the real number.
    pub upper: Rational,
}

impl Enclosure {
    /// A number that is known exactly.
    #[must_use]
    pub fn point(number: Rational) -> Self {
        Self { lower: number.clone(), upper: number }
    }

    /// The number, where it is known exactly.
    #[must_use]
    pub fn exact(&self) -> Option<&Rational> {
        (self.lower == self.upper).then_some(&self.lower)
    }

    /// Whether the number lies between the bounds or on one.
    #[must_use]
    pub fn contains(&self, number: &Rational) -> bool {
        (&self.lower..=&self.upper).contains(&number)
    }
}

/// `2^exponent`.
#[must_use]
pub fn power_of_two(exponent: i32) -> Rational {
    let power = Rational::from(BigInt::one() << exponent.unsigned_abs());
    if exponent < 0 { power.recip() } else { power }
}

/// The real number half a unit in the last place above the largest number of a format: results
/// below it round to numbers of the format, results above it overflow. On it IEEE 754's formats
/// overflow too.
#[must_use]
pub fn overflow_threshold(format: &FloatFormat) -> Rational {
    match Value::of(format, largest(format)) {
        Value::Finite(Magnitude { significand, exponent }) => {
            let twice = BigInt::from(2 * significand + 1);
            Rational::from(twice) * power_of_two(exponent - 1)
        }
        Value::Nan | Value::Infinite | Value::Zero => Rational::zero(),
    }
}

/// The real number that an element is; `None` for NaNs and infinities, and for types that the
/// oracle does not know.
#[must_use]
pub fn value(dtype: DType, bits: u64) -> Option<Rational> {
    match Number::of(dtype)? {
        Number::Int(int) => Some(Rational::from(BigInt::from(int.value(bits)))),
        Number::Float(format) => match Value::of(format, bits) {
            Value::Nan | Value::Infinite => None,
            Value::Zero => Some(Rational::zero()),
            Value::Finite(magnitude) => {
                let significand = Rational::from(BigInt::from(magnitude.significand));
                let value = significand * power_of_two(magnitude.exponent);
                Some(if format.is_negative(bits) { -value } else { value })
            }
        },
    }
}

/// `a / b`; `None` (undefined) where `b` is 0.
#[must_use]
pub fn div(a: &Rational, b: &Rational) -> Option<Rational> {
    (!b.is_zero()).then(|| a / b)
}

/// The non-negative y with y * y = `x`; `None` (undefined) where `x` is negative.
///
/// The bounds are equal where y is rational. Elsewhere they are less than `2^-bits` of y apart. Time
/// and memory grow with `bits`.
#[must_use]
pub fn sqrt(x: &Rational, bits: u32) -> Option<Enclosure> {
    if x.is_negative() {
        return None;
    }
    if x.is_zero() {
        return Some(Enclosure::point(Rational::zero()));
    }
    // With x = n / d in lowest terms y is sqrt(n d) / d, rational only if n d is a square. The root
    // r of n d 4^k, rounded down, has more than `bits` bits, and y is between r and r + 1 divided
    // by d 2^k.
    let radicand = x.numer() * x.denom();
    let shift = (u64::from(bits) + 1).saturating_sub(radicand.bits() / 2);
    let radicand = radicand << (2 * shift);
    let root = radicand.sqrt();
    let divisor = x.denom() << shift;
    let is_square = &root * &root == radicand;
    let above = if is_square { root.clone() } else { &root + 1 };
    Some(Enclosure {
        lower: Rational::new(root, divisor.clone()),
        upper: Rational::new(above, divisor),
    })
}

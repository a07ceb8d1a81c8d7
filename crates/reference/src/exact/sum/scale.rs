//! What sums are multiplied by: factors and reciprocals of counts, and how often they make a term be rounded.

use num_bigint::BigInt;
use num_traits::Zero;
use values::float::FloatFormat;

use crate::exact::dot::NoBound;
use crate::exact::number::{Magnitude, Value, greatest, smallest_exponent};

/// A finite number that a sum or a term is multiplied by, of any format.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Factor {
    pub(super) negative: bool,
    /// Odd, or 0.
    pub(super) significand: u64,
    pub(super) exponent: i32,
}

/// What the sum of the terms is multiplied by.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Scale {
    /// This factor.
    Factor(Factor),
    /// One over this count, which is not 0.
    Divisor(u64),
}

impl Factor {
    /// One.
    pub const ONE: Self = Self { negative: false, significand: 1, exponent: 0 };

    /// The number that bits of a format say; `None` for what is no number.
    pub fn of(format: &FloatFormat, bits: u64) -> Option<Self> {
        let negative = format.is_negative(bits);
        match Value::of(format, bits) {
            Value::Nan | Value::Infinite => None,
            Value::Zero => Some(Self { negative, significand: 0, exponent: 0 }),
            Value::Finite(Magnitude { significand, exponent }) => {
                let zeros = significand.trailing_zeros();
                let (significand, exponent) = (significand >> zeros, exponent + zeros as i32);
                Some(Self { negative, significand, exponent })
            }
        }
    }

    /// Whether it is 0.
    pub const fn is_zero(&self) -> bool {
        self.significand == 0
    }

    /// Whether it is negative, a zero included.
    pub const fn is_negative(&self) -> bool {
        self.negative
    }

    /// The integer that it is, where it is one of moderate size.
    pub fn integer(&self) -> Option<BigInt> {
        if self.exponent < 0 || self.exponent > 200 {
            return self.is_zero().then(BigInt::zero);
        }
        let magnitude = BigInt::from(self.significand) << self.exponent.unsigned_abs();
        Some(if self.negative { -magnitude } else { magnitude })
    }

    const fn top(&self) -> i32 {
        self.exponent + (u64::BITS - self.significand.leading_zeros()) as i32
    }

    /// Whether the magnitude of the product by a number is at most `2^exponent`.
    pub(super) fn is_within(&self, number: Magnitude, exponent: i32) -> bool {
        let product = u128::from(self.significand) * u128::from(number.significand);
        let room = exponent - self.exponent - number.exponent;
        match u32::try_from(room) {
            Ok(room) => room >= u128::BITS || product <= 1 << room,
            // A fraction.
            Err(_) => product == 0,
        }
    }

    /// Whether the product by a number overflows.
    pub(super) fn overflows(&self, number: Magnitude, format: &FloatFormat) -> bool {
        let product = u128::from(self.significand) * u128::from(number.significand);
        let Magnitude { significand, exponent } = greatest(format);
        let threshold = u128::from(2 * significand + 1);
        let len = |number: u128| (u128::BITS - number.leading_zeros()) as i32;
        let (bits, limit) = (len(product), len(threshold));
        let above = (bits + self.exponent + number.exponent) - (limit + exponent - 1);
        match (bits - limit).unsigned_abs() {
            _ if above != 0 => above > 0,
            by if bits > limit => product >= threshold << by,
            by => product << by >= threshold,
        }
    }

    /// Roundings of a product by this factor: of the factor itself, where the format does not hold it, and of the
    /// product, unless the factor is a power of two.
    pub(super) fn roundings(&self, format: &FloatFormat) -> Result<u64, NoBound> {
        if self.is_zero() {
            return Ok(0);
        }
        let (bottom, top) = (smallest_exponent(format), greatest(format));
        let held = format.encode(self.significand, self.exponent).is_some();
        let is_normal = self.top() >= bottom + format.precision() as i32
            && self.top() < top.exponent + top.len() as i32;
        match (held, is_normal) {
            (true, _) => Ok(u64::from(self.significand != 1)),
            (false, true) => Ok(1 + u64::from(self.significand != 1)),
            (false, false) => Err(NoBound::Scale),
        }
    }
}

impl Scale {
    /// One.
    pub const ONE: Self = Self::Factor(Factor::ONE);

    /// Roundings of what is scaled.
    pub(crate) fn roundings(self, format: &FloatFormat) -> Result<u64, NoBound> {
        match self {
            Self::Factor(factor) => factor.roundings(format),
            Self::Divisor(count) => {
                let least = smallest_exponent(format) + format.precision() as i32 - 1;
                if count == 0
                    || i64::from(count.ilog2())
                        > i64::from(-least) - i64::from(!count.is_power_of_two())
                {
                    return Err(NoBound::Scale);
                }
                // One rounding for the reciprocal, one for the product, and one for a count of too many bits.
                let odd = count >> count.trailing_zeros();
                let is_held = u64::BITS - odd.leading_zeros() <= format.precision();
                Ok(if odd == 1 { 0 } else { 2 + u64::from(!is_held) })
            }
        }
    }

    pub(super) const fn is_negative(self) -> bool {
        matches!(self, Self::Factor(Factor { negative: true, .. }))
    }

    pub(super) const fn is_zero(self) -> bool {
        matches!(self, Self::Factor(Factor { significand: 0, .. }))
    }

    /// Whether a product by it is exact where nothing under- or overflows, and changes no magnitude.
    pub(super) const fn is_unit(self) -> bool {
        match self {
            Self::Factor(Factor { significand, exponent, .. }) => significand == 1 && exponent == 0,
            Self::Divisor(count) => count == 1,
        }
    }
}

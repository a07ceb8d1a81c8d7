//! Dot products: the exact sum of the products, and what may come out of a computation that rounds.
//!
//! No specification says in which order a sum is added up. What conforms is therefore every result that
//! *some* order can give, fused or not, in the format of the accumulator or in a wider one. A bound
//! from the operands contains them all; no result outside it is one of them. With n the number of
//! products that are not zero, m of them no multiples of the accumulator's smallest subnormal number
//! eta, and u = 2^-p half of the accumulator's machine epsilon, the sum computed differs from the exact
//! one by at most
//!
//! ```text
//! gamma(n) (|a1 b1| + |a2 b2| + ...) + m (1 + gamma(n)) eta / 2        gamma(n) = n u / (1 - n u)
//! ```
//!
//! (N. Higham, *Accuracy and Stability of Numerical Algorithms*, 2nd edition, SIAM 2002: lemma 3.1,
//! section 3.1 and, for every order, problem 3.11 and section 4.2; the eta is from section 2.1).
//! `docs/numerics.md` has the proof, with fused operations, overflow and zeros.
//!
//! ```
//! use onnx_conformance::float::FloatFormat;
//! use onnx_conformance::oracle::dot::DotProduct;
//!
//! // 2^24 + 1 - 2^24 is 1, but 0 in binary32 if it is added from left to right.
//! let elements = [16_777_216.0, 1.0, -16_777_216.0_f32].map(|x| u64::from(x.to_bits()));
//! let one = elements[1];
//! let format = &FloatFormat::FLOAT32;
//! let mut dot = DotProduct::new(format, format)?;
//! dot.extend(elements.map(|element| (element, one)));
//! let accumulated = dot.accumulated()?;
//! assert!(accumulated.accepts(0) && accumulated.accepts(one));
//! assert!(!accumulated.accepts(16.0_f32.to_bits().into()));
//! # Ok::<(), onnx_conformance::oracle::dot::NoBound>(())
//! ```

use std::fmt;

use num_bigint::{BigInt, BigUint, Sign};
use num_traits::One;

use super::number::{Magnitude, Value, largest, smallest_exponent};
use super::real::{Rational, power_of_two};
use super::{Conforming, Deviation, enclosed, float};
use crate::float::{Class, FloatFormat, Specials};

/// A dot product of elements of a floating-point format, as its terms are added, without any rounding.
///
/// The memory is fixed: twice 0.6 KB for binary64, less for the others.
#[derive(Clone, Debug)]
pub struct DotProduct {
    format: &'static FloatFormat,
    accumulator: &'static FloatFormat,
    /// Sums of the positive products, and of the magnitudes of the negative ones.
    sums: [FixedPoint; 2],
    /// Products that are not zero, and those of them that are no multiples of the accumulator's
    /// smallest subnormal number.
    terms: u64,
    inexact_terms: u64,
    /// Whether products of each sign are there, zeros and infinities included: positive, negative.
    signs: [bool; 2],
    infinities: [bool; 2],
    nan: bool,
}

/// Why there is no bound on what an accumulator gives.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, thiserror::Error)]
pub enum NoBound {
    /// The accumulator does not hold all numbers of the format.
    #[error("the accumulator does not hold all numbers of the elements' format")]
    NarrowAccumulator,
    /// There are 2^p products or more, p the accumulator's precision: every result can come out.
    #[error("so many terms may lose all bits of an accumulator of {precision} bits")]
    TooManyTerms {
        /// Precision of the accumulator in bits.
        precision: u32,
    },
}

/// Which partial sums may overflow in some order.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum MayOverflow {
    /// Positive ones alone, so that +infinity conforms too.
    Positive,
    /// Negative ones alone, so that -infinity conforms too.
    Negative,
    /// Both, so that both infinities and NaN conform too.
    Both,
}

/// The elements that conform for a sum of which the order is free.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Accumulated {
    format: &'static FloatFormat,
    /// The least and the greatest number that conform, as [`FloatFormat::ordinal`] counts them;
    /// `None` where no number does.
    pub numbers: Option<[i64; 2]>,
    /// Whether -0 conforms where 0 is among the numbers.
    pub negative_zero: bool,
    /// Whether +infinity conforms, and whether -infinity does; never in formats without infinities.
    pub infinities: [bool; 2],
    /// Whether NaN conforms.
    pub nan: bool,
    /// Which partial sums may overflow. The infinities and the NaN that this makes conform are among
    /// those above; the numbers are the same as without, because no overflow turns back into a number.
    pub may_overflow: Option<MayOverflow>,
}

impl DotProduct {
    /// A dot product without terms. The elements and the result are of the `format`; the result is
    /// accumulated in the format `accumulator`, or any format that holds all of its numbers.
    ///
    /// # Errors
    ///
    /// [`NoBound::NarrowAccumulator`] where the accumulator does not hold all numbers of the format.
    pub fn new(
        format: &'static FloatFormat,
        accumulator: &'static FloatFormat,
    ) -> Result<Self, NoBound> {
        let greatest = greatest(format);
        let holds_all = accumulator.precision() >= format.precision()
            && smallest_exponent(accumulator) <= smallest_exponent(format)
            && accumulator.encode(greatest.significand, greatest.exponent).is_some();
        let bits = greatest.len() + (greatest.exponent - smallest_exponent(format)).unsigned_abs();
        let sums = [FixedPoint::zero(2 * bits), FixedPoint::zero(2 * bits)];
        let new = Self {
            format,
            accumulator,
            sums,
            terms: 0,
            inexact_terms: 0,
            signs: [false; 2],
            infinities: [false; 2],
            nan: false,
        };
        holds_all.then_some(new).ok_or(NoBound::NarrowAccumulator)
    }

    /// Adds the product of two elements.
    #[inline]
    pub fn add(&mut self, a: u64, b: u64) {
        let negative = self.format.is_negative(a) != self.format.is_negative(b);
        let sign = usize::from(negative);
        self.signs[sign] = true;
        match (Value::of(self.format, a), Value::of(self.format, b)) {
            (Value::Nan, _) | (_, Value::Nan) => self.nan = true,
            (Value::Infinite, Value::Zero) | (Value::Zero, Value::Infinite) => self.nan = true,
            (Value::Infinite, _) | (_, Value::Infinite) => self.infinities[sign] = true,
            (Value::Zero, _) | (_, Value::Zero) => {}
            (Value::Finite(a), Value::Finite(b)) => {
                let product = u128::from(a.significand) * u128::from(b.significand);
                let exponent = a.exponent + b.exponent;
                let step = exponent - 2 * smallest_exponent(self.format);
                self.sums[sign].add(product, step.unsigned_abs());
                let lowest = exponent + product.trailing_zeros() as i32;
                self.terms += 1;
                self.inexact_terms += u64::from(lowest < smallest_exponent(self.accumulator));
            }
        }
    }

    /// The number of products that are not zero.
    #[must_use]
    pub const fn terms(&self) -> u64 {
        self.terms
    }

    /// The exact sum; `None` where a product is an infinity or a NaN.
    #[must_use]
    pub fn sum(&self) -> Option<Rational> {
        let [positive, negative] = self.finite()?;
        Some(
            Rational::from(BigInt::from(positive) - BigInt::from(negative))
                * power_of_two(self.exponent()),
        )
    }

    /// The exact sum of the products' magnitudes; `None` where a product is an infinity or a NaN.
    #[must_use]
    pub fn magnitudes(&self) -> Option<Rational> {
        let [positive, negative] = self.finite()?;
        Some(Rational::from(BigInt::from(positive + negative)) * power_of_two(self.exponent()))
    }

    /// How far the element `actual` is from the exact sum.
    #[must_use]
    pub fn error(&self, actual: u64) -> Deviation {
        let Some([positive, negative]) = self.finite() else {
            return Deviation::NoRealResult;
        };
        let is_negative = negative > positive;
        let magnitude = if is_negative { negative - positive } else { positive - negative };
        let exact = enclosed::ratio(&magnitude, &BigUint::one(), self.exponent().into());
        float::deviation(self.format, is_negative, &exact, actual)
    }

    /// The elements that conform: all that some order of the terms, fused or not, can give in the
    /// accumulator or in a wider one, rounded to the format in the end.
    ///
    /// An empty sum is +0. A NaN among the products, or infinities of both signs, make NaN; those of one
    /// sign make the infinity, and NaN where partial sums may overflow to the other one.
    ///
    /// # Errors
    ///
    /// [`NoBound::TooManyTerms`] where there are too many products to tell.
    pub fn accumulated(&self) -> Result<Accumulated, NoBound> {
        let mut conforming = Accumulated {
            format: self.format,
            numbers: None,
            negative_zero: self.signs[1],
            infinities: [false; 2],
            nan: false,
            may_overflow: None,
        };
        if self.nan || self.infinities == [true; 2] {
            return Ok(Accumulated { nan: true, ..conforming });
        }
        let precision = self.accumulator.precision();
        let too_many = NoBound::TooManyTerms { precision };
        let one_less = (1_u64 << precision).checked_sub(self.terms).filter(|&rest| rest > 0);
        // All in steps of 2^unit, times 1 - n u in steps of u.
        let one_less = BigUint::from(one_less.ok_or(too_many)?);
        let half_smallest = smallest_exponent(self.accumulator) - 1;
        let unit = self.exponent().min(half_smallest + precision as i32);
        let [positive, negative] =
            self.sums.each_ref().map(|sum| sum.value() << (self.exponent() - unit).unsigned_abs());
        let underflow = BigUint::from(self.inexact_terms)
            << (half_smallest + precision as i32 - unit).unsigned_abs();
        let error = BigUint::from(self.terms) * (&positive + &negative) + underflow;
        let [positive, negative] = [positive, negative].map(|sum| sum * &one_less);

        let threshold = &one_less * (overflow_threshold(self.accumulator, unit));
        let overflows = [&positive, &negative].map(|sum| sum + &error >= threshold);
        conforming.may_overflow = match overflows {
            [false, false] => None,
            [true, false] => Some(MayOverflow::Positive),
            [false, true] => Some(MayOverflow::Negative),
            [true, true] => Some(MayOverflow::Both),
        };
        match self.infinities {
            [false, false] => {
                let sum = BigInt::from(positive) - BigInt::from(negative);
                let error = BigInt::from(error);
                let bounds = [&sum - &error, sum + error];
                let bounds = bounds.map(|bound| self.rounded(&bound, &one_less, unit));
                conforming.include(bounds, overflows);
            }
            [is_positive, _] => {
                conforming.infinities = self.infinities;
                conforming.nan = overflows[usize::from(is_positive)];
            }
        }
        Ok(conforming)
    }

    /// The number of the format nearest to `numerator / denominator * 2^unit`, as an ordinal; an overflow
    /// is one above the largest number.
    fn rounded(&self, numerator: &BigInt, denominator: &BigUint, unit: i32) -> i64 {
        let exact = enclosed::ratio(numerator.magnitude(), denominator, unit.into());
        let ordinal = match exact.nearest(self.format, false) {
            Conforming::One(bits) => bits.cast_signed(),
            _ => largest(self.format).cast_signed() + 1,
        };
        if numerator.sign() == Sign::Minus { -ordinal } else { ordinal }
    }

    /// Sums of the positive and of the negative products, where all are finite.
    fn finite(&self) -> Option<[BigUint; 2]> {
        let is_finite = !self.nan && self.infinities == [false; 2];
        is_finite.then(|| self.sums.each_ref().map(FixedPoint::value))
    }

    /// Exponent of the unit of the sums: that of the smallest product.
    const fn exponent(&self) -> i32 {
        2 * smallest_exponent(self.format)
    }
}

/// Pairs of elements.
impl Extend<(u64, u64)> for DotProduct {
    fn extend<T: IntoIterator<Item = (u64, u64)>>(&mut self, pairs: T) {
        for (a, b) in pairs {
            self.add(a, b);
        }
    }
}

impl Accumulated {
    /// Whether an element with the bits `actual` conforms.
    #[must_use]
    pub fn accepts(&self, actual: u64) -> bool {
        let negative = self.format.is_negative(actual);
        match self.format.class(actual) {
            Class::Nan => self.nan,
            Class::Infinite => self.infinities[usize::from(negative)],
            Class::Zero if negative && !self.negative_zero => false,
            Class::Zero | Class::Subnormal | Class::Normal => {
                let ordinal = self.format.ordinal(actual);
                self.numbers
                    .zip(ordinal)
                    .is_some_and(|([lower, upper], ordinal)| (lower..=upper).contains(&ordinal))
            }
        }
    }

    /// Takes in the numbers between two ordinals, which may lie beyond the numbers, and what partial
    /// sums that overflow make.
    fn include(&mut self, [lower, upper]: [i64; 2], overflows: [bool; 2]) {
        let end = largest(self.format).cast_signed();
        let numbers = [lower.max(-end), upper.min(end)];
        self.numbers = (numbers[0] <= numbers[1]).then_some(numbers);
        let infinite = [overflows[0] || upper > end, overflows[1] || lower < -end];
        if matches!(self.format.specials, Specials::Ieee) {
            self.infinities = infinite;
            self.nan = overflows == [true; 2];
        } else {
            self.nan = infinite.contains(&true);
        }
    }
}

impl fmt::Display for MayOverflow {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Positive => "a partial sum may overflow to +infinity",
            Self::Negative => "a partial sum may overflow to -infinity",
            Self::Both => "partial sums may overflow to both infinities, and give NaN",
        })
    }
}

/// The sum of products of integers of `bits` bits, 64 at most, modulo `2^bits`: as two's complement
/// wraps it, whether signed or not, in every order.
pub fn wrapping(bits: u32, pairs: impl IntoIterator<Item = (u64, u64)>) -> u64 {
    let sum = pairs.into_iter().fold(0_u64, |sum, (a, b)| sum.wrapping_add(a.wrapping_mul(b)));
    sum & u64::MAX.unbounded_shr(u64::BITS.saturating_sub(bits))
}

/// The largest number of a format.
fn greatest(format: &FloatFormat) -> Magnitude {
    match Value::of(format, largest(format)) {
        Value::Finite(magnitude) => magnitude,
        Value::Nan | Value::Infinite | Value::Zero => Magnitude { significand: 0, exponent: 0 },
    }
}

/// The magnitude from which on a format overflows, in steps of `2^unit`.
fn overflow_threshold(format: &FloatFormat, unit: i32) -> BigUint {
    let Magnitude { significand, exponent } = greatest(format);
    BigUint::from(2 * significand + 1) << (exponent - 1 - unit).unsigned_abs()
}

/// A sum that is not negative, in fixed point: enough words for 2^64 products of the largest number
/// (U. Kulisch, *Computer Arithmetic and Validity*, 2nd edition, De Gruyter 2013, chapter 8).
#[derive(Clone, Debug)]
struct FixedPoint {
    words: Vec<u64>,
}

impl FixedPoint {
    /// Zero, with room for 2^64 numbers of so many bits.
    fn zero(bits: u32) -> Self {
        Self { words: vec![0; bits.div_ceil(u64::BITS) as usize + 1] }
    }

    /// Adds `product * 2^step`.
    #[inline]
    fn add(&mut self, product: u128, step: u32) {
        let bit = step % u64::BITS;
        let top = product.unbounded_shr(u128::BITS - bit) as u64;
        let low = product << bit;
        let mut parts = [low as u64, (low >> u64::BITS) as u64, top].into_iter();
        let mut carry = false;
        for word in self.words.iter_mut().skip((step / u64::BITS) as usize) {
            let part = parts.next();
            if part.is_none() && !carry {
                return;
            }
            let (sum, over) = word.overflowing_add(part.unwrap_or(0));
            let (sum, carried) = sum.overflowing_add(carry.into());
            (*word, carry) = (sum, over || carried);
        }
    }

    /// The sum as an integer.
    fn value(&self) -> BigUint {
        let halves = |word: &u64| [*word as u32, (*word >> u32::BITS) as u32];
        BigUint::new(self.words.iter().flat_map(halves).collect())
    }
}

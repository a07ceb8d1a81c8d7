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
//! gamma(n) (|a1 b1| + |a2 b2| + ...) + m (1 + gamma(n - 1)) eta / 2    gamma(n) = n u / (1 - n u)
//! ```
//!
//! and half of that where n is 1: one product in the format of the result is rounded just once, as the result. Where all
//! products are multiples of a power of two, and none of their partial sums needs more bits than the accumulator has,
//! nothing is rounded: every order gives the exact sum, which alone conforms.
//! (N. Higham, *Accuracy and Stability of Numerical Algorithms*, 2nd edition, SIAM 2002: lemma 3.1,
//! section 3.1, and section 4.2 for every order; chapter 2 for underflow).
//! `docs/numerics.md` has the proof, with fused operations, overflow and zeros.
//!
//! ```
//! use values::float::FloatFormat;
//! use onnx_conformance_reference::exact::dot::DotProduct;
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
//! # Ok::<(), onnx_conformance_reference::exact::dot::NoBound>(())
//! ```

use num_bigint::{BigInt, BigUint};

pub use super::conforming::Accumulated;
use super::enclosed::SIGNIFICAND_BITS;
use super::natural::Natural;
use super::number::{Magnitude, Value, greatest, infinity, largest, smallest_exponent};
use super::real::{Rational, fraction, product, scaled, sum};
use super::truncated::Exact;
use super::{Conforming, Deviation};
use values::float::{FloatFormat, Specials};

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
    /// The greatest exponent of a power of two that all products are multiples of.
    lowest: i32,
    /// Whether products of each sign are there, zeros and infinities included: positive, negative.
    pub(super) signs: [bool; 2],
    pub(super) infinities: [bool; 2],
    pub(super) nan: bool,
}

/// Why there is no bound on what an accumulator gives.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, thiserror::Error)]
pub enum NoBound {
    /// The accumulator does not hold all numbers of the format.
    #[error("the accumulator does not hold all numbers of the elements' format")]
    NarrowAccumulator,
    /// What the sum is multiplied by or divided by is, or its reciprocal, no normal number of the accumulator.
    #[error("the accumulator does not hold what the sum is scaled by")]
    Scale,
    /// There are 2^p products or more, p the accumulator's precision: every result can come out.
    #[error("so many terms may lose all bits of an accumulator of {precision} bits")]
    TooManyTerms {
        /// Precision of the accumulator in bits.
        precision: u32,
    },
}

impl DotProduct {
    /// A dot product without terms. The elements and the result are of the `format`; the result is
    /// accumulated in the format `accumulator`, or any format that holds all of its numbers.
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
            lowest: i32::MAX,
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
                self.lowest = self.lowest.min(lowest);
                self.inexact_terms += u64::from(lowest < smallest_exponent(self.accumulator));
            }
        }
    }

    /// The number of products that are not zero.
    pub const fn terms(&self) -> u64 {
        self.terms
    }

    /// The exact sum; `None` where a product is an infinity or a NaN.
    pub fn sum(&self) -> Option<Rational> {
        let [positive, negative] = self.finite()?;
        Some(scaled(BigInt::from(positive) - BigInt::from(negative), self.exponent()))
    }

    /// The exact sum of the products' magnitudes; `None` where a product is an infinity or a NaN.
    pub fn magnitudes(&self) -> Option<Rational> {
        let [positive, negative] = self.finite()?;
        Some(scaled((positive + negative).into(), self.exponent()))
    }

    /// The bound on the error of any order, beyond the last rounding; `None` where products are not all
    /// finite, or too many.
    pub fn bound(&self) -> Option<Rational> {
        let (n, rest) = (self.roundings(), self.rest()?);
        let gamma = fraction(n.into(), rest.into());
        let of_sum = product(&gamma, &self.magnitudes()?);
        // 1 + gamma(n - 1), of the products that may underflow.
        let factor = fraction((rest + n).into(), (rest + 1).into());
        let underflow = scaled(self.inexact_terms.into(), smallest_exponent(self.accumulator) - 1);
        let (numerator, denominator) = sum(&of_sum, &product(&factor, &underflow)).into_raw();
        Some(fraction(numerator, denominator * self.share()))
    }

    /// Whether the exact sum is negative, and its magnitude; `None` where a product is an infinity or a NaN.
    fn exact(&self) -> Option<(bool, Exact)> {
        self.is_finite().then_some(())?;
        self.difference::<u128>().or_else(|| self.difference::<BigUint>())
    }

    /// Likewise of finite products; `None` where the numbers do not fit.
    fn difference<N: Natural>(&self) -> Option<(bool, Exact)> {
        let unit = self.unit();
        let [positive, negative] = self.sums_in::<N>(unit)?;
        let exact = positive.apart(&negative)?.ratio(&N::from(1), unit, SIGNIFICAND_BITS)?;
        Some((negative > positive, exact))
    }

    /// How far the element `actual` is from the exact sum.
    pub fn error(&self, actual: u64) -> Deviation {
        self.exact().map_or(Deviation::NoRealResult, |(is_negative, exact)| {
            exact.deviation(self.format, is_negative, actual)
        })
    }

    /// What conforms: [`Self::accumulated`], and of these elements the one that is nearest to the exact sum.
    pub fn conforming(&self) -> Result<Conforming, NoBound> {
        let accumulated = self.accumulated()?;
        let nearest = match self.exact() {
            Some((is_negative, exact)) => exact.nearest(self.format, is_negative),
            None if accumulated.nan => Conforming::AnyNan(self.format),
            // An infinity: the only one that conforms.
            None => infinity(self.format, accumulated.infinities[1]),
        };
        let nearest = nearest.example().unwrap_or_default() as u64;
        Ok(Conforming::Within { accumulated, nearest })
    }

    /// The elements that conform: all that some order of the terms, fused or not, can give in the
    /// accumulator or in a wider one, rounded to the format in the end.
    ///
    /// An empty sum is +0. A NaN among the products, or infinities of both signs, make NaN; those of one
    /// sign make the infinity, and NaN where partial sums may overflow to the other one.
    pub fn accumulated(&self) -> Result<Accumulated, NoBound> {
        let mut conforming = Accumulated {
            format: self.format,
            numbers: None,
            negative_zero: self.signs[1],
            infinities: [false; 2],
            nan: false,
            may_overflow: [false; 2],
        };
        if self.nan || self.infinities == [true; 2] {
            return Ok(Accumulated { nan: true, ..conforming });
        }
        let precision = self.accumulator.precision();
        let rest = self.rest().ok_or(NoBound::TooManyTerms { precision })?;
        let within = self.within::<u128>(rest).or_else(|| self.within::<BigUint>(rest));
        #[expect(clippy::expect_used, reason = "integers of any size hold every bound")]
        let Within { may_overflow, ends } = within.expect("it fits");
        conforming.may_overflow = may_overflow;
        match self.infinities {
            [false, false] => conforming.include(ends),
            [is_positive, _] => {
                conforming.infinities = self.infinities;
                conforming.nan = may_overflow[usize::from(is_positive)];
            }
        }
        Ok(conforming)
    }

    /// What the bound says of the finite products, with so many fewer than 2^p; `None` where the numbers do
    /// not fit.
    fn within<N: Natural>(&self, rest: u64) -> Option<Within> {
        let unit = self.unit();
        let [positive, negative] = self.sums_in::<N>(unit)?;
        // With r = 2^p - n, 2^unit / (r (r + 1)) is 1 here, or 2 where the bound is halved: gamma(n) is
        // n (r + 1), and 1 + gamma(n - 1), which is 2^p / (r + 1), is 2^p r.
        let roundings = (1 << self.accumulator.precision()) - rest;
        let [rest, next] = [rest, rest + 1].map(N::from);
        let one = rest.checked_mul(&next)?.checked_mul(&N::from(self.share().into()))?;
        let gamma = next.checked_mul(&N::from(roundings))?;
        let underflow = rest
            .checked_mul(&N::from(self.inexact_terms))?
            .scaled((self.underflow_exponent() - unit).max(0).unsigned_abs())?;

        // Above 1, gamma outweighs the terms of the other sign.
        let over_one = gamma.checked_sub(&one).unwrap_or_else(|| N::from(0));
        let Magnitude { significand, exponent } = greatest(self.accumulator);
        // Half a unit above the largest number.
        let least = one.checked_mul(&N::from(2 * significand + 1))?;
        let overflows = |same: &N, other: &N| {
            let sum = N::fused(same, &one.checked_add(&gamma)?, &underflow)?;
            let sum = N::fused(other, &over_one, &sum)?;
            Some(sum.reaches(&least, (exponent - 1 - unit).unsigned_abs()))
        };
        let may_overflow = [overflows(&positive, &negative)?, overflows(&negative, &positive)?];

        let error = N::fused(&positive.checked_add(&negative)?, &gamma, &underflow)?;
        let sum = positive.apart(&negative)?.checked_mul(&one)?;
        let ordinal = |numerator: &N| self.rounded(numerator, &one, unit);
        let near = ordinal(&sum.apart(&error)?)?;
        let [near, far] =
            [if sum < error { -near } else { near }, ordinal(&sum.checked_add(&error)?)?];
        let ends = if negative > positive { [-far, -near] } else { [near, far] };
        Some(Within { may_overflow, ends })
    }

    /// The number of the format nearest to `numerator / denominator * 2^unit`, as an ordinal; an overflow
    /// is one above the largest number.
    fn rounded<N: Natural>(&self, numerator: &N, denominator: &N, unit: i32) -> Option<i64> {
        let exact = numerator.ratio(denominator, unit, self.format.precision() + 2)?;
        Some(match exact.nearest(self.format, false) {
            Conforming::One(bits) => bits.cast_signed(),
            _ => largest(self.format).cast_signed() + 1,
        })
    }

    /// What the bound is divided by. A single product is not rounded before the result is, or in an
    /// accumulator of more precision than the result's, which errs by half at most.
    fn share(&self) -> u32 {
        let is_one = self.terms == 1 && self.accumulator.precision() == self.format.precision();
        1 + u32::from(is_one)
    }

    /// Roundings that a product goes through at most, n; none where every partial sum is held.
    fn roundings(&self) -> u64 {
        if self.is_exact() { 0 } else { self.terms }
    }

    /// Whether the accumulator holds every partial sum but for overflow: all products are multiples of the smallest
    /// one's lowest bit, which the accumulator has, and their magnitudes make 2^p of these at most.
    fn is_exact(&self) -> bool {
        let most = 1 << self.accumulator.precision();
        let is_at_most = |[positive, negative]: [u128; 2]| {
            positive.checked_add(negative).is_some_and(|sum| sum <= most)
        };
        let sums = self.lowest().and_then(|lowest| self.sums_in(lowest));
        self.inexact_terms == 0 && sums.is_some_and(is_at_most)
    }

    /// The greatest exponent of a power of two that all products are multiples of; `None` where all are zero.
    pub(super) const fn lowest(&self) -> Option<i32> {
        if self.terms > 0 { Some(self.lowest) } else { None }
    }

    /// How many roundings there may be more, 2^p - n; `None` where there are too many.
    fn rest(&self) -> Option<u64> {
        let all = 1_u64 << self.accumulator.precision();
        all.checked_sub(self.roundings()).filter(|&rest| rest > 0)
    }

    /// Sums of the positive and of the negative products, where all are finite.
    fn finite(&self) -> Option<[BigUint; 2]> {
        self.is_finite().then(|| self.numbers())
    }

    /// Sums of the positive and of the negative products that are finite.
    pub(super) fn numbers(&self) -> [BigUint; 2] {
        self.sums.each_ref().map(FixedPoint::value)
    }

    /// Whether all products are finite.
    fn is_finite(&self) -> bool {
        !self.nan && self.infinities == [false; 2]
    }

    /// The sums in steps of `2^unit`, of which they are multiples.
    fn sums_in<N: Natural>(&self, unit: i32) -> Option<[N; 2]> {
        let [positive, negative] = &self.sums;
        let shift = self.exponent() - unit;
        Some([N::of_words(&positive.words, shift)?, N::of_words(&negative.words, shift)?])
    }

    /// Exponent of a unit in which everything that the bound is made of is an integer: the largest one.
    fn unit(&self) -> i32 {
        let zeros = self.sums.iter().filter_map(FixedPoint::trailing_zeros).min();
        let unit = self.exponent() + zeros.unwrap_or(0).cast_signed();
        let unit = unit.min(greatest(self.accumulator).exponent - 1);
        if self.inexact_terms > 0 { unit.min(self.underflow_exponent()) } else { unit }
    }

    /// Exponent of what a product may lose to underflow, where 1 is divided by 2^p.
    const fn underflow_exponent(&self) -> i32 {
        smallest_exponent(self.accumulator) - 1 + self.accumulator.precision() as i32
    }

    /// Exponent of the unit of the sums: that of the smallest product.
    pub(super) const fn exponent(&self) -> i32 {
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
    /// Takes in the numbers between two ordinals, which may lie beyond the numbers, and what partial
    /// sums that overflow make.
    pub(super) fn include(&mut self, [lower, upper]: [i64; 2]) {
        let overflows = self.may_overflow;
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

/// The sum of products of integers of `bits` bits, 64 at most, modulo `2^bits`: as two's complement
/// wraps it, whether signed or not, in every order.
pub fn wrapping(bits: u32, pairs: impl IntoIterator<Item = (u64, u64)>) -> u64 {
    let sum = pairs.into_iter().fold(0_u64, |sum, (a, b)| sum.wrapping_add(a.wrapping_mul(b)));
    sum & u64::MAX.unbounded_shr(u64::BITS.saturating_sub(bits))
}

/// What the bound says of sums of finite products.
#[derive(Debug, PartialEq, Eq)]
struct Within {
    may_overflow: [bool; 2],
    /// The ends of the interval, rounded, as ordinals; beyond the largest number one more.
    ends: [i64; 2],
}

/// A sum that is not negative, in fixed point: enough words for 2^64 products of the largest number
/// (U. Kulisch, *Computer Arithmetic and Validity*, 2nd edition, De Gruyter 2013).
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

    /// How many of the lowest bits are zero; `None` where all are.
    fn trailing_zeros(&self) -> Option<u32> {
        let word = self.words.iter().position(|&word| word != 0)?;
        Some(word as u32 * u64::BITS + self.words[word].trailing_zeros())
    }

    /// The sum as an integer.
    fn value(&self) -> BigUint {
        let halves = |word: &u64| [*word as u32, (*word >> u32::BITS) as u32];
        BigUint::new(self.words.iter().flat_map(halves).collect())
    }
}

#[cfg(test)]
mod tests {
    use num_traits::{One, Signed, Zero};
    use proptest::prelude::*;

    use super::super::{Ulps, enclosed, real};
    use super::*;
    use crate::exact::real::power_of_two;
    use values::dtype::DType;

    const FLOAT32: &FloatFormat = &FloatFormat::FLOAT32;
    const FLOAT64: &FloatFormat = &FloatFormat::FLOAT64;
    const FLOAT16: &FloatFormat = &FloatFormat::FLOAT16;
    const INFINITY: f32 = f32::INFINITY;

    fn bits(x: f32) -> u64 {
        x.to_bits().into()
    }

    fn dot(pairs: &[(f32, f32)]) -> DotProduct {
        let mut dot = DotProduct::new(FLOAT32, FLOAT32).unwrap();
        dot.extend(pairs.iter().map(|&(a, b)| (bits(a), bits(b))));
        dot
    }

    fn accumulated(pairs: &[(f32, f32)]) -> Accumulated {
        dot(pairs).accumulated().unwrap()
    }

    fn value(x: f32) -> Rational {
        real::value(DType::Float32, bits(x)).unwrap()
    }

    #[test]
    fn an_empty_sum_is_plus_zero_and_nothing_else() {
        let empty = accumulated(&[]);
        assert_eq!((empty.numbers, empty.negative_zero), (Some([0, 0]), false));
        assert!(empty.accepts(bits(0.0)) && !empty.accepts(bits(-0.0)) && !empty.accepts(1));
        assert_eq!(dot(&[]).error(0), Deviation::Ulps(Ulps::ZERO));
    }

    #[test]
    fn a_zero_is_negative_only_where_a_product_is() {
        let zero = accumulated(&[(1.0, 0.0), (-0.0, -2.0)]);
        assert!(zero.accepts(bits(0.0)) && !zero.accepts(bits(-0.0)) && !zero.accepts(1));
        for pairs in
            [[(-1.0, 0.0), (0.0, -2.0)], [(-1.0, 0.0), (0.0, 0.0)], [(1.0, 2.0), (-2.0, 1.0)]]
        {
            let zero = accumulated(&pairs);
            assert!(zero.accepts(bits(0.0)) && zero.accepts(bits(-0.0)), "{pairs:?}");
        }
    }

    #[test]
    fn special_values_decide_in_every_order() {
        let nan = [(f32::NAN, 1.0), (INFINITY, 0.0), (0.0, -INFINITY)];
        for product in nan {
            let dot = dot(&[(1.0, 1.0), product]);
            assert_eq!(dot.error(bits(f32::NAN)), Deviation::NoRealResult);
            assert_eq!((dot.sum(), dot.magnitudes()), (None, None));
            let accumulated = dot.accumulated().unwrap();
            assert!(accumulated.accepts(bits(f32::NAN)) && accumulated.accepts(0xffff_ffff));
            assert!(!accumulated.accepts(bits(1.0)) && !accumulated.accepts(bits(INFINITY)));
        }
        let meeting = accumulated(&[(INFINITY, 1.0), (INFINITY, -1.0)]);
        assert!(meeting.accepts(bits(f32::NAN)) && !meeting.accepts(bits(INFINITY)));
        let one_sign = accumulated(&[(INFINITY, -1.0), (-INFINITY, 2.0), (f32::MAX, -f32::MAX)]);
        assert!(one_sign.accepts(bits(-INFINITY)) && !one_sign.accepts(bits(INFINITY)));
        assert!(!one_sign.accepts(bits(f32::NAN)) && !one_sign.accepts(bits(-f32::MAX)));
        // The finite products may become +infinity before they meet -infinity.
        let overflowing = accumulated(&[(INFINITY, -1.0), (f32::MAX, f32::MAX)]);
        assert!(overflowing.accepts(bits(-INFINITY)) && overflowing.accepts(bits(f32::NAN)));
        assert!(!overflowing.accepts(bits(INFINITY)));
    }

    #[test]
    fn what_may_overflow_says_so_and_numbers_stay_within_the_bound() {
        let below = accumulated(&[(f32::MAX, 0.5), (f32::MAX, 0.25)]);
        assert_eq!((below.may_overflow, below.infinities), ([false; 2], [false; 2]));
        // MAX + MAX/2 - MAX/2, added from left to right, is +infinity.
        let halves = [(f32::MAX, 1.0), (f32::MAX, 0.5), (f32::MAX, -0.5)];
        let positive = accumulated(&halves);
        assert_eq!(positive.may_overflow, [true, false]);
        assert!(positive.accepts(bits(INFINITY)) && positive.accepts(bits(f32::MAX)));
        assert!(!positive.accepts(bits(-INFINITY)) && !positive.accepts(bits(f32::NAN)));
        assert!(!positive.accepts(bits(f32::MAX * 0.9)));
        let negative = accumulated(&halves.map(|(a, b)| (a, -b)));
        assert_eq!(negative.may_overflow, [false, true]);
        assert!(negative.accepts(bits(-INFINITY)) && !negative.accepts(bits(INFINITY)));
        let both = accumulated(&[(f32::MAX, 2.0), (f32::MAX, -2.0), (1.0, 1.0)]);
        assert_eq!(both.may_overflow, [true; 2]);
        assert!([INFINITY, -INFINITY, f32::NAN, 1.0].iter().all(|&x| both.accepts(bits(x))));
    }

    #[test]
    fn a_sum_that_no_format_number_holds_overflows_only_in_the_end_in_a_wide_accumulator() {
        let mut dot = DotProduct::new(FLOAT16, FLOAT32).unwrap();
        dot.extend([(0x7bff, 0x3c00); 2]);
        let accumulated = dot.accumulated().unwrap();
        assert_eq!((accumulated.may_overflow, accumulated.numbers), ([false; 2], None));
        assert!(accumulated.accepts(0x7c00) && !accumulated.accepts(0x7bff));
        // The format without infinities has a NaN instead.
        let mut dot = DotProduct::new(&FloatFormat::FLOAT8E4M3FN, FLOAT32).unwrap();
        dot.extend([(0x7e, 0x38); 2]);
        assert!(dot.accumulated().unwrap().accepts(0x7f));
    }

    #[test]
    fn accumulators_have_to_hold_the_format_and_the_terms() {
        let narrow = Some(NoBound::NarrowAccumulator);
        let bfloat16 = &FloatFormat::BFLOAT16;
        for (format, accumulator) in
            [(FLOAT32, FLOAT16), (bfloat16, FLOAT16), (FLOAT16, bfloat16), (FLOAT64, FLOAT32)]
        {
            assert_eq!(DotProduct::new(format, accumulator).err(), narrow);
        }
        let mut dot = DotProduct::new(bfloat16, bfloat16).unwrap();
        dot.extend([(0x3f80, 0x3f80); 255]);
        // Zeros are no terms.
        dot.extend([(0, 0x3f80); 255]);
        assert_eq!(dot.terms(), 255);
        assert!(dot.accumulated().is_ok());
        // 256 ones are added up exactly, but not with a bit below them.
        let mut ones = dot.clone();
        ones.add(0x3f80, 0x3f80);
        assert_eq!(ones.accumulated().unwrap().numbers, Some([0x4380; 2]));
        dot.add(0x3f81, 0x3f80);
        assert_eq!(dot.accumulated(), Err(NoBound::TooManyTerms { precision: 8 }));
        let words = DotProduct::new(FLOAT64, FLOAT64).unwrap().sums[0].words.len();
        assert!(words * 8 < 600, "{words}");
    }

    #[test]
    fn the_bound_is_that_of_the_formula_by_hand() {
        // 1 1 + 1 (1 + 2^-7) in bfloat16, u = 2^-8: 2.0078 +- 2.0078 (2 / 254), the spacing above 2 being 2^-6, below 2^-7.
        let format = &FloatFormat::BFLOAT16;
        let mut dot = DotProduct::new(format, format).unwrap();
        dot.extend([(0x3f80, 0x3f80), (0x3f80, 0x3f81)]);
        let accumulated = dot.accumulated().unwrap();
        assert_eq!(accumulated.numbers, Some([0x4000 - 1, 0x4000 + 2]));
        // The smallest number squared, twice: eta around next to nothing above 0.
        let mut dot = DotProduct::new(format, format).unwrap();
        dot.extend([(1, 1); 2]);
        assert_eq!(dot.accumulated().unwrap().numbers, Some([-1, 1]));
        let mut dot = DotProduct::new(format, FLOAT64).unwrap();
        dot.extend([(1, 1); 2]);
        assert_eq!(dot.accumulated().unwrap().numbers, Some([0, 0]));
    }

    #[test]
    fn a_sum_whose_partial_sums_are_all_held_conforms_alone() {
        // In bfloat16: 128 + 127 + 1 of 256, and one more, which some order rounds.
        let format = &FloatFormat::BFLOAT16;
        let bits = |number: f32| u64::from(number.to_bits() >> 16);
        let numbers = |pairs: &[(f32, f32)]| {
            let mut dot = DotProduct::new(format, format).unwrap();
            dot.extend(pairs.iter().map(|&(a, b)| (bits(a), bits(b))));
            dot.accumulated().unwrap().numbers
        };
        let ordinal = |number: f32| format.ordinal(bits(number)).unwrap();
        assert_eq!(numbers(&[(128.0, 1.0), (127.0, -1.0), (0.5, 2.0)]), Some([ordinal(2.0); 2]));
        let [low, high] = numbers(&[(128.0, 1.0), (128.0, -1.0), (0.5, 2.0)]).unwrap();
        assert!(low < ordinal(1.0) && ordinal(1.0) < high);
        // Halves of the smallest number are no multiples of it, whatever they make together.
        let eta = f32::from_bits(0x0001_0000);
        assert_eq!(numbers(&[(eta, 2.0), (eta, 1.0)]), Some([3; 2]));
        assert_eq!(numbers(&[(eta, 0.5), (eta, 0.5), (eta, 2.0)]), Some([2, 4]));
    }

    #[test]
    fn one_product_is_rounded_once_or_from_more_bits() {
        let format = &FloatFormat::BFLOAT16;
        let numbers = |a, b| {
            let mut dot = DotProduct::new(format, format).unwrap();
            dot.extend([(0, 0x3f80), (a, b)]);
            dot.accumulated().unwrap().numbers
        };
        // (1 + 11 / 128)^2 is 22.9 units above 1, (1 + 4 / 128)^2 8.1, and their product 15.3: one bit more
        // rounds it to 15.5, and then to even.
        assert_eq!(numbers(0x3f8b, 0x3f8b), Some([0x3f97, 0x3f97]));
        assert_eq!(numbers(0x3f84, 0x3f84), Some([0x3f88, 0x3f88]));
        assert_eq!(numbers(0x3f8b, 0x3f84), Some([0x3f8f, 0x3f90]));
        assert_eq!(numbers(1, 1), Some([0, 0]));
    }

    #[test]
    fn a_fused_step_may_turn_a_sum_of_both_signs_into_minus_zero() {
        // -eta + 0.75 eta = -eta / 4, which rounds to -0.
        let (eta, factor) = (f32::from_bits(1), 0.75);
        let fused = f32::mul_add(eta, factor, -eta);
        assert_eq!(fused.to_bits(), bits(-0.0) as u32);
        assert!(accumulated(&[(eta, -1.0), (eta, factor)]).accepts(bits(fused)));
    }

    #[test]
    fn a_carry_runs_through_words_of_ones() {
        let mut sum = FixedPoint::zero(320);
        sum.add(u128::MAX, 0);
        sum.add(u128::MAX, 128);
        sum.add(1, 0);
        assert_eq!(sum.value(), BigUint::one() << 256);
    }

    #[test]
    fn integers_are_summed_modulo_a_power_of_two() {
        let minus = |x: i64| x.cast_unsigned();
        assert_eq!(wrapping(8, [(200, 2), (100, 1)]), (500 % 256));
        assert_eq!(wrapping(8, [(minus(-3) & 0xff, 5)]), 241);
        assert_eq!(wrapping(64, [(u64::MAX, u64::MAX), (u64::MAX, 1)]), 0);
        assert_eq!(wrapping(32, []), 0);
        let products = [(i32::MAX, 3), (-7, i32::MIN), (11, -13)];
        let expected =
            products.iter().fold(0_i32, |sum, &(a, b)| sum.wrapping_add(i32::wrapping_mul(a, b)));
        let products = products.map(|(a, b)| (u64::from(a as u32), u64::from(b as u32)));
        assert_eq!(wrapping(32, products), u64::from(expected as u32));
    }

    /// Elements that meet: exponents close together, some of them subnormal, some huge, some zero.
    fn elements() -> impl Strategy<Value = f32> {
        let near = (any::<u32>(), 120_u32..134)
            .prop_map(|(bits, exponent)| f32::from_bits(bits & 0x807f_ffff | exponent << 23));
        let small = any::<u32>().prop_map(|bits| f32::from_bits(bits & 0x80ff_ffff));
        let any = any::<f32>().prop_filter("finite", |x| x.is_finite());
        prop_oneof![6 => near, 1 => small, 1 => any, 1 => Just(0.0), 1 => Just(-0.0)]
    }

    fn pairs() -> impl Strategy<Value = Vec<(f32, f32)>> {
        // Products of so few bits that all partial sums are held, or just not.
        let short = (-4096_i16..4096, -128_i16..128, -3_i32..1)
            .prop_map(|(a, b, low)| (f32::from(a), f32::from(b) * f32::powi(2.0, low)));
        prop_oneof![
            prop::collection::vec((elements(), elements()), 0..40),
            prop::collection::vec(short, 0..40),
        ]
    }

    /// Whether every sum of some of these is a multiple of eta and of a power of two that it has 24 bits of at most.
    fn are_held(products: &[Rational]) -> bool {
        let eta = power_of_two(-149);
        let units = (0..300).map(|by| &eta * power_of_two(by));
        let unit =
            units.take_while(|unit| products.iter().all(|it| (it / unit).is_integer())).last();
        let magnitudes: Rational = products.iter().map(Signed::abs).sum();
        unit.is_some_and(|unit| magnitudes <= unit * power_of_two(24))
    }

    /// Pairwise sums, each half in its own way.
    fn pairwise(pairs: &[(f32, f32)]) -> f32 {
        match pairs {
            [] => 0.0,
            [(a, b)] => a * b,
            [(a, b), rest @ ..] if rest.len() % 3 == 0 => f32::mul_add(*a, *b, pairwise(rest)),
            _ => {
                let (left, right) = pairs.split_at(pairs.len() / 2);
                pairwise(left) + pairwise(right)
            }
        }
    }

    #[test]
    fn any_sum_of_float16_fits_in_128_bits() {
        for pair in [(0x7bff, 0x7bff), (0x7bff, 0xfbff), (1, 1), (0x7bff, 1)] {
            let mut dot = DotProduct::new(FLOAT16, FLOAT16).unwrap();
            dot.extend(std::iter::repeat_n(pair, 1023));
            dot.extend([(0x7bff, 0x7bff), (1, 0x8001)]);
            dot.extend(std::iter::repeat_n(pair, 1022));
            assert!(dot.within::<u128>(1).is_some(), "{pair:x?}");
        }
    }

    proptest! {
        #![proptest_config(ProptestConfig::with_cases(2000))]

        #[test]
        fn numbers_of_any_size_give_what_those_of_128_bits_give(
            pairs in prop::collection::vec((any::<u64>(), any::<u64>()), 0..24),
            // Elements of which products meet, and any.
            near in any::<bool>(),
            [format, accumulator] in prop::sample::select(vec![
                [FLOAT16, FLOAT16],
                [FLOAT16, FLOAT32],
                [&FloatFormat::BFLOAT16, &FloatFormat::BFLOAT16],
                [&FloatFormat::BFLOAT16, FLOAT32],
                [&FloatFormat::FLOAT8E4M3FN, FLOAT16],
                [FLOAT32, FLOAT32],
                [FLOAT32, FLOAT64],
            ]),
        ) {
            let mut dot = DotProduct::new(format, accumulator).unwrap();
            let width = 1 << (format.exponent_bits + format.significand_bits);
            let one = (format.bias as u64) << format.significand_bits;
            let element = |bits: u64| {
                let some = if near { one + bits % (4 << format.significand_bits) } else { bits % width };
                if bits >> 63 == 1 { format.negated(some) } else { some }
            };
            dot.extend(pairs.iter().map(|&(a, b)| (element(a), element(b))));
            let rest = dot.rest().unwrap_or(1);
            let quick = dot.within::<u128>(rest);
            if quick.is_some() {
                prop_assert_eq!(quick, dot.within::<BigUint>(rest));
            } else {
                prop_assert!(!near || format.width() > 16);
            }
            // What is known to other numbers of bits is rounded and measured alike.
            if let Some((negative, quick)) = dot.difference::<u128>() {
                let (sign, exact) = dot.difference::<BigUint>().unwrap();
                prop_assert_eq!(negative, sign);
                prop_assert_eq!(quick.nearest(format, sign), exact.nearest(format, sign));
                for actual in [0, one, format.negated(one), pairs.len() as u64] {
                    let [quick, exact] =
                        [quick, exact].map(|number| number.deviation(format, sign, actual));
                    prop_assert_eq!(quick, exact);
                }
            }
        }

        #[test]
        fn every_order_fused_or_not_and_wider_conforms(
            pairs in pairs().prop_shuffle(),
        ) {
            let accumulated = accumulated(&pairs);
            let plain = pairs.iter().map(|(a, b)| a * b).fold(0.0, |sum, product| sum + product);
            let fused = pairs.iter().rfold(0.0, |sum, (a, b)| f32::mul_add(*a, *b, sum));
            let wide = pairs.iter().map(|&(a, b)| f64::from(a) * f64::from(b));
            // `sum` would start at -0.
            let wide = wide.fold(0.0, |sum, product| sum + product) as f32;
            for (name, result) in
                [("plain", plain), ("fused", fused), ("wide", wide), ("pairwise", pairwise(&pairs))]
            {
                prop_assert!(accumulated.accepts(bits(result)), "{name} {result:e} {accumulated:?}");
            }
        }

        #[test]
        fn sums_and_bounds_are_those_of_rational_numbers(pairs in pairs()) {
            let dot = dot(&pairs);
            let products: Vec<_> = pairs.iter().map(|&(a, b)| value(a) * value(b)).collect();
            let sum: Rational = products.iter().sum();
            let magnitudes: Rational = products.iter().map(Signed::abs).sum();
            prop_assert_eq!(dot.sum(), Some(sum.clone()));
            prop_assert_eq!(dot.magnitudes(), Some(magnitudes.clone()));
            let terms = products.iter().filter(|product| !product.is_zero()).count();
            prop_assert_eq!(dot.terms(), terms as u64);

            let eta = power_of_two(-149);
            let underflowing = products.iter().filter(|product| !(*product / &eta).is_integer());
            let underflowing = Rational::from(BigInt::from(underflowing.count()));
            let gamma = |terms: usize| {
                let n_u = Rational::from(BigInt::from(terms)) * power_of_two(-24);
                &n_u / (Rational::one() - &n_u)
            };
            let passed_on = Rational::one() + gamma(terms.saturating_sub(1));
            let underflow = underflowing * passed_on * eta / BigInt::from(2);
            let share = if terms == 1 { 2 } else { 1 };
            let bound = (gamma(terms) * magnitudes + underflow) / BigInt::from(share);
            let bound = if are_held(&products) { Rational::zero() } else { bound };
            prop_assert_eq!(dot.bound(), Some(bound.clone()));
            let accumulated = dot.accumulated().unwrap();
            let ends = [&sum - &bound, &sum + &bound].map(|end| {
                let nearest = enclosed::nearest(FLOAT32, |_| real::Enclosure::point(end.clone()), false);
                match nearest {
                    Conforming::One(bits) => FLOAT32.ordinal(bits).unwrap(),
                    other => panic!("{other:?}"),
                }
            });
            let end = largest(FLOAT32) as i64;
            let numbers = [ends[0].max(-end), ends[1].min(end)];
            let numbers = (numbers[0] <= numbers[1]).then_some(numbers);
            prop_assert_eq!(accumulated.numbers, numbers);
            if let Some([lower, upper]) = numbers.filter(|ends| 0 < ends[0] && ends[1] < end) {
                prop_assert!(!accumulated.accepts(lower as u64 - 1));
                prop_assert!(accumulated.accepts(lower as u64));
                prop_assert!(accumulated.accepts(upper as u64));
                prop_assert!(!accumulated.accepts(upper as u64 + 1));
            }
        }

        #[test]
        fn errors_are_measured_against_the_exact_sum(pairs in pairs(), actual in elements()) {
            let dot = dot(&pairs);
            let sum = dot.sum().unwrap();
            let real = |_| real::Enclosure::point(sum.clone());
            prop_assert_eq!(
                dot.error(bits(actual)),
                enclosed::deviation(FLOAT32, real, bits(actual))
            );
        }

        #[test]
        fn a_wide_fixed_point_sum_is_the_sum(
            terms in prop::collection::vec((any::<u64>(), any::<u64>(), 0_u32..500), 0..20),
        ) {
            let mut sum = FixedPoint::zero(640);
            let mut expected = BigUint::zero();
            for (a, b, step) in terms {
                // The carry has to run as far as it goes.
                for product in [u128::from(a) * u128::from(b), 1, (1 << 106) - 1] {
                    sum.add(product, step);
                    expected += BigUint::from(product) << step;
                }
            }
            prop_assert_eq!(sum.value(), expected);
        }
    }
}

//! Sums of elements or of products that are scaled and to which one more term is added: means, Gemm, and convolutions
//! with a bias.
//!
//! What is computed is `scale (t1 + t2 + ...) + beta c`, where the terms are elements or products of two. As for
//! [dot products](super::dot), every result conforms that some order of the operations can give, fused or not, in the
//! format of the elements or a wider one. The scale may be applied to the terms, to a factor of each product, or to
//! their sum; a mean may be divided by the count or multiplied by its rounded reciprocal. With N the number of terms
//! that are not zero, the sum's own and `beta c`, and K the most roundings that one of them goes through,
//!
//! ```text
//! K = N - 1 + 1 for a product + 1 for a scale that is no power of two + 1 for one that is rounded itself
//! B = gamma(K) (sum of the magnitudes) + (1 + gamma(K)) U eta / 2
//! ```
//!
//! where U counts the operations that may underflow, each by what its error is multiplied by later. Where no
//! order rounds anything, since the terms are multiples of a power of two and together no more than 2^p of it, K is 0.
//! `docs/numerics.md` has the proof.

mod scale;

use num_bigint::{BigInt, BigUint, Sign};
use num_traits::{One, Zero};
use values::float::FloatFormat;

use super::dot::{Accumulated, DotProduct, NoBound};
use super::number::{Magnitude, Value, greatest, infinity, largest, smallest_exponent};
use super::real::{self, Rational};
use super::truncated::Exact;
use super::{Conforming, Deviation, each_once, enclosed};
pub use scale::{Factor, Scale};

/// What the terms are.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Terms {
    /// Elements, which are not rounded before they are added.
    Elements,
    /// Products of two elements.
    Products,
}

/// A sum of terms, as they are added, without any rounding.
#[derive(Clone, Debug)]
pub struct Sum {
    format: &'static FloatFormat,
    kind: Terms,
    scale: Scale,
    terms: DotProduct,
    /// `beta c` where it is a number other than 0.
    addend: Option<(bool, Addend)>,
    /// Whether there are terms of each sign, zeros and infinities included, once they are scaled.
    signs: [bool; 2],
    infinities: [bool; 2],
    nan: bool,
    /// Operations that may underflow, in steps of `2^UNDERFLOW`.
    underflow: BigUint,
    /// Whether a scaled factor of a product may overflow, and whether one may vanish that an infinity is multiplied by.
    may_overflow: bool,
    may_vanish: bool,
}

/// The magnitude of `beta c`.
#[derive(Clone, Copy, Debug)]
struct Addend {
    significand: u128,
    exponent: i32,
    /// Roundings before it is added.
    roundings: u64,
}

/// Exponent of the steps in which underflow is counted: below every factor and every element.
const UNDERFLOW: i32 = -1100;

/// Exponent of the lowest bit of a number.
const fn low(number: Magnitude) -> i32 {
    number.exponent + number.significand.trailing_zeros() as i32
}

/// The bits of 1.
const fn one(format: &FloatFormat) -> u64 {
    (format.bias as u64) << format.significand_bits
}

impl Sum {
    /// A sum without terms, of a format that is the accumulator's too.
    pub fn new(format: &'static FloatFormat, kind: Terms, scale: Scale) -> Result<Self, NoBound> {
        scale.roundings(format)?;
        Ok(Self {
            format,
            kind,
            scale,
            terms: DotProduct::new(format, format)?,
            addend: None,
            signs: [false; 2],
            infinities: [false; 2],
            nan: false,
            underflow: BigUint::ZERO,
            may_overflow: false,
            may_vanish: false,
        })
    }

    /// Adds an element.
    pub fn add_element(&mut self, element: u64) {
        self.add(element, one(self.format));
    }

    /// Adds the product of two elements.
    pub fn add(&mut self, a: u64, b: u64) {
        let factors = [a, b].map(|bits| Value::of(self.format, bits));
        self.terms.add(a, b);
        if self.scale.is_zero() {
            self.nan |= factors.iter().any(|it| matches!(it, Value::Nan | Value::Infinite));
            return;
        }
        if let [Value::Finite(a), Value::Finite(b)] = factors {
            self.count_underflow(a, b);
        }
        // The other factor may be a zero: its product by an infinity is a NaN.
        if let (Scale::Factor(factor), false) = (self.scale, self.scale.is_unit()) {
            let overflows =
                |it: &Value| matches!(it, Value::Finite(it) if factor.overflows(*it, self.format));
            self.may_overflow |= factors.iter().any(overflows);
            if let [Value::Infinite, Value::Finite(other)]
            | [Value::Finite(other), Value::Infinite] = factors
            {
                self.may_vanish |= factor.is_within(other, smallest_exponent(self.format));
            }
        }
    }

    fn count_underflow(&mut self, a: Magnitude, b: Magnitude) {
        let eta = smallest_exponent(self.format);
        let product = low(a) + low(b);
        let mut count = |significand: u64, exponent: i32| {
            self.underflow += BigUint::from(significand) << (exponent - UNDERFLOW).unsigned_abs();
        };
        match self.scale {
            Scale::Divisor(1) => {
                if product < eta {
                    count(1, 0);
                }
            }
            Scale::Divisor(divisor) => {
                let by = divisor.trailing_zeros() as i32;
                if !divisor.is_power_of_two() || product - by < eta {
                    count(1, 0);
                }
            }
            Scale::Factor(factor) => {
                if product < eta {
                    count(factor.significand, factor.exponent);
                }
                if self.scale.is_unit() {
                    return;
                }
                for (scaled, other) in [(a, b), (b, a)] {
                    if factor.exponent + low(scaled) < eta {
                        count(other.significand, other.exponent);
                    }
                }
                if factor.exponent + product < eta {
                    count(1, 0);
                }
            }
        }
    }

    /// Adds an element times a factor, as the last term, of which there is one.
    pub fn add_scaled(&mut self, element: u64, beta: Factor) -> Result<(), NoBound> {
        let roundings = beta.roundings(self.format)?;
        let negative = self.format.is_negative(element) != beta.negative;
        let sign = usize::from(negative);
        self.signs[sign] = true;
        match Value::of(self.format, element) {
            Value::Nan => self.nan = true,
            Value::Infinite if beta.is_zero() => self.nan = true,
            Value::Infinite => self.infinities[sign] = true,
            Value::Zero => {}
            Value::Finite(_) if beta.is_zero() => {}
            Value::Finite(number) => {
                let significand = u128::from(number.significand) * u128::from(beta.significand);
                let exponent = number.exponent + beta.exponent;
                if low(number) + beta.exponent < smallest_exponent(self.format) {
                    self.underflow += BigUint::one() << UNDERFLOW.unsigned_abs();
                }
                self.addend = Some((negative, Addend { significand, exponent, roundings }));
            }
        }
        Ok(())
    }

    /// Lets a zero be negative, since the terms have a zero of that sign that an implementation may leave out.
    pub const fn allow_negative_zero(&mut self) {
        self.signs = [true, true];
    }

    /// The number of terms that are not zero.
    pub fn count(&self) -> u64 {
        self.scaled() + u64::from(self.addend.is_some())
    }

    /// The number of the sum's own terms that are not zero, once they are scaled.
    fn scaled(&self) -> u64 {
        if self.scale.is_zero() { 0 } else { self.terms.terms() }
    }

    /// Roundings that one term goes through at most, where not every partial sum is held.
    fn roundings(&self) -> u64 {
        let others = self.count().saturating_sub(1);
        let scaled = match self.scaled() {
            0 => 0,
            // What makes this an error was refused at the beginning.
            _ => {
                u64::from(self.kind == Terms::Products)
                    + self.scale.roundings(self.format).unwrap_or_default()
            }
        };
        let added = self.addend.map_or(0, |(_, addend)| addend.roundings);
        others + scaled.max(added)
    }

    /// Roundings of the scale and of what the last term is multiplied by, and by them.
    pub(crate) fn shared_roundings(&self) -> u64 {
        let scaled = self.scale.roundings(self.format).unwrap_or_default();
        scaled + self.addend.map_or(0, |(_, addend)| addend.roundings)
    }

    /// What the bound is divided by: where there is one rounding at most and no underflow, it is the last one, or in
    /// an accumulator of more precision, which errs by half at most.
    fn share(&self, parts: &Parts) -> u32 {
        let is_plain = self.count() <= 1 && self.scale.is_unit();
        1 + u32::from(parts.roundings <= 1 && (self.underflow.is_zero() || is_plain))
    }

    /// Whether nothing is rounded in any order, but for overflow: the format holds what terms are scaled by; on any way
    /// to them they are multiples of the smallest number, and of one power of two; and their magnitudes, which these
    /// sums over the scale's denominator are in steps of `2^unit`, make 2^p of that power at most.
    fn is_exact(&self, [positive, negative]: &[BigUint; 2], unit: i32) -> bool {
        let (exponent, denominator) = match self.scale {
            Scale::Factor(factor) => (factor.exponent, 1),
            Scale::Divisor(count) => (-(count.trailing_zeros() as i32), count),
        };
        let own = self.terms.lowest().filter(|_| !self.scale.is_zero()).map(|it| it + exponent);
        let added = self.addend.map(|(_, it)| it.exponent + it.significand.trailing_zeros() as i32);
        let Some(lowest) = own.into_iter().chain(added).min() else { return true };
        let room = lowest + self.format.precision() as i32 - unit;
        self.scale.roundings(self.format).is_ok_and(|roundings| roundings <= 1)
            && self.addend.is_none_or(|(_, addend)| addend.roundings <= 1)
            && self.underflow.is_zero()
            && u32::try_from(room)
                .is_ok_and(|room| positive + negative <= BigUint::from(denominator) << room)
    }

    /// Whether an infinity of each sign is a term, once it is scaled, and whether a NaN is.
    fn specials(&self) -> ([bool; 2], bool) {
        let [positive, negative] = self.terms.infinities;
        let own =
            if self.scale.is_negative() { [negative, positive] } else { [positive, negative] };
        let infinities = [0, 1].map(|sign| own[sign] || self.infinities[sign]);
        (infinities, self.nan || self.terms.nan || infinities == [true; 2])
    }

    fn has_negative_term(&self) -> bool {
        let [positive, negative] = self.terms.signs;
        let own = if self.scale.is_negative() { positive } else { negative };
        // A sum of elements is -0 only where all of them are.
        let is_plain = self.kind == Terms::Elements && self.scale.is_unit();
        (own && !(is_plain && positive)) || self.signs[1]
    }

    /// The sums of what is positive and what is negative.
    fn parts(&self) -> Parts {
        let eta = smallest_exponent(self.format);
        let (factor, denominator) = match self.scale {
            Scale::Factor(factor) => (factor, 1),
            Scale::Divisor(count) => (Factor::ONE, count),
        };
        let own = self.terms.exponent();
        let scaled = own + factor.exponent;
        let addend = self.addend.map_or(scaled, |(_, addend)| addend.exponent);
        let unit = own.min(scaled).min(addend);
        // What is counted is so seldom there that its fine steps are not always those of all.
        let unit = if self.underflow.is_zero() { unit } else { unit.min(eta - 1 + UNDERFLOW) };
        let up = |value: BigUint, exponent: i32| value << (exponent - unit).unsigned_abs();
        let numbers = self.terms.numbers();
        let raw = numbers.each_ref().map(|sum| up(sum.clone(), own));
        let mut sums = numbers.map(|sum| up(sum * factor.significand, scaled));
        let mut raw_signed = raw;
        if self.scale.is_negative() {
            sums.reverse();
            raw_signed.reverse();
        }
        if let Some((negative, addend)) = self.addend {
            sums[usize::from(negative)] +=
                up(BigUint::from(addend.significand), addend.exponent) * denominator;
        }
        let underflow = match self.underflow.is_zero() {
            true => BigUint::ZERO,
            false => up(self.underflow.clone(), eta - 1 + UNDERFLOW) * denominator,
        };
        let roundings = if self.is_exact(&sums, unit) { 0 } else { self.roundings() };
        Parts { unit, denominator, sums, raw: raw_signed, underflow, roundings }
    }

    fn is_finite(&self) -> bool {
        let (infinities, nan) = self.specials();
        !nan && infinities == [false; 2]
    }

    /// The exact sum; `None` where a term is an infinity or a NaN.
    pub fn sum(&self) -> Option<Rational> {
        self.is_finite().then(|| {
            let Parts { unit, denominator, sums: [positive, negative], .. } = self.parts();
            let sum = BigInt::from(positive) - BigInt::from(negative);
            fraction(sum, denominator.into(), unit)
        })
    }

    /// The sum of the terms' magnitudes; `None` where a term is an infinity or a NaN.
    pub fn magnitudes(&self) -> Option<Rational> {
        self.is_finite().then(|| {
            let Parts { unit, denominator, sums: [positive, negative], .. } = self.parts();
            fraction((positive + negative).into(), denominator.into(), unit)
        })
    }

    /// The bound on the error of any order, beyond the last rounding; `None` where terms are not all finite, or too
    /// many.
    pub fn bound(&self) -> Option<Rational> {
        let parts = self.parts();
        let rest = self.rest(&parts)?;
        self.is_finite().then(|| {
            let error = self.error_of(&parts);
            let denominator = BigInt::from(parts.denominator) * rest * self.share(&parts);
            fraction(error.into(), denominator, parts.unit)
        })
    }

    /// The bound times the denominator, 2^p - K and the share.
    fn error_of(&self, parts: &Parts) -> BigUint {
        // An element over a power of two is rounded once, as the result.
        if self.count() == 1 && parts.roundings == 0 && matches!(self.scale, Scale::Divisor(_)) {
            return BigUint::ZERO;
        }
        let [positive, negative] = &parts.sums;
        (positive + negative) * parts.roundings + (&parts.underflow << self.format.precision())
    }

    /// 2^p - K; `None` where it is not positive.
    fn rest(&self, parts: &Parts) -> Option<u64> {
        let all = 1_u64 << self.format.precision();
        all.checked_sub(parts.roundings).filter(|&rest| rest > 0)
    }

    /// The sign and the magnitude of the exact sum, of these parts; `None` where a term is an infinity or a NaN.
    fn exact(&self, parts: &Parts) -> Option<(bool, Exact)> {
        self.is_finite().then(|| {
            let Parts { unit, denominator, sums: [positive, negative], .. } = parts;
            let is_negative = negative > positive;
            let magnitude = if is_negative { negative - positive } else { positive - negative };
            (is_negative, enclosed::ratio(&magnitude, &(*denominator).into(), (*unit).into()))
        })
    }

    /// How far the element `actual` is from the exact sum.
    pub fn error(&self, actual: u64) -> Deviation {
        self.deviation(self.exact(&self.parts()).as_ref(), actual)
    }

    fn deviation(&self, exact: Option<&(bool, Exact)>, actual: u64) -> Deviation {
        exact.map_or(Deviation::NoRealResult, |(is_negative, exact)| {
            exact.deviation(self.format, *is_negative, actual)
        })
    }

    /// The elements that conform, and of these the one that is nearest to the exact sum.
    pub fn conforming(&self) -> Result<Conforming, NoBound> {
        self.judged([0; 2]).0
    }

    /// The same, and how far each of two elements is from the exact sum.
    pub fn judged(&self, actual: [u64; 2]) -> (Result<Conforming, NoBound>, [Deviation; 2]) {
        let parts = self.parts();
        let exact = self.exact(&parts);
        let deviations = each_once(actual, |actual| self.deviation(exact.as_ref(), actual));
        let accumulated = match self.accumulated_of(&parts) {
            Ok(accumulated) => accumulated,
            Err(why) => return (Err(why), deviations),
        };
        let nearest = match exact {
            Some((is_negative, exact)) => {
                let is_zero = exact.significand == 0;
                let is_minus = is_zero && self.has_negative_term() && self.signs_are_negative();
                exact.nearest(self.format, is_negative || is_minus)
            }
            None if accumulated.nan && accumulated.infinities == [false; 2] => {
                Conforming::AnyNan(self.format)
            }
            None => infinity(self.format, accumulated.infinities[1]),
        };
        let nearest = nearest.example().unwrap_or_default() as u64;
        (Ok(Conforming::Within { accumulated, nearest }), deviations)
    }

    /// Whether all terms have a negative sign, so that the exact sum is -0 where it is zero.
    fn signs_are_negative(&self) -> bool {
        let [positive, negative] = self.terms.signs;
        let own = if self.scale.is_negative() { negative } else { positive };
        !own && !self.signs[0]
    }

    /// The elements that conform: all that some order of the operations can give.
    pub fn accumulated(&self) -> Result<Accumulated, NoBound> {
        self.accumulated_of(&self.parts())
    }

    fn accumulated_of(&self, parts: &Parts) -> Result<Accumulated, NoBound> {
        let (infinities, nan) = self.specials();
        let mut conforming = Accumulated {
            format: self.format,
            numbers: None,
            negative_zero: self.has_negative_term(),
            infinities: [false; 2],
            nan: false,
            may_overflow: [false; 2],
        };
        if nan {
            return Ok(Accumulated { nan: true, ..conforming });
        }
        let precision = self.format.precision();
        let rest = self.rest(parts).ok_or(NoBound::TooManyTerms { precision })?;
        conforming.may_overflow = self.overflows(parts, rest);
        let vanishes = self.may_vanish || self.may_overflow_before_zero();
        match infinities {
            [false, false] => {
                let share = self.share(parts);
                let error = BigInt::from(self.error_of(parts));
                let [positive, negative] =
                    parts.sums.each_ref().map(|sum| BigInt::from(sum.clone()));
                let sum = (positive - negative) * rest * share;
                let denominator = BigUint::from(rest) * parts.denominator * share;
                let ends = [&sum - &error, sum + error];
                let ends =
                    ends.map(|end| rounded(self.format, &end, &denominator, parts.unit.into()));
                conforming.include(ends);
                conforming.nan |= vanishes;
            }
            [is_positive, _] => {
                conforming.infinities = infinities;
                conforming.nan = conforming.may_overflow[usize::from(is_positive)] || vanishes;
            }
        }
        Ok(conforming)
    }

    /// Whether partial sums may overflow that are multiplied by 0 afterwards, which makes a NaN of them.
    fn may_overflow_before_zero(&self) -> bool {
        let may_overflow = |sum: Accumulated| sum.may_overflow.contains(&true);
        self.scale.is_zero() && self.terms.accumulated().map_or(true, may_overflow)
    }

    /// Whether partial sums may overflow to each infinity, scaled or before they are.
    fn overflows(&self, parts: &Parts, rest: u64) -> [bool; 2] {
        if self.may_overflow {
            return [true; 2];
        }
        let roundings = parts.roundings;
        let over_one = roundings.saturating_sub(rest);
        let longest = parts.sums.iter().chain(&parts.raw).map(BigUint::bits).max().unwrap_or(0);
        // Three terms are at most four times the longest of them, of factors below 2^65.
        let bits =
            (longest + 65).max(parts.underflow.bits() + u64::from(self.format.precision())) + 2;
        if bits <= overflow_binade(self.format, parts.unit) {
            return [false; 2];
        }
        let threshold = overflow_threshold(self.format, parts.unit.into()) * rest;
        let underflow = &parts.underflow << self.format.precision();
        let scaled_threshold = &threshold * parts.denominator;
        let reaches = |[same, other]: [&BigUint; 2], threshold: &BigUint| {
            same * (rest + roundings) + other * over_one + &underflow >= *threshold
        };
        let ([p, n], [raw_p, raw_n]) = (parts.sums.each_ref(), parts.raw.each_ref());
        let is_scaled = !self.scale.is_unit() && !self.scale.is_zero();
        let of =
            |sums, raw| reaches(sums, &scaled_threshold) || (is_scaled && reaches(raw, &threshold));
        [of([p, n], [raw_p, raw_n]), of([n, p], [raw_n, raw_p])]
    }
}

/// Sums in steps of `2^unit`, those that are scaled over a denominator.
struct Parts {
    unit: i32,
    denominator: u64,
    /// Of the positive and of the negative terms.
    sums: [BigUint; 2],
    /// The same before they are scaled, with the signs that they have then.
    raw: [BigUint; 2],
    /// The errors of underflow, over the denominator as well.
    underflow: BigUint,
    /// Roundings that one term goes through at most.
    roundings: u64,
}

/// The number of a format nearest to `numerator / denominator * 2^unit`, as an ordinal; an overflow is one above the
/// largest number.
pub(super) fn rounded(
    format: &'static FloatFormat,
    numerator: &BigInt,
    denominator: &BigUint,
    unit: i64,
) -> i64 {
    let exact = enclosed::ratio(numerator.magnitude(), denominator, unit);
    let ordinal = match exact.nearest(format, false) {
        Conforming::One(bits) => bits.cast_signed(),
        _ => largest(format).cast_signed() + 1,
    };
    if numerator.sign() == Sign::Minus { -ordinal } else { ordinal }
}

/// The magnitude from which on a format overflows, in steps of `2^unit`.
pub(super) fn overflow_threshold(format: &FloatFormat, unit: i64) -> BigUint {
    let Magnitude { significand, exponent } = greatest(format);
    BigUint::from(2 * significand + 1) << (i64::from(exponent) - 1 - unit).unsigned_abs()
}

/// The greatest e with `2^e` at most that magnitude.
fn overflow_binade(format: &FloatFormat, unit: i32) -> u64 {
    let Magnitude { significand, exponent } = greatest(format);
    let top = (2 * significand + 1).ilog2() as i32 + exponent - 1 - unit;
    u64::try_from(top).unwrap_or(0)
}

/// `numerator / denominator * 2^unit`, the denominator being above 0.
fn fraction(numerator: BigInt, denominator: BigInt, unit: i32) -> Rational {
    let by = unit.unsigned_abs();
    match unit.is_negative() {
        true => real::fraction(numerator, denominator << by),
        false => real::fraction(numerator << by, denominator),
    }
}

#[cfg(test)]
mod tests;

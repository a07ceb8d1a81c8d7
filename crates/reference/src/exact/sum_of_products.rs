//! Sums of products of any number of elements: Einstein's summation.
//!
//! As for [dot products](super::dot), every result conforms that some order of the operations can give, in the format of
//! the elements or a wider one. Here an order may also add up elements, or products of some operands, before it multiplies them by
//! what all of them are multiplied by. With N terms that are not zero, of T factors each, and M the sum of their magnitudes,
//! the result differs from the exact sum by at most
//!
//! ```text
//! K = N - 1 + T - 1
//! B = gamma(K) M + (1 + gamma(K)) U eta / 2
//! ```
//!
//! where U has T - 1, or twice that for more than three factors, for each term of which a product of two or more factors may underflow,
//! times what its error may be multiplied by. Where no order rounds anything, K is 0. `docs/numerics.md` has the proof.

use num_bigint::{BigInt, BigUint};
use num_traits::{One, Zero};
use values::float::FloatFormat;

use super::dot::{Accumulated, NoBound};
use super::number::{Value, greatest, infinity, smallest_exponent};
use super::real::{Rational, power_of_two};
use super::sum::{overflow_threshold, rounded};
use super::truncated::Exact;
use super::{Conforming, Deviation, each_once, enclosed};

/// Factors of a term for which the bound holds.
const MOST_FACTORS: u64 = 64;

/// What may be computed of all operands but one before that one meets it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Partial {
    /// The operand that is left out.
    pub without: usize,
    /// How many products of the others may be added up.
    pub products: u64,
}

/// In which orders a sum of products may be computed.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Orders {
    /// What may be computed before all operands meet.
    pub partials: Vec<Partial>,
    /// Whether sums may be multiplied.
    pub is_factored: bool,
    /// Whether what is multiplied may be a sum, if only of one element, which may begin with +0.
    pub begins_anew: bool,
}

/// A sum of products of as many factors each, as they are added, without any rounding.
#[derive(Clone, Debug)]
pub struct SumOfProducts<'a> {
    format: &'static FloatFormat,
    orders: &'a Orders,
    /// Terms that are not zero.
    terms: u64,
    /// Sums of the positive terms, and of the magnitudes of the negative ones, in steps of `2^unit`.
    sums: [BigUint; 2],
    unit: i64,
    /// The greatest exponent of a power of two that all terms are multiples of.
    lowest: i64,
    /// What the errors of underflow are multiplied by, in halves of the smallest number.
    underflow: BigUint,
    /// Of each operand an exponent, 0 at least, so that all its elements are less than that power of two.
    tops: Vec<i64>,
    /// Whether there are terms of each sign, zeros and infinities included, and whether a factor is negative.
    signs: [bool; 2],
    has_negative_factor: bool,
    infinities: [bool; 2],
    has_zero_times_infinity: bool,
    nan: bool,
    /// Whether a product that an infinity is multiplied by may underflow.
    vanishes: bool,
}

/// The parts of a sum in steps of `2^unit`.
struct Parts {
    unit: i64,
    sums: [BigUint; 2],
    /// The errors of underflow.
    underflow: BigUint,
    /// Roundings that one term goes through at most.
    roundings: u64,
}

impl<'a> SumOfProducts<'a> {
    /// A sum without terms, of products of so many factors.
    pub fn new(format: &'static FloatFormat, factors: usize, orders: &'a Orders) -> Self {
        Self {
            format,
            orders,
            terms: 0,
            sums: [BigUint::ZERO, BigUint::ZERO],
            unit: 0,
            lowest: i64::MAX,
            underflow: BigUint::ZERO,
            tops: vec![0; factors],
            signs: [false; 2],
            has_negative_factor: false,
            infinities: [false; 2],
            has_zero_times_infinity: false,
            nan: false,
            vanishes: false,
        }
    }

    /// Adds the product of elements, one of each operand.
    pub fn add(&mut self, factors: &[u64]) {
        let (mut negative, mut is_zero, mut is_infinite) = (false, false, false);
        let mut numbers = Vec::with_capacity(factors.len());
        for (&factor, top) in factors.iter().zip(&mut self.tops) {
            negative ^= self.format.is_negative(factor);
            self.has_negative_factor |= self.format.is_negative(factor);
            match Value::of(self.format, factor) {
                Value::Nan => self.nan = true,
                Value::Infinite => is_infinite = true,
                Value::Zero => is_zero = true,
                Value::Finite(number) => {
                    *top = (*top).max(i64::from(number.exponent) + i64::from(number.len()));
                    numbers.push(number);
                }
            }
        }
        let sign = usize::from(negative);
        self.signs[sign] = true;
        let eta = i64::from(smallest_exponent(self.format));
        let tops = || numbers.iter().map(|it| i64::from(it.exponent) + i64::from(it.len()));
        match (is_infinite, is_zero) {
            (true, true) => self.has_zero_times_infinity = true,
            (true, false) => {
                self.infinities[sign] = true;
                let least = least_of_several(tops().map(|top| top - 1));
                self.vanishes |= least.is_some_and(|binade| binade <= eta);
            }
            (false, true) => {}
            (false, false) => {
                let product: BigUint =
                    numbers.iter().map(|it| BigUint::from(it.significand)).product();
                let exponent = numbers.iter().map(|it| i64::from(it.exponent)).sum();
                let low = |it: &super::number::Magnitude| {
                    i64::from(it.exponent) + i64::from(it.significand.trailing_zeros())
                };
                self.terms += 1;
                self.lowest = self.lowest.min(numbers.iter().map(low).sum());
                if least_of_several(numbers.iter().map(low)).is_some_and(|low| low < eta) {
                    let mut others: Vec<i64> = tops().map(|top| top.max(0)).collect();
                    others.sort_unstable();
                    let most: i64 = others.iter().rev().take(factors.len() - 2).sum();
                    self.underflow += self.losses() << most.unsigned_abs();
                }
                self.add_number(sign, product, exponent);
            }
        }
    }

    fn add_number(&mut self, sign: usize, number: BigUint, exponent: i64) {
        if exponent < self.unit {
            let by = (self.unit - exponent).unsigned_abs();
            self.sums.iter_mut().for_each(|sum| *sum <<= by);
            self.unit = exponent;
        }
        self.sums[sign] += number << (exponent - self.unit).unsigned_abs();
    }

    /// The number of terms that are not zero.
    pub const fn terms(&self) -> u64 {
        self.terms
    }

    fn factors(&self) -> u64 {
        self.tops.len() as u64
    }

    /// Products of a term that may underflow; with more than three factors both factors of one may have lost something.
    fn losses(&self) -> BigUint {
        let products = self.factors() - 1;
        BigUint::from(if products > 2 { 2 * products } else { products })
    }

    fn parts(&self) -> Parts {
        let half = i64::from(smallest_exponent(self.format)) - 1;
        let unit = if self.underflow.is_zero() { self.unit } else { self.unit.min(half) };
        let up = |value: &BigUint, exponent: i64| value << (exponent - unit).unsigned_abs();
        let sums = self.sums.each_ref().map(|sum| up(sum, self.unit));
        let underflow = match self.underflow.is_zero() {
            true => BigUint::ZERO,
            false => up(&self.underflow, half),
        };
        let roundings = match self.is_exact(&sums, unit) {
            true => 0,
            false => self.terms.saturating_sub(1) + self.factors() - 1,
        };
        Parts { unit, sums, underflow, roundings }
    }

    /// Whether nothing is rounded in any order, but for overflow: all terms are multiples of a power of two, and together no more than
    /// 2^p of it.
    fn is_exact(&self, [positive, negative]: &[BigUint; 2], unit: i64) -> bool {
        if self.terms == 0 {
            return true;
        }
        let room = self.lowest + i64::from(self.format.precision()) - unit;
        self.underflow.is_zero()
            && u64::try_from(room).is_ok_and(|room| positive + negative <= BigUint::one() << room)
    }

    /// 2^p - K; `None` where it is not positive, or there are more factors than the bound holds for.
    fn rest(&self, parts: &Parts) -> Option<u64> {
        let all = 1_u64 << self.format.precision();
        let is_short = self.factors() <= MOST_FACTORS;
        all.checked_sub(parts.roundings).filter(|&rest| rest > 0 && is_short)
    }

    /// What the bound is divided by: one rounding is the last one.
    fn share(&self, parts: &Parts) -> u32 {
        1 + u32::from(parts.roundings <= 1 && (self.underflow.is_zero() || self.terms <= 1))
    }

    /// The bound times 2^p - K and the share.
    fn error_of(&self, parts: &Parts) -> BigUint {
        let [positive, negative] = &parts.sums;
        (positive + negative) * parts.roundings + (&parts.underflow << self.format.precision())
    }

    fn is_finite(&self) -> bool {
        !self.nan && !self.has_zero_times_infinity && self.infinities == [false; 2]
    }

    /// The exact sum, the sum of the magnitudes, and the bound on the error of any order, beyond the last rounding; `None` where a
    /// factor is no number, terms are too many, or exponents beyond those of rational numbers of moderate size.
    pub fn numbers(&self) -> Option<[Rational; 3]> {
        let parts = self.parts();
        let rest = self.rest(&parts)?;
        let unit = i32::try_from(parts.unit).ok().filter(|_| self.is_finite())?;
        let [positive, negative] = parts.sums.each_ref().map(|sum| BigInt::from(sum.clone()));
        let bound =
            Rational::new(self.error_of(&parts).into(), BigInt::from(rest) * self.share(&parts));
        let all = [(&positive - &negative).into(), (positive + negative).into(), bound];
        Some(all.map(|number: Rational| number * power_of_two(unit)))
    }

    /// What conforms, and how far each of two elements is from the exact sum.
    pub fn judged(&self, actual: [u64; 2]) -> (Result<Conforming, NoBound>, [Deviation; 2]) {
        let parts = self.parts();
        let exact = self.is_finite().then(|| {
            let [positive, negative] = &parts.sums;
            let is_negative = negative > positive;
            let magnitude = if is_negative { negative - positive } else { positive - negative };
            (is_negative, enclosed::ratio(&magnitude, &BigUint::one(), parts.unit))
        });
        let deviations = each_once(actual, |actual| match &exact {
            Some((is_negative, exact)) => exact.deviation(self.format, *is_negative, actual),
            None => Deviation::NoRealResult,
        });
        (self.conforming(&parts, exact.as_ref()), deviations)
    }

    fn conforming(
        &self,
        parts: &Parts,
        exact: Option<&(bool, Exact)>,
    ) -> Result<Conforming, NoBound> {
        if self.nan {
            return Ok(Conforming::AnyNan(self.format));
        }
        let precision = self.format.precision();
        let rest = self.rest(parts).ok_or(NoBound::TooManyTerms { precision })?;
        let leaves = self.orders.partials.iter().any(|partial| self.may_leave(partial, rest));
        let Some((is_negative, exact)) = exact else {
            return Ok(self.of_infinities(parts, rest, leaves));
        };
        let mut accumulated = Accumulated {
            format: self.format,
            numbers: None,
            negative_zero: self.has_negative_term(),
            infinities: [false; 2],
            nan: false,
            may_overflow: self.overflows(parts, rest),
        };
        if leaves {
            accumulated.may_overflow = [true; 2];
        }
        let share = self.share(parts);
        let error = BigInt::from(self.error_of(parts));
        let [positive, negative] = parts.sums.each_ref().map(|sum| BigInt::from(sum.clone()));
        let sum = (positive - negative) * rest * share;
        let denominator = BigUint::from(rest) * share;
        let ends = [&sum - &error, sum + error];
        accumulated.include(ends.map(|end| rounded(self.format, &end, &denominator, parts.unit)));
        let is_minus = exact.significand == 0 && self.signs == [false, true];
        let nearest = exact.nearest(self.format, *is_negative || is_minus);
        let nearest = nearest.example().unwrap_or_default() as u64;
        Ok(Conforming::Within { accumulated, nearest })
    }

    /// What conforms where a factor is an infinity, so that no number comes out.
    fn of_infinities(&self, parts: &Parts, rest: u64, leaves: bool) -> Conforming {
        let nan = Conforming::AnyNan(self.format);
        let infinities = [false, true].map(|negative| infinity(self.format, negative));
        let all = match (self.has_zero_times_infinity, self.infinities) {
            (false, [true, false] | [false, true]) => {
                let negative = usize::from(self.infinities[1]);
                let opposite = self.overflows(parts, rest)[1 - negative];
                let [plus, minus] = infinities;
                let own = if negative == 0 { plus } else { minus };
                if opposite || leaves || self.vanishes { vec![own, nan] } else { vec![own] }
            }
            // What is added first may leave one infinity alone, or no zero.
            _ if self.orders.is_factored => [nan].into_iter().chain(infinities).collect(),
            _ => vec![nan],
        };
        Conforming::one_of(all).unwrap_or(Conforming::AnyNan(self.format))
    }

    /// Whether a zero may be negative. A sum of elements is -0 only where all of them are, and a factor that is a sum may begin
    /// with +0, which a negative number turns round.
    fn has_negative_term(&self) -> bool {
        let is_plain = self.tops.len() == 1;
        self.signs[1] && !(is_plain && self.signs[0])
            || (self.orders.begins_anew && self.has_negative_factor)
    }

    /// Whether sums of all terms may overflow to each infinity.
    fn overflows(&self, parts: &Parts, rest: u64) -> [bool; 2] {
        let over_one = parts.roundings.saturating_sub(rest);
        let threshold = overflow_threshold(self.format, parts.unit) * rest;
        let underflow = &parts.underflow << self.format.precision();
        let reaches = |same: &BigUint, other: &BigUint| {
            same * (rest + parts.roundings) + other * over_one + &underflow >= threshold
        };
        let [positive, negative] = &parts.sums;
        [reaches(positive, negative), reaches(negative, positive)]
    }

    /// Whether something that is computed of all operands but one may overflow.
    fn may_leave(&self, partial: &Partial, rest: u64) -> bool {
        let others = self.tops.iter().enumerate().filter(|(at, _)| *at != partial.without);
        let product: i64 = others.map(|(_, top)| top).sum();
        // What roundings make of a number is 2^p / (2^p - K) of it at most.
        let rounded = self.format.precision() - rest.ilog2();
        let sums = u64::BITS - partial.products.saturating_sub(1).leading_zeros();
        let greatest = greatest(self.format);
        let binade = i64::from(greatest.exponent) + i64::from(greatest.len()) - 1;
        product + i64::from(rounded) + i64::from(sums) + 1 > binade
    }
}

/// The least sum of two of these numbers or more; `None` of fewer.
fn least_of_several(numbers: impl Iterator<Item = i64>) -> Option<i64> {
    let mut all: Vec<i64> = numbers.collect();
    all.sort_unstable();
    let (pair, others) = all.split_first_chunk::<2>()?;
    Some(pair[0] + pair[1] + others.iter().filter(|it| **it < 0).sum::<i64>())
}

#[cfg(test)]
mod tests;

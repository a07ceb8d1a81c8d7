//! The exponential function and the natural logarithm of intervals, and what both make of small numbers.
//!
//! Of a number each is computed in integers, in steps of a power of two, with everything rounded down. What that lacks is at
//! most a number of steps that is stated with the computation, and is added to make the upper end. Of an interval
//! the function of its lower end is computed, and the rest bounded by the derivative: e^(x + w) is at most
//! e^x (1 + 2w) for w up to 1, and ln(x + w) at most ln x + w / x.
//!
//! Results are known to the interval's precision less a few bits, relatively, wherever the interval is a number:
//! also those of e^x - 1 and ln(1 + x) for small x, and of ln x next to 1. Below 2^-p, p being the precision, that is not computed
//! but bounded by the first terms of the series. `docs/numerics.md` has the proofs.

use std::cmp::Ordering;
use std::sync::LazyLock;

use super::Interval;
use super::integer::Integer;
use crate::exact::exponential;

/// |x| from which e^x is not enclosed: 2^40. Its exponent would still be one of an interval.
const LARGEST_BINADE: i64 = 40;

/// Bounds on ln 2 in steps of 2^-bits.
fn ln_2(bits: u64) -> [Integer; 2] {
    /// Bits that need no memory.
    const SHORT: u64 = 320;
    static SHORT_LN_2: LazyLock<[Integer; 2]> =
        LazyLock::new(|| exponential::ln_2(SHORT).map(Integer::from));
    match (SHORT.checked_sub(bits), &*SHORT_LN_2) {
        (Some(surplus), [low, high]) => [low >> surplus, (high >> surplus) + Integer::ONE],
        (None, _) => exponential::ln_2(bits).map(Integer::from),
    }
}

impl Interval {
    /// e to the power of the numbers; `None` where these reach 2^40. Numbers below -2^40 have a power between 0
    /// and 2^-2^40.
    pub fn exp(&self) -> Option<Self> {
        let outlying = |end: &Self| end.binade().is_some_and(|binade| binade >= LARGEST_BINADE);
        let [lower, upper] = [self.lower(), self.upper()];
        if outlying(&upper) && upper.is_positive() {
            return None;
        }
        if outlying(&lower) {
            let above = if outlying(&upper) {
                Self::power_of_two(-1 << 40, self.precision)
            } else {
                upper.exp()?
            };
            return Some(Self::integer(0, self.precision).hull(&above));
        }
        let power = lower.power();
        if self.is_point() {
            return Some(power);
        }
        let width = (&upper - &lower).upper();
        if width.binade().is_none_or(|binade| binade < 0) {
            let growth = Self::integer(1, self.precision)
                .hull(&(Self::integer(1, self.precision) + width.scaled(1)));
            return Some(power * growth);
        }
        Some(power.hull(&upper.power()))
    }

    /// The natural logarithms of the numbers; `None` unless all are positive.
    pub fn ln(&self) -> Option<Self> {
        if !self.is_positive() {
            return None;
        }
        let logarithm = self.lower().logarithm();
        if self.is_point() {
            return Some(logarithm);
        }
        let width = (self.upper() - self.lower()).divided_by(&self.lower())?;
        let zero = Self::integer(0, self.precision);
        Some(logarithm + zero.hull(&width.upper()))
    }

    /// The numbers to powers that are above 0; `None` unless these are, and all numbers above 0 or all 0.
    pub(crate) fn raised(&self, exponent: &Self) -> Option<Self> {
        if !exponent.is_positive() || self.is_zero() {
            return exponent.is_positive().then(|| self.clone());
        }
        // Few factors and roots of these have a result that is exact where it can be.
        for roots in 0..3 {
            if let Some(factors) = exponent.clone().scaled(roots).factors() {
                let power = (1..factors).fold(self.clone(), |power, _| &power * self);
                return (0..roots).try_fold(power, |power, _| power.sqrt());
            }
        }
        (exponent * &self.ln()?).exp()
    }

    /// The numbers as how many factors a power has, where they are one integer and few: up to 64.
    pub(crate) fn factors(&self) -> Option<u32> {
        let [factors, most] = self.integers();
        let factors = u32::try_from(factors).ok().filter(|factors| *factors <= 64)?;
        (self.is_point() && most == factors.into()).then_some(factors)
    }

    /// The root of this degree, where it is a number of up to 64 bits in this enclosure of it.
    pub(crate) fn exact_root(&self, degree: u32, enclosure: &Self) -> Option<Self> {
        const BITS: u64 = 64;
        let (significand, exponent) = enclosure.upper().lower_end();
        let surplus = significand.bits().saturating_sub(BITS);
        let root = Self::new(significand >> surplus, exponent + surplus as i64, self.precision);
        let power = (1..degree).fold(root.clone(), |power, _| &power * &root);
        (self.is_point() && power.compare(self) == Some(Ordering::Equal)).then_some(root)
    }

    /// e to the power of the numbers, less 1; `None` as for [`Self::exp`].
    pub fn exp_minus_1(&self) -> Option<Self> {
        let Some(binade) = self.binade() else { return Some(self.clone()) };
        let one = Self::integer(1, self.precision);
        if binade < -i64::from(self.precision) {
            // x + x^2 / 2 + ... is between x and x + x^2.
            return Some(self.hull(&(self + &self.square())));
        }
        let precision = self.finer_for(binade);
        let power = self.clone().with_precision(precision).exp()?;
        Some((power - one.with_precision(precision)).with_precision(self.precision).rounded())
    }

    /// The natural logarithms of the numbers and 1; `None` unless all are above -1.
    pub fn ln_1_plus(&self) -> Option<Self> {
        let Some(binade) = self.binade() else { return Some(self.clone()) };
        let one = Self::integer(1, self.precision);
        if binade < -i64::from(self.precision) {
            // x - x^2 / 2 + ... is between x - x^2 and x.
            return Some(self.hull(&(self - &self.square())));
        }
        let precision = self.finer_for(binade);
        let more = one.with_precision(precision) + self.clone().with_precision(precision);
        Some(more.ln()?.with_precision(self.precision).rounded())
    }

    /// The precision in which a number of a binade, added to 1, keeps as many bits as it has.
    pub(crate) fn finer_for(&self, binade: i64) -> u32 {
        let lost = u32::try_from(-binade).unwrap_or(0);
        self.precision.saturating_add(lost).saturating_add(8)
    }

    /// e to the power of the lower end, which is less than 2^40 in magnitude.
    ///
    /// x is k ln 2 + r with 0.01 < r < 0.705, and e^r is the 2^j-th power of e^t with t = r / 2^j, whose series is
    /// summed. Everything is rounded down, in steps of 2^-s. r is too small by less than 4 steps, and t by less than 4
    /// too. A term lacks one step and half of what the one before lacks, so less than 2; n terms lack
    /// less than 2n, the rest of the series, once a term is 0, is less than 6, and e^t less than 8 for t: together less than
    /// 2n + 14. Each of j squarings of y lacks 2y times as much as before and one step: the products of all 2y are
    /// at most 2^j e^0.705, so that e^r lacks less than 2^j (5n + 64) steps.
    fn power(&self) -> Self {
        let Some(binade) = self.binade() else { return Self::integer(1, self.precision) };
        let magnitude = u64::try_from(binade + 1).unwrap_or(0);
        // x / ln 2 - 1/64, rounded down, but for less than 2^-50.
        let bits = 64 + magnitude;
        let [ln, _] = ln_2(bits);
        let rough = (in_steps(&self.lower, self.exponent, bits) << 6) - &ln;
        let binades = rough.floor_quotient(0, &(ln << 6));
        let halvings = u64::from(self.precision.isqrt() / 2 + 1);
        let precision = u64::from(self.precision);
        let steps = precision + halvings + 24 + (64 - precision.leading_zeros() as u64);
        let more = magnitude + 2;
        let [low, high] = ln_2(steps + more).map(|ln| (ln * &binades) >> more);
        let multiple = low.max(high) + Integer::ONE;
        let rest = in_steps(&self.lower, self.exponent, steps) - multiple;
        let part = rest >> halvings;
        let (mut power, mut term, mut terms) = (Integer::ZERO, Integer::ONE << steps, 0_u32);
        while term.is_positive() {
            power += &term;
            terms += 1;
            term = ((term * &part) >> steps) / terms;
        }
        for _ in 0..halvings {
            power = (&power * &power) >> steps;
        }
        let upper = &power + &(Integer::from(5 * terms + 64) << halvings);
        let scale = i64::try_from(binades.big()).unwrap_or_default();
        Self { lower: power, upper, exponent: scale - steps as i64, ..*self }.rounded()
    }

    /// The natural logarithm of the lower end, which is positive.
    ///
    /// It is 2^k m with 0.75 <= m < 1.5, and ln m = 2 artanh z for z = (m - 1) / (m + 1), where |z| is at most 1/5. The series of artanh
    /// is summed in steps of 2^-s, everything rounded down in magnitude. z lacks one step and z^2 less than 2. A power of z lacks
    /// 1/25 of what the one before lacks, less than half a step for z^2 and one step, so less than 2; a term less than
    /// 3, and all that follow once a power is 0 less than 4. So ln m lacks less than 6n + 8 steps with n terms.
    /// It is at least half of |m - 1|, for which s is as much larger; for k = 0 it is the result, and else that is at least 0.28.
    fn logarithm(&self) -> Self {
        let number = &self.lower;
        let bits = number.bits();
        // Whether it is 1.5 times its power of two or more.
        let is_upper_half = bits > 1 && (number >> (bits - 2)).low_bits() == 0b11;
        let unit = bits - 1 + u64::from(is_upper_half);
        let binades = unit as i64 + self.exponent;
        let one = Integer::ONE << unit;
        let (less, more) = (number - &one, number + &one);
        let is_negative = less.is_negative();
        if less.is_zero() && binades == 0 {
            return Self::integer(0, self.precision);
        }
        let lost = if binades == 0 { unit + 1 - less.bits() } else { 0 };
        let steps = u64::from(self.precision) + lost + 24;
        let part = less.abs().floor_quotient(steps, &more);
        let square = (&part * &part) >> steps;
        let (mut sum, mut power, mut terms) = (Integer::ZERO, part, 0_u32);
        while power.is_positive() {
            sum += &(&power / (2 * terms + 1));
            terms += 1;
            power = (power * &square) >> steps;
        }
        let lower = sum << 1;
        let upper = &lower + &Integer::from(6 * terms + 8);
        let (lower, upper) = if is_negative { (-upper, -lower) } else { (lower, upper) };
        let more = 64 - u64::from(binades.unsigned_abs().leading_zeros());
        let [low, high] = if binades == 0 {
            [Integer::ZERO, Integer::ZERO]
        } else {
            ln_2(steps + more).map(|ln| ln * Integer::from(binades))
        };
        let (low, high) = if low <= high { (low, high) } else { (high, low) };
        let [low, high] = [low >> more, (high >> more) + Integer::from(i32::from(binades != 0))];
        let exponent = -(steps as i64);
        Self { lower: lower + low, upper: upper + high, exponent, ..*self }.rounded()
    }
}

/// `number * 2^exponent` in steps of `2^-steps`, rounded down.
pub(super) fn in_steps(number: &Integer, exponent: i64, steps: u64) -> Integer {
    let shift = exponent.saturating_add_unsigned(steps);
    let by = shift.unsigned_abs();
    if shift >= 0 { number << by } else { number >> by }
}

#[cfg(test)]
mod tests;

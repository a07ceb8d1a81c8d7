//! The error function and its complement.
//!
//! Where e^(-x^2) counts, erf x is a multiple of e^(-x^2) and a series of positive terms. The complement for x >= 4 is a
//! continued fraction whose tails lie between bounds that are proved.
//!
//! Whether erf x is irrational for every rational x but 0 is not known. Its quotient by 2 / sqrt(pi) is transcendental
//! (C. L. Siegel, *Ueber einige Anwendungen diophantischer Approximationen*, 1929, and A. B. Shidlovskii, for this
//! function as one of Siegel's E-functions), but the product might be rational. So what asks for
//! bits of it has to set an end to asking.

use super::Interval;
use crate::exact::interval::functions::in_steps;
use crate::exact::interval::integer::Integer;

/// Bits beyond those asked for, for the rounding of some hundred steps.
const GUARD: u32 = 40;

/// The binade of the operand from which the complement is a continued fraction: |x| >= 4.
const BINADE_OF_FRACTION: i64 = 2;

/// The most steps of the continued fraction: those of some thousand bits at 4.
const LONGEST_FRACTION: u32 = 1 << 16;

impl Interval {
    /// The error functions of the numbers, which are to be all of one sign, or 0.
    pub fn erf(&self) -> Self {
        if self.is_zero() {
            return Self::integer(0, self.precision);
        }
        if self.is_negative() {
            return -(-self).erf();
        }
        let one = Self::integer(1, self.precision);
        if !self.is_positive() {
            return one.hull(&-&one);
        }
        // 0 < erfc x < e^(-x^2) < 2^(-x^2), which is below a step where the least x^2 is the precision or more.
        let (precision, square) = (self.precision, self.lower().square().binade());
        if square.is_some_and(|binade| binade > i64::from(precision.ilog2())) {
            return one.hull(&(&one - &Self::power_of_two(-i64::from(precision), precision)));
        }
        // Pi is not 0, so there is a quotient by its root.
        let value = self.by_series().unwrap_or_else(|| one.hull(&-&one));
        value.with_precision(precision).rounded()
    }

    /// The complements of the error functions of positive numbers, 1 - erf x, each known to about as many bits as the
    /// precision has; `None` for numbers that are not positive, or above 2^15.
    pub fn erfc(&self) -> Option<Self> {
        let binade = self.binade()?;
        if !self.is_positive() || binade >= 15 {
            return None;
        }
        if self.lower().binade()? >= BINADE_OF_FRACTION {
            return self.by_continued_fraction();
        }
        // erfc 8 > 2^-96: so many bits cancel out at most, as the upper end may be in the next binade.
        let precision = self.precision.saturating_add(100);
        let fine = self.clone().with_precision(precision).erf();
        Some((Self::integer(1, precision) - fine).with_precision(self.precision).rounded())
    }

    /// 2x / sqrt(pi) e^(-x^2) S with S the sum of all T_n = (2 x^2)^n / (1 3 5 ... (2n + 1)), for positive x (Abramowitz and
    /// Stegun, 7.1.6).
    ///
    /// Of the lower end S is summed in steps of 2^-s, everything rounded down. Each term is the one before times r_n = 2 x^2 / (2n + 1). It lacks what
    /// the one before lacks times r_n, and less than 2 + S / 3 < 3 S steps: as r_n falls, and no product of following ones is more than the
    /// first as many, which are a T and so at most S, the n-th lacks less than 3n S^2 steps. The first of which
    /// nothing is left is no more, and no more than twice of it follows once r_n is at most 1/2. With N terms S lacks less than 8 N^2 S^2 steps,
    /// and it is less than e^(x^2) < 2^(3/2 x^2), as 1 3 5 ... (2n + 1) is at least 2^n n!.
    ///
    /// The function grows by less than 5/4 e^(-x^2) times what its operand grows by.
    fn by_series(&self) -> Option<Self> {
        let lower = self.lower();
        let [_, most] = lower.square().integers();
        let most = u32::try_from(most).ok()?;
        let growth = most.checked_mul(3)?;
        let precision = self.precision.saturating_add(GUARD);
        let steps = u64::from(precision) + u64::from(growth);
        let doubled_square = (&lower.lower * &lower.lower) << 1;
        let doubled_square = in_steps(&doubled_square, lower.exponent.saturating_mul(2), steps);
        let (mut term, mut sum, mut terms) = (Integer::ONE << steps, Integer::ZERO, 0_u32);
        while term.is_positive() || 2 * terms + 1 < most.saturating_mul(4) {
            sum += &term;
            terms += 1;
            term = ((term * &doubled_square) >> steps) / (2 * terms + 1);
        }
        let lacking = Integer::from(8 * u64::from(terms) * u64::from(terms)) << growth.into();
        let exponent = i64::try_from(steps).ok()?;
        let upper = &sum + &lacking;
        let sum = Self { lower: sum, upper, exponent: -exponent, precision }.rounded();
        let x = lower.with_precision(precision);
        let power = (-x.square()).exp()?;
        let value = &(&sum * &power) * &x.scaled(1);
        let value = value.divided_by(&Self::pi(precision).sqrt()?)?;
        if self.is_point() {
            return Some(value);
        }
        let width = (self.upper() - self.lower()).upper().with_precision(precision);
        let most = width * power.upper() * Self::integer(5, precision).scaled(-2);
        Some(value + Self::integer(0, precision).hull(&most.upper()))
    }

    /// e^(-x^2) / (sqrt(pi) T_1), with T_n = x + (n/2) / T_(n + 1), for x >= 4.
    ///
    /// With i^n erfc the iterated integrals of erfc, and T_n = i^(n - 2) erfc x / (2 i^(n - 1) erfc x), this is the recurrence
    /// 2n i^n erfc x = i^(n - 2) erfc x - 2x i^(n - 1) erfc x (Abramowitz and Stegun, *Handbook of Mathematical
    /// Functions*, 7.2.5), and T_1 its i^(-1) erfc x = 2 / sqrt(pi) e^(-x^2) (7.2.2). All integrals are positive, so every T is, and
    /// x < T_n < x + n / (2x). The bounds of one T become bounds of the first, however far it is: the farther, the closer.
    fn by_continued_fraction(&self) -> Option<Self> {
        let bits = self.precision.saturating_add(GUARD);
        // An error in x^2 is one of the power, relatively: so many more bits as x^2 has before its point.
        let precision = bits.saturating_add(2 * (u32::try_from(self.binade()?).ok()? + 1));
        let x = self.clone().with_precision(precision);
        let mut tail = tail(&x, 16)?;
        let mut steps = 32;
        while steps <= LONGEST_FRACTION && !is_known(&tail, bits - GUARD / 2) {
            let next = self::tail(&x, steps)?;
            // Of an operand that is an interval nothing makes it closer.
            if steps > 64 && next.contains(&tail) {
                break;
            }
            tail = next;
            steps *= 2;
        }
        let power = (-x.square()).exp()?;
        let fraction = power.divided_by(&(Self::pi(precision).sqrt()? * tail))?;
        Some(fraction.with_precision(self.precision).rounded())
    }
}

/// T_1, from the bounds of the T of another place.
fn tail(x: &Interval, steps: u32) -> Option<Interval> {
    let half = |n: u32| Interval::integer(n.into(), x.precision).scaled(-1);
    let mut tail = x.hull(&(x + &half(steps).divided_by(x)?));
    for n in (1..steps).rev() {
        tail = x + &half(n).divided_by(&tail)?;
    }
    Some(tail)
}

/// Whether so many bits of a positive number are known.
fn is_known(number: &Interval, bits: u32) -> bool {
    let width = (&number.upper() - &number.lower()).binade();
    let leading = number.lower().binade();
    width.zip(leading).is_none_or(|(width, leading)| leading - width > i64::from(bits))
}

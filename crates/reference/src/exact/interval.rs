//! Interval arithmetic on binary fractions of any size.
//!
//! An [`Interval`] is two numbers with a real one between them, or a set of real ones. Whatever is computed from intervals
//! encloses everything that is computed from numbers in them: ends are rounded outwards, to the interval's precision
//! (R. Moore, R. Kearfott, M. Cloud, *Introduction to Interval Analysis*, SIAM 2009, chapters 2 and 3). What
//! does not decide with one precision is computed again with twice of it, as [`super::enclosed`] has it.
//!
//! Both ends are integers in steps of the same power of two, so the precision is that of the end that is farther from zero.
//!
//! ```
//! use onnx_conformance_reference::exact::interval::Interval;
//!
//! let two = Interval::integer(2, 64);
//! let root = two.sqrt().unwrap();
//! assert!((&root * &root).contains(&two) && !root.is_point());
//! ```

mod integer;
mod nearby;
mod points;

use std::borrow::Cow;
use std::cmp::Ordering;
use std::ops::{Add, Mul, Neg, Sub};

use num_bigint::BigInt;

use self::integer::Integer;
use super::enclosed::{self, Bounds, SIGNIFICAND_BITS};
use super::number::{Magnitude, Value};
use super::real::{self, Enclosure, Rational};
use super::truncated::Exact;
use values::float::FloatFormat;

/// Two binary fractions, and all that lies between them.
#[derive(Clone, Debug)]
pub struct Interval {
    /// At most the numbers, in steps of `2^exponent`.
    lower: Integer,
    /// At least the numbers, in the same steps.
    upper: Integer,
    exponent: i64,
    /// The bits that are kept of results.
    precision: u32,
}

impl Interval {
    /// The number `significand * 2^exponent`, exactly, for results of `precision` bits.
    pub fn new(significand: impl Into<BigInt>, exponent: i64, precision: u32) -> Self {
        let lower = Integer::from(significand.into());
        Self { upper: lower.clone(), lower, exponent, precision }
    }

    /// The number `number * 2^exponent`, exactly.
    fn point(number: Integer, exponent: i64, precision: u32) -> Self {
        Self { upper: number.clone(), lower: number, exponent, precision }
    }

    /// An integer, exactly.
    pub fn integer(number: i64, precision: u32) -> Self {
        Self::point(number.into(), 0, precision)
    }

    /// `2^exponent`, exactly.
    pub fn power_of_two(exponent: i64, precision: u32) -> Self {
        Self::point(Integer::ONE, exponent, precision)
    }

    /// The number that an element is, exactly; `None` for a NaN and an infinity.
    pub fn of_element(format: &FloatFormat, bits: u64, precision: u32) -> Option<Self> {
        match Value::of(format, bits) {
            Value::Nan | Value::Infinite => None,
            Value::Zero => Some(Self::integer(0, precision)),
            Value::Finite(Magnitude { significand, exponent }) => {
                let magnitude = Integer::from(significand);
                let number = if format.is_negative(bits) { -magnitude } else { magnitude };
                Some(Self::point(number, exponent.into(), precision))
            }
        }
    }

    /// A rational number, as closely as the precision allows.
    pub fn rational(number: &Rational, precision: u32) -> Self {
        let [numerator, denominator] = [number.numer(), number.denom()]
            .map(|integer| Self::new(integer.clone(), 0, precision));
        // A denominator is not 0.
        numerator.divided_by(&denominator).unwrap_or(numerator)
    }

    /// The numbers between the lower end of one interval and the upper end of another, or the same the other way
    /// round: the least interval that holds both.
    pub fn hull(&self, other: &Self) -> Self {
        let (a, b) = aligned(self, other);
        let lower = a.lower.min(b.lower);
        Self { lower, upper: a.upper.max(b.upper), ..a }.rounded()
    }

    /// The numbers that differ by at most `margin` from one of these.
    pub fn widened(&self, margin: &Self) -> Self {
        let (a, b) = aligned(self, &margin.abs());
        Self { lower: a.lower - &b.upper, upper: a.upper + &b.upper, ..a }.rounded()
    }

    /// The numbers, with those that differ from the lower end, or from the upper one, by at most `share * 2^-by` of it, which is
    /// less than all of it, and `2^more`, for the ends that are named; and by no more than the nearest number of `held` does,
    /// a precision and the exponent of the smallest number, and a 256th of that.
    pub(crate) fn loosened(
        self,
        ends: [bool; 2],
        (share, by): (u64, u64),
        more: Option<i64>,
        held: (u32, i64),
    ) -> Self {
        if ends == [false; 2] {
            return self;
        }
        // Steps so small that rounding a margin to them is nothing; of an end far below the rest, so is rounding that.
        let precision = i64::from(self.precision);
        let finer =
            u64::from(self.precision).saturating_sub(self.lower.bits().max(self.upper.bits()));
        let finest = self.exponent.saturating_sub_unsigned(finer);
        let exponent = match more {
            // Zero has no size that the power could be far below.
            Some(power) if self.is_zero() => power,
            Some(power) => finest.max(power.saturating_sub(2 * precision)),
            None => finest,
        };
        let InSteps { lower, upper, .. } = self.in_steps(exponent);
        let more = more.map_or(Integer::ZERO, |power| {
            Integer::ONE << u64::try_from(power.saturating_sub(exponent)).unwrap_or(0)
        });
        let margin = |end: &Integer, is_named: bool| match is_named {
            true => {
                let margin = (&Integer::from(share) * &end.abs()).shifted_up(by) + &more;
                distance(&end.abs(), exponent, held).map_or(margin.clone(), |it| it.min(margin))
            }
            false => Integer::ZERO,
        };
        let (below, above) = (margin(&lower, ends[0]), margin(&upper, ends[1]));
        Self { lower: &*lower - &below, upper: &*upper + &above, exponent, ..self }.rounded()
    }

    /// The same, for results of so many bits.
    pub fn with_precision(mut self, precision: u32) -> Self {
        self.precision = precision;
        self
    }

    /// The bits that are kept of results.
    pub const fn precision(&self) -> u32 {
        self.precision
    }

    /// The lower end.
    pub fn lower(&self) -> Self {
        Self { upper: self.lower.clone(), ..self.clone() }
    }

    /// The upper end.
    pub fn upper(&self) -> Self {
        Self { lower: self.upper.clone(), ..self.clone() }
    }

    /// The significand and the exponent of the lower end.
    pub(crate) fn lower_end(&self) -> (BigInt, i64) {
        (self.lower.big(), self.exponent)
    }

    /// Whether it is a single number.
    pub fn is_point(&self) -> bool {
        self.lower == self.upper
    }

    /// Whether another interval has the same ends in the same steps.
    pub(crate) fn is_same(&self, other: &Self) -> bool {
        self.exponent == other.exponent && self.lower == other.lower && self.upper == other.upper
    }

    /// Whether all numbers are above 0.
    pub fn is_positive(&self) -> bool {
        self.lower.is_positive()
    }

    /// Whether all numbers are below 0.
    pub fn is_negative(&self) -> bool {
        self.upper.is_negative()
    }

    /// Whether 0 is one of the numbers.
    pub fn has_zero(&self) -> bool {
        !self.is_positive() && !self.is_negative()
    }

    /// Whether both ends are those of another interval, written in the same way.
    pub(crate) fn is_alike(&self, other: &Self) -> bool {
        (self.exponent, &self.lower, &self.upper) == (other.exponent, &other.lower, &other.upper)
    }

    /// Whether all numbers of another interval are among these.
    pub fn contains(&self, other: &Self) -> bool {
        let (a, b) = aligned(self, other);
        a.lower <= b.lower && b.upper <= a.upper
    }

    /// The order of all numbers of two intervals; `None` where some are in another order than others.
    pub fn compare(&self, other: &Self) -> Option<Ordering> {
        let (a, b) = aligned(self, other);
        match (a.lower.cmp(&b.upper), a.upper.cmp(&b.lower)) {
            (Ordering::Greater, _) => Some(Ordering::Greater),
            (_, Ordering::Less) => Some(Ordering::Less),
            (Ordering::Equal, Ordering::Equal) => Some(Ordering::Equal),
            _ => None,
        }
    }

    /// The greatest e with 2^e at most the magnitude of the end that is farther from zero; `None` for zero.
    pub fn binade(&self) -> Option<i64> {
        let bits = self.lower.bits().max(self.upper.bits());
        bits.checked_sub(1).map(|bits| bits as i64 + self.exponent)
    }

    /// The integers that are not above and not below any of the numbers: the lower end rounded down, the upper one up.
    pub fn integers(&self) -> [BigInt; 2] {
        let by = self.exponent.unsigned_abs();
        let [lower, upper] = [&self.lower, &self.upper];
        let ends = if self.exponent >= 0 {
            [lower << by, upper << by]
        } else {
            [lower >> by, upper.shifted_up(by)]
        };
        ends.map(|end| end.big())
    }

    /// The numbers' magnitudes.
    pub fn abs(&self) -> Self {
        if self.is_negative() {
            return -self;
        }
        let lower = if self.lower.is_negative() { Integer::ZERO } else { self.lower.clone() };
        let upper = self.upper.clone().max(-&self.lower);
        Self { lower, upper, ..*self }
    }

    /// The numbers times `2^by`, exactly.
    pub fn scaled(mut self, by: i64) -> Self {
        self.exponent = self.exponent.saturating_add(by);
        self
    }

    /// The numbers' squares.
    pub fn square(&self) -> Self {
        let magnitude = self.abs();
        let exponent = self.exponent.saturating_mul(2);
        let [lower, upper] = [&magnitude.lower, &magnitude.upper].map(|end| end * end);
        Self { lower, upper, exponent, ..*self }.rounded()
    }

    /// The quotients by the numbers of another interval; `None` where 0 is among them.
    pub fn divided_by(&self, divisor: &Self) -> Option<Self> {
        if divisor.has_zero() {
            return None;
        }
        let (dividend, divisor) =
            if divisor.is_negative() { (-self, -divisor) } else { (self.clone(), divisor.clone()) };
        // Quotients of so many bits more than the precision, so that rounding them costs nothing more.
        let precision = dividend.precision.min(divisor.precision);
        let bits = dividend.lower.bits().max(dividend.upper.bits());
        let shift = (u64::from(precision) + 2 + divisor.upper.bits()).saturating_sub(bits);
        let least = if dividend.lower.is_negative() { &divisor.lower } else { &divisor.upper };
        let most = if dividend.upper.is_negative() { &divisor.upper } else { &divisor.lower };
        let lower = dividend.lower.floor_quotient(shift, least);
        let upper = -(-&dividend.upper).floor_quotient(shift, most);
        let exponent = dividend.exponent - divisor.exponent - shift as i64;
        Some(Self { lower, upper, exponent, precision }.rounded())
    }

    /// The quotients by a positive integer.
    pub(crate) fn divided_by_integer(&self, divisor: u32) -> Self {
        if divisor <= 1 {
            return self.clone();
        }
        let bits = self.lower.bits().max(self.upper.bits());
        let shift = (u64::from(self.precision) + 2 + u64::from(u32::BITS)).saturating_sub(bits);
        let floor = |dividend: Integer| {
            let is_above = dividend.is_negative() && !dividend.is_multiple_of(divisor);
            dividend / divisor - Integer::from(u32::from(is_above))
        };
        let lower = floor(&self.lower << shift);
        let upper = if self.is_point() && self.upper.is_multiple_of(divisor) {
            lower.clone()
        } else {
            -floor(-(&self.upper << shift))
        };
        let exponent = self.exponent.saturating_sub_unsigned(shift);
        Self { lower, upper, exponent, ..*self }.rounded()
    }

    /// The square roots of those numbers that are not negative; `None` where all are.
    pub fn sqrt(&self) -> Option<Self> {
        if self.is_negative() {
            return None;
        }
        let lower = if self.lower.is_negative() { Integer::ZERO } else { self.lower.clone() };
        let wanted = 2 * (u64::from(self.precision) + 2);
        let shift = wanted.saturating_sub(self.upper.bits());
        let shift = shift + u64::from((self.exponent - shift as i64) % 2 != 0);
        let [lower, square] = [&lower << shift, &self.upper << shift];
        let root = square.sqrt();
        let upper = if &root * &root == square { root } else { root + Integer::ONE };
        let exponent = (self.exponent - shift as i64) / 2;
        Some(Self { lower: lower.sqrt(), upper, exponent, ..*self }.rounded())
    }

    /// The two ends as rational numbers. Exponents of millions make numbers of as many bits.
    pub fn enclosure(&self) -> Enclosure {
        let [lower, upper] =
            [&self.lower, &self.upper].map(|end| real::scaled(end.big(), self.exponent));
        Enclosure { lower, upper }
    }

    /// The numbers times `factor` over `divisor`: the term after this one of a sum that is known to steps of `2^least`, finer ones of which
    /// are not computed, so that terms get shorter as they get smaller.
    fn next_term(&self, factor: &Self, divisor: u32, least: i64) -> Self {
        let bits = self.binade().map_or(0, |binade| binade.saturating_sub(least));
        let bits = u32::try_from(bits).unwrap_or(0).max(u64::BITS).min(self.precision);
        let short = self.clone().with_precision(bits).rounded();
        (&short * factor).divided_by_integer(divisor).with_precision(self.precision)
    }

    /// Its ends without the bits beyond the precision, rounded outwards.
    fn rounded(mut self) -> Self {
        let bits = self.lower.bits().max(self.upper.bits());
        let surplus = bits.saturating_sub(self.precision.into());
        if surplus > 0 {
            // A shift to the right rounds down.
            self.lower = &self.lower >> surplus;
            self.upper = self.upper.shifted_up(surplus);
            self.exponent = self.exponent.saturating_add_unsigned(surplus);
        }
        self
    }

    /// Its ends in steps of another power of two, rounded outwards where these are larger.
    fn in_steps(&self, exponent: i64) -> InSteps<'_> {
        let by = exponent.abs_diff(self.exponent);
        let [lower, upper] = [&self.lower, &self.upper];
        if by == 0 || self.is_zero() {
            return InSteps {
                lower: Cow::Borrowed(lower),
                upper: Cow::Borrowed(upper),
                is_exact: true,
            };
        }
        let is_exact = exponent < self.exponent;
        let [lower, upper] =
            if is_exact { [lower << by, upper << by] } else { [lower >> by, upper.shifted_up(by)] };
        InSteps { lower: Cow::Owned(lower), upper: Cow::Owned(upper), is_exact }
    }
}

/// The ends of the products of a number and those of an interval.
fn times(number: &Integer, interval: &Interval) -> (Integer, Integer) {
    let [a, b] = [&interval.lower, &interval.upper].map(|end| number * end);
    if number.is_negative() { (b, a) } else { (a, b) }
}

/// The ends of the products of the numbers of two intervals.
fn products(a: &Interval, b: &Interval) -> (Integer, Integer) {
    let (least, most) = match (sign(a), sign(b)) {
        (Some(false), Some(false)) => ([&a.lower, &b.lower], [&a.upper, &b.upper]),
        (Some(false), Some(true)) => ([&a.upper, &b.lower], [&a.lower, &b.upper]),
        (Some(true), Some(false)) => ([&a.lower, &b.upper], [&a.upper, &b.lower]),
        (Some(true), Some(true)) => ([&a.upper, &b.upper], [&a.lower, &b.lower]),
        _ => {
            let ends = [
                &a.lower * &b.lower,
                &a.lower * &b.upper,
                &a.upper * &b.lower,
                &a.upper * &b.upper,
            ];
            let [lower, upper] = [ends.iter().min(), ends.iter().max()]
                .map(|end| end.cloned().unwrap_or(Integer::ZERO));
            return (lower, upper);
        }
    };
    let [lower, upper] = [least, most].map(|[a, b]| a * b);
    (lower, upper)
}

/// Whether all numbers are below 0 or 0, or else all above 0 or 0; `None` where some are on either side.
fn sign(numbers: &Interval) -> Option<bool> {
    if !numbers.lower.is_negative() {
        return Some(false);
    }
    (!numbers.upper.is_positive()).then_some(true)
}

/// The steps that two intervals are put into to be added or compared.
struct Steps {
    exponent: i64,
    /// The lesser of their precisions.
    precision: u32,
}

impl Steps {
    /// What lies far below the bits that are kept of the other is not spelt out: so no number is longer than its ends
    /// and twice the precision.
    fn of(a: &Interval, b: &Interval) -> Self {
        let precision = a.precision.min(b.precision);
        let binades = [a.binade(), b.binade()];
        let leading = binades[0].max(binades[1]).unwrap_or(0);
        let lowest = leading.saturating_sub(2 * i64::from(precision) + 64);
        // Never above both, so that what is exact stays so unless it is far below the other.
        let steps = |of: &Interval, binade: Option<i64>| binade.map_or(i64::MAX, |_| of.exponent);
        let exponent = steps(a, binades[0]).min(steps(b, binades[1])).max(lowest);
        let exponent = if exponent == i64::MAX { 0 } else { exponent };
        Self { exponent, precision }
    }
}

/// The ends of an interval in other steps.
struct InSteps<'a> {
    lower: Cow<'a, Integer>,
    upper: Cow<'a, Integer>,
    /// Whether they are the same numbers.
    is_exact: bool,
}

/// At least how far a magnitude, in steps of `2^exponent`, is from the nearest number of a precision that is a multiple of
/// `2^smallest`, and a 256th more; `None` where that is not looked for.
fn distance(size: &Integer, exponent: i64, (precision, smallest): (u32, i64)) -> Option<Integer> {
    /// Bits between the steps and the numbers, beyond which the numbers are far apart.
    const MOST: i64 = 1 << 14;
    let bits = i64::try_from(size.bits()).ok()?;
    let between = (bits - i64::from(precision)).max(smallest.saturating_sub(exponent));
    let between = u64::try_from(between).ok().filter(|_| between <= MOST)?;
    let above = (size.shifted_up(between) << between) - size;
    let below = (Integer::ONE << between) - &above;
    let nearest = above.min(below);
    Some(nearest.shifted_up(8) + &nearest)
}

/// Two intervals in steps of the same power of two, with the lesser of their precisions.
fn aligned(a: &Interval, b: &Interval) -> (Interval, Interval) {
    let Steps { exponent, precision } = Steps::of(a, b);
    let [a, b] = [a, b].map(|of| {
        let InSteps { lower, upper, .. } = of.in_steps(exponent);
        Interval { lower: lower.into_owned(), upper: upper.into_owned(), exponent, precision }
    });
    (a, b)
}

impl Neg for &Interval {
    type Output = Interval;

    fn neg(self) -> Interval {
        Interval { lower: -&self.upper, upper: -&self.lower, ..*self }
    }
}

impl Add for &Interval {
    type Output = Interval;

    fn add(self, other: Self) -> Interval {
        let Steps { exponent, precision } = Steps::of(self, other);
        let [a, b] = [self, other].map(|of| of.in_steps(exponent));
        let lower = &*a.lower + &*b.lower;
        let upper = if self.is_point() && other.is_point() && a.is_exact && b.is_exact {
            lower.clone()
        } else {
            &*a.upper + &*b.upper
        };
        Interval { lower, upper, exponent, precision }.rounded()
    }
}

impl Sub for &Interval {
    type Output = Interval;

    fn sub(self, other: Self) -> Interval {
        self + &-other
    }
}

impl Mul for &Interval {
    type Output = Interval;

    fn mul(self, other: Self) -> Interval {
        let (lower, upper) = match (self.is_point(), other.is_point()) {
            (true, true) => {
                let product = &self.lower * &other.lower;
                (product.clone(), product)
            }
            (true, false) => times(&self.lower, other),
            (false, true) => times(&other.lower, self),
            (false, false) => products(self, other),
        };
        let exponent = self.exponent.saturating_add(other.exponent);
        let precision = self.precision.min(other.precision);
        Interval { lower, upper, exponent, precision }.rounded()
    }
}

/// The same operations on values, so that formulas read as such.
macro_rules! by_value {
    ($($operation:ident $method:ident),*) => {$(
        impl $operation for Interval {
            type Output = Interval;

            fn $method(self, other: Self) -> Interval {
                $operation::$method(&self, &other)
            }
        }

        impl $operation<&Interval> for Interval {
            type Output = Interval;

            fn $method(self, other: &Self) -> Interval {
                $operation::$method(&self, other)
            }
        }
    )*};
}

by_value!(Add add, Sub sub, Mul mul);

impl Neg for Interval {
    type Output = Interval;

    fn neg(self) -> Interval {
        -&self
    }
}

/// The magnitude of `number * 2^exponent`, cut to a significand of [`SIGNIFICAND_BITS`].
fn cut(number: &Integer, exponent: i64) -> Exact {
    let Some(zeros) = number.trailing_zeros() else { return Exact::ZERO };
    let surplus = number.bits() as i64 - i64::from(SIGNIFICAND_BITS);
    let (number, by) = (number.abs(), surplus.unsigned_abs());
    let significand = if surplus < 0 { number << by } else { number >> by };
    Exact {
        significand: significand.low_bits(),
        exponent: enclosed::within_exponents(exponent + surplus),
        inexact: surplus > 0 && zeros < by,
    }
}

/// What is decided of a number from an interval around it.
#[expect(private_interfaces, reason = "nothing outside this crate decides")]
impl Bounds for Interval {
    fn truncated(&self) -> Option<(bool, Exact)> {
        let magnitude = |end: &Integer| cut(end, self.exponent);
        enclosed::same_magnitude(
            [self.lower.is_negative(), self.upper.is_negative()],
            self.is_point(),
            || [&self.lower, &self.upper].map(magnitude),
        )
    }

    fn compare(&self, number: &Rational) -> Option<Ordering> {
        self.enclosure().compare(number)
    }
}

mod elementary;
mod functions;

#[cfg(test)]
mod tests;

//! e^x of floating-point elements: the correctly rounded result, and the error of a result.
//!
//! With k ln 2 taken off, x leaves an r with 0 < r < 0.705, and e^x = 2^k e^r. Nearly every element is
//! decided from e^r in 128-bit fixed point, which has a proven error of less than 2^-122; the others
//! from enclosures in integers of any size, refined as [`enclosed`] does. That ends, because e^x is
//! transcendental for every rational x but 0 (Lindemann, *Ueber die Zahl pi*, Mathematische Annalen
//! 20, 1882) and so never is a boundary between two answers. `docs/numerics.md` has the proofs.
//!
//! Special values: e^x of a NaN is any NaN, of an infinity +infinity or +0, of a zero exactly 1.
//! Formats are those the oracle knows: IEEE 754's, and the 8-bit ones with a significand.
//!
//! ```
//! use values::float::FloatFormat;
//! use onnx_conformance_reference::exact::{Conforming, exponential};
//!
//! let format = &FloatFormat::FLOAT32;
//! let e = u64::from(std::f32::consts::E.to_bits());
//! assert_eq!(exponential::conforming(format, 1.0_f32.to_bits().into()), Conforming::One(e));
//! ```

use std::cmp::Ordering;
use std::sync::LazyLock;

use num_bigint::BigInt;
use num_traits::{One, Signed, Zero};

use super::number::{Magnitude, Value, infinity, zero};
use super::real::{Enclosure, Rational, power_of_two};
use super::truncated::Exact;
use super::{Conforming, Deviation, enclosed};
use values::dtype::{DType, Kind};
use values::float::{Class, FloatFormat};

/// The conforming result of e^x for the element `x`: the one nearest to the real number, ties to even.
#[inline]
pub fn conforming(format: &'static FloatFormat, x: u64) -> Conforming {
    match Exponent::of(format, x) {
        Some(x) => x.outlying().unwrap_or_else(|| x.power()).nearest(format, false),
        None if format.class(x) == Class::Nan => Conforming::AnyNan(format),
        None if format.is_negative(x) => zero(format, false),
        None => infinity(format, false),
    }
}

/// How far the element `actual` is from e^x for the element `x`.
pub fn error(format: &'static FloatFormat, x: u64, actual: u64) -> Deviation {
    let Some(x) = Exponent::of(format, x) else { return Deviation::NoRealResult };
    // A number in place of an overflow is measured in units of e^x, so its bits are needed.
    let is_number = !matches!(format.class(actual), Class::Nan | Class::Infinite);
    let outlying = x.outlying().filter(|_| x.negative || !is_number);
    outlying.unwrap_or_else(|| x.power()).deviation(format, false, actual)
}

/// e^x between bounds that are less than `2^-bits` of it apart, and equal for x = 0. `None` where
/// |x| is 2^20 or more: e^x, or the number below, would have more than a million bits.
pub fn enclosure(x: &Rational, bits: u32) -> Option<Enclosure> {
    if x.is_zero() {
        return Some(Enclosure::point(Rational::one()));
    }
    let binades = binades(x);
    let scale = i32::try_from(&binades).ok().filter(|scale| scale.unsigned_abs() < 1_512_775)?;
    let Enclosure { lower, upper } = reduced(x, &binades, bits);
    let scale = power_of_two(scale);
    Some(Enclosure { lower: lower * &scale, upper: upper * scale })
}

/// Operands of a format whose e^x comes closest to a boundary between two results, or lies at the ends of
/// the ranges, as far as they are known.
pub fn hardest(format: &FloatFormat) -> impl Iterator<Item = u64> + '_ {
    vectors(RESULTS).filter(move |(of, _)| *of == format).map(|(_, [x, _])| x)
}

/// Operands and their results, of which the hardest ones are known.
const RESULTS: &str = include_str!("exponential/results.txt");

/// The format and the elements of each line; a fourth field is left.
fn vectors(text: &str) -> impl Iterator<Item = (&'static FloatFormat, [u64; 2])> + '_ {
    let lines = text.lines().filter(|line| !line.starts_with('#'));
    lines.filter_map(|line| {
        let mut fields = line.split_whitespace();
        let Kind::Float(format) = fields.next()?.parse::<DType>().ok()?.kind() else { return None };
        let [x, y] = [fields.next()?, fields.next()?].map(|bits| u64::from_str_radix(bits, 16));
        Some((format, [x.ok()?, y.ok()?]))
    })
}

/// The order of e^x and a rational number.
pub fn compare(x: &Rational, number: &Rational) -> Ordering {
    if !number.is_positive() {
        return Ordering::Greater;
    }
    if x.is_zero() {
        return Rational::one().cmp(number);
    }
    // The number lies between 2^(length - 1) and 2^(length + 1), and e^x above 2^x or below it.
    let length = BigInt::from(number.numer().bits()) - BigInt::from(number.denom().bits());
    if x.is_positive() && *x >= Rational::from(&length + 1) {
        return Ordering::Greater;
    }
    if x.is_negative() && *x <= Rational::from(length - 1) {
        return Ordering::Less;
    }
    // So |x|, and with it the power of two, is no larger than the number is long.
    let binades = binades(x);
    let Ok(scale) = i32::try_from(&binades) else {
        return if x.is_positive() { Ordering::Greater } else { Ordering::Less };
    };
    let number = number * power_of_two(-scale);
    enclosed::compare(|bits| reduced(x, &binades, bits), &number)
}

/// A real exponent: the x of e^x. No magnitude is zero.
#[derive(Clone, Copy, Debug)]
struct Exponent {
    negative: bool,
    magnitude: Option<Magnitude>,
}

/// |x| from which e^x is out of the range of every format: 2^11. e^2048 is above 2^2048, e^-2048
/// below 2^-2048.
const OUTLYING: i32 = 11;

/// |x| below which e^x is 1 to more bits than are kept: 2^-90.
const NEGLIGIBLE: i32 = -90;

/// |x| below which e^x is 1 + x but for less than 2^-122.9: 2^-61.
const LINEAR: i32 = -61;

impl Exponent {
    /// The number that an element is; `None` for a NaN and an infinity.
    #[inline]
    fn of(format: &FloatFormat, bits: u64) -> Option<Self> {
        let magnitude = match Value::of(format, bits) {
            Value::Nan | Value::Infinite => return None,
            Value::Zero => None,
            Value::Finite(magnitude) => Some(magnitude),
        };
        Some(Self { negative: format.is_negative(bits), magnitude })
    }

    fn rational(self) -> Rational {
        let Some(Magnitude { significand, exponent }) = self.magnitude else {
            return Rational::zero();
        };
        let magnitude = Rational::from(BigInt::from(significand)) * power_of_two(exponent);
        if self.negative { -magnitude } else { magnitude }
    }

    /// A number that every format rounds as it rounds e^x, where that is out of all their ranges.
    #[inline]
    fn outlying(self) -> Option<Exact> {
        let magnitude = self.magnitude?;
        let exponent = if self.negative { -2300 } else { 2300 };
        let is_outlying = magnitude.exponent + magnitude.len() as i32 > OUTLYING;
        is_outlying.then_some(Exact { significand: ONE, exponent, inexact: true })
    }

    /// e^x.
    #[inline]
    fn power(self) -> Exact {
        self.fixed_point().unwrap_or_else(|| self.refined())
    }

    /// e^x from integers of any size.
    #[cold]
    fn refined(self) -> Exact {
        let x = self.rational();
        let binades = binades(&x);
        let (_, power) = enclosed::known(|bits| reduced(&x, &binades, bits));
        let far = if self.negative { i64::MIN / 2 } else { i64::MAX / 2 };
        let binades = i64::try_from(&binades).unwrap_or(far);
        let exponent = enclosed::within_exponents(binades.saturating_add(power.exponent.into()));
        Exact { exponent, ..power }
    }

    /// e^x from 128-bit fixed point; `None` where that leaves open the bits that are kept, and
    /// for the outlying x.
    #[inline]
    fn fixed_point(self) -> Option<Exact> {
        let one = Exact { significand: ONE, exponent: -ONE_EXPONENT, inexact: false };
        let Some(Magnitude { significand, exponent }) = self.magnitude else {
            return Some(one);
        };
        let length = exponent + (u64::BITS - significand.leading_zeros()) as i32;
        if length > OUTLYING {
            return None;
        }
        if length <= NEGLIGIBLE {
            let below = u128::from(self.negative);
            return Some(Exact { significand: ONE - below, inexact: true, ..one });
        }
        if length <= LINEAR {
            // 1 + x in steps of 2^-126, rounded down, is too small by less than 10 of them.
            let x = shifted(significand.into(), exponent + SERIES_EXPONENT);
            let lost = exponent + (significand.trailing_zeros() as i32) < -SERIES_EXPONENT;
            let one = 1 << SERIES_EXPONENT;
            return kept(if self.negative { one - x - u128::from(lost) } else { one + x }, 0);
        }
        let (binades, power) = self.binades_and_power(significand, exponent);
        kept(power, binades)
    }

    /// The k of [`binades`], and e^(x - k ln 2) in steps of 2^-126, too small by less than [`ERROR`], for
    /// x of this magnitude below 2^11.
    #[inline]
    fn binades_and_power(self, significand: u64, exponent: i32) -> (i32, u128) {
        // x in steps of 2^-40 for the binades, and modulo 1 in steps of 2^-128, both rounded down.
        let coarse = shifted(significand.into(), exponent + 40) as i64;
        let fine = shifted(significand.into(), exponent + 128);
        let (coarse, fine) = if self.negative { (!coarse, !fine) } else { (coarse, fine) };
        let binades = ((i128::from(coarse) * LOG2_E - (1 << 66)) >> 72) as i64;
        let multiple = (binades as u128)
            .wrapping_mul(LN_2)
            .wrapping_add(((i128::from(binades) * LN_2_TAIL) >> 64) as u128);
        let rest = fine.wrapping_sub(multiple).wrapping_sub(2);
        (binades as i32, series(rest))
    }
}

/// `2^binades` times a `power` in steps of 2^-126 that is too small by less than [`ERROR`], without the
/// last bits; `None` where those that remain are not known.
#[inline]
fn kept(power: u128, binades: i32) -> Option<Exact> {
    let [significand, above] = [power, power + ERROR].map(|power| power >> DROPPED);
    let exponent = DROPPED as i32 - SERIES_EXPONENT + binades;
    (significand == above).then_some(Exact { significand, exponent, inexact: true })
}

/// Exponent of the unit, and the unit, of a significand that is kept.
const ONE_EXPONENT: i32 = enclosed::SIGNIFICAND_BITS as i32 - 1;
const ONE: u128 = 1 << ONE_EXPONENT;

/// Bits after the binary point of the series, and those of them that are not kept.
const SERIES_EXPONENT: i32 = 126;
const DROPPED: u32 = SERIES_EXPONENT as u32 - ONE_EXPONENT as u32;

/// More than what the series lacks, the rest's own error included, in steps of 2^-126.
const ERROR: u128 = 10;

/// 1 / ln 2 in steps of 2^-32, rounded down.
const LOG2_E: i128 = 0x1_7154_7652;

/// ln 2 in steps of 2^-128, rounded down, and the 64 bits that follow.
const LN_2: u128 = 0xb172_17f7_d1cf_79ab_c9e3_b398_03f2_f6af;
const LN_2_TAIL: i128 = 0x40f3_4326_7298_b62d;

/// Terms of the series after the first.
const TERMS: usize = 30;

/// 1 / i! in steps of 2^-126, rounded down: a quotient rounded down and divided again is rounded down.
const COEFFICIENTS: [u128; TERMS + 1] = {
    let mut coefficients = [1 << SERIES_EXPONENT; TERMS + 1];
    let mut i = 1;
    while i <= TERMS {
        coefficients[i] = coefficients[i - 1] / i as u128;
        i += 1;
    }
    coefficients
};

/// e^r for the `rest` r in steps of 2^-128, at most 0.705: in steps of 2^-126, too small by less than
/// 7 of them.
#[inline]
fn series(rest: u128) -> u128 {
    COEFFICIENTS.iter().rev().fold(0, |sum, coefficient| coefficient + high_product(sum, rest))
}

/// `a b / 2^128`, rounded down.
#[inline]
const fn high_product(a: u128, b: u128) -> u128 {
    const LOW: u128 = u64::MAX as u128;
    let (a_high, a_low, b_high, b_low) = (a >> 64, a & LOW, b >> 64, b & LOW);
    let low = (a_low * b_low) >> 64;
    let cross = a_high * b_low + low;
    let middle = a_low * b_high + (cross & LOW);
    a_high * b_high + (cross >> 64) + (middle >> 64)
}

/// `significand * 2^shift` modulo 2^128, rounded down.
#[inline]
const fn shifted(significand: u128, shift: i32) -> u128 {
    let by = shift.unsigned_abs();
    if shift < 0 { significand.unbounded_shr(by) } else { significand.unbounded_shl(by) }
}

/// The k with 0.01 < x - k ln 2 < 0.705: x / ln 2 - 1/64, rounded down, but for an error that is
/// smaller than 2^-50.
fn binades(x: &Rational) -> BigInt {
    let bits = 64 + (1 + x.numer().bits()).saturating_sub(x.denom().bits());
    let [ln_2, _] = ln_2(bits);
    let quotient = x / Rational::new(ln_2, BigInt::one() << bits);
    (quotient - power_of_two(-6)).floor().to_integer()
}

/// e^(x - k ln 2) for k from [`binades`], between bounds that are less than `2^-bits` apart.
fn reduced(x: &Rational, binades: &BigInt, bits: u32) -> Enclosure {
    let scale = u64::from(bits) + binades.bits() + 16;
    let [low, high] = ln_2(scale).map(|ln_2| binades * ln_2);
    let [least, greatest] = if binades.is_negative() { [high, low] } else { [low, high] };
    let x = (x * Rational::from(BigInt::one() << scale)).floor().to_integer();
    // Terms rounded down make a lower bound. Rounded up they make an upper one, with two steps more for
    // a term of at most one step and for all that follow it.
    let (rest, mut lower) = (&x - greatest, BigInt::zero());
    let (mut term, mut i) = (BigInt::one() << scale, 0_u32);
    while term.is_positive() {
        lower += &term;
        i += 1;
        term = ((term * &rest) >> scale) / i;
    }
    let (rest, mut upper) = (x + 1 - least, BigInt::one());
    let (mut term, mut i) = (BigInt::one() << scale, 0_u32);
    while i < 2 || term > BigInt::one() {
        upper += &term;
        i += 1;
        let divisor = BigInt::from(i) << scale;
        term = (term * &rest + &divisor - 1) / divisor;
    }
    let divisor = BigInt::one() << scale;
    Enclosure {
        lower: Rational::new(lower, divisor.clone()),
        upper: Rational::new(upper + 1, divisor),
    }
}

/// Bits of ln 2 that are computed once; a call that wants more has them computed anew.
const KNOWN: u64 = 1 << 13;

/// Bounds of ln 2 in steps of `2^-bits`, at most two steps apart.
pub(super) fn ln_2(bits: u64) -> [BigInt; 2] {
    static LN_2: LazyLock<[BigInt; 2]> = LazyLock::new(|| ln_2_by_series(KNOWN));
    match KNOWN.checked_sub(bits) {
        None => ln_2_by_series(bits),
        Some(0) => LN_2.clone(),
        Some(surplus) => {
            let [low, high] = &*LN_2;
            [low >> surplus, (high >> surplus) + 1]
        }
    }
}

/// The same by 2 artanh(1/3), the sum of 2 / ((2i + 1) 3^(2i + 1)), each power and each term rounded down.
fn ln_2_by_series(bits: u64) -> [BigInt; 2] {
    const GUARD: u32 = 32;
    let mut power: BigInt = (BigInt::one() << (bits + u64::from(GUARD) + 1)) / 3;
    let (mut sum, mut i) = (BigInt::zero(), 0_u32);
    while power.is_positive() {
        sum += &power / (2 * i + 1);
        power /= 9;
        i += 1;
    }
    let above = &sum + 3 * (i + 1);
    [sum >> GUARD, (above >> GUARD) + 1]
}

#[cfg(test)]
mod tests {
    use num_bigint::BigUint;
    use proptest::prelude::*;

    use super::super::number::{largest, signed};
    use super::super::{Ulps, real};
    use super::*;

    const FORMATS: [&FloatFormat; 8] = [
        &FloatFormat::FLOAT16,
        &FloatFormat::BFLOAT16,
        &FloatFormat::FLOAT32,
        &FloatFormat::FLOAT64,
        &FloatFormat::FLOAT8E4M3FN,
        &FloatFormat::FLOAT8E4M3FNUZ,
        &FloatFormat::FLOAT8E5M2,
        &FloatFormat::FLOAT8E5M2FNUZ,
    ];

    fn real(format: &FloatFormat, bits: u64) -> Exponent {
        Exponent::of(format, bits).unwrap_or_else(|| panic!("{bits:#x} is no number"))
    }

    /// A significand of as many bits as are always kept, and its exponent.
    fn normalised(power: Exact) -> (u128, i32) {
        let length = u128::BITS - power.significand.leading_zeros();
        let surplus = length - (enclosed::SIGNIFICAND_BITS - 2);
        (power.significand >> surplus, power.exponent + surplus as i32)
    }

    /// `number * 2^exponent`, in no more bits than are needed here.
    #[derive(Clone)]
    struct Approximation(BigUint, i64);

    impl Approximation {
        const BITS: u64 = 256;

        fn times(&self, other: &Self) -> Self {
            let product = &self.0 * &other.0;
            let surplus = product.bits().saturating_sub(Self::BITS);
            Self(product >> surplus, self.1 + other.1 + surplus as i64)
        }

        /// Whether this is less than `significand * 2^exponent`, both being far apart from each other
        /// compared with the error of this.
        fn is_below(&self, significand: u64, exponent: i64) -> bool {
            let lowest = self.1.min(exponent);
            let this = &self.0 << (self.1 - lowest);
            let other = BigUint::from(significand) << (exponent - lowest);
            let apart = if this < other { &other - &this } else { &this - &other };
            assert!(apart << 200 > this, "too close to tell");
            this < other
        }
    }

    /// e^(2^i) for i from -150: its series for i < 0, squared again and again after that.
    fn powers_of_e() -> Vec<Approximation> {
        let series = |i: u32| {
            let (mut sum, mut term): (_, BigUint) = (BigUint::zero(), BigUint::one() << 256);
            let mut j = 1_u32;
            while !term.is_zero() {
                sum += &term;
                term = (term >> i) / j;
                j += 1;
            }
            Approximation(sum, -256)
        };
        let mut powers: Vec<_> = (1..=150).rev().map(series).collect();
        for _ in 0..=OUTLYING {
            let last = powers.last().unwrap();
            powers.push(last.times(last));
        }
        powers
    }

    /// Asserts that the conforming result of e^x is the nearest number, by its neighbours' midpoints and
    /// a product of powers of e, one for each bit of x.
    fn assert_nearest(format: &'static FloatFormat, x: u64, powers: &[Approximation]) {
        let exponent = real(format, x).magnitude.unwrap();
        let one = Approximation(BigUint::one() << 255, -255);
        let bits = (0..64).filter(|bit| exponent.significand >> bit & 1 == 1);
        let power = bits
            .fold(one, |power, bit| power.times(&powers[(exponent.exponent + bit + 150) as usize]));
        let power = if format.is_negative(x) {
            Approximation((BigUint::one() << 511) / power.0, -511 - power.1)
        } else {
            power
        };
        let Conforming::One(y) = conforming(format, x) else {
            panic!("e^{x:#x} is no NaN");
        };
        // Twice the midpoints: the unit of the larger neighbour's binade holds both.
        let finite = |bits| match Value::of(format, bits) {
            Value::Zero => (0, smallest(format)),
            Value::Finite(magnitude) => (magnitude.significand, magnitude.exponent),
            // Beyond the largest number the format goes on.
            _ => (1 << format.significand_bits, finite_exponent(format) + 1),
        };
        let midpoint = |below: u64| {
            let ((a, i), (b, j)) = (finite(below), finite(below + 1));
            (a + (b << (j - i)), i64::from(i) - 1)
        };
        if y <= largest(format) {
            let (significand, exponent) = midpoint(y);
            assert!(power.is_below(significand, exponent), "e^{x:#x} is above {y:#x}");
        }
        if y > 0 {
            let (significand, exponent) = midpoint(y - 1);
            assert!(!power.is_below(significand, exponent), "e^{x:#x} is below {y:#x}");
        }
    }

    fn smallest(format: &FloatFormat) -> i32 {
        1 - format.bias - format.significand_bits as i32
    }

    fn finite_exponent(format: &FloatFormat) -> i32 {
        match Value::of(format, largest(format)) {
            Value::Finite(magnitude) => magnitude.exponent,
            other => panic!("{other:?}"),
        }
    }

    #[test]
    fn every_float16_and_bfloat16_has_the_result_that_a_product_of_powers_of_e_has() {
        let powers = powers_of_e();
        for format in [&FloatFormat::FLOAT16, &FloatFormat::BFLOAT16] {
            let mut outlying = 0;
            for x in 0..=u64::from(u16::MAX) {
                match Exponent::of(format, x) {
                    Some(Exponent { magnitude: None, .. }) => {
                        let one = format.bias as u64;
                        let expected = Conforming::One(one << format.significand_bits);
                        assert_eq!(conforming(format, x), expected);
                    }
                    Some(power) if power.outlying().is_some() => {
                        let expected = if power.negative { 0 } else { largest(format) + 1 };
                        assert_eq!(conforming(format, x), Conforming::One(expected));
                        assert!(power.rational().abs() >= power_of_two(11));
                        outlying += 1;
                    }
                    Some(_) => assert_nearest(format, x, &powers),
                    None if format.class(x) == Class::Infinite => {
                        let expected = if format.is_negative(x) { 0 } else { largest(format) + 1 };
                        assert_eq!(conforming(format, x), Conforming::One(expected));
                    }
                    None => assert_eq!(conforming(format, x), Conforming::AnyNan(format)),
                }
            }
            // The binades from 2^11 to the largest number, of both signs.
            let binades = finite_exponent(format) + format.significand_bits as i32 - 10;
            assert_eq!(outlying, 2 * (binades << format.significand_bits));
        }
    }

    #[test]
    fn fixed_point_decides_all_but_a_few_elements_of_16_bits() {
        for (format, most) in [(&FloatFormat::FLOAT16, 0), (&FloatFormat::BFLOAT16, 20)] {
            let is_undecided = |x: Exponent| x.outlying().is_none() && x.fixed_point().is_none();
            let undecided = (0..=u64::from(u16::MAX))
                .filter(|&x| Exponent::of(format, x).is_some_and(is_undecided));
            let undecided: Vec<_> = undecided.collect();
            assert!(undecided.len() <= most, "{undecided:x?}");
        }
    }

    #[test]
    fn formats_without_infinities_overflow_to_a_nan_and_all_underflow_to_plus_zero() {
        for format in FORMATS {
            let end = largest(format);
            assert_eq!(conforming(format, end), infinity(format, false));
            assert_eq!(conforming(format, signed(format, true, end)), Conforming::One(0));
        }
        let fnuz = &FloatFormat::FLOAT8E4M3FNUZ;
        assert_eq!(conforming(fnuz, 0x7f), Conforming::AnyNan(fnuz));
        assert_eq!(conforming(fnuz, 0x80), Conforming::AnyNan(fnuz));
    }

    #[test]
    fn results_are_those_that_mpmath_computes() {
        for (format, [x, y]) in vectors(RESULTS) {
            assert_eq!(conforming(format, x), Conforming::One(y), "{x:#x}");
            let refined = real(format, x).refined().nearest(format, false);
            assert_eq!(refined, Conforming::One(y), "{x:#x}");
        }
    }

    #[test]
    fn errors_are_those_that_mpmath_computes() {
        let errors = include_str!("exponential/errors.txt");
        let steps = errors.lines().filter(|line| !line.starts_with('#'));
        let steps = steps.map(|line| line.rsplit(' ').next().unwrap().parse().unwrap());
        for ((format, [x, actual]), steps) in vectors(errors).zip(steps) {
            let expected = Deviation::Ulps(Ulps::new(steps, false));
            assert_eq!(error(format, x, actual), expected, "{x:#x} {actual:#x}");
        }
    }

    #[test]
    fn special_values_have_no_error_but_zero_and_overflow_do() {
        let format = &FloatFormat::FLOAT32;
        let (infinity, nan) = (0x7f80_0000, 0x7fc0_0000);
        let none = Deviation::Ulps(Ulps::ZERO);
        for x in [nan, infinity, infinity | 1 << 31] {
            assert_eq!(error(format, x, 0), Deviation::NoRealResult);
        }
        for zero in [0, 1 << 31] {
            assert_eq!(error(format, zero, 0x3f80_0000), none);
            assert_eq!(error(format, zero, 0x3f80_0001), Deviation::Ulps(Ulps::ONE));
        }
        // e^89 overflows, as e^(2^100) does; e^88 does not.
        for x in [0x42b2_0000, 0x7180_0000] {
            assert_eq!(error(format, x, infinity), none);
            assert_eq!(error(format, x, nan), Deviation::Unbounded);
            assert_eq!(error(format, x, infinity | 1 << 31), Deviation::Unbounded);
        }
        assert_eq!(error(format, 0x42b0_0000, infinity), Deviation::Unbounded);
        // Below half the smallest number both zeros are off by the same, next to nothing.
        for actual in [0, 1 << 31] {
            let next_to_nothing = Deviation::Ulps(Ulps::new(1, false));
            assert_eq!(error(format, 0xc500_0000, actual), next_to_nothing);
        }
    }

    #[test]
    fn a_number_in_place_of_a_huge_overflow_is_measured_in_units_of_the_power() {
        // The largest float64: its e^x has more than 2^1024 bits before the point.
        let Deviation::Ulps(ulps) = error(&FloatFormat::FLOAT64, f64::MAX.to_bits(), 0) else {
            panic!("0 is a number");
        };
        let units = ulps.steps() >> Ulps::FRACTION_BITS;
        // The first 53 bits of e^x, by mpmath too.
        assert_eq!(units, 0x0014_879e_88e7_af0a);
    }

    #[test]
    fn the_constants_are_those_of_the_series() {
        let [low, high] = ln_2(192);
        let constant = (BigInt::from(LN_2) << 64) + LN_2_TAIL;
        assert!(low <= constant && constant < high, "{low:x}");
        let [low, high] = ln_2(500);
        assert!(&high - &low <= BigInt::from(2));
        // Those that are cut from known bits and those that are computed anew hold the same number.
        let [least, most] = ln_2_by_series(KNOWN + 64);
        for bits in [1 << 11, KNOWN - 1, KNOWN, KNOWN + 1] {
            let surplus = KNOWN + 64 - bits;
            let [low, high] = ln_2(bits);
            assert!(&high - &low <= BigInt::from(2), "{bits} bits");
            assert!(low << surplus <= least && most <= high << surplus, "{bits} bits");
        }
        let log2_e = (BigInt::one() << 532) / high;
        assert_eq!(log2_e, BigInt::from(LOG2_E));
        let factorial: BigInt = (1..=TERMS).map(BigInt::from).product();
        let last: BigInt = (BigInt::one() << SERIES_EXPONENT) / factorial;
        assert_eq!(BigInt::from(COEFFICIENTS[TERMS]), last);
        let e = enclosure(&Rational::one(), 64).unwrap();
        // OEIS A001113.
        let digits = "2.7182818284590452353602874713526624977572";
        let digits: BigInt = digits.replace('.', "").parse().unwrap();
        let digits = Rational::new(digits, BigInt::from(10).pow(40));
        assert!(e.contains(&digits));
    }

    #[test]
    fn an_exponential_of_more_than_a_million_bits_is_not_enclosed() {
        let million = power_of_two(20);
        assert!(enclosure(&(&million * BigInt::from(2)), 10).is_none());
        assert!(enclosure(&(&million * BigInt::from(-2)), 10).is_none());
        assert!(enclosure(&Rational::from(BigInt::from(10_000)), 10).is_some());
        assert_eq!(enclosure(&Rational::zero(), 10), Some(Enclosure::point(Rational::one())));
    }

    fn outcome(a: u128, b: u128) -> BigUint {
        (BigUint::from(a) * BigUint::from(b)) >> 128
    }

    proptest! {
        #![proptest_config(ProptestConfig::with_cases(1500))]

        #[test]
        fn fixed_point_gives_the_bits_that_integers_of_any_size_give(
            bits in any::<u64>(),
            exponent in 2_u64..36,
        ) {
            // Magnitudes from 2^-99 to 2^11, then any.
            let near = bits & !(0x7ff << 52) | ((1023 + 11 - exponent) << 52);
            let far = bits & !(0x7ff << 52) | ((1023 + 11 - 3 * exponent) << 52);
            for x in [near, far].map(|bits| real(&FloatFormat::FLOAT64, bits)) {
                let fixed = x.fixed_point().unwrap();
                prop_assert!(fixed.inexact);
                prop_assert_eq!(normalised(fixed), normalised(x.refined()));
            }
        }

        #[test]
        fn the_fixed_point_power_lacks_less_than_ten_steps(
            significand in 1_u64..1 << 53,
            exponent in -140_i32..-42,
            negative: bool,
        ) {
            let magnitude = Some(Magnitude { significand, exponent });
            let x = Exponent { negative, magnitude };
            let (k, power) = x.binades_and_power(significand, exponent);
            let exact = reduced(&x.rational(), &BigInt::from(k), 200);
            let lacking = [exact.lower, exact.upper]
                .map(|bound| bound * power_of_two(126) - Rational::from(BigInt::from(power)));
            prop_assert!(lacking[0].is_positive() && lacking[1] < Rational::from(BigInt::from(10)));
        }

        #[test]
        fn a_power_lies_in_the_enclosure_and_so_closely(
            numerator in -100_000_i64..100_000,
            denominator in 1_i64..1000,
            bits in 1_u32..300,
        ) {
            let x = Rational::new(numerator.into(), denominator.into());
            let enclosed = enclosure(&x, bits).unwrap();
            let width = &enclosed.upper - &enclosed.lower;
            prop_assert!(width <= &enclosed.lower * power_of_two(-(bits as i32)));
            let finer = enclosure(&x, bits + 50).unwrap();
            prop_assert!(enclosed.lower <= finer.upper && finer.lower <= enclosed.upper);
            // e^x e^-x = 1.
            let other = enclosure(&-x, bits).unwrap();
            prop_assert!(&other.lower * &enclosed.lower <= Rational::one());
            prop_assert!(other.upper * enclosed.upper >= Rational::one());
        }

        #[test]
        fn the_high_half_of_a_product_is_that_of_the_whole(a: u128, b: u128) {
            prop_assert_eq!(BigUint::from(high_product(a, b)), outcome(a, b));
        }

        #[test]
        fn a_correctly_rounded_result_errs_by_at_most_half_a_unit(bits: u32) {
            let format = &FloatFormat::FLOAT32;
            let x = u64::from(bits & !(1 << 30));
            let Conforming::One(y) = conforming(format, x) else {
                return Ok(());
            };
            prop_assert!(error(format, x, y) <= Deviation::Ulps(Ulps::HALF));
            prop_assert!(error(format, x, y + 1) >= Deviation::Ulps(Ulps::HALF));
            let rational = real::value(DType::Float32, x).unwrap();
            let real = |bits| enclosure(&rational, bits).unwrap();
            prop_assert_eq!(enclosed::deviation(format, real, y + 1), error(format, x, y + 1));
        }
    }
}

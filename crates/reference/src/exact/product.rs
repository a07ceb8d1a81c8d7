//! Products of elements: the exact product, and what may come out of a computation that rounds.
//!
//! As for [sums](super::dot) no specification says in which order the factors are multiplied, so that every result
//! conforms that some order can give, in the format of the elements or a wider one. With K + 1 factors that are no
//! powers of two, and s the exact product, the result differs by at most
//!
//! ```text
//! gamma(K) |s|                                             where no partial product underflows
//! gamma(K) |s| + m max(1, G) (1 + gamma(K)) eta            where one may
//! ```
//!
//! where m + 1 factors, fewer than 2^(p - 1), are not 1 in magnitude and G is the product of the factors above 1: an error of eta / 2 may be
//! multiplied by it. K is 0 where the format holds all bits of the whole product. Partial products overflow where G does. `docs/numerics.md` has the proof.

use std::cmp::Ordering;

use num_bigint::{BigInt, BigUint};
use num_traits::One;
use values::float::FloatFormat;

use super::dot::{Accumulated, NoBound};
use super::interval::Interval;
use super::number::{Value, greatest, infinity, largest, smallest_exponent, zero};
use super::real::{Rational, power_of_two};
use super::sum::rounded;
use super::truncated::Exact;
use super::{Conforming, Deviation, Share, enclosed};

/// A product of elements of a format, without any rounding.
#[derive(Clone, Debug)]
pub struct Product {
    format: &'static FloatFormat,
    /// The factors above 1 in magnitude, and those below: significands and the sum of the exponents.
    above: Factors,
    below: Factors,
    /// Factors that are no powers of two, and factors that are not 1 in magnitude, all of them numbers other than 0.
    inexact: u64,
    others: u64,
    negative: bool,
    has_zero: bool,
    has_infinity: bool,
    nan: bool,
}

#[derive(Clone, Debug, Default)]
struct Factors {
    /// Odd ones, but for 1.
    significands: Vec<u64>,
    exponent: i64,
}

/// `significand * 2^exponent`.
#[derive(Clone, Debug)]
struct Number {
    significand: BigUint,
    exponent: i64,
}

impl Factors {
    fn product(&self) -> Number {
        Number { significand: multiplied(&self.significands), exponent: self.exponent }
    }
}

/// Two numbers in steps of `2^unit`, over a denominator.
struct Ends {
    numbers: [BigInt; 2],
    denominator: BigUint,
    unit: i64,
}

/// Bits with which shares are computed: twice those of any element's number, and more.
const SHARE_BITS: u32 = 256;

/// The product of many integers, halves first so that large factors meet large ones.
fn multiplied(factors: &[u64]) -> BigUint {
    match factors {
        [] => BigUint::one(),
        [one] => BigUint::from(*one),
        _ => {
            let (left, right) = factors.split_at(factors.len() / 2);
            multiplied(left) * multiplied(right)
        }
    }
}

impl Number {
    fn times(&self, other: &Self) -> Self {
        Self {
            significand: &self.significand * &other.significand,
            exponent: self.exponent + other.exponent,
        }
    }

    /// The order of this times an integer and `other * 2^exponent`.
    fn compare(&self, times: u64, other: &BigUint, exponent: i64) -> Ordering {
        let own = &self.significand * times;
        let tops = (own.bits() as i64 + self.exponent, other.bits() as i64 + exponent);
        if own == BigUint::ZERO || other == &BigUint::ZERO || tops.0 != tops.1 {
            return own.bits().min(1).cmp(&other.bits().min(1)).then(tops.0.cmp(&tops.1));
        }
        let shift = (self.exponent - exponent).unsigned_abs();
        match self.exponent > exponent {
            true => (own << shift).cmp(other),
            false => own.cmp(&(other << shift)),
        }
    }
}

impl Product {
    /// A product without factors, which is 1.
    pub fn new(format: &'static FloatFormat) -> Self {
        Self {
            format,
            above: Factors::default(),
            below: Factors::default(),
            inexact: 0,
            others: 0,
            negative: false,
            has_zero: false,
            has_infinity: false,
            nan: false,
        }
    }

    /// Multiplies by an element.
    pub fn multiply(&mut self, element: u64) {
        self.negative ^= self.format.is_negative(element);
        match Value::of(self.format, element) {
            Value::Nan => self.nan = true,
            Value::Infinite => self.has_infinity = true,
            Value::Zero => self.has_zero = true,
            Value::Finite(number) => {
                let zeros = number.significand.trailing_zeros();
                let odd = number.significand >> zeros;
                let exponent = number.exponent + zeros as i32;
                if odd == 1 && exponent == 0 {
                    return;
                }
                let is_above = exponent + (u64::BITS - odd.leading_zeros()) as i32 > 0;
                let factors = if is_above { &mut self.above } else { &mut self.below };
                factors.exponent += i64::from(exponent);
                self.others += 1;
                if odd != 1 {
                    factors.significands.push(odd);
                    self.inexact += 1;
                }
            }
        }
    }

    /// Roundings of any order but for underflow; none where the format has all bits of the whole product, and so those of
    /// every part of it.
    fn roundings(&self) -> u64 {
        let mut significands = self.above.significands.iter().chain(&self.below.significands);
        let whole = significands.try_fold(1_u64, |product, &one| {
            product.checked_mul(one).filter(|product| *product >> self.format.precision() == 0)
        });
        whole.map_or(self.inexact.saturating_sub(1), |_| 0)
    }

    /// 2^p - K; `None` where it is not positive.
    fn rest(&self) -> Option<u64> {
        let all = 1_u64 << self.format.precision();
        all.checked_sub(self.roundings()).filter(|&rest| rest > 0)
    }

    fn magnitude(&self) -> Option<Number> {
        let is_finite = !(self.nan || self.has_infinity);
        is_finite.then(|| match self.has_zero {
            true => Number { significand: BigUint::ZERO, exponent: 0 },
            false => self.above.product().times(&self.below.product()),
        })
    }

    fn exact(&self) -> Option<Exact> {
        let Number { significand, exponent } = self.magnitude()?;
        Some(enclosed::ratio(&significand, &BigUint::one(), exponent))
    }

    /// The exact product; `None` where a factor is an infinity or a NaN, or the product has an exponent that no
    /// rational number of moderate size has.
    pub fn product(&self) -> Option<Rational> {
        let Number { significand, exponent } = self.magnitude()?;
        let exponent = i32::try_from(exponent).ok().filter(|it| it.unsigned_abs() < 1 << 20)?;
        let magnitude = Rational::from(BigInt::from(significand)) * power_of_two(exponent);
        Some(if self.negative { -magnitude } else { magnitude })
    }

    /// How far the element `actual` is from the exact product.
    pub fn error(&self, actual: u64) -> Deviation {
        self.exact().map_or(Deviation::NoRealResult, |exact| {
            exact.deviation(self.format, self.negative, actual)
        })
    }

    /// Whether partial products may overflow, and whether they may underflow.
    fn may_leave(&self, rest: u64) -> [bool; 2] {
        let format = self.format;
        let largest = greatest(format);
        // G (1 + gamma) is G 2^p / (2^p - K), and a product of the factors below 1 is at least (1 - K u) of theirs.
        let threshold = BigUint::from(2 * largest.significand + 1) * rest;
        let above = self.above.product();
        let all = 1_u64 << format.precision();
        let overflows = above.compare(all, &threshold, i64::from(largest.exponent) - 1);
        let normal = i64::from(smallest_exponent(format)) + i64::from(format.precision()) - 1;
        let below = self.below.product();
        let underflows = below.compare(rest, &BigUint::from(all), normal);
        [overflows != Ordering::Less, self.others > 1 && underflows == Ordering::Less]
    }

    /// What conforms: all that some order of the factors can give, and of these the nearest to the exact product.
    pub fn conforming(&self) -> Result<Conforming, NoBound> {
        if self.nan || (self.has_infinity && self.has_zero) {
            return Ok(Conforming::AnyNan(self.format));
        }
        let precision = self.format.precision();
        let rest = self.rest().ok_or(NoBound::TooManyTerms { precision })?;
        let [may_overflow, may_underflow] = self.may_leave(rest);
        if may_underflow && self.others >= 1 << (precision - 1) {
            return Err(NoBound::TooManyTerms { precision });
        }
        let or_nan = |result: Conforming, may: bool| match may {
            true => Conforming::OneOf(vec![result, Conforming::AnyNan(self.format)]),
            false => result,
        };
        if self.has_infinity {
            return Ok(or_nan(infinity(self.format, self.negative), may_underflow));
        }
        if self.has_zero {
            return Ok(or_nan(zero(self.format, self.negative), may_overflow));
        }
        let magnitude = self.above.product().times(&self.below.product());
        let [lower, upper] = self.ordinals(&magnitude, rest, may_underflow);
        let end = largest(self.format).cast_signed();
        let signed = |ends: [i64; 2]| if self.negative { [-ends[1], -ends[0]] } else { ends };
        // The sign is that of the factors, whatever is rounded: a negative product is no +0.
        let least = if self.negative { lower.max(1) } else { lower };
        let is_infinite = may_overflow || upper > end;
        let infinities = [is_infinite && !self.negative, is_infinite && self.negative];
        let numbers = [least, upper.min(end)];
        let accumulated = Accumulated {
            format: self.format,
            numbers: (numbers[0] <= numbers[1]).then_some(signed(numbers)),
            negative_zero: false,
            infinities,
            nan: may_overflow && may_underflow,
            may_overflow: [may_overflow && !self.negative, may_overflow && self.negative],
        };
        let exact = enclosed::ratio(&magnitude.significand, &BigUint::one(), magnitude.exponent);
        let nearest = exact.nearest(self.format, self.negative);
        let bits = nearest.example().unwrap_or_default() as u64;
        let within = Conforming::Within { accumulated, nearest: bits };
        if !(self.negative && lower < 1) {
            return Ok(within);
        }
        let minus = zero(self.format, true);
        Ok(Conforming::OneOf(if nearest == minus {
            vec![minus, within]
        } else {
            vec![within, minus]
        }))
    }

    /// The share of the bound that the number `actual` takes; `None` where there is no bound, or it is 0.
    pub fn share(&self, actual: u64) -> Option<Share> {
        let rest = self.rest()?;
        let magnitude = self.magnitude()?;
        let [_, may_underflow] = self.may_leave(rest);
        let Ends { numbers, denominator, unit } = self.ends(&magnitude, rest, may_underflow);
        let number = |numerator: BigInt, exponent: i64| {
            let signed = if self.negative { -numerator } else { numerator };
            Interval::new(signed, exponent, SHARE_BITS)
        };
        let denominator = Interval::new(denominator, 0, SHARE_BITS);
        // The sign is that of the factors.
        let numbers = numbers.map(|end| end.max(BigInt::ZERO));
        let [a, b] = numbers.map(|end| number(end, unit).divided_by(&denominator));
        let (least, most) = if self.negative { (b?, a?) } else { (a?, b?) };
        let exact = &number(magnitude.significand.into(), magnitude.exponent)
            * &Interval::integer(1, SHARE_BITS);
        Share::enclosed(self.format, &exact, [&least, &most], actual)
    }

    /// The numbers nearest to the ends of the bound, as ordinals of magnitudes.
    fn ordinals(&self, magnitude: &Number, rest: u64, may_underflow: bool) -> [i64; 2] {
        let Ends { numbers, denominator, unit } = self.ends(magnitude, rest, may_underflow);
        let [lower, upper] = numbers.map(|end| rounded(self.format, &end, &denominator, unit));
        [lower.max(0), upper]
    }

    /// The ends of the bound, as magnitudes.
    fn ends(&self, magnitude: &Number, rest: u64, may_underflow: bool) -> Ends {
        let format = self.format;
        let roundings = self.roundings();
        let eta = i64::from(smallest_exponent(format));
        // With one rounding it is the last, or half as large.
        let share = 1 + u32::from(roundings <= 1 && !may_underflow);
        let denominator = BigUint::from(rest) * share;
        let mut unit = magnitude.exponent;
        let mut number = magnitude.significand.clone();
        let mut underflow = BigUint::ZERO;
        if may_underflow {
            let mut above = self.above.product();
            if above.compare(1, &BigUint::one(), 0) == Ordering::Less {
                above = Number { significand: BigUint::one(), exponent: 0 };
            }
            let exponent = above.exponent + eta + i64::from(format.precision());
            let error = above.significand * self.others.saturating_sub(1);
            let common = unit.min(exponent);
            number <<= (unit - common).unsigned_abs();
            underflow = error << (exponent - common).unsigned_abs();
            unit = common;
        }
        let error = BigInt::from(&number * roundings + underflow);
        let number = BigInt::from(number) * rest * share;
        Ends { numbers: [&number - &error, number + error], denominator, unit }
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    const FLOAT32: &FloatFormat = &FloatFormat::FLOAT32;

    fn bits(x: f32) -> u64 {
        x.to_bits().into()
    }

    fn product(factors: &[f32]) -> Product {
        let mut product = Product::new(FLOAT32);
        factors.iter().for_each(|&factor| product.multiply(bits(factor)));
        product
    }

    fn conforming(factors: &[f32]) -> Conforming {
        product(factors).conforming().unwrap()
    }

    /// Whether each of these conforms.
    fn accepts<const N: usize>(factors: &[f32], results: [f32; N]) -> [bool; N] {
        let conforming = conforming(factors);
        results.map(|result| conforming.accepts(bits(result)))
    }

    #[test]
    fn no_factors_make_one_and_one_makes_itself() {
        let next = f32::from_bits(1.0_f32.to_bits() + 1);
        assert_eq!(accepts(&[], [1.0, next, -1.0]), [true, false, false]);
        assert_eq!(accepts(&[next], [1.0, next]), [false, true]);
        assert_eq!(accepts(&[1e-40], [1e-40, 0.0]), [true, false]);
        // Powers of two round nothing.
        assert_eq!(accepts(&[next, 4.0, -0.25, 2.0], [-2.0 * next, -2.0]), [true, false]);
        assert_eq!(product(&[3.0, -5.0]).product(), Some(Rational::from(BigInt::from(-15))));
    }

    #[test]
    fn the_share_of_a_product_is_that_of_its_bound() {
        // 105 and 15/8 units of 2^-17, with a bound of 2 u 105 / (1 - 2 u) = 1.640625 / (1 - 2^-23) of them.
        let share = |factors: &[f32], right: f32, units: f32| {
            let share = product(factors).share(bits(right + units / 131_072.0));
            share.map(|share| share.to_string())
        };
        let seven = 7.0 + f32::powi(0.5, 20);
        let of = |units: f32| share(&[3.0, 5.0, seven], 105.0, units).unwrap();
        assert_eq!([2.0, 3.0, 0.0, 5.0].map(of), ["0.000000", "0.380953", "0.838096", "1.600000"]);
        let of = |units: f32| share(&[3.0, -5.0, seven], -105.0, units).unwrap();
        assert_eq!([-3.0, 0.0].map(of), ["0.380953", "0.838096"]);
        // One factor is not rounded, and an infinity is no number.
        assert_eq!(share(&[105.0, 4.0], 420.0, 0.0), None);
        assert_eq!(share(&[3.0, 5.0, seven], f32::INFINITY, 0.0), None);
        // No order rounds anything, so that one result alone conforms.
        assert_eq!(share(&[3.0, 5.0, 7.0], 105.0, 0.0), None);
        assert_eq!(accepts(&[3.0, 5.0, 7.0], [105.0, 105.0_f32.next_up()]), [true, false]);
        assert_eq!(accepts(&[3.0, 5.0, seven], [105.0, 105.0_f32.next_up()]), [true, true]);
        // Factors whose product has no exponent of moderate size.
        let tiny = [f32::from_bits(3); 3000];
        assert!(share(&tiny, 1.0, 0.0).is_some());
    }

    #[test]
    fn two_factors_are_rounded_once() {
        let (a, b) = (1.234_567_f32, 7.654_321);
        let right = a * b;
        let beside = [-1_i32, 1].map(|by| f32::from_bits(right.to_bits().wrapping_add_signed(by)));
        assert_eq!(accepts(&[a, b], [right, beside[0], beside[1]]), [true, false, false]);
    }

    #[test]
    fn signs_zeros_and_specials_are_those_of_every_order() {
        let (infinity, nan, tiny) = (f32::INFINITY, f32::NAN, f32::from_bits(1));
        assert_eq!(accepts(&[-2.0, 0.0], [-0.0, 0.0, nan]), [true, false, false]);
        assert_eq!(accepts(&[-2.0, infinity], [-infinity, infinity, nan]), [true, false, false]);
        assert_eq!(accepts(&[0.0, infinity], [nan, 0.0, infinity]), [true, false, false]);
        assert_eq!(accepts(&[nan, 0.0], [nan, 0.0]), [true, false]);
        // Half of eta is a tie, which two roundings turn into either.
        assert_eq!(accepts(&[-tiny, 0.5], [-0.0, 0.0, -tiny, tiny]), [true, false, true, false]);
        // Two that overflow before they meet the zero, and two that underflow before the infinity.
        let large = f32::MAX;
        assert_eq!(accepts(&[large, large, 0.0], [0.0, -0.0, nan]), [true, false, true]);
        assert_eq!(accepts(&[tiny, tiny, infinity], [infinity, nan, 0.0]), [true, true, false]);
    }

    #[test]
    fn what_leaves_the_range_on_the_way_may_stay_there() {
        let both = [1e30, 1e30, 1e-30, 1e-30];
        let results = [1.0, f32::INFINITY, 0.0, f32::NAN, -1.0, f32::NEG_INFINITY];
        assert_eq!(accepts(&both, results), [true, true, true, true, false, false]);
        let above = [1e30, 1e9, 1e-30];
        assert_eq!(accepts(&above, results), [false, true, false, false, false, false]);
        assert_eq!(accepts(&[1e20, 1e10, 1e-20], [1e10, f32::INFINITY, 0.0]), [true, false, false]);
        assert_eq!(accepts(&[f32::MAX, 2.0], [f32::INFINITY, f32::MAX]), [true, false]);
    }

    #[test]
    fn so_many_factors_lose_every_bit() {
        let mut product = Product::new(&FloatFormat::BFLOAT16);
        (0..256).for_each(|_| product.multiply(0x3f81));
        assert!(product.conforming().is_ok());
        product.multiply(0x3f81);
        assert_eq!(product.conforming(), Err(NoBound::TooManyTerms { precision: 8 }));
    }

    fn factors() -> impl Strategy<Value = f32> {
        let near = (any::<u32>(), 117_u32..138)
            .prop_map(|(bits, exponent)| f32::from_bits(bits & 0x807f_ffff | exponent << 23));
        let every = any::<f32>().prop_filter("finite", |x| x.is_finite());
        let small = any::<u32>().prop_map(|bits| f32::from_bits(bits & 0x81ff_ffff));
        let short = (-9_i8..10).prop_map(f32::from);
        prop_oneof![9 => short, 9 => near, 1 => every, 1 => small, 1 => Just(2.0), 1 => Just(-0.125)]
    }

    /// The product of halves.
    fn pairwise(factors: &[f32]) -> f32 {
        match factors {
            [] => 1.0,
            [one] => *one,
            _ => {
                let (left, right) = factors.split_at(factors.len() / 2);
                pairwise(left) * pairwise(right)
            }
        }
    }

    proptest! {
        #![proptest_config(ProptestConfig::with_cases(3000))]

        #[test]
        fn every_order_and_wider_conforms(
            factors in prop::collection::vec(factors(), 0..24).prop_shuffle(),
        ) {
            let conforming = conforming(&factors);
            let plain = factors.iter().product::<f32>();
            let back = factors.iter().rev().fold(1.0_f32, |all, x| all * x);
            let wide = factors.iter().map(|&x| f64::from(x)).product::<f64>() as f32;
            for (name, result) in
                [("plain", plain), ("back", back), ("wide", wide), ("pairwise", pairwise(&factors))]
            {
                prop_assert!(conforming.accepts(bits(result)), "{name} {result:e} {conforming:?}");
            }
        }
    }
}

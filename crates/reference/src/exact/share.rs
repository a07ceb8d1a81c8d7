//! The share that a result takes of the error that its bound allows.

use std::fmt;

use num_bigint::BigInt;
use num_traits::{One, Signed, ToPrimitive, Zero};
use values::dtype::DType;
use values::float::{Class, FloatFormat};

use super::Number;
use super::interval::Interval;
use super::real::{
    Enclosure, Rational, difference, of_float, overflow_threshold, product, scaled, sum,
};

/// How much of a bound a result needs: the least t for which it is the element nearest to a number that is within
/// t times the bound of the exact result. It is 0 for the correctly rounded result, and more than 1 for one that does
/// not conform. It is held rounded up to millionths.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Share(u128);

/// The binades beyond which numbers are alike to every format.
const BINADES: std::ops::RangeInclusive<i64> = -4300..=4300;

impl Share {
    /// Millionths of a whole.
    const WHOLE: u128 = 1_000_000;

    /// Nothing of the bound: a correctly rounded result.
    pub const NONE: Self = Self(0);

    /// All of the bound.
    pub const ALL: Self = Self(Self::WHOLE);

    /// The share of an element of a float type; `None` where it is a NaN, or the bound is 0 and not enough.
    pub fn of(dtype: DType, exact: &Rational, bound: &Rational, actual: u64) -> Option<Self> {
        let Some(Number::Float(format)) = Number::of(dtype) else { return None };
        let ends = [difference(exact, bound), sum(exact, bound)];
        Self::within(format, &Enclosure::point(exact.clone()), &ends, actual)
    }

    /// The share of a number where the exact result is enclosed and all conform that are nearest to a number between two
    /// ends, so that the bound above it may be another one than that below. `None` where either is no number, or both
    /// ends are the same: one result alone conforms.
    ///
    /// It is rounded up: no exact result in the enclosure, and no end in those of the bound, makes it larger.
    pub(crate) fn enclosed(
        format: &'static FloatFormat,
        exact: &Interval,
        [least, most]: [&Interval; 2],
        actual: u64,
    ) -> Option<Self> {
        of_float(format, actual)?;
        if exact.binade().is_some_and(|binade| binade > *BINADES.end()) {
            return None;
        }
        let [lower, upper] = [&exact.lower(), &exact.upper()].map(moderate);
        let ends = [&least.upper(), &most.lower()].map(moderate);
        let share = || Self::within(format, &Enclosure { lower, upper }, &ends, actual);
        (ends[0] < ends[1]).then(share).flatten()
    }

    fn within(
        format: &'static FloatFormat,
        exact: &Enclosure,
        [least, most]: &[Rational; 2],
        actual: u64,
    ) -> Option<Self> {
        let of = |exact: &Rational| {
            let needed = beyond_rounding(format, exact, actual)?;
            if needed.is_zero() {
                return Some(Self::NONE);
            }
            let allowed = difference(if needed.is_positive() { most } else { least }, exact);
            // An end on the other side of the exact result leaves nothing.
            if needed.is_positive() != allowed.is_positive() || allowed.is_zero() {
                return None;
            }
            // Of numbers of one sign. It is not reduced, which would take longer than all else.
            let part = (needed.numer() * allowed.denom()).abs() * BigInt::from(Self::WHOLE);
            let all = (needed.denom() * allowed.numer()).abs();
            let millionths = (part + &all - BigInt::one()) / all;
            Some(Self(millionths.to_u128().unwrap_or(u128::MAX)))
        };
        // Between the ends of an enclosure it rises or falls throughout, or is 0 in between.
        match exact.exact() {
            Some(exact) => of(exact),
            None => Some(of(&exact.lower)?.max(of(&exact.upper)?)),
        }
    }

    /// The quotient of two numbers, rounded up; as large as any where the divisor is 0.
    pub fn of_parts(part: u128, all: u128) -> Self {
        let millionths = BigInt::from(part) * BigInt::from(Self::WHOLE);
        let quotient = (!all.is_zero()).then(|| Rational::new(millionths, all.into()).ceil());
        Self(quotient.and_then(|it| it.to_integer().to_u128()).unwrap_or(u128::MAX))
    }

    /// A share that is no less than this multiple of the bound, which is not negative.
    pub(super) fn at_most(bound: f64) -> Self {
        Self((bound * Self::WHOLE as f64).next_up().ceil() as u128)
    }

    /// This share, or that of an element which just does not conform where it is less.
    pub(super) fn beyond(self) -> Self {
        self.max(Self(Self::WHOLE + 1))
    }

    /// The share as the judgement of the element has it: at most 1 where it conforms, and more where it does not. On the bound itself,
    /// where a tie is rounded away from the element, that is the next larger one. `None` where it is not the bound
    /// that decides, as of the sign of a zero, or of a second reading.
    pub fn judged(self, conforms: bool) -> Option<Self> {
        match conforms {
            true => (self <= Self::ALL).then_some(self),
            false => (self >= Self::ALL).then(|| self.beyond()),
        }
    }

    /// How much it is, for readers: `0.32 of` the bound, or `12.5 times` it; rounded up to hundredths, so that one above 1 is
    /// never shown as 1.
    pub fn amount(self) -> String {
        let hundredths = self.0.div_ceil(Self::WHOLE / 100);
        let decimal = format!("{}.{:02}", hundredths / 100, hundredths % 100);
        let decimal = decimal.trim_end_matches('0').trim_end_matches('.');
        match self {
            Self(millionths) if millionths > 1000 * Self::WHOLE => "over 1,000 times".to_owned(),
            _ if self > Self::ALL => format!("{decimal} times"),
            _ => format!("{decimal} of"),
        }
    }

    /// The share that is written so.
    pub fn parse(text: &str) -> Option<Self> {
        let (whole, millionths) = text.split_once('.')?;
        let [whole, millionths] = [whole.parse::<u128>().ok()?, millionths.parse().ok()?];
        let share = Self(whole.checked_mul(Self::WHOLE)?.checked_add(millionths)?);
        (share.to_string() == text).then_some(share)
    }
}

/// In decimal with six places: `0.031250`.
impl fmt::Display for Share {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(&format!("{}.{:06}", self.0 / Self::WHOLE, self.0 % Self::WHOLE))
    }
}

/// A single number; one that is too close to 0, or too far from it, for any format is 0, or as far as one may be.
fn moderate(number: &Interval) -> Rational {
    let (significand, exponent) = number.lower_end();
    let (least, most) = BINADES.into_inner();
    match number.binade() {
        None => Rational::zero(),
        Some(binade) if binade < least => Rational::zero(),
        Some(binade) if binade > most && significand.is_negative() => -scaled(BigInt::one(), most),
        Some(binade) if binade > most => scaled(BigInt::one(), most),
        Some(_) => scaled(significand, exponent),
    }
}

/// How far an exact result is from the numbers that an element is the nearest to: positive where these are above it;
/// `None` where the element is a NaN.
fn beyond_rounding(
    format: &'static FloatFormat,
    exact: &Rational,
    actual: u64,
) -> Option<Rational> {
    let threshold = overflow_threshold(format);
    let number = |ordinal: i64| {
        let magnitude = ordinal.unsigned_abs();
        let bits = if ordinal < 0 { format.negated(magnitude) } else { magnitude };
        of_float(format, bits)
    };
    let half = |sum: &Rational| product(sum, &scaled(BigInt::one(), -1));
    let own = of_float(format, actual);
    let is_below = match &own {
        Some(own) => exact > own,
        None => format.is_negative(actual),
    };
    let edge = match (format.class(actual), own) {
        (Class::Nan, _) => return None,
        (_, None) if is_below => -threshold,
        (_, None) => threshold,
        (_, Some(own)) => {
            let next = format.ordinal(actual)? + if is_below { 1 } else { -1 };
            match (number(next), is_below) {
                (Some(next), _) => half(&sum(&own, &next)),
                // Beyond the largest number.
                (None, true) => threshold,
                (None, false) => -threshold,
            }
        }
    };
    let beyond = difference(&edge, exact);
    Some(if beyond.is_positive() == is_below { Rational::zero() } else { beyond })
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;
    use values::float::FloatFormat;

    use super::*;
    use crate::exact::dot::DotProduct;
    use crate::exact::real::power_of_two;

    const DTYPE: DType = DType::Float32;

    fn bits(number: f32) -> u64 {
        number.to_bits().into()
    }

    #[test]
    fn a_share_is_what_is_needed_beyond_the_last_rounding() {
        let one = Rational::from(BigInt::from(1));
        let of = |actual: f32, bound: i32| {
            Share::of(DTYPE, &one, &power_of_two(bound), bits(actual))
                .map(|share| share.to_string())
        };
        // Three quarters of a unit of 2^-23 below 1 would be rounded to 1 - 2^-23.
        assert_eq!(of(1.0, -23).unwrap(), "0.000000");
        assert_eq!(of(1.0 + f32::EPSILON, -23).unwrap(), "0.500000");
        assert_eq!(of(1.0 + 2.0 * f32::EPSILON, -23).unwrap(), "1.500000");
        assert_eq!(of(1.0 - f32::EPSILON, -23).unwrap(), "0.750000");
        assert_eq!(of(-1.0, 1).unwrap(), "1.000000");
        assert_eq!(of(f32::NAN, 0), None);
        // The largest number and an infinity meet at the threshold of overflow, 2^128 - 2^103.
        assert_eq!(of(f32::INFINITY, 128).unwrap(), "1.000000");
        assert_eq!(of(f32::NEG_INFINITY, 127).unwrap(), "2.000000");
        assert_eq!(Share::of(DTYPE, &one, &Rational::zero(), bits(2.0)), None);
    }

    #[test]
    fn a_share_is_read_from_the_very_text_that_it_is_written_as() {
        for text in ["0.000000", "0.000001", "1.000000", "12.345678"] {
            assert_eq!(Share::parse(text).unwrap().to_string(), text);
        }
        for text in
            ["", "0", "0.5", "0.5000000", "00.500000", "0.1000000", "+1.000000", "-0.000001"]
        {
            assert_eq!(Share::parse(text), None, "{text}");
        }
        assert!(Share::parse("1.000000") == Some(Share::ALL));
    }

    #[test]
    fn the_share_of_an_enclosed_result_is_that_of_the_end_that_makes_it_larger() {
        // In quarters of a unit of 2^-23: a number within 1 of 1.0, and all conform from 4 below it to 6 above it.
        let quarters = |above: i64| Interval::new((1 << 25) + above, -25, 128);
        let exact = quarters(0).widened(&Interval::power_of_two(-25, 128));
        let ends = [&quarters(-4), &quarters(6)];
        let of = |actual: f32| {
            let share = Share::enclosed(&FloatFormat::FLOAT32, &exact, ends, bits(actual));
            share.map(|share| share.to_string())
        };
        let above = |units: f32| of(1.0 + units * f32::EPSILON).unwrap();
        assert_eq!(above(0.0), "0.000000");
        // 3 of 7 or 1 of 5, then 7 of 7 or 5 of 5, and 11 of 7 or 9 of 5; below 0 or 2 of 5.
        assert_eq!([1.0, 2.0, 3.0].map(above), ["0.428572", "1.000000", "1.800000"]);
        assert_eq!(above(-0.5), "0.400000");
        assert_eq!([f32::INFINITY, f32::NAN].map(of), [None, None]);
        let point = [&quarters(4), &quarters(4)];
        assert_eq!(Share::enclosed(&FloatFormat::FLOAT32, &exact, point, bits(2.0)), None);
    }

    #[test]
    fn what_conforms_has_all_of_the_bound_at_most_and_what_does_not_has_more() {
        let [less, more] = [Share(999_999), Share(1_000_001)];
        assert_eq!([less, Share::ALL].map(|it| it.judged(true)), [Some(less), Some(Share::ALL)]);
        assert_eq!([more, Share::ALL].map(|it| it.judged(false)), [Some(more); 2]);
        assert_eq!((more.judged(true), less.judged(false)), (None, None));
    }

    #[test]
    fn readers_see_a_share_rounded_up_to_hundredths() {
        let cases = [
            (0, "0 of"),
            (1, "0.01 of"),
            (310_001, "0.32 of"),
            (500_000, "0.5 of"),
            (1_000_000, "1 of"),
            (1_000_001, "1.01 times"),
            (12_500_000, "12.5 times"),
            (1_000_000_000, "1000 times"),
            (u128::MAX, "over 1,000 times"),
        ];
        for (millionths, amount) in cases {
            assert_eq!(Share(millionths).amount(), amount);
        }
    }

    proptest! {
        #[test]
        fn a_result_conforms_where_its_share_is_at_most_one(
            terms in prop::collection::vec((-1e3_f32..1e3, -1e3_f32..1e3), 2..9),
            off in -200_i64..200,
        ) {
            let format = &FloatFormat::FLOAT32;
            let mut dot = DotProduct::new(format, format).unwrap();
            dot.extend(terms.iter().map(|&(a, b)| (bits(a), bits(b))));
            let [sum, bound] = [dot.sum().unwrap(), dot.bound().unwrap()];
            prop_assume!(!bound.is_zero());
            let nearest = dot.conforming().unwrap().example().unwrap() as u64;
            let actual = nearest.checked_add_signed(off).unwrap();
            let share = Share::of(DTYPE, &sum, &bound, actual).unwrap();
            let accepts = dot.accumulated().unwrap().accepts(actual);
            // On the bound itself a tie may go the other way.
            prop_assert!(share == Share::ALL || accepts == (share < Share::ALL), "{share}");
            prop_assert!(actual != nearest || share == Share::NONE);
        }
    }
}

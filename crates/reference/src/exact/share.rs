//! The share that a result takes of the error that its sum is allowed.

use std::fmt;

use num_bigint::BigInt;
use num_traits::{Signed, ToPrimitive, Zero};
use values::dtype::{DType, Kind};
use values::float::Class;

use super::real::{Rational, overflow_threshold, value};

/// How much of a bound a result needs: the least t for which it is the element nearest to a number that is within
/// t times the bound of the exact sum. It is 0 for the correctly rounded result, and more than 1 for one that does
/// not conform. It is held rounded up to millionths.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Share(u128);

impl Share {
    /// Millionths of a whole.
    const WHOLE: u128 = 1_000_000;

    /// All of the bound.
    pub const ALL: Self = Self(Self::WHOLE);

    /// The share of an element of a float type; `None` where it is a NaN, or the bound is 0 and not enough.
    pub fn of(dtype: DType, exact: &Rational, bound: &Rational, actual: u64) -> Option<Self> {
        let needed = beyond_rounding(dtype, exact, actual)?;
        if needed.is_zero() {
            return Some(Self(0));
        }
        if bound.is_zero() {
            return None;
        }
        let millionths = needed / bound * Rational::from(BigInt::from(Self::WHOLE));
        Some(Self(millionths.ceil().to_integer().to_u128().unwrap_or(u128::MAX)))
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

/// How far a number is from those that an element is the nearest to; `None` where it is a NaN.
fn beyond_rounding(dtype: DType, exact: &Rational, actual: u64) -> Option<Rational> {
    let Kind::Float(format) = dtype.kind() else { return None };
    let threshold = overflow_threshold(format);
    let number = |ordinal: i64| {
        let magnitude = ordinal.unsigned_abs();
        let bits = if ordinal < 0 { format.negated(magnitude) } else { magnitude };
        value(dtype, bits)
    };
    let half = |sum: Rational| sum / BigInt::from(2);
    let edge = match format.class(actual) {
        Class::Nan => return None,
        Class::Infinite if format.is_negative(actual) => -threshold,
        Class::Infinite => threshold,
        _ => {
            let own = value(dtype, actual)?;
            let is_above = *exact > own;
            let next = format.ordinal(actual)? + if is_above { 1 } else { -1 };
            match (number(next), is_above) {
                (Some(next), _) => half(own + next),
                // Beyond the largest number.
                (None, true) => threshold,
                (None, false) => -threshold,
            }
        }
    };
    let is_positive_side = match value(dtype, actual) {
        Some(own) => *exact > own,
        None => format.is_negative(actual),
    };
    let beyond = if is_positive_side { exact - edge } else { edge - exact };
    Some(if beyond.is_positive() { beyond } else { Rational::zero() })
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
            prop_assert!(actual != nearest || share == Share(0));
        }
    }
}

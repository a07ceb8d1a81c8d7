//! Numbers with infinities and NaN, whatever type they come from: the operands of operations that are rounded to
//! a format of their own.
//!
//! Every element of every numeric type is one, those of 2, 4 and 8 bits included. Quotients and products are
//! those of IEEE 754-2019, 6.1 to 6.3, before they are rounded.

use std::cmp::Ordering;

use num_bigint::BigInt;
use num_traits::{Signed, Zero};
use values::dtype::{DType, Kind, integer};
use values::float::{Class, FloatFormat, Specials};

use super::number::{Int, Value, infinity, largest, signed, zero};
use super::real::{self, Rational, scaled};
use super::{Conforming, enclosed};

/// A number with its sign, which zeros have too, or what is none; `true` is minus.
#[derive(Clone, Debug)]
pub(crate) enum Extended {
    Nan,
    Infinite(bool),
    Finite(Rational, bool),
}

impl PartialEq for Extended {
    fn eq(&self, other: &Self) -> bool {
        match (self, other) {
            (Self::Nan, Self::Nan) => true,
            (Self::Infinite(a), Self::Infinite(b)) => a == b,
            // In lowest terms, as all are, equal numbers have the same.
            (Self::Finite(x, a), Self::Finite(y, b)) => {
                a == b && x.denom() == y.denom() && x.numer() == y.numer()
            }
            _ => false,
        }
    }
}

impl Eq for Extended {}

impl Extended {
    /// What an element is; `None` for types that are not numeric.
    pub(crate) fn of(dtype: DType, bits: u64) -> Option<Self> {
        match dtype.kind() {
            Kind::Int { signed, bits: width } => {
                Some(Self::integer(integer(bits.into(), signed, width)))
            }
            Kind::Float(format) => Some(Self::of_float(format, bits)),
            Kind::Bool | Kind::Complex(_) | Kind::String => None,
        }
    }

    /// An integer; zero is positive.
    pub(crate) fn integer(value: i128) -> Self {
        Self::Finite(Rational::from(BigInt::from(value)), value < 0)
    }

    fn of_float(format: &FloatFormat, bits: u64) -> Self {
        let negative = format.is_negative(bits);
        match Value::of(format, bits) {
            Value::Nan => Self::Nan,
            Value::Infinite => Self::Infinite(negative),
            Value::Zero => Self::Finite(Rational::zero(), negative),
            Value::Finite(magnitude) => {
                let size = scaled(magnitude.significand.into(), magnitude.exponent);
                Self::Finite(if negative { -size } else { size }, negative)
            }
        }
    }

    /// The number, where it is one.
    pub(crate) const fn finite(&self) -> Option<&Rational> {
        match self {
            Self::Finite(number, _) => Some(number),
            Self::Nan | Self::Infinite(_) => None,
        }
    }

    pub(crate) fn is_zero(&self) -> bool {
        self.finite().is_some_and(Zero::is_zero)
    }

    /// This by another.
    pub(crate) fn quotient(&self, by: &Self) -> Self {
        match (self, by) {
            (Self::Nan, _) | (_, Self::Nan) | (Self::Infinite(_), Self::Infinite(_)) => Self::Nan,
            (Self::Infinite(a), Self::Finite(_, b)) => Self::Infinite(a != b),
            (Self::Finite(_, a), Self::Infinite(b)) => Self::Finite(Rational::zero(), a != b),
            (Self::Finite(x, a), Self::Finite(y, b)) => match (x.is_zero(), y.is_zero()) {
                (true, true) => Self::Nan,
                (false, true) => Self::Infinite(a != b),
                (_, false) => Self::Finite(over(x, y), a != b),
            },
        }
    }

    /// This times another.
    pub(crate) fn product(&self, by: &Self) -> Self {
        match (self, by) {
            (Self::Finite(x, a), Self::Finite(y, b)) => Self::Finite(times(x, y), a != b),
            (Self::Infinite(a), Self::Infinite(b)) => Self::Infinite(a != b),
            (Self::Infinite(a), Self::Finite(number, b))
            | (Self::Finite(number, b), Self::Infinite(a))
                if !number.is_zero() =>
            {
                Self::Infinite(a != b)
            }
            _ => Self::Nan,
        }
    }

    /// The finite number of a format that is nearest, ties to even; `None` where this is none, or out of the
    /// format's range.
    fn nearest(&self, format: &'static FloatFormat) -> Option<u64> {
        let Self::Finite(number, negative) = self else { return None };
        let sign = if number.is_zero() { *negative } else { number.is_negative() };
        match enclosed::cut(number).nearest(format, sign) {
            Conforming::One(bits) if format.class(bits) != Class::Infinite => Some(bits),
            _ => None,
        }
    }

    /// What conforms for this in a format of IEEE 754, or one of 8 bits that does not saturate.
    pub(crate) fn rounded(&self, format: &'static FloatFormat) -> Conforming {
        match (self.nearest(format), self) {
            (Some(bits), _) => Conforming::One(bits),
            (None, Self::Nan) => Conforming::AnyNan(format),
            (None, Self::Infinite(negative) | Self::Finite(_, negative)) => {
                infinity(format, *negative)
            }
        }
    }

    /// The number that this becomes in a format of IEEE 754.
    pub(crate) fn within(&self, format: &'static FloatFormat) -> Self {
        match self.rounded(format) {
            Conforming::One(bits) => Self::of_float(format, bits),
            _ => Self::Nan,
        }
    }

    /// What conforms for this in a format of 8 bits or fewer that saturates. Of infinities in the formats without
    /// -0 `float8.md` says that they become NaN, and newer tables that they become the largest number. Of a NaN
    /// in float4e2m1, which has none, 6 is left by `float4.md`, and -0 by ONNX's own cases; of one in the floats of
    /// 6 bits no document says what is left.
    pub(crate) fn saturated(&self, format: &'static FloatFormat) -> Conforming {
        let end = |negative| Conforming::One(signed(format, negative, largest(format)));
        match (self.nearest(format), self) {
            (Some(bits), _) => Conforming::One(bits),
            (None, Self::Nan) if *format == FloatFormat::FLOAT4E2M1 => {
                Conforming::OneOf(vec![end(false), zero(format, true)])
            }
            (None, Self::Nan) if format.specials == Specials::Finite => Conforming::Unspecified(
                "the type has no NaN, and no document says what becomes of one",
            ),
            (None, Self::Nan) => Conforming::AnyNan(format),
            (None, Self::Infinite(negative))
                if format.specials == Specials::FiniteNanUnsignedZero =>
            {
                Conforming::OneOf(vec![end(*negative), Conforming::AnyNan(format)])
            }
            (None, Self::Infinite(negative) | Self::Finite(_, negative)) => end(*negative),
        }
    }

    /// The nearest integer, ties to even, plus another, at most the ends of a type; `None` for a NaN.
    pub(crate) fn clamped(&self, plus: i128, int: Int) -> Option<u64> {
        let (least, most) = (int.min(), int.max());
        let value = match self {
            Self::Nan => return None,
            Self::Infinite(negative) => {
                if *negative {
                    least
                } else {
                    most
                }
            }
            Self::Finite(number, _) => {
                let sum = half_even(number) + BigInt::from(plus);
                i128::try_from(sum.clamp(least.into(), most.into())).ok()?
            }
        };
        int.element(value)
    }
}

/// The product of two numbers. Of multiples of powers of two, as floats are, no factor but these is to be found.
fn times(x: &Rational, y: &Rational) -> Rational {
    match (binary_exponent(x), binary_exponent(y)) {
        (Some(a), Some(b)) => scaled(x.numer() * y.numer(), a + b),
        _ => real::product(x, y),
    }
}

/// The quotient of two numbers, of which the divisor is not 0.
fn over(x: &Rational, y: &Rational) -> Rational {
    let divisor = if y.is_negative() { -y.denom() } else { y.denom().clone() };
    real::fraction(x.numer() * divisor, x.denom() * y.numer().abs())
}

/// The exponent of the power of two that is the denominator; `None` where it is none, or beyond any float's.
fn binary_exponent(number: &Rational) -> Option<i32> {
    let zeros = number.denom().trailing_zeros()?;
    (zeros + 1 == number.denom().bits()).then(|| i32::try_from(zeros).ok().map(|zeros| -zeros))?
}

/// The nearest integer, ties to even.
pub(crate) fn half_even(number: &Rational) -> BigInt {
    let (numerator, denominator) = (number.numer(), number.denom());
    let mut below = numerator / denominator;
    let mut rest = numerator - &below * denominator;
    // Division of integers rounds towards zero.
    if rest.is_negative() {
        below -= 1;
        rest += denominator;
    }
    let up = match (rest << 1_u8).cmp(denominator) {
        Ordering::Less => false,
        Ordering::Equal => below.bit(0),
        Ordering::Greater => true,
    };
    if up { below + 1 } else { below }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;
    use DType::{
        Float4E2M1, Float6E2M3, Float6E3M2, Float8E4M3Fn, Float8E4M3Fnuz, Float8E8M0, Float16,
        Float32, Int2, Uint4, Uint8,
    };

    fn ratio(a: i64, b: i64) -> Extended {
        Extended::Finite(Rational::new(a.into(), b.into()), (a < 0) != (b < 0))
    }

    #[test]
    fn elements_of_every_width_are_numbers() {
        for (dtype, bits, number) in [
            (Int2, 2, ratio(-2, 1)),
            (Uint4, 15, ratio(15, 1)),
            (Float4E2M1, 0xf, ratio(-6, 1)),
            (Float6E2M3, 0x3f, ratio(-15, 2)),
            (Float6E2M3, 0x01, ratio(1, 8)),
            (Float6E3M2, 0x1f, ratio(28, 1)),
            (Float6E3M2, 0x21, ratio(-1, 16)),
            (Float8E8M0, 126, ratio(1, 2)),
            (Float8E4M3Fn, 1, ratio(1, 512)),
            (Float16, 0x7c00, Extended::Infinite(false)),
            (Float8E4M3Fnuz, 0x80, Extended::Nan),
            (Float32, 0x8000_0000, Extended::Finite(Rational::zero(), true)),
        ] {
            assert_eq!(Extended::of(dtype, bits), Some(number), "{dtype}");
        }
        assert_eq!(Extended::of(DType::Bool, 1), None);
    }

    #[test]
    fn quotients_and_products_of_what_is_no_number_are_those_of_ieee_754() {
        let [zero, one, infinite] =
            [Extended::integer(0), Extended::integer(-1), Extended::Infinite(false)];
        assert_eq!(zero.quotient(&zero), Extended::Nan);
        assert_eq!(one.quotient(&zero), Extended::Infinite(true));
        assert_eq!(one.quotient(&infinite), Extended::Finite(Rational::zero(), true));
        assert_eq!(infinite.quotient(&infinite), Extended::Nan);
        assert_eq!(infinite.product(&zero), Extended::Nan);
        assert_eq!(infinite.product(&one), Extended::Infinite(true));
        assert_eq!(ratio(3, 2).product(&one), ratio(-3, 2));
    }

    #[test]
    fn ties_go_to_even_integers_and_the_rest_to_the_ends() {
        let int = Int { signed: false, bits: 8 };
        for (number, bits) in [(ratio(1, 2), 10), (ratio(3, 2), 12), (ratio(-3, 2), 8)] {
            assert_eq!(number.clamped(10, int), Some(bits));
        }
        assert_eq!(ratio(-21, 2).clamped(10, int), Some(0));
        assert_eq!(Extended::Infinite(false).clamped(10, int), Some(255));
        assert_eq!(Extended::Nan.clamped(10, int), None);
        assert_eq!(Uint8.bits(), Some(8));
    }

    #[test]
    fn narrow_formats_saturate_or_overflow() {
        let format = &FloatFormat::FLOAT8E4M3FN;
        assert_eq!(ratio(500, 1).saturated(format), Conforming::One(0x7e));
        assert_eq!(ratio(500, 1).rounded(format), Conforming::AnyNan(format));
        assert_eq!(ratio(464, 1).rounded(format), Conforming::One(0x7e));
        let format = &FloatFormat::FLOAT4E2M1;
        assert_eq!(ratio(-9, 1).saturated(format), Conforming::One(0xf));
        assert_eq!(ratio(5, 2).saturated(format), Conforming::One(4));
        for format in [&FloatFormat::FLOAT6E2M3, &FloatFormat::FLOAT6E3M2] {
            assert_eq!(ratio(-29, 1).saturated(format), Conforming::One(0x3f));
            assert_eq!(Extended::Infinite(false).saturated(format), Conforming::One(0x1f));
            assert!(!Extended::Nan.saturated(format).is_decided());
        }
        let format = &FloatFormat::FLOAT8E4M3FNUZ;
        assert!(Extended::Infinite(false).saturated(format).accepts(0x80));
        assert_eq!(ratio(65520, 1).within(&FloatFormat::FLOAT16), Extended::Infinite(false));
    }

    proptest! {
        #[test]
        fn products_are_those_of_rational_numbers_whatever_the_denominators(
            [a, b] in [any::<i64>(), any::<i64>()],
            [c, d] in [1_i64..50, 1_i64..50],
            [up, down] in [0_u32..70, 0_u32..70],
        ) {
            for (c, d) in [(1, 1), (1, d), (c, d)] {
                let x = Rational::new(BigInt::from(a), BigInt::from(c) << down);
                let y = Rational::new(BigInt::from(b) << up, BigInt::from(d));
                let (product, expected) = (times(&x, &y), &x * &y);
                prop_assert_eq!(product.numer(), expected.numer());
                prop_assert_eq!(product.denom(), expected.denom());
            }
        }

        #[test]
        fn the_nearest_integer_is_half_away_at_most_and_even_where_it_is_that(
            numerator in -5000_i64..5000,
            denominator in 1_i64..70,
        ) {
            let nearest = half_even(&Rational::new(numerator.into(), denominator.into()));
            let twice: BigInt = (BigInt::from(numerator) - &nearest * denominator) * 2;
            prop_assert!(twice.magnitude() <= BigInt::from(denominator).magnitude());
            prop_assert!(twice.magnitude() < BigInt::from(denominator).magnitude() || !nearest.bit(0));
        }
    }
}

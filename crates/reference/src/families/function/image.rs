//! What a function has for its operands, and what is decided from it.

use std::cmp::Ordering;

use num_bigint::BigInt;
use num_traits::{One, Signed, ToPrimitive};
use values::float::FloatFormat;

use crate::exact::enclosed::{self, Bounds, FIRST_BITS};
use crate::exact::interval::Interval;
use crate::exact::number::{infinity, zero};
use crate::exact::real::{Enclosure, Rational, power_of_two};
use crate::exact::truncated::Exact;
use crate::exact::{Conforming, Deviation};
use crate::real::Real;

/// What a function has for its operands.
#[derive(Clone, Debug)]
pub(crate) enum Image {
    /// No value: a NaN is computed.
    Nan,
    /// An infinity, exactly: at a pole, or the limit at an infinity.
    Infinite {
        /// Its sign.
        negative: bool,
    },
    /// Zero, and of its two elements this one.
    Zero {
        /// Its sign.
        negative: bool,
    },
    /// Zero, of either sign.
    EitherZero,
    /// Either no value or zero, of either sign: where a formula has no value, and its limit is 0.
    NanOrZero,
    /// Either no value or this number: where a formula has no value, and it is its limit.
    NanOr(Interval),
    /// A binary fraction, which is not 0.
    Fraction(Interval),
    /// A rational number that is no such fraction.
    Rational(Rational),
    /// An irrational number that is less than 2^-100 of a binary fraction from it, which is not 0 and has a significand
    /// of at most 110 bits.
    Beside {
        /// The fraction.
        number: Interval,
        /// Whether the irrational number is farther from zero than it.
        farther: bool,
    },
    /// An irrational number above 2^2300 in magnitude, or below 2^-2300: all formats round all of these alike.
    Outlying {
        /// Its sign.
        negative: bool,
        /// Whether it is a large one.
        is_large: bool,
    },
    /// An irrational number, or one with an odd significand of more than 128 bits.
    Irrational,
    /// A number of which it is not known whether it is irrational: decided where [`MOST_BITS`] bits of it do.
    Computed,
    /// Nothing that a document decides, for this reason.
    Open(&'static str),
}

/// An image with as many bits as decide results and their errors, in every format.
#[derive(Debug)]
pub(crate) struct Decided<'a> {
    image: &'a Image,
    /// Its sign and magnitude, where it is a number other than 0 and known closely enough.
    known: Option<(bool, Exact)>,
}

impl Decided<'_> {
    /// The results of a format that conform.
    pub(crate) fn conforming(&self, format: &'static FloatFormat) -> Conforming {
        match self.image {
            Image::Nan => Conforming::AnyNan(format),
            Image::Infinite { negative } => infinity(format, *negative),
            Image::Zero { negative } => zero(format, *negative),
            Image::EitherZero => Conforming::either_zero(format),
            Image::NanOrZero => Conforming::nan_or(format, Conforming::either_zero(format)),
            Image::Open(reason) => Conforming::Unspecified(reason),
            Image::NanOr(_) => Conforming::nan_or(format, self.nearest(format)),
            _ => self.nearest(format),
        }
    }

    /// The number of a format that is nearest to it.
    fn nearest(&self, format: &'static FloatFormat) -> Conforming {
        match &self.known {
            Some((negative, exact)) => exact.nearest(format, *negative),
            None => Conforming::Unspecified(UNKNOWN),
        }
    }

    /// How far a result of a format is from it.
    pub(crate) fn deviation(&self, format: &'static FloatFormat, actual: u64) -> Deviation {
        match self.image {
            Image::Nan
            | Image::NanOrZero
            | Image::NanOr(_)
            | Image::Infinite { .. }
            | Image::Open(_) => Deviation::NoRealResult,
            Image::Zero { .. } | Image::EitherZero => Exact::ZERO.deviation(format, false, actual),
            _ => self.known.as_ref().map_or(Deviation::NoRealResult, |(negative, exact)| {
                exact.deviation(format, *negative, actual)
            }),
        }
    }
}

/// Bits of a significand that is written out for a number beside a fraction.
const LENGTH: u32 = 110;

/// The distance to a fraction, relatively, that an image beside it may have at most.
const BESIDE: i32 = -100;

/// Bits beyond which a number that may be rational is left undecided. Of a number without a pattern as many
/// decide nothing about once in `2^8000` times.
const MOST_BITS: u32 = 1 << 13;

/// Exponents of numbers that are outlying.
const OUTLYING: i32 = 2300;

impl Image {
    /// The number 1.
    pub(crate) fn one() -> Self {
        Self::Fraction(Interval::integer(1, 128))
    }

    /// A number beside 1.
    pub(crate) fn beside_one(farther: bool) -> Self {
        Self::Beside { number: Interval::integer(1, 128), farther }
    }

    /// Whether it is a rational number.
    pub(crate) const fn is_rational(&self) -> bool {
        matches!(self, Self::Zero { .. } | Self::EitherZero | Self::Fraction(_) | Self::Rational(_))
    }

    /// It with as many bits as decide results and their errors.
    pub(crate) fn decided(&self, enclosed: impl Fn(u32) -> Option<Interval>) -> Decided<'_> {
        Decided { image: self, known: self.known(enclosed) }
    }

    /// It as a real number, to so many bits; `None` where there is none, or an outlying one.
    pub(crate) fn real(
        &self,
        bits: u32,
        enclosed: impl Fn(u32) -> Option<Interval>,
    ) -> Option<Real> {
        match self {
            Self::Nan
            | Self::NanOrZero
            | Self::NanOr(_)
            | Self::Infinite { .. }
            | Self::Open(_)
            | Self::Outlying { .. } => None,
            Self::Zero { .. } | Self::EitherZero => Some(Real::exactly(Rational::default())),
            Self::Fraction(number) => Some(number.enclosure().into()),
            Self::Rational(number) => Some(Real::exactly(number.clone())),
            Self::Beside { .. } | Self::Irrational | Self::Computed => {
                // The last bits of a precision are not known.
                let Enclosure { lower, upper } = enclosed(bits.saturating_add(32))?.enclosure();
                Some(Enclosure { lower, upper }.into())
            }
        }
    }

    /// Its order to a number; `None` where it is none.
    pub(crate) fn compare(
        &self,
        at: &Rational,
        enclosed: impl Fn(u32) -> Option<Interval>,
    ) -> Option<Ordering> {
        let signed = |order: Ordering, negative| if negative { order.reverse() } else { order };
        match self {
            Self::Nan | Self::NanOrZero | Self::NanOr(_) | Self::Open(_) => return None,
            Self::Infinite { negative } => return Some(signed(Ordering::Greater, *negative)),
            Self::Zero { .. } | Self::EitherZero => return Some(Rational::default().cmp(at)),
            Self::Fraction(number) => return number.enclosure().compare(at),
            Self::Rational(number) => return Some(number.cmp(at)),
            Self::Beside { number, farther } => {
                let fraction = number.enclosure().lower;
                let distance = (&fraction - at).abs();
                if distance > fraction.abs() * power_of_two(BESIDE) {
                    return Some(fraction.cmp(at));
                }
                if *at == fraction {
                    let order = if *farther { Ordering::Greater } else { Ordering::Less };
                    return Some(signed(order, fraction.is_negative()));
                }
            }
            Self::Outlying { negative, is_large } => {
                let magnitude = if *negative { -at } else { at.clone() };
                let limit = power_of_two(if *is_large { OUTLYING } else { -OUTLYING });
                if *is_large && magnitude <= limit || !magnitude.is_positive() {
                    return Some(signed(Ordering::Greater, *negative));
                }
                if !*is_large && magnitude >= limit {
                    return Some(signed(Ordering::Less, *negative));
                }
            }
            Self::Computed => return enclosed::compare_within(MOST_BITS, whole(&enclosed)?, at),
            Self::Irrational => {}
        }
        Some(enclosed::compare(whole(&enclosed)?, at))
    }

    /// Its sign and magnitude, where it is a number other than 0.
    fn known(&self, enclosed: impl Fn(u32) -> Option<Interval>) -> Option<(bool, Exact)> {
        match self {
            Self::Fraction(number) | Self::NanOr(number) => number.truncated(),
            Self::Rational(number) => Enclosure::point(number.clone()).truncated(),
            Self::Beside { number, farther } => beside(number, *farther),
            Self::Outlying { negative, is_large } => {
                let exponent = if *is_large { OUTLYING } else { -OUTLYING - LENGTH as i32 };
                let exact = Exact { significand: 1 << (LENGTH - 1), exponent, inexact: true };
                Some((*negative, exact))
            }
            Self::Irrational => Some(enclosed::known(whole(&enclosed)?)),
            Self::Computed => enclosed::known_within(MOST_BITS, whole(&enclosed)?),
            _ => None,
        }
    }
}

const UNKNOWN: &str = "the value is not known closely enough";

/// The enclosures as one that there always is; `None` where there is not even the first one. What is enclosed once
/// is so more closely.
fn whole(enclosed: &impl Fn(u32) -> Option<Interval>) -> Option<impl Fn(u32) -> Interval> {
    let first = enclosed(FIRST_BITS)?;
    Some(move |bits| match bits {
        FIRST_BITS => first.clone(),
        _ => enclosed(bits).unwrap_or_else(|| everything(bits)),
    })
}

/// All numbers that matter.
fn everything(bits: u32) -> Interval {
    let end = Interval::power_of_two(5000, bits);
    (-&end).hull(&end)
}

/// A number next to a fraction: its sign, and its magnitude with a significand of 110 bits.
fn beside(number: &Interval, farther: bool) -> Option<(bool, Exact)> {
    let (significand, exponent) = number.lower_end();
    let shift = u64::from(LENGTH).checked_sub(significand.bits())?;
    let magnitude: BigInt = significand.abs() << shift;
    let magnitude = if farther { magnitude } else { magnitude - BigInt::one() };
    let exponent = enclosed::within_exponents(exponent - shift as i64);
    let exact = Exact { significand: magnitude.to_u128()?, exponent, inexact: true };
    Some((significand.is_negative(), exact))
}

//! Numbers with infinities, NaN and the sign of zero, and formulas of them as IEEE 754 evaluates these: each
//! operation exactly, and its result rounded to the operands' type (IEEE 754-2019, 4.3.1, 6.1 to 6.3 and 9.6).

use std::cmp::Ordering;

use num_traits::{One, Signed, Zero};

use super::formula::Real;
use super::value_class::ValueClass;
use crate::dtype::{DType, Kind, integer};
use crate::float::Class;
use crate::oracle::real::{self, Enclosure, Rational};
use crate::oracle::{Conforming, enclosed, exponential};

/// A number with its sign, which zeros have too, or what is none; `true` is minus.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Number {
    Nan,
    Infinite(bool),
    Finite(Rational, bool),
}

impl Number {
    /// A number; zero is positive.
    pub(super) fn exactly(number: Rational) -> Self {
        let negative = number.is_negative();
        Self::Finite(number, negative)
    }

    /// What an element is; truth values are 0 and 1. `None` for types that are not numeric.
    pub(super) fn of(dtype: DType, bits: u64) -> Option<Self> {
        match dtype.kind() {
            Kind::Bool => Some(Self::exactly(Rational::from_integer(bits.into()))),
            Kind::Int { signed, bits: width } => {
                let value = integer(bits.into(), signed, width);
                Some(Self::exactly(Rational::from_integer(value.into())))
            }
            Kind::Float(format) => {
                let negative = format.is_negative(bits);
                Some(match format.class(bits) {
                    Class::Nan => Self::Nan,
                    Class::Infinite => Self::Infinite(negative),
                    _ => Self::Finite(real::value(dtype, bits)?, negative),
                })
            }
            Kind::Complex(_) | Kind::String => None,
        }
    }

    /// A number as a document prints it: a decimal, which may be a quotient or have a power of ten, or the word for
    /// what is none.
    pub(super) fn parse(text: &str) -> Option<Self> {
        let (magnitude, negative) = match text.strip_prefix('-') {
            Some(rest) => (rest, true),
            None => (text.strip_prefix('+').unwrap_or(text), false),
        };
        match magnitude {
            "NaN" => Some(Self::Nan),
            "inf" => Some(Self::Infinite(negative)),
            "True" => Some(Self::exactly(Rational::one())),
            "False" => Some(Self::exactly(Rational::zero())),
            _ => {
                let size = super::formula::decimal(magnitude)?.0;
                Some(Self::Finite(if negative { -size } else { size }, negative))
            }
        }
    }

    /// Sign and class; numbers other than zero are normal ones.
    pub(super) fn sort(&self) -> ValueClass {
        let (class, negative) = match self {
            Self::Nan => (Class::Nan, false),
            Self::Infinite(negative) => (Class::Infinite, *negative),
            Self::Finite(number, negative) if number.is_zero() => (Class::Zero, *negative),
            Self::Finite(_, negative) => (Class::Normal, *negative),
        };
        ValueClass { class, negative }
    }

    pub(super) const fn finite(&self) -> Option<&Rational> {
        match self {
            Self::Finite(number, _) => Some(number),
            Self::Nan | Self::Infinite(_) => None,
        }
    }

    const fn is_negative(&self) -> bool {
        matches!(self, Self::Infinite(true) | Self::Finite(_, true))
    }

    /// The order by value, in which zeros are equal; `None` where either is NaN.
    pub(super) fn order(&self, other: &Self) -> Option<Ordering> {
        match (self, other) {
            (Self::Nan, _) | (_, Self::Nan) => None,
            (Self::Finite(a, _), Self::Finite(b, _)) => Some(a.cmp(b)),
            (Self::Infinite(a), Self::Infinite(b)) => Some(b.cmp(a)),
            (Self::Infinite(negative), _) | (_, Self::Infinite(negative)) => {
                let is_first = matches!(self, Self::Infinite(_));
                Some(if *negative == is_first { Ordering::Less } else { Ordering::Greater })
            }
        }
    }

    fn negated(&self) -> Self {
        match self {
            Self::Nan => Self::Nan,
            Self::Infinite(negative) => Self::Infinite(!negative),
            Self::Finite(number, negative) => Self::Finite(-number, !negative),
        }
    }

    fn sum(&self, other: &Self) -> Self {
        match (self, other) {
            (Self::Nan, _) | (_, Self::Nan) => Self::Nan,
            (Self::Infinite(a), Self::Infinite(b)) if a != b => Self::Nan,
            (Self::Infinite(negative), _) | (_, Self::Infinite(negative)) => {
                Self::Infinite(*negative)
            }
            (Self::Finite(a, a_negative), Self::Finite(b, b_negative)) => {
                let sum = a + b;
                let negative =
                    if sum.is_zero() { *a_negative && *b_negative } else { sum.is_negative() };
                Self::Finite(sum, negative)
            }
        }
    }

    fn product(&self, other: &Self) -> Self {
        let negative = self.is_negative() != other.is_negative();
        match (self, other) {
            (Self::Finite(a, _), Self::Finite(b, _)) => Self::Finite(a * b, negative),
            (Self::Infinite(_), Self::Infinite(_)) => Self::Infinite(negative),
            (Self::Infinite(_), Self::Finite(number, _))
            | (Self::Finite(number, _), Self::Infinite(_))
                if !number.is_zero() =>
            {
                Self::Infinite(negative)
            }
            _ => Self::Nan,
        }
    }

    fn quotient(&self, by: &Self) -> Self {
        let negative = self.is_negative() != by.is_negative();
        match (self, by) {
            (Self::Nan, _) | (_, Self::Nan) | (Self::Infinite(_), Self::Infinite(_)) => Self::Nan,
            (Self::Infinite(_), _) => Self::Infinite(negative),
            (Self::Finite(..), Self::Infinite(_)) => Self::Finite(Rational::zero(), negative),
            (Self::Finite(a, _), Self::Finite(b, _)) => match (a.is_zero(), b.is_zero()) {
                (true, true) => Self::Nan,
                (false, true) => Self::Infinite(negative),
                (_, false) => Self::Finite(a / b, negative),
            },
        }
    }

    /// The greater one, in the order in which 0 is above -0 and NaN above all: `maximum` of IEEE 754-2019, 9.6.
    fn maximum(&self, other: &Self) -> Self {
        let is_less = match self.order(other) {
            None => return Self::Nan,
            Some(Ordering::Equal) => self.is_negative(),
            Some(order) => order == Ordering::Less,
        };
        if is_less { other.clone() } else { self.clone() }
    }
}

/// A number of a type, or an exact one where no operand of a type made it.
#[derive(Clone, Debug)]
pub(super) struct Rounded {
    pub(super) number: Number,
    pub(super) dtype: Option<DType>,
}

impl Rounded {
    /// An exact number, known as closely as is asked, in the type's format; `None` where it cannot be rounded to it.
    fn round(
        real: impl Fn(u32) -> Enclosure,
        zero_is_negative: bool,
        dtype: DType,
    ) -> Option<Number> {
        let Kind::Float(format) = dtype.kind() else { return None };
        match enclosed::nearest(format, real, zero_is_negative) {
            Conforming::One(bits) => Number::of(dtype, bits),
            Conforming::AnyNan(_) => Some(Number::Nan),
            _ => None,
        }
    }

    fn of(number: Number, dtype: Option<DType>) -> Option<Self> {
        let number = match (number, dtype) {
            (Number::Finite(exact, negative), Some(dtype)) => {
                Self::round(|_| Enclosure::point(exact.clone()), negative, dtype)?
            }
            (number, _) => number,
        };
        Some(Self { number, dtype })
    }

    /// The bits of the number in its type; `None` for NaN, of which there are several, and where there is no type.
    pub(super) fn bits(&self) -> Option<u64> {
        let Kind::Float(format) = self.dtype?.kind() else { return None };
        let sign = |negative: bool| u64::from(negative) << (format.width() - 1);
        match &self.number {
            Number::Nan => None,
            Number::Infinite(negative) => {
                Some(sign(*negative) | ((1 << format.exponent_bits) - 1) << format.significand_bits)
            }
            Number::Finite(exact, negative) => {
                let nearest =
                    enclosed::nearest(format, |_| Enclosure::point(exact.clone()), *negative);
                if let Conforming::One(bits) = nearest { Some(bits) } else { None }
            }
        }
    }
}

impl Real for Rounded {
    fn of(number: &Rational) -> Option<Self> {
        Some(Self { number: Number::exactly(number.clone()), dtype: None })
    }

    fn apply(function: &str, arguments: &[Self]) -> Option<Self> {
        let dtype = arguments.iter().find_map(|argument| argument.dtype);
        let exact = match (function, arguments) {
            ("+", [a, b]) => a.number.sum(&b.number),
            ("-", [a, b]) => a.number.sum(&b.number.negated()),
            ("*", [a, b]) => a.number.product(&b.number),
            ("/", [a, b]) => a.number.quotient(&b.number),
            ("neg", [a]) => a.number.negated(),
            ("abs", [a]) if a.number.is_negative() => a.number.negated(),
            ("abs", [a]) => a.number.clone(),
            ("max", [a, b]) => a.number.maximum(&b.number),
            ("min", [a, b]) => a.number.negated().maximum(&b.number.negated()).negated(),
            ("exp" | "sqrt", [a]) => return a.function(function),
            _ => return None,
        };
        Self::of(exact, dtype)
    }
}

impl Rounded {
    /// `exp` or `sqrt`, rounded once.
    fn function(&self, function: &str) -> Option<Self> {
        let dtype = self.dtype;
        let number = match (function, &self.number) {
            (_, Number::Nan) => Number::Nan,
            ("exp", Number::Infinite(true)) => Number::exactly(Rational::zero()),
            (_, Number::Infinite(false)) => Number::Infinite(false),
            ("sqrt", Number::Finite(exact, _)) if exact.is_zero() => self.number.clone(),
            ("sqrt", number) if number.is_negative() => Number::Nan,
            (_, Number::Finite(exact, _)) => {
                let enclosure = |bits| match function {
                    "exp" => exponential::enclosure(exact, bits),
                    _ => real::sqrt(exact, bits),
                };
                // Beyond what can be enclosed, everything overflows or vanishes.
                match enclosure(0) {
                    Some(_) => {
                        let nothing = || Enclosure::point(Rational::zero());
                        let real = |bits| enclosure(bits).unwrap_or_else(nothing);
                        Self::round(real, false, dtype?)?
                    }
                    None if exact.is_negative() => Number::exactly(Rational::zero()),
                    None => Number::Infinite(false),
                }
            }
            (_, Number::Infinite(true)) => Number::Nan,
        };
        Some(Self { number, dtype })
    }
}

#[cfg(test)]
mod tests {
    use super::super::formula::Formula;
    use super::*;

    /// The result of a formula of float16 elements, as a document prints it.
    fn result(formula: &str, operands: &[(&str, u64)]) -> Number {
        let names = |name: &str| {
            let (_, bits) = operands.iter().find(|(named, _)| *named == name)?;
            let number = Number::of(DType::Float16, *bits)?;
            Some(Rounded { number, dtype: Some(DType::Float16) })
        };
        Formula::try_from(formula.to_owned()).unwrap().value::<Rounded>(&names).unwrap().number
    }

    fn is(formula: &str, operands: &[(&str, u64)], printed: &str) {
        let number = result(formula, operands);
        assert_eq!(number, Number::parse(printed).unwrap(), "{formula}");
        let rounded = Rounded { number, dtype: Some(DType::Float16) };
        let again = rounded.bits().and_then(|bits| Number::of(DType::Float16, bits));
        assert_eq!(again, (printed != "NaN").then_some(rounded.number), "{formula}");
    }

    const ONE: u64 = 0x3c00;
    const INFINITY: u64 = 0x7c00;
    const MINUS: u64 = 0x8000;

    #[test]
    fn special_values_are_those_of_ieee_754() {
        is("X - X", &[("X", INFINITY)], "NaN");
        is("X - X", &[("X", ONE)], "0");
        is("-X", &[("X", 0)], "-0");
        is("X + X", &[("X", MINUS)], "-0");
        is("Y / X", &[("Y", ONE), ("X", MINUS)], "-inf");
        is("X / X", &[("X", 0)], "NaN");
        is("X * Y", &[("X", INFINITY), ("Y", 0)], "NaN");
        is("X * Y", &[("X", INFINITY), ("Y", MINUS | ONE)], "-inf");
        is("exp(X)", &[("X", MINUS | INFINITY)], "0");
        is("exp(X)", &[("X", 0x7bff)], "inf");
        is("exp(X)", &[("X", 0)], "1");
        is("sqrt(X)", &[("X", MINUS)], "-0");
        is("sqrt(X)", &[("X", MINUS | ONE)], "NaN");
        is("exp(X) / (exp(X) + exp(X))", &[("X", MINUS | INFINITY)], "NaN");
    }

    #[test]
    fn zero_is_above_minus_zero_and_nan_comes_through() {
        for (a, b) in [(0, MINUS), (MINUS, 0)] {
            is("max(X, Y)", &[("X", a), ("Y", b)], "0");
            is("min(X, Y)", &[("X", a), ("Y", b)], "-0");
        }
        is("max(X, Y)", &[("X", 0x7e00), ("Y", INFINITY)], "NaN");
        is("min(X, Y)", &[("X", ONE), ("Y", 0x7e00)], "NaN");
        is("max(X, Y)", &[("X", MINUS | INFINITY), ("Y", MINUS | ONE)], "-1");
    }

    #[test]
    fn every_operation_is_rounded() {
        // 1 + 2^-11 is a tie, which goes to 1; the sum of both is above it.
        let half = 0x1000;
        is("X + Y", &[("X", ONE), ("Y", half)], "1");
        is("X + Y + Y", &[("X", ONE), ("Y", half)], "1");
        is("X + (Y + Y)", &[("X", ONE), ("Y", half)], "1.0009765625");
        is("X * X", &[("X", 0x7bff)], "inf");
        is("exp(X)", &[("X", ONE)], "2.71875");
    }
}

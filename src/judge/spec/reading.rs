//! The language in which the sections of documents are written down: conditions on the operands, and
//! what follows from them.

use std::cmp::Ordering;

use num_traits::Zero;
use serde::{Deserialize, Deserializer, de};

use super::formula::{Formula, Real};
use super::number::Number;
use super::value_class::ValueClass;
use crate::dtype::{DType, Kind};
use crate::float::Class;
use crate::oracle::real::{Rational, power_of_two};

impl ValueClass {
    /// How an element compares with a constant, of which it is the only number; `None` where the two are not
    /// ordered.
    fn order(self, constant: Self, equality: Equality) -> Option<Ordering> {
        let is_nan = constant.class == Class::Nan;
        let is_negative_zero = constant.class == Class::Zero && constant.negative;
        if equality == Equality::Datum && (is_nan || is_negative_zero) {
            let same_sign = is_nan || self.negative == constant.negative;
            return (self.class == constant.class && same_sign).then_some(Ordering::Equal);
        }
        Some(self.rank()?.cmp(&constant.rank()?))
    }
}

/// An operand: its sort, and its value where conditions ask for more than the sort.
#[derive(Clone, Debug)]
pub(crate) struct Datum {
    pub(super) dtype: Option<DType>,
    pub(super) sort: ValueClass,
    pub(super) number: Option<Number>,
}

impl Datum {
    /// An element with its value; `None` where its type is neither numeric nor bool.
    pub(crate) fn of(dtype: DType, bits: u64) -> Option<Self> {
        let (sort, number) = (ValueClass::of(dtype, bits)?, Number::of(dtype, bits));
        Some(Self { dtype: Some(dtype), sort, number })
    }

    /// Any element of this sort.
    pub(super) const fn of_sort(sort: ValueClass) -> Self {
        Self { dtype: None, sort, number: None }
    }

    /// A number of no type.
    pub(super) fn printed(number: Number) -> Self {
        Self { dtype: None, sort: number.sort(), number: Some(number) }
    }

    /// Whether it is the least integer of its type.
    fn is_least(&self) -> bool {
        let Some(Kind::Int { signed: true, bits }) = self.dtype.map(DType::kind) else {
            return false;
        };
        let least = self
            .number
            .as_ref()
            .and_then(Number::finite)
            .map(|number| number + power_of_two(bits as i32 - 1));
        least.is_some_and(|above| above.is_zero())
    }
}

/// What `=` means between an operand and a special value.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Equality {
    /// The comparison of IEEE 754-2019, 5.11: NaN equals nothing, and the zeros equal one another.
    Comparison,
    /// The same datum: NaN is NaN, and -0.0 is not 0.0.
    Datum,
}

/// What an operand is compared with.
#[derive(Clone, Debug)]
enum Side {
    /// Zero, an infinity, NaN, or a truth value: true is the only positive number that is meant.
    Special(ValueClass),
    Number(Rational),
    /// The least integer of the type.
    Least,
    Operand(String),
}

/// A comparison of one operand. With zero, an infinity or NaN it depends on the operand's sort alone, which is why
/// whole classes can be swept at once.
#[derive(Clone, Debug)]
struct Comparison {
    operand: String,
    relation: fn(Option<Ordering>) -> bool,
    /// Whether `is` is asked: the same datum, whatever `=` means.
    is_datum: bool,
    with: Side,
}

/// Which operands are meant: `A != 0 and B = -inf`; several such by `or`; `otherwise` for those that no row above
/// applies to; nothing for all.
#[derive(Clone, Debug, Default, Deserialize)]
#[serde(try_from = "String")]
pub(crate) struct Condition {
    /// As it is written.
    pub(super) text: String,
    /// Any of these, in each of which all are true; none where all operands are meant.
    any: Vec<Vec<Comparison>>,
}

impl Condition {
    const OTHERWISE: &'static str = "otherwise";

    pub(crate) fn is_otherwise(&self) -> bool {
        self.text == Self::OTHERWISE
    }

    /// Whether deciding it takes the operands' values.
    pub(super) fn needs_values(&self) -> bool {
        let mut all = self.any.iter().flatten();
        all.any(|comparison| !matches!(comparison.with, Side::Special(_)))
    }

    /// The names of operands that occur.
    #[cfg(test)]
    pub(super) fn names(&self) -> Vec<&str> {
        let mut names = Vec::new();
        for comparison in self.any.iter().flatten() {
            names.push(&*comparison.operand);
            if let Side::Operand(name) = &comparison.with {
                names.push(name);
            }
        }
        names
    }

    /// Whether it is true of operands with these names.
    pub(crate) fn holds(&self, names: &[&str], operands: &[Datum], equality: Equality) -> bool {
        let find = |name: &str| names.iter().zip(operands).find(|(named, _)| **named == name);
        let is_true = |comparison: &Comparison| {
            let Some((_, operand)) = find(&comparison.operand) else { return false };
            let other = match &comparison.with {
                Side::Operand(name) => find(name).map(|(_, other)| other),
                _ => None,
            };
            let equality = if comparison.is_datum { Equality::Datum } else { equality };
            (comparison.relation)(comparison.with.order(operand, other, equality))
        };
        self.any.is_empty() || self.any.iter().any(|all| all.iter().all(is_true))
    }
}

impl Side {
    /// How an operand compares with this, which is the other operand where it is one.
    fn order(
        &self,
        operand: &Datum,
        other: Option<&Datum>,
        equality: Equality,
    ) -> Option<Ordering> {
        match self {
            Self::Special(constant) => operand.sort.order(*constant, equality),
            Self::Number(number) => {
                operand.number.as_ref()?.order(&Number::exactly(number.clone()))
            }
            Self::Least if operand.is_least() => Some(Ordering::Equal),
            Self::Least => Some(Ordering::Greater),
            Self::Operand(_) => operand.number.as_ref()?.order(other?.number.as_ref()?),
        }
    }
}

impl TryFrom<String> for Condition {
    type Error = String;

    fn try_from(text: String) -> Result<Self, String> {
        if text == Self::OTHERWISE {
            return Ok(Self { text, any: Vec::new() });
        }
        let all = |all: &str| all.split(" and ").map(Comparison::parse).collect();
        match text.split(" or ").map(all).collect() {
            Some(any) => Ok(Self { text, any }),
            None => Err(format!("`{text}` is no condition")),
        }
    }
}

impl Comparison {
    fn parse(text: &str) -> Option<Self> {
        let mut words = text.split(' ');
        let (operand, verb, other) = (words.next()?, words.next()?, words.next()?);
        let relation: fn(Option<Ordering>) -> bool = match verb {
            "=" | "is" => |order| order == Some(Ordering::Equal),
            "!=" => |order| order != Some(Ordering::Equal),
            "<" => |order| order.is_some_and(Ordering::is_lt),
            "<=" => |order| order.is_some_and(Ordering::is_le),
            ">" => |order| order.is_some_and(Ordering::is_gt),
            ">=" => |order| order.is_some_and(Ordering::is_ge),
            _ => return None,
        };
        let with = Side::parse(other)?;
        let (operand, is_datum) = (operand.to_owned(), verb == "is");
        words.next().is_none().then_some(Self { operand, relation, is_datum, with })
    }
}

impl Side {
    fn parse(text: &str) -> Option<Self> {
        let magnitude = text.strip_prefix('-').unwrap_or(text);
        let class = match magnitude {
            "0" | "0.0" | "false" => Class::Zero,
            "true" => Class::Normal,
            "inf" => Class::Infinite,
            "NaN" => Class::Nan,
            "minint" => return Some(Self::Least),
            _ if magnitude.starts_with(|symbol: char| symbol.is_ascii_digit()) => {
                return Some(Self::Number(Number::parse(text)?.finite()?.clone()));
            }
            _ => return (magnitude == text).then(|| Self::Operand(text.to_owned())),
        };
        Some(Self::Special(ValueClass { class, negative: magnitude != text }))
    }
}

/// What a row gives.
#[derive(Clone, Debug)]
pub(crate) enum RowAnswer {
    /// What the formula gives as IEEE 754 defines it, for every operand.
    FormulaByIeee754,
    /// What the formula gives for numbers. For floats the rounding is taken to be IEEE 754's; what NaN
    /// and infinities give is not said.
    Formula,
    /// What the formula gives for integers, without its fraction.
    Truncated,
    /// What the formula gives for integers, rounded down.
    RoundedDown,
    /// What the formula gives for integers, plus or less the multiple of 2^n that brings it into the type.
    Wrapped,
    /// An operand as it is, or a formula of the row's own: of floats as IEEE 754 evaluates it, operation by
    /// operation.
    Of(Formula),
    /// `inf` as it stands: positive infinity.
    Infinity,
    /// An infinity, its sign from those of the operands.
    SignedInfinity,
    /// `0` as it stands: positive zero.
    Zero,
    NegativeZero,
    /// A zero, its sign from those of the operands, or from that of this one alone.
    SignedZero,
    ZeroSignedBy(String),
    Nan,
    /// Anything but NaN.
    NotNan,
    True,
    False,
    Undefined,
    /// The implementation's own choice.
    ImplementationDependent,
}

impl TryFrom<String> for RowAnswer {
    type Error = String;

    fn try_from(text: String) -> Result<Self, String> {
        Ok(match &*text {
            "formula_by_ieee754" => Self::FormulaByIeee754,
            "formula" => Self::Formula,
            "truncated" => Self::Truncated,
            "rounded_down" => Self::RoundedDown,
            "wrapped" => Self::Wrapped,
            "infinity" => Self::Infinity,
            "signed_infinity" => Self::SignedInfinity,
            "zero" => Self::Zero,
            "negative_zero" => Self::NegativeZero,
            "signed_zero" => Self::SignedZero,
            "nan" => Self::Nan,
            "not_nan" => Self::NotNan,
            "true" => Self::True,
            "false" => Self::False,
            "undefined" => Self::Undefined,
            "implementation_dependent" => Self::ImplementationDependent,
            other => match other.strip_prefix("signed_zero ") {
                Some(operand) => Self::ZeroSignedBy(operand.to_owned()),
                None => Self::Of(text.try_into()?),
            },
        })
    }
}

impl<'de> Deserialize<'de> for RowAnswer {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        String::deserialize(deserializer)?.try_into().map_err(de::Error::custom)
    }
}

impl RowAnswer {
    /// Whether it is what a formula gives, in whatever way.
    pub(super) const fn is_formula(&self) -> bool {
        matches!(
            self,
            Self::FormulaByIeee754
                | Self::Formula
                | Self::Truncated
                | Self::RoundedDown
                | Self::Wrapped
                | Self::Of(_)
        )
    }

    pub(crate) fn describe(&self, formula: &str) -> String {
        match self {
            Self::FormulaByIeee754 | Self::Formula => formula.to_owned(),
            Self::Truncated => format!("{formula} without its fraction"),
            Self::RoundedDown => format!("{formula} rounded down"),
            Self::Wrapped => format!("{formula} modulo 2^n"),
            Self::Of(own) => own.text.clone(),
            Self::Infinity => "inf".to_owned(),
            Self::SignedInfinity => "+-inf".to_owned(),
            Self::Zero => "0".to_owned(),
            Self::NegativeZero => "-0.0".to_owned(),
            Self::SignedZero => "+-0".to_owned(),
            Self::ZeroSignedBy(operand) => format!("+-0 by the sign of {operand}"),
            Self::Nan => "NaN".to_owned(),
            Self::NotNan => "no NaN".to_owned(),
            Self::True => "True".to_owned(),
            Self::False => "False".to_owned(),
            Self::Undefined => "undefined".to_owned(),
            Self::ImplementationDependent => "implementation dependent".to_owned(),
        }
    }

    /// The number that is meant where this is the formula's result; `None` where none is.
    pub(super) fn rounded<N: Real>(&self, exact: N) -> Option<N> {
        match self {
            Self::FormulaByIeee754 | Self::Formula | Self::Wrapped | Self::Of(_) => Some(exact),
            Self::Truncated => N::apply("trunc", &[exact]),
            Self::RoundedDown => N::apply("floor", &[exact]),
            _ => None,
        }
    }
}

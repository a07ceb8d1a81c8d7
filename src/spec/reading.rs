//! The language in which the sections of documents are written down: conditions on the operands, and
//! what follows from them.

use std::cmp::Ordering;

use serde::Deserialize;

use super::formula::Real;
use crate::dtype::{DType, Kind};
use crate::float::Class;

/// Sign and class of an element. Integers are zeros or normal numbers.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) struct ValueClass {
    pub(super) class: Class,
    pub(super) negative: bool,
}

/// The sorts of both operands. A function of one operand has a positive number for the other.
pub(crate) type Sorts = [ValueClass; 2];

impl ValueClass {
    /// What stands in for the operand that a function of one lacks.
    pub(crate) const POSITIVE: Self = Self { class: Class::Normal, negative: false };

    /// The sort of an element; `None` where its type is neither a float nor an integer.
    pub(crate) fn of(dtype: DType, bits: u64) -> Option<Self> {
        match dtype.kind() {
            Kind::Float(format) => {
                Some(Self { class: format.class(bits), negative: format.is_negative(bits) })
            }
            Kind::Int { signed, bits: width } => Some(Self {
                class: if bits == 0 { Class::Zero } else { Class::Normal },
                negative: signed && bits >> (width - 1) & 1 == 1,
            }),
            Kind::Bool | Kind::Complex(_) | Kind::String => None,
        }
    }

    /// Whether the element is a real number.
    pub(crate) const fn is_number(self) -> bool {
        !matches!(self.class, Class::Nan | Class::Infinite)
    }

    /// Place among -infinity, the negative numbers, 0, the positive numbers and infinity, counted
    /// from 0; `None` for NaN, which is not ordered.
    const fn rank(self) -> Option<i8> {
        let magnitude = match self.class {
            Class::Nan => return None,
            Class::Zero => 0,
            Class::Subnormal | Class::Normal => 1,
            Class::Infinite => 2,
        };
        Some(if self.negative { -magnitude } else { magnitude })
    }

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

/// What `=` means between an operand and a special value.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Equality {
    /// The comparison of IEEE 754-2019, 5.11: NaN equals nothing, and the zeros equal one another.
    Comparison,
    /// The same datum: NaN is NaN, and -0.0 is not 0.0.
    Datum,
}

/// A comparison of one operand with zero, an infinity or NaN. It depends on the operand's sort alone,
/// which is why whole classes can be swept at once.
#[derive(Clone, Debug)]
struct Comparison {
    operand: String,
    relation: fn(Option<Ordering>) -> bool,
    constant: ValueClass,
}

/// Which operands are meant: `A != 0 and B = -inf`; `otherwise` for those that no row above applies to;
/// nothing for all.
#[derive(Clone, Debug, Default, Deserialize)]
#[serde(try_from = "String")]
pub(crate) struct Condition {
    /// As it is written.
    pub(super) text: String,
    all: Vec<Comparison>,
}

impl Condition {
    const OTHERWISE: &'static str = "otherwise";

    pub(crate) fn is_otherwise(&self) -> bool {
        self.text == Self::OTHERWISE
    }

    /// Whether all comparisons are true of operands with these names.
    pub(crate) fn holds(&self, names: &[&str], sorts: Sorts, equality: Equality) -> bool {
        self.all.iter().all(|Comparison { operand, relation, constant }| {
            let sort = names.iter().zip(sorts).find(|(name, _)| *name == operand);
            sort.is_some_and(|(_, sort)| relation(sort.order(*constant, equality)))
        })
    }
}

impl TryFrom<String> for Condition {
    type Error = String;

    fn try_from(text: String) -> Result<Self, String> {
        if text == Self::OTHERWISE {
            return Ok(Self { text, all: Vec::new() });
        }
        match text.split(" and ").map(Comparison::parse).collect() {
            Some(all) => Ok(Self { text, all }),
            None => Err(format!("`{text}` is no condition")),
        }
    }
}

impl Comparison {
    fn parse(text: &str) -> Option<Self> {
        let mut words = text.split(' ');
        let (operand, relation, constant) = (words.next()?, words.next()?, words.next()?);
        let relation: fn(Option<Ordering>) -> bool = match relation {
            "=" => |order| order == Some(Ordering::Equal),
            "!=" => |order| order != Some(Ordering::Equal),
            "<" => |order| order.is_some_and(Ordering::is_lt),
            "<=" => |order| order.is_some_and(Ordering::is_le),
            ">" => |order| order.is_some_and(Ordering::is_gt),
            ">=" => |order| order.is_some_and(Ordering::is_ge),
            _ => return None,
        };
        let magnitude = constant.strip_prefix('-').unwrap_or(constant);
        let class = match magnitude {
            "0" | "0.0" => Class::Zero,
            "inf" => Class::Infinite,
            "NaN" => Class::Nan,
            _ => return None,
        };
        let constant = ValueClass { class, negative: magnitude != constant };
        words.next().is_none().then(|| Self { operand: operand.to_owned(), relation, constant })
    }
}

/// What a row gives.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "snake_case")]
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
    /// `inf` as it stands: positive infinity.
    Infinity,
    /// An infinity, its sign from those of the operands.
    SignedInfinity,
    NegativeZero,
    Nan,
    Undefined,
    /// The implementation's own choice.
    ImplementationDependent,
}

impl RowAnswer {
    pub(crate) fn describe(self, formula: &str) -> String {
        match self {
            Self::FormulaByIeee754 | Self::Formula => formula.to_owned(),
            Self::Truncated => format!("{formula} without its fraction"),
            Self::RoundedDown => format!("{formula} rounded down"),
            Self::Wrapped => format!("{formula} modulo 2^n"),
            Self::Infinity => "inf".to_owned(),
            Self::SignedInfinity => "+-inf".to_owned(),
            Self::NegativeZero => "-0.0".to_owned(),
            Self::Nan => "NaN".to_owned(),
            Self::Undefined => "undefined".to_owned(),
            Self::ImplementationDependent => "implementation dependent".to_owned(),
        }
    }

    /// The number that is meant where this is the formula's result; `None` where none is.
    pub(super) fn rounded<N: Real>(self, exact: N) -> Option<N> {
        match self {
            Self::FormulaByIeee754 | Self::Formula | Self::Wrapped => Some(exact),
            Self::Truncated => N::apply("trunc", &[exact]),
            Self::RoundedDown => N::apply("floor", &[exact]),
            _ => None,
        }
    }
}

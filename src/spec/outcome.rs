//! The value of a row's answer for given operands, and what the oracle says of it.

use num_rational::Ratio;

use super::documents::Reading;
use super::reading::{RowAnswer, Sorts};
use crate::dtype::{DType, Kind, integer};
use crate::float::Class;
use crate::oracle::Conforming;
use reference::elementwise::Elementwise;
use values::element::Element;

/// A result as far as findings tell results apart. No type has the last three.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Shown {
    Nan,
    Infinity,
    NegativeInfinity,
    Zero,
    NegativeZero,
    Number,
    Fraction,
    AboveRange,
    BelowRange,
}

/// What a row gives for operands.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Outcome {
    /// What the oracle says, whatever that is.
    Oracle,
    /// This value.
    Bits(u64),
    Nan,
    /// A result that the type does not have.
    Foreign(Shown),
    /// Any result, because the row says so.
    Open,
    /// The implementation's choice of result.
    Free,
    /// Nothing: the row's formula has no meaning here.
    Unsaid,
}

/// A reading on one element type, beside the oracle.
pub(super) struct Typed<'a> {
    pub(super) reading: Reading<'a>,
    pub(super) dtype: DType,
    oracle: Option<Box<dyn Elementwise>>,
}

impl<'a> Typed<'a> {
    pub(super) fn new(reading: Reading<'a>, dtype: DType) -> Self {
        Self { reading, dtype, oracle: reading.oracle() }
    }

    /// The value of an answer, where that is the same for all operands of these sorts without knowing
    /// the value.
    pub(super) fn by_sort(&self, answer: RowAnswer, sorts: Sorts) -> Option<Outcome> {
        match answer {
            RowAnswer::Undefined => Some(Outcome::Open),
            RowAnswer::ImplementationDependent => Some(Outcome::Free),
            RowAnswer::FormulaByIeee754 => Some(Outcome::Oracle),
            RowAnswer::Formula if matches!(self.dtype.kind(), Kind::Float(_)) => {
                let is_defined = self.reading.is_defined(sorts);
                Some(if is_defined { Outcome::Oracle } else { Outcome::Unsaid })
            }
            _ => None,
        }
    }

    /// The value of an answer for operands with these bits.
    pub(super) fn outcome(&self, answer: RowAnswer, sorts: Sorts, bits: [u64; 2]) -> Outcome {
        if let Some(outcome) = self.by_sort(answer, sorts) {
            return outcome;
        }
        match (answer, self.dtype.kind()) {
            (
                RowAnswer::Formula
                | RowAnswer::Truncated
                | RowAnswer::RoundedDown
                | RowAnswer::Wrapped,
                Kind::Int { .. },
            ) => self.integer(answer, bits).unwrap_or(Outcome::Unsaid),
            (RowAnswer::Infinity, _) => self.special(Class::Infinite, false),
            (RowAnswer::SignedInfinity, _) => {
                self.special(Class::Infinite, sorts[0].negative != sorts[1].negative)
            }
            (RowAnswer::NegativeZero, _) => self.special(Class::Zero, true),
            (RowAnswer::Nan, Kind::Float(_)) => Outcome::Nan,
            (RowAnswer::Nan, _) => Outcome::Foreign(Shown::Nan),
            _ => Outcome::Unsaid,
        }
    }

    /// An infinity or a zero, and whether the type has it.
    fn special(&self, class: Class, negative: bool) -> Outcome {
        let shown = if class == Class::Zero { Shown::NegativeZero } else { Shown::Infinity };
        let Kind::Float(format) = self.dtype.kind() else { return Outcome::Foreign(shown) };
        let exponent = if class == Class::Zero { 0 } else { (1 << format.exponent_bits) - 1 };
        let sign = u64::from(negative) << (format.width() - 1);
        let bits = sign | exponent << format.significand_bits;
        if format.class(bits) == class { Outcome::Bits(bits) } else { Outcome::Foreign(shown) }
    }

    /// The integer that a row asks for, and whether the type has it; `None` where the formula comes to
    /// nothing.
    fn integer(&self, answer: RowAnswer, bits: [u64; 2]) -> Option<Outcome> {
        let Kind::Int { signed, bits: width } = self.dtype.kind() else { return None };
        let operands = bits.map(|bits| integer(bits.into(), signed, width) as i64);
        let exact = self.reading.exact(&operands.map(Ratio::from_integer))?;
        let result = answer.rounded(exact)?;
        if !result.is_integer() {
            return Some(Outcome::Foreign(Shown::Fraction));
        }
        let value = result.to_integer();
        #[expect(clippy::cast_sign_loss, reason = "two's complement is meant")]
        let pattern = value as u64 & (u64::MAX >> (u64::BITS - width));
        let is_of_type = integer(pattern.into(), signed, width) == value.into();
        Some(match value {
            _ if is_of_type || answer == RowAnswer::Wrapped => Outcome::Bits(pattern),
            ..0 => Outcome::Foreign(Shown::BelowRange),
            0.. => Outcome::Foreign(Shown::AboveRange),
        })
    }

    /// The outcome with the oracle's result in place of a reference to it; `None` where that is no
    /// single value.
    pub(super) fn resolved(&self, outcome: Outcome, bits: [u64; 2]) -> Option<Outcome> {
        if outcome != Outcome::Oracle {
            return Some(outcome);
        }
        match self.conforming(bits)? {
            Conforming::One(bits) => Some(Outcome::Bits(bits)),
            Conforming::AnyNan(_) => Some(Outcome::Nan),
            Conforming::Same(_)
            | Conforming::Within { .. }
            | Conforming::OneOf(_)
            | Conforming::RefusalOr(_)
            | Conforming::Unspecified(_) => None,
        }
    }

    /// What the oracle says of operands with these bits.
    pub(super) fn conforming(&self, bits: [u64; 2]) -> Option<Conforming> {
        let operands = bits.map(|bits| Element::Bits(self.dtype, bits.into()));
        let operands = operands.get(..self.reading.operation.operands.len())?;
        Some(self.oracle.as_ref()?.conforming(self.dtype, operands))
    }

    /// How a value is shown, and its bits, 0 for NaN; `None` for outcomes that are no values.
    pub(super) fn shown(&self, outcome: Outcome) -> Option<(Shown, u64)> {
        match (outcome, self.dtype.kind()) {
            (Outcome::Nan, _) => Some((Shown::Nan, 0)),
            (Outcome::Bits(bits), Kind::Float(format)) => {
                let shown = match (format.class(bits), format.is_negative(bits)) {
                    (Class::Nan, _) => Shown::Nan,
                    (Class::Infinite, false) => Shown::Infinity,
                    (Class::Infinite, true) => Shown::NegativeInfinity,
                    (Class::Zero, false) => Shown::Zero,
                    (Class::Zero, true) => Shown::NegativeZero,
                    (Class::Subnormal | Class::Normal, _) => Shown::Number,
                };
                Some((shown, bits))
            }
            (Outcome::Bits(bits), _) => Some((Shown::Number, bits)),
            _ => None,
        }
    }
}

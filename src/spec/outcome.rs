//! The value of a row's answer for given operands, and what the oracle says of it.

use super::reading::{Answer, Operation, ValueClass};
use crate::dtype::{DType, Kind, integer};
use crate::float::{Class, FloatFormat};
use crate::oracle::{self, Conforming};

/// A result that a type may not have.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
#[expect(missing_docs, reason = "the variants are the results' own names")]
pub enum Foreign {
    Infinity,
    Nan,
    NegativeZero,
    Fraction,
    OutOfRange,
}

/// A result as far as findings tell results apart.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
#[expect(missing_docs, reason = "the variants are the results' own names")]
pub enum Shown {
    Nan,
    Infinity,
    NegativeInfinity,
    Zero,
    NegativeZero,
    Number,
}

/// What a row gives for operands.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Outcome {
    /// What the oracle says, whatever that is.
    Oracle,
    /// This value.
    Bits(u64),
    Nan,
    Foreign(Foreign),
    /// Any result, because the row says so.
    Open,
    /// The implementation's choice of result.
    Free,
    /// Nothing: the row's formula has no meaning here.
    Unsaid,
}

/// The value of an answer, where that is the same for all operands of these sorts without knowing
/// the value.
pub(super) fn by_sort(
    answer: Answer,
    operation: Operation,
    dtype: DType,
    (a, b): (ValueClass, ValueClass),
) -> Option<Outcome> {
    match answer {
        Answer::Undefined => Some(Outcome::Open),
        Answer::ImplementationDependent => Some(Outcome::Free),
        Answer::Ieee754 => Some(Outcome::Oracle),
        Answer::Plain if matches!(dtype.kind(), Kind::Float(_)) => {
            let in_domain = match operation {
                Operation::Div(_) => b.class != Class::Zero,
                Operation::Sqrt => !a.negative || a.class == Class::Zero,
            };
            let exists = a.is_number() && b.is_number() && in_domain;
            Some(if exists { Outcome::Oracle } else { Outcome::Unsaid })
        }
        _ => None,
    }
}

/// The value of an answer for operands with these bits.
pub(super) fn outcome(
    answer: Answer,
    operation: Operation,
    dtype: DType,
    sorts: (ValueClass, ValueClass),
    [a, b]: [u64; 2],
) -> Outcome {
    if let Some(outcome) = by_sort(answer, operation, dtype, sorts) {
        return outcome;
    }
    match (answer, dtype.kind()) {
        (Answer::Plain | Answer::Truncated | Answer::Floored, Kind::Int { signed, bits }) => {
            quotient(answer, signed, bits, a, b)
        }
        (Answer::Infinity, Kind::Float(format)) => infinity(format, false),
        (Answer::SignedInfinity, Kind::Float(format)) => {
            infinity(format, sorts.0.negative != sorts.1.negative)
        }
        (Answer::Infinity | Answer::SignedInfinity, _) => Outcome::Foreign(Foreign::Infinity),
        (Answer::NegativeZero, Kind::Float(format)) => {
            let zero = 1 << (format.width() - 1);
            match format.class(zero) {
                Class::Zero => Outcome::Bits(zero),
                _ => Outcome::Foreign(Foreign::NegativeZero),
            }
        }
        (Answer::NegativeZero, _) => Outcome::Foreign(Foreign::NegativeZero),
        (Answer::Nan, Kind::Float(_)) => Outcome::Nan,
        (Answer::Nan, _) => Outcome::Foreign(Foreign::Nan),
        _ => Outcome::Unsaid,
    }
}

/// The quotient of two integers as a row asks for it, and whether the type has it.
fn quotient(answer: Answer, signed: bool, bits: u32, a: u64, b: u64) -> Outcome {
    let value = |bits_of_operand| integer(u128::from(bits_of_operand), signed, bits);
    let (a, b) = (value(a), value(b));
    if b == 0 {
        return Outcome::Unsaid;
    }
    let quotient = match answer {
        Answer::Plain if a % b != 0 => return Outcome::Foreign(Foreign::Fraction),
        // The remainder that rounding down leaves has the denominator's sign.
        Answer::Floored if a % b != 0 && (a < 0) != (b < 0) => a / b - 1,
        _ => a / b,
    };
    #[expect(clippy::cast_sign_loss, reason = "two's complement is meant")]
    let pattern = quotient as u64 & (u64::MAX >> (u64::BITS - bits));
    if value(pattern) == quotient {
        Outcome::Bits(pattern)
    } else {
        Outcome::Foreign(Foreign::OutOfRange)
    }
}

fn infinity(format: &FloatFormat, negative: bool) -> Outcome {
    let positive = ((1_u64 << format.exponent_bits) - 1) << format.significand_bits;
    match format.class(positive) {
        Class::Infinite => Outcome::Bits(positive | u64::from(negative) << (format.width() - 1)),
        _ => Outcome::Foreign(Foreign::Infinity),
    }
}

/// The outcome with the oracle's result in place of a reference to it; `None` where that is no
/// single value.
pub(super) fn resolved(
    outcome: Outcome,
    operation: Operation,
    dtype: DType,
    [a, b]: [u64; 2],
) -> Option<Outcome> {
    if outcome != Outcome::Oracle {
        return Some(outcome);
    }
    let conforming = match operation {
        Operation::Div(division) => oracle::div(division, dtype, a, b),
        Operation::Sqrt => oracle::sqrt(dtype, a),
    };
    match conforming? {
        Conforming::One(bits) => Some(Outcome::Bits(bits)),
        Conforming::AnyNan(_) => Some(Outcome::Nan),
        Conforming::Same(_)
        | Conforming::Within { .. }
        | Conforming::RefusalOr(_)
        | Conforming::Unspecified(_) => None,
    }
}

/// How a value is shown, and its bits, 0 for NaN; `None` for outcomes that are no values.
pub(super) fn shown(outcome: Outcome, dtype: DType) -> Option<(Shown, u64)> {
    match (outcome, dtype.kind()) {
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

//! The inputs that are hardest to get right: results next to a rounding boundary, exact ties, the
//! thresholds of overflow and underflow, special values and boundaries against each other.
//!
//! They follow from [number theory](crate::hard) and the formats' parameters, and are computed from
//! their index. An input may be in several parts.

mod integers;
mod patterns;
mod quotients;
mod roots;

use super::Chain;
use crate::dtype::{DType, Kind};
use crate::profile::Operator;

/// The hard inputs of an operator and a type; none where there is no such type.
pub(in crate::campaign) fn hard(operator: Operator, dtype: DType) -> Option<Chain> {
    let parts = match (operator, dtype.kind()) {
        (Operator::Div, Kind::Float(format)) => quotients::parts(*format),
        (Operator::Div, Kind::Int { signed, bits }) => integers::parts(signed, bits),
        (Operator::Sqrt, Kind::Float(format)) => roots::parts(*format),
        _ => return None,
    };
    Some(Chain::new(parts))
}

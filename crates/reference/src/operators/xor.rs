//! Xor: whether one of two truth values holds and the other does not, as `logic` has it.
//!
//! Sources: ONNX's schemas of Xor-1 and 7.

use crate::case_table::{self, Own};
use crate::families::logic::{self, Logic};
use crate::operator::{Document, Operator, OperatorKind};
use crate::pointwise::Pointwise;

/// Xor in ONNX's default domain.
pub static XOR: Operator = Operator {
    documents: &[Document { key: "onnx-xor", catalogue: include_str!("xor/onnx-xor.toml") }],
    cases: Some(|of| case_table::cases(of, &XOR, &[logic::CASES], Own::NONE)),
    ..Operator::onnx("Xor", OperatorKind::Exact, &logic::VERSIONS, &REFERENCE)
};

/// What is allowed of its results.
const REFERENCE: Pointwise<Logic> = logic::reference(|_, _| Logic::Xor);

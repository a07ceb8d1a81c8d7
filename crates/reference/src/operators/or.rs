//! Or: whether one of two truth values holds, or both do, as `logic` has it.
//!
//! Sources: ONNX's schemas of Or-1 and 7.

use crate::case_table::{self, Own};
use crate::families::logic::{self, Logic};
use crate::operator::{Document, Operator, OperatorKind};
use crate::pointwise::Pointwise;

/// Or in ONNX's default domain.
pub static OR: Operator = Operator {
    documents: &[Document { key: "onnx-or", catalogue: include_str!("or/onnx-or.toml") }],
    cases: Some(|of| case_table::cases(of, &OR, &[logic::CASES], Own::NONE)),
    ..Operator::onnx("Or", OperatorKind::Exact, &logic::VERSIONS, &REFERENCE)
};

/// What is allowed of its results.
const REFERENCE: Pointwise<Logic> = logic::reference(|_, _| Logic::Or);

//! And: whether two truth values hold both, as `logic` has it.
//!
//! Sources: ONNX's schemas of And-1 and 7.

use crate::case_table::{self, Own};
use crate::families::logic::{self, Logic};
use crate::operator::{Document, Operator, OperatorKind};
use crate::pointwise::Pointwise;

/// And in ONNX's default domain.
pub static AND: Operator = Operator {
    documents: &[Document { key: "onnx-and", catalogue: include_str!("and/onnx-and.toml") }],
    cases: Some(|of| case_table::cases(of, &AND, &[logic::CASES], Own::NONE)),
    ..Operator::onnx("And", OperatorKind::Exact, &logic::VERSIONS, &REFERENCE)
};

/// What is allowed of its results.
const REFERENCE: Pointwise<Logic> = logic::reference(|_, _| Logic::And);

//! Not: the other truth value, as `logic` has it.
//!
//! Source: ONNX's schema of Not-1.

use values::dtype::DType::Bool;

use crate::broadcast::Broadcast;
use crate::case_table::{self, Own};
use crate::families::logic::Logic;
use crate::operator::{Document, Operator, OperatorKind, Ports, Version};
use crate::pointwise::Pointwise;

/// Not in ONNX's default domain.
pub static NOT: Operator = Operator {
    documents: &[Document { key: "onnx-not", catalogue: include_str!("not/onnx-not.toml") }],
    cases: Some(|of| case_table::cases(of, &NOT, &[include_str!("not/cases.toml")], Own::NONE)),
    ..Operator::onnx("Not", OperatorKind::Exact, &VERSIONS, &REFERENCE)
};

const VERSIONS: [Version; 1] = [const { Ports::new(["X"], "Y", &[Bool]) }.since(1, &[])];

/// What is allowed of its results.
const REFERENCE: Pointwise<Logic> = Pointwise {
    function: |_, _| Logic::Not,
    broadcast: |call| Broadcast::equal(&call.shapes()),
    boundaries: None,
};

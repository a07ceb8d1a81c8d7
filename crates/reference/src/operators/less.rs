//! Less: whether the first of two numbers is less than the second, as `comparison` has it.
//!
//! Sources: ONNX's schemas of Less-1, 7, 9 and 13; SONNX's Less; IEEE 754-2019, 5.11.

use crate::case_table;
use crate::families::comparison::{self, Comparison};
use crate::operator::{Document, Operator, OperatorKind};
use crate::pointwise::Pointwise;

/// Less in ONNX's default domain.
pub static LESS: Operator = Operator {
    documents: &[
        Document { key: "sonnx-less", catalogue: include_str!("less/sonnx-less.toml") },
        Document { key: "onnx-less", catalogue: include_str!("less/onnx-less.toml") },
    ],
    cases: Some(|of| {
        let tables = [comparison::CASES, include_str!("less/cases.toml")];
        case_table::cases(of, &LESS, &tables, comparison::OWN)
    }),
    readings: Some(include_str!("less/readings.toml")),
    hard_inputs: Some(comparison::hard_inputs),
    ..Operator::onnx("Less", OperatorKind::Exact, &comparison::ORDER_VERSIONS, &REFERENCE)
};

/// What is allowed of its results.
const REFERENCE: Pointwise<Comparison> = comparison::reference(|_, _| Comparison::Less);

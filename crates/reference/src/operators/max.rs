//! Max: the largest of the elements of any number of tensors.
//!
//! `extremum.rs` has the rule. Sources: ONNX's schemas of Max-1, 6, 8, 12 and 13; SONNX's Max.

use crate::case_table::{self, Own};
use crate::families::extremum;
use crate::operator::{Document, Operator, OperatorKind};

/// Max in ONNX's default domain.
pub static MAX: Operator = Operator {
    documents: &[
        Document { key: "sonnx-max", catalogue: include_str!("max/sonnx-max.toml") },
        Document { key: "onnx-max", catalogue: include_str!("max/onnx-max.toml") },
    ],
    hard_inputs: Some(extremum::hard_for_max),
    cases: Some(|of| {
        let tables = [extremum::CASES, include_str!("max/cases.toml")];
        case_table::cases(of, &MAX, &tables, Own::NONE)
    }),
    coverage: include_str!("max/coverage.txt"),
    readings: Some(include_str!("max/readings.toml")),
    ..Operator::onnx("Max", OperatorKind::Exact, &extremum::MAX_VERSIONS, &extremum::LARGEST)
};

//! Min: the smallest of the elements of any number of tensors.
//!
//! `extremum.rs` has the rule. Sources: ONNX's schemas of Min-1, 6, 8, 12 and 13.

use crate::case_table::{self, Own};
use crate::families::extremum;
use crate::operator::{Document, Operator, OperatorKind};

/// Min in ONNX's default domain.
pub static MIN: Operator = Operator {
    documents: &[Document { key: "onnx-min", catalogue: include_str!("min/onnx-min.toml") }],
    hard_inputs: Some(extremum::hard_for_min),
    cases: Some(|of| {
        let tables = [extremum::CASES];
        case_table::cases(of, &MIN, &tables, Own::NONE)
    }),
    coverage: include_str!("min/coverage.txt"),
    ..Operator::onnx("Min", OperatorKind::Exact, &extremum::MIN_VERSIONS, &extremum::SMALLEST)
};

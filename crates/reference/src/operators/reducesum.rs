//! ReduceSum: the sum of the elements along some dimensions.
//!
//! `reduce_sum.rs` has the rule. Source: ONNX's schemas of ReduceSum-1, 11 and 13.

use crate::case_table::{self, Own};
use crate::families::reduce_sum::{self, Reduction};
use crate::operator::{Document, Operator, OperatorKind};

/// ReduceSum in ONNX's default domain.
pub static REDUCESUM: Operator = Operator {
    documents: &[Document {
        key: "onnx-reducesum",
        catalogue: include_str!("reducesum/onnx-reducesum.toml"),
    }],
    cases: Some(|of| {
        let tables = [reduce_sum::CASES, reduce_sum::SUMS, include_str!("reducesum/cases.toml")];
        case_table::cases(of, &REDUCESUM, &tables, Own::NONE)
    }),
    ..Operator::onnx(
        "ReduceSum",
        OperatorKind::Accumulated,
        &reduce_sum::SUM_VERSIONS,
        &Reduction::Sum,
    )
};

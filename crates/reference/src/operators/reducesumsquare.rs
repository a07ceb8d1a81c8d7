//! ReduceSumSquare: the sum of the squares of the elements along some dimensions.
//!
//! `reduce_sum.rs` has the rule. Source: ONNX's schemas of ReduceSumSquare-1, 11, 13 and 18.

use crate::case_table::{self, Own};
use crate::families::reduce_sum::{self, Reduction};
use crate::operator::{Document, Operator, OperatorKind};

/// ReduceSumSquare in ONNX's default domain.
pub static REDUCESUMSQUARE: Operator = Operator {
    documents: &[Document {
        key: "onnx-reducesumsquare",
        catalogue: include_str!("reducesumsquare/onnx-reducesumsquare.toml"),
    }],
    cases: Some(|of| {
        let tables =
            [reduce_sum::CASES, reduce_sum::SUMS, include_str!("reducesumsquare/cases.toml")];
        case_table::cases(of, &REDUCESUMSQUARE, &tables, Own::NONE)
    }),
    ..Operator::onnx(
        "ReduceSumSquare",
        OperatorKind::Accumulated,
        &reduce_sum::VERSIONS,
        &Reduction::Squares,
    )
};

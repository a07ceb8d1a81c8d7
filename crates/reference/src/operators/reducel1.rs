//! ReduceL1: the sum of the magnitudes of the elements along some dimensions.
//!
//! `reduce_sum.rs` has the rule. Source: ONNX's schemas of ReduceL1-1, 11, 13 and 18.

use crate::case_table::{self, Own};
use crate::families::reduce_sum::{self, Reduction};
use crate::operator::{Document, Operator, OperatorKind};

/// ReduceL1 in ONNX's default domain.
pub static REDUCEL1: Operator = Operator {
    documents: &[Document {
        key: "onnx-reducel1",
        catalogue: include_str!("reducel1/onnx-reducel1.toml"),
    }],
    cases: Some(|of| {
        let tables = [reduce_sum::CASES, reduce_sum::SUMS, include_str!("reducel1/cases.toml")];
        case_table::cases(of, &REDUCEL1, &tables, Own::NONE)
    }),
    ..Operator::onnx(
        "ReduceL1",
        OperatorKind::Accumulated,
        &reduce_sum::VERSIONS,
        &Reduction::Magnitudes,
    )
};

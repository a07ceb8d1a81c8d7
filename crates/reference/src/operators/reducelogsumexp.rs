//! ReduceLogSumExp: the natural logarithm of the sum of the powers of e along some dimensions.
//!
//! `reduce_function.rs` has the rule. Source: ONNX's schemas and functions of ReduceLogSumExp-1, 11, 13, 18 and 28.

use crate::case_table::{self, Own};
use crate::families::reduce_function::{self, ReduceFunction};
use crate::operator::{Document, Operator, OperatorKind};

/// ReduceLogSumExp in ONNX's default domain.
pub static REDUCELOGSUMEXP: Operator = Operator {
    documents: &[Document {
        key: "onnx-reducelogsumexp",
        catalogue: include_str!("reducelogsumexp/onnx-reducelogsumexp.toml"),
    }],
    cases: Some(|of| {
        let tables = [reduce_function::CASES, include_str!("reducelogsumexp/cases.toml")];
        case_table::cases(of, &REDUCELOGSUMEXP, &tables, Own::NONE)
    }),
    ..Operator::onnx(
        "ReduceLogSumExp",
        OperatorKind::Composed,
        reduce_function::VERSIONS,
        &ReduceFunction::LogSumExp,
    )
};

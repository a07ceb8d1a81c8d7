//! ReduceLogSum: the natural logarithm of the sum of the elements along some dimensions.
//!
//! `reduce_function.rs` has the rule. Source: ONNX's schemas and functions of ReduceLogSum-1, 11, 13, 18 and 28.

use crate::case_table::{self, Own};
use crate::families::reduce_function::{self, ReduceFunction};
use crate::operator::{Document, Operator, OperatorKind};

/// ReduceLogSum in ONNX's default domain.
pub static REDUCELOGSUM: Operator = Operator {
    documents: &[Document {
        key: "onnx-reducelogsum",
        catalogue: include_str!("reducelogsum/onnx-reducelogsum.toml"),
    }],
    cases: Some(|of| {
        let tables = [reduce_function::CASES, include_str!("reducelogsum/cases.toml")];
        case_table::cases(of, &REDUCELOGSUM, &tables, Own::NONE)
    }),
    ..Operator::onnx(
        "ReduceLogSum",
        OperatorKind::Composed,
        reduce_function::VERSIONS,
        &ReduceFunction::LogSum,
    )
};

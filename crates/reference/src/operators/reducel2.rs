//! ReduceL2: the square root of the sum of the squares of the elements along some dimensions.
//!
//! `reduce_function.rs` has the rule. Source: ONNX's schemas and functions of ReduceL2-1, 11, 13 and 18.

use crate::case_table::{self, Own};
use crate::families::reduce_function::{self, ReduceFunction};
use crate::operator::{Document, Operator, OperatorKind};

/// ReduceL2 in ONNX's default domain.
pub static REDUCEL2: Operator = Operator {
    documents: &[Document {
        key: "onnx-reducel2",
        catalogue: include_str!("reducel2/onnx-reducel2.toml"),
    }],
    cases: Some(|of| {
        let tables = [reduce_function::CASES, include_str!("reducel2/cases.toml")];
        case_table::cases(of, &REDUCEL2, &tables, Own::NONE)
    }),
    ..Operator::onnx(
        "ReduceL2",
        OperatorKind::Composed,
        reduce_function::NORM_VERSIONS,
        &ReduceFunction::Norm,
    )
};

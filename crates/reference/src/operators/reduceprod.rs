//! ReduceProd: the product of the elements along some dimensions.
//!
//! `reduce_sum.rs` has the rule. Source: ONNX's schemas of ReduceProd-1, 11, 13 and 18.

use crate::case_table::{self, Own};
use crate::families::reduce_sum::{self, Reduction};
use crate::operator::{Document, Operator, OperatorKind};

/// ReduceProd in ONNX's default domain.
pub static REDUCEPROD: Operator = Operator {
    documents: &[Document {
        key: "onnx-reduceprod",
        catalogue: include_str!("reduceprod/onnx-reduceprod.toml"),
    }],
    cases: Some(|of| {
        let tables = [reduce_sum::CASES, include_str!("reduceprod/cases.toml")];
        case_table::cases(of, &REDUCEPROD, &tables, Own::NONE)
    }),
    ..Operator::onnx(
        "ReduceProd",
        OperatorKind::Accumulated,
        &reduce_sum::VERSIONS,
        &Reduction::Product,
    )
};

//! ReduceMean: the mean of the elements along some dimensions.
//!
//! `reduce_sum.rs` has the rule. Source: ONNX's schemas of ReduceMean-1, 11, 13 and 18.

use crate::case_table::{self, Own};
use crate::families::reduce_sum::{self, Reduction};
use crate::operator::{Document, Operator, OperatorKind};

/// ReduceMean in ONNX's default domain.
pub static REDUCEMEAN: Operator = Operator {
    documents: &[Document {
        key: "onnx-reducemean",
        catalogue: include_str!("reducemean/onnx-reducemean.toml"),
    }],
    cases: Some(|of| {
        let tables = [reduce_sum::CASES, reduce_sum::SUMS, include_str!("reducemean/cases.toml")];
        case_table::cases(of, &REDUCEMEAN, &tables, Own::NONE)
    }),
    ..Operator::onnx(
        "ReduceMean",
        OperatorKind::Accumulated,
        &reduce_sum::VERSIONS,
        &Reduction::Mean,
    )
};

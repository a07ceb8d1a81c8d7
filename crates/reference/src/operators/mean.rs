//! Mean: the mean of the elements of any number of tensors.
//!
//! `sum_of_tensors.rs` has the rule. Source: ONNX's schemas of Mean-1, 6, 8 and 13.

use crate::case_table::{self, Own};
use crate::families::sum_of_tensors::{self, SumOfTensors};
use crate::operator::{Document, Operator, OperatorKind};

/// Mean in ONNX's default domain.
pub static MEAN: Operator = Operator {
    documents: &[Document { key: "onnx-mean", catalogue: include_str!("mean/onnx-mean.toml") }],
    cases: Some(|of| {
        let tables = [sum_of_tensors::CASES, include_str!("mean/cases.toml")];
        case_table::cases(of, &MEAN, &tables, Own::NONE)
    }),
    ..Operator::onnx(
        "Mean",
        OperatorKind::Accumulated,
        &sum_of_tensors::MEAN_VERSIONS,
        &SumOfTensors { is_mean: true },
    )
};

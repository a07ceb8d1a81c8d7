//! Sum: the sum of the elements of any number of tensors.
//!
//! `sum_of_tensors.rs` has the rule. Source: ONNX's schemas of Sum-1, 6, 8 and 13.

use crate::case_table::{self, Own};
use crate::families::sum_of_tensors::{self, SumOfTensors};
use crate::operator::{Document, Operator, OperatorKind};

/// Sum in ONNX's default domain.
pub static SUM: Operator = Operator {
    documents: &[Document { key: "onnx-sum", catalogue: include_str!("sum/onnx-sum.toml") }],
    cases: Some(|of| case_table::cases(of, &SUM, &[sum_of_tensors::CASES], Own::NONE)),
    ..Operator::onnx(
        "Sum",
        OperatorKind::Accumulated,
        &sum_of_tensors::SUM_VERSIONS,
        &SumOfTensors { is_mean: false },
    )
};

//! ReduceMin: the smallest of the elements along some dimensions.
//!
//! `reduce_extremum.rs` has the rule. Source: ONNX's schemas of ReduceMin-1, 11, 12, 13, 18 and 20.

use crate::case_table::{self, Own};
use crate::families::reduce_extremum::{self, ReduceExtremum};
use crate::operator::{Document, Operator, OperatorKind};

/// ReduceMin in ONNX's default domain.
pub static REDUCEMIN: Operator = Operator {
    documents: &[Document {
        key: "onnx-reducemin",
        catalogue: include_str!("reducemin/onnx-reducemin.toml"),
    }],
    cases: Some(|of| case_table::cases(of, &REDUCEMIN, &[reduce_extremum::CASES], Own::NONE)),
    ..Operator::onnx("ReduceMin", OperatorKind::Exact, &reduce_extremum::VERSIONS, &SMALLEST)
};

const SMALLEST: ReduceExtremum = ReduceExtremum { is_largest: false };

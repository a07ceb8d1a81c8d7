//! ReduceMax: the largest of the elements along some dimensions.
//!
//! `reduce_extremum.rs` has the rule. Source: ONNX's schemas of ReduceMax-1, 11, 12, 13, 18 and 20.

use crate::case_table::{self, Own};
use crate::families::reduce_extremum::{self, ReduceExtremum};
use crate::operator::{Document, Operator, OperatorKind};

/// ReduceMax in ONNX's default domain.
pub static REDUCEMAX: Operator = Operator {
    documents: &[Document {
        key: "onnx-reducemax",
        catalogue: include_str!("reducemax/onnx-reducemax.toml"),
    }],
    cases: Some(|of| case_table::cases(of, &REDUCEMAX, &[reduce_extremum::CASES], Own::NONE)),
    ..Operator::onnx("ReduceMax", OperatorKind::Exact, &reduce_extremum::VERSIONS, &LARGEST)
};

const LARGEST: ReduceExtremum = ReduceExtremum { is_largest: true };

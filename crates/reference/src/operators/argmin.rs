//! ArgMin: the place of the smallest element along a dimension.
//!
//! `arg_extremum.rs` has the rule. Source: ONNX's schemas of ArgMin-1, 11, 12 and 13.

use crate::case_table::{self, Own};
use crate::families::arg_extremum::{self, ArgExtremum};
use crate::operator::{Document, Operator, OperatorKind};

/// ArgMin in ONNX's default domain.
pub static ARGMIN: Operator = Operator {
    documents: &[Document {
        key: "onnx-argmin",
        catalogue: include_str!("argmin/onnx-argmin.toml"),
    }],
    cases: Some(|of| case_table::cases(of, &ARGMIN, &[arg_extremum::CASES], Own::NONE)),
    ..Operator::onnx("ArgMin", OperatorKind::Exact, &arg_extremum::VERSIONS, &SMALLEST)
};

const SMALLEST: ArgExtremum = ArgExtremum { is_largest: false };

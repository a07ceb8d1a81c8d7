//! ArgMax: the place of the largest element along a dimension.
//!
//! `arg_extremum.rs` has the rule. Sources: ONNX's schemas of ArgMax-1, 11, 12 and 13; SONNX's ArgMax.

use crate::case_table::{self, Own};
use crate::families::arg_extremum::{self, ArgExtremum};
use crate::operator::{Document, Operator, OperatorKind};

/// ArgMax in ONNX's default domain.
pub static ARGMAX: Operator = Operator {
    documents: &[
        Document { key: "sonnx-argmax", catalogue: include_str!("argmax/sonnx-argmax.toml") },
        Document { key: "onnx-argmax", catalogue: include_str!("argmax/onnx-argmax.toml") },
    ],
    cases: Some(|of| {
        let tables = [arg_extremum::CASES, include_str!("argmax/cases.toml")];
        case_table::cases(of, &ARGMAX, &tables, Own::NONE)
    }),
    readings: Some(include_str!("argmax/readings.toml")),
    ..Operator::onnx("ArgMax", OperatorKind::Exact, &arg_extremum::VERSIONS, &LARGEST)
};

const LARGEST: ArgExtremum = ArgExtremum { is_largest: true };

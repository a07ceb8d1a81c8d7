//! Softmax: powers of e as shares of their sum along a dimension.
//!
//! `exponentials.rs` has the rule. Sources: ONNX's schemas of Softmax-1, 11 and 13; SONNX's Softmax.

use crate::case_table::{self, Own};
use crate::families::exponentials::{self, Shares};
use crate::operator::{Document, Operator, OperatorKind};

/// Softmax in ONNX's default domain.
pub static SOFTMAX: Operator = Operator {
    documents: &[
        Document { key: "sonnx-softmax", catalogue: include_str!("softmax/sonnx-softmax.toml") },
        Document { key: "onnx-softmax", catalogue: include_str!("softmax/onnx-softmax.toml") },
    ],
    cases: Some(|of| {
        let tables = [exponentials::CASES, include_str!("softmax/cases.toml")];
        case_table::cases(of, &SOFTMAX, &tables, Own::NONE)
    }),
    ..Operator::onnx("Softmax", OperatorKind::Composed, &exponentials::VERSIONS, &SHARES)
};

const SHARES: Shares = Shares { are_logarithms: false };

//! LogSoftmax: the logarithms of what Softmax gives.
//!
//! `exponentials.rs` has the rule. Source: ONNX's schemas of LogSoftmax-1, 11 and 13.

use crate::case_table::{self, Own};
use crate::families::exponentials::{self, Shares};
use crate::operator::{Document, Operator, OperatorKind};

/// LogSoftmax in ONNX's default domain.
pub static LOGSOFTMAX: Operator = Operator {
    documents: &[Document {
        key: "onnx-logsoftmax",
        catalogue: include_str!("logsoftmax/onnx-logsoftmax.toml"),
    }],
    cases: Some(|of| {
        let tables = [exponentials::CASES, include_str!("logsoftmax/cases.toml")];
        case_table::cases(of, &LOGSOFTMAX, &tables, Own::NONE)
    }),
    ..Operator::onnx("LogSoftmax", OperatorKind::Composed, &exponentials::VERSIONS, &LOGARITHMS)
};

const LOGARITHMS: Shares = Shares { are_logarithms: true };

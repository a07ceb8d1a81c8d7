//! BitwiseOr: the bits that either of two integers has, as `bits` has it.
//!
//! Source: ONNX's schema of BitwiseOr-18.

use crate::case_table::{self, Own};
use crate::families::bits::{self, Bits};
use crate::operator::{Document, Operator, OperatorKind};
use crate::pointwise::Pointwise;

/// BitwiseOr in ONNX's default domain.
pub static BITWISEOR: Operator = Operator {
    documents: &[Document {
        key: "onnx-bitwiseor",
        catalogue: include_str!("bitwiseor/onnx-bitwiseor.toml"),
    }],
    hard_inputs: Some(bits::hard_inputs),
    cases: Some(|of| case_table::cases(of, &BITWISEOR, &[bits::CASES], Own::NONE)),
    coverage: include_str!("bitwiseor/coverage.txt"),
    ..Operator::onnx("BitwiseOr", OperatorKind::Exact, &bits::VERSIONS, &REFERENCE)
};

/// What is allowed of its results.
const REFERENCE: Pointwise<Bits> = bits::reference(|_, _| Bits::Or, &Bits::Or);

//! BitwiseAnd: the bits that two integers have both, as `bits` has it.
//!
//! Source: ONNX's schema of BitwiseAnd-18.

use crate::case_table::{self, Own};
use crate::families::bits::{self, Bits};
use crate::operator::{Document, Operator, OperatorKind};
use crate::pointwise::Pointwise;

/// BitwiseAnd in ONNX's default domain.
pub static BITWISEAND: Operator = Operator {
    documents: &[Document {
        key: "onnx-bitwiseand",
        catalogue: include_str!("bitwiseand/onnx-bitwiseand.toml"),
    }],
    hard_inputs: Some(bits::hard_inputs),
    cases: Some(|of| case_table::cases(of, &BITWISEAND, &[bits::CASES], Own::NONE)),
    coverage: include_str!("bitwiseand/coverage.txt"),
    ..Operator::onnx("BitwiseAnd", OperatorKind::Exact, &bits::VERSIONS, &REFERENCE)
};

/// What is allowed of its results.
const REFERENCE: Pointwise<Bits> = bits::reference(|_, _| Bits::And, &Bits::And);

//! BitwiseXor: the bits that exactly one of two integers has, as `bits` has it.
//!
//! Source: ONNX's schema of BitwiseXor-18.

use crate::case_table::{self, Own};
use crate::families::bits::{self, Bits};
use crate::operator::{Document, Operator, OperatorKind};
use crate::pointwise::Pointwise;

/// BitwiseXor in ONNX's default domain.
pub static BITWISEXOR: Operator = Operator {
    documents: &[Document {
        key: "onnx-bitwisexor",
        catalogue: include_str!("bitwisexor/onnx-bitwisexor.toml"),
    }],
    hard_inputs: Some(bits::hard_inputs),
    cases: Some(|of| case_table::cases(of, &BITWISEXOR, &[bits::CASES], Own::NONE)),
    coverage: include_str!("bitwisexor/coverage.txt"),
    ..Operator::onnx("BitwiseXor", OperatorKind::Exact, &bits::VERSIONS, &REFERENCE)
};

/// What is allowed of its results.
const REFERENCE: Pointwise<Bits> = bits::reference(|_, _| Bits::Xor, &Bits::Xor);

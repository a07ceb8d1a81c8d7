//! BitwiseNot: the bits that an integer has not, as `bits` has it.
//!
//! Source: ONNX's schema of BitwiseNot-18.

use crate::broadcast::Broadcast;
use crate::case_table::{self, Own};
use crate::families::bits::Bits;
use crate::families::exact_unary;
use crate::operator::{Document, Operator, OperatorKind, Ports, Version};
use crate::pointwise::Pointwise;
use crate::signature::INTEGERS;

/// BitwiseNot in ONNX's default domain.
pub static BITWISENOT: Operator = Operator {
    documents: &[Document {
        key: "onnx-bitwisenot",
        catalogue: include_str!("bitwisenot/onnx-bitwisenot.toml"),
    }],
    hard_inputs: Some(|dtype| exact_unary::hard_inputs(&Bits::Not, dtype)),
    cases: Some(|of| {
        case_table::cases(of, &BITWISENOT, &[include_str!("bitwisenot/cases.toml")], Own::NONE)
    }),
    coverage: include_str!("bitwisenot/coverage.txt"),
    ..Operator::onnx("BitwiseNot", OperatorKind::Exact, &VERSIONS, &REFERENCE)
};

const VERSIONS: [Version; 1] = [const { Ports::new(["X"], "Y", INTEGERS) }.since(18, &[])];

/// What is allowed of its results.
const REFERENCE: Pointwise<Bits> = Pointwise {
    function: |_, _| Bits::Not,
    broadcast: |call| Broadcast::equal(&call.shapes()),
    boundaries: Some(&Bits::Not),
};

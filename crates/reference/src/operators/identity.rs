//! Identity: the input as it is. Of its values, tensors alone are taken here.
//!
//! Source: ONNX's schemas of Identity-1, 13, 14, 16, 19, 21, 23, 24 and 25.

use crate::case_table::{self, Own};
use crate::families::reshaping::{Lists, Reshaping, moved};
use crate::operator::{Call, Document, Operator, OperatorKind, Version};

/// Identity in ONNX's default domain.
pub static IDENTITY: Operator = Operator {
    documents: &[Document {
        key: "onnx-identity",
        catalogue: include_str!("identity/onnx-identity.toml"),
    }],
    cases: Some(|of| {
        case_table::cases(of, &IDENTITY, &[include_str!("identity/cases.toml")], Own::NONE)
    }),
    ..Operator::onnx("Identity", OperatorKind::Exact, &VERSIONS, &REFERENCE)
};

const REFERENCE: Reshaping = Reshaping(|call: &Call| Ok(call.input(0)?.shape().to_vec()));

const VERSIONS: [Version; 9] = [
    const { ports(15) }.since(1, &[]),
    const { ports(16) }.since(13, &[]),
    const { ports(16) }.since(14, &[]),
    const { ports(16) }.since(16, &[]),
    const { ports(20) }.since(19, &[]),
    const { ports(22) }.since(21, &[]),
    const { ports(23) }.since(23, &[]),
    const { ports(24) }.since(24, &[]),
    const { ports(26) }.since(25, &[]),
];

const fn ports(types: usize) -> Lists<1> {
    Lists::none("input", "output", moved(types))
}

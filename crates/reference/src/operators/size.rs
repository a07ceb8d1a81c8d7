//! Size: how many elements a tensor has.
//!
//! Source: ONNX's schemas of Size-1, 13, 19, 21, 23, 24 and 25.

use crate::case_table::{self, Own};
use crate::families::sizes::{Measured, Sizes};
use crate::operator::{Call, Document, Operator, OperatorKind, Version};

/// Size in ONNX's default domain.
pub static SIZE: Operator = Operator {
    documents: &[Document { key: "onnx-size", catalogue: include_str!("size/onnx-size.toml") }],
    cases: Some(|of| case_table::cases(of, &SIZE, &[include_str!("size/cases.toml")], Own::NONE)),
    ..Operator::onnx("Size", OperatorKind::Exact, &VERSIONS, &REFERENCE)
};

const REFERENCE: Sizes =
    Sizes(|call: &Call| Ok((Vec::new(), vec![call.input(0)?.elements() as i64])));

const VERSIONS: [Version; 7] = [
    const { Measured::new("size", 15) }.since(1, &[]),
    const { Measured::new("size", 16) }.since(13, &[]),
    const { Measured::new("size", 20) }.since(19, &[]),
    const { Measured::new("size", 22) }.since(21, &[]),
    const { Measured::new("size", 23) }.since(23, &[]),
    const { Measured::new("size", 24) }.since(24, &[]),
    const { Measured::new("size", 26) }.since(25, &[]),
];

//! HammingWindow: 25/46 - 21/46 cos(2 pi n / N).
//!
//! The weights are those of the body, 25/46 and 21/46 as float32; the paper's 0.54 and 0.46 round them.
//! `families/windows.rs` has what windows have in common. Source: ONNX's schema and function of HammingWindow-17.

use crate::families::windows::{VERSIONS, Window, cases};
use crate::operator::{Document, Operator, OperatorKind};

/// HammingWindow in ONNX's default domain.
pub static HAMMINGWINDOW: Operator = Operator {
    documents: &[Document {
        key: "onnx-hammingwindow",
        catalogue: include_str!("hammingwindow/onnx-hammingwindow.toml"),
    }],
    cases: Some(|of| cases(of, &HAMMINGWINDOW, include_str!("hammingwindow/cases.toml"))),
    ..Operator::onnx("HammingWindow", OperatorKind::Composed, &VERSIONS, &WINDOW)
};

const WINDOW: Window = Window { weights: [(25, 46), (21, 46), (0, 1)], is_squared_sine: false };

#[cfg(test)]
mod tests;

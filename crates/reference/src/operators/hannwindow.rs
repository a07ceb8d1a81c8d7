//! HannWindow: (1 - cos(2 pi n / N)) / 2, which is sin(pi n / N) squared.
//!
//! `families/windows.rs` has what windows have in common. Source: ONNX's schema and function of HannWindow-17.

use crate::families::windows::{VERSIONS, Window, cases};
use crate::operator::{Document, Operator, OperatorKind};

/// HannWindow in ONNX's default domain.
pub static HANNWINDOW: Operator = Operator {
    documents: &[Document {
        key: "onnx-hannwindow",
        catalogue: include_str!("hannwindow/onnx-hannwindow.toml"),
    }],
    cases: Some(|of| cases(of, &HANNWINDOW, include_str!("hannwindow/cases.toml"))),
    ..Operator::onnx("HannWindow", OperatorKind::Composed, &VERSIONS, &WINDOW)
};

const WINDOW: Window = Window { weights: [(1, 2), (1, 2), (0, 1)], is_squared_sine: true };

#[cfg(test)]
mod tests;

//! BlackmanWindow: 0.42 - 0.5 cos(2 pi n / N) + 0.08 cos(4 pi n / N).
//!
//! `families/windows.rs` has what windows have in common. Source: ONNX's schema and function of BlackmanWindow-17.

use crate::families::windows::{VERSIONS, Window, cases};
use crate::operator::{Document, Operator, OperatorKind};

/// BlackmanWindow in ONNX's default domain.
pub static BLACKMANWINDOW: Operator = Operator {
    documents: &[Document {
        key: "onnx-blackmanwindow",
        catalogue: include_str!("blackmanwindow/onnx-blackmanwindow.toml"),
    }],
    cases: Some(|of| cases(of, &BLACKMANWINDOW, include_str!("blackmanwindow/cases.toml"))),
    ..Operator::onnx("BlackmanWindow", OperatorKind::Composed, &VERSIONS, &WINDOW)
};

const WINDOW: Window = Window { weights: [(21, 50), (1, 2), (2, 25)], is_squared_sine: false };

#[cfg(test)]
mod tests;

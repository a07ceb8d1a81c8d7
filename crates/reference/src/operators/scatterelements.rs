//! ScatterElements: the data, of which each update is for the element that lies where the update does itself, but
//! for one dimension, where an index says it.
//!
//! Where the indices are longer than the data in another dimension, ONNX's equations name elements that there are
//! not, and its text says nothing. `scattering.rs` has what becomes of an element. Source: ONNX's schemas of
//! ScatterElements-11, 13, 16 and 18.

use crate::case_table::{self, Own};
use crate::families::picking::AXIS;
use crate::families::scattering::{REDUCTIONS, Scatter, Updated, along_axis};
use crate::operator::{Document, Operator, OperatorKind, Version};

/// ScatterElements in ONNX's default domain.
pub static SCATTERELEMENTS: Operator = Operator {
    documents: &[Document {
        key: "onnx-scatterelements",
        catalogue: include_str!("scatterelements/onnx-scatterelements.toml"),
    }],
    cases: Some(|of| {
        let table = include_str!("scatterelements/cases.toml");
        case_table::cases(of, &SCATTERELEMENTS, &[table], Own::NONE)
    }),
    ..Operator::onnx("ScatterElements", OperatorKind::Exact, &VERSIONS, &SCATTERED)
};

const SCATTERED: Scatter = Scatter(|call| along_axis(call, 11));

const VERSIONS: [Version; 4] = [
    const { Updated::indexed(15) }.since(11, &[AXIS]),
    const { Updated::indexed(16) }.since(13, &[AXIS]),
    const { Updated::indexed(16) }.since(16, &[AXIS, REDUCTIONS[0]]),
    const { Updated::indexed(16) }.since(18, &[AXIS, REDUCTIONS[1]]),
];

#[cfg(test)]
mod tests;

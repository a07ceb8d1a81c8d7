//! The suite `sonnx`: Div and Sqrt as the SONNX profile specifies them.

mod div;
mod sqrt;

use super::GenerateError;
use super::case::Case;
use super::graph::Node;
use crate::dtype::DType;

/// The float types of SONNX, smallest first.
pub(super) const FLOATS: [DType; 3] = [DType::Float16, DType::Float32, DType::Float64];

/// The integer types of SONNX, smallest first.
pub(super) const INTS: [DType; 8] = [
    DType::Int8,
    DType::Int16,
    DType::Int32,
    DType::Int64,
    DType::Uint8,
    DType::Uint16,
    DType::Uint32,
    DType::Uint64,
];

/// Shapes of every rank from 0 to 6, one longer than a block or a vector of a kernel, without elements,
/// and with sizes of 1; each with a name.
pub(super) const SHAPES: [(&str, &[usize]); 13] = [
    ("rank_0", &[]),
    ("rank_1", &[5]),
    ("rank_2", &[2, 3]),
    ("rank_3", &[2, 3, 2]),
    ("rank_3_long", &[3, 7, 61]),
    ("rank_4", &[2, 1, 3, 2]),
    ("rank_5", &[2, 3, 1, 2, 2]),
    ("rank_6", &[2, 1, 2, 1, 3, 2]),
    ("size_1", &[1]),
    ("size_1x1x1", &[1, 1, 1]),
    ("empty", &[0]),
    ("empty_2x0x3", &[2, 0, 3]),
    ("empty_0x0", &[0, 0]),
];

/// SONNX takes Div from version 14 of ONNX's operator set.
fn div_node() -> Node {
    Node::new("Div", 14)
}

/// SONNX takes Sqrt from version 13 of ONNX's operator set.
fn sqrt_node() -> Node {
    Node::new("Sqrt", 13)
}

pub(super) fn cases() -> Result<Vec<Case>, GenerateError> {
    let parts = [div::cases()?, sqrt::cases()?];
    Ok(parts.into_iter().flatten().collect())
}

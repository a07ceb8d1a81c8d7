//! Names for operators and types that many defects have in common.

use onnx_conformance::dtype::DType::{
    self, Bfloat16, Float16, Float32, Float64, Int8, Int16, Int32, Int64, Uint8, Uint16, Uint32,
    Uint64,
};

pub(crate) const DIVISIONS: &[&str] = &["Div", "Divide"];
pub(crate) const DIV: &[&str] = &["Div"];
pub(crate) const DIVIDE: &[&str] = &["Divide"];
pub(crate) const ROOTS: &[&str] = &["Sqrt"];
/// The operators that most defects are seeded into; each other one has a file with its own.
pub(crate) const ALL: &[&str] = &["Div", "Divide", "Sqrt"];

pub(crate) const FLOATS: &[DType] = &[Bfloat16, Float16, Float32, Float64];
pub(crate) const WIDE_FLOATS: &[DType] = &[Float32, Float64];
pub(crate) const SIGNED: &[DType] = &[Int8, Int16, Int32, Int64];
pub(crate) const UNSIGNED: &[DType] = &[Uint8, Uint16, Uint32, Uint64];
pub(crate) const INTS: &[DType] = &[Int8, Int16, Int32, Int64, Uint8, Uint16, Uint32, Uint64];
pub(crate) const NUMERIC: &[DType] = &[
    Bfloat16, Float16, Float32, Float64, Int8, Int16, Int32, Int64, Uint8, Uint16, Uint32, Uint64,
];

//! The quotients that are hardest to get right.

mod floats;
mod integers;

use values::dtype::{DType, Kind};

use crate::inputs::Parts;

/// Those of a type.
pub(super) fn parts(dtype: DType) -> Option<Parts> {
    match dtype.kind() {
        Kind::Float(format) => Some(floats::parts(*format)),
        Kind::Int { signed, bits } => Some(integers::parts(signed, bits)),
        Kind::Bool | Kind::Complex(_) | Kind::String => None,
    }
}

//! The operators and element types that every profile decides on.

use std::fmt;

use serde::Deserialize;

use crate::dtype::DType;

/// An operator that profiles decide on, type by type.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Deserialize)]
pub enum Operator {
    /// Division of two elements.
    Div,
    /// Square root of an element.
    Sqrt,
}

impl Operator {
    /// Every operator.
    pub const ALL: [Self; 2] = [Self::Div, Self::Sqrt];

    /// Its name in ONNX.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::Div => "Div",
            Self::Sqrt => "Sqrt",
        }
    }

    /// The element types of its newest version in ONNX (Div-14, Sqrt-13).
    #[must_use]
    pub const fn types(self) -> &'static [DType] {
        use DType::{
            Bfloat16, Float16, Float32, Float64, Int8, Int16, Int32, Int64, Uint8, Uint16, Uint32,
            Uint64,
        };
        match self {
            Self::Div => &[
                Bfloat16, Float16, Float32, Float64, Int8, Int16, Int32, Int64, Uint8, Uint16,
                Uint32, Uint64,
            ],
            Self::Sqrt => &[Bfloat16, Float16, Float32, Float64],
        }
    }
}

impl fmt::Display for Operator {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(self.name())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::kernels;

    #[test]
    fn the_types_are_those_of_the_newest_kernels() {
        for operator in Operator::ALL {
            let newest = kernels::find(operator.name(), i64::MAX).unwrap();
            assert_eq!(operator.types(), newest.types(), "{operator}");
        }
    }
}

//! The element types that the documents list, against those of the document that each is based on.

use super::{Finding, Kind, Level};
use crate::dtype::DType;

/// The element types that a document lists for an operator.
struct Listing {
    document: &'static str,
    section: &'static str,
    requirement: &'static str,
    types: &'static [DType],
}

const FLOATS: [DType; 3] = [DType::Float16, DType::Float32, DType::Float64];

/// Types of ONNX Div version 14, which SONNX Div names as its base.
const ONNX_DIV_14: Listing = Listing {
    document: "onnx-div",
    section: "Div - 14, type constraints",
    requirement: "P_ONNX_DIV14_TYPES_0010",
    types: &[
        DType::Bfloat16,
        DType::Float64,
        DType::Float32,
        DType::Float16,
        DType::Int16,
        DType::Int32,
        DType::Int64,
        DType::Int8,
        DType::Uint16,
        DType::Uint32,
        DType::Uint64,
        DType::Uint8,
    ],
};

/// Types of SONNX Div: those of its sections for floats and for integers.
const SONNX_DIV: Listing = Listing {
    document: "sonnx-div",
    section: "Div (float, float)",
    requirement: "P_DIV_FLOAT_TYPES_0010",
    types: &[
        FLOATS[0],
        FLOATS[1],
        FLOATS[2],
        DType::Int8,
        DType::Int16,
        DType::Int32,
        DType::Int64,
        DType::Uint8,
        DType::Uint16,
        DType::Uint32,
        DType::Uint64,
    ],
};

/// Types of ONNX Sqrt version 13, which SONNX Sqrt names as its base.
const ONNX_SQRT_13: Listing = Listing {
    document: "onnx-sqrt",
    section: "Sqrt - 13, type constraints",
    requirement: "P_ONNX_SQRT13_TYPES_0010",
    types: &[DType::Bfloat16, FLOATS[0], FLOATS[1], FLOATS[2]],
};

const SONNX_SQRT: Listing = Listing {
    document: "sonnx-sqrt",
    section: "Sqrt (float)",
    requirement: "P_SQRT_FLOAT_TYPES_0010",
    types: &FLOATS,
};

/// Types that the base of a document has and the document says nothing of.
pub(super) fn check() -> Vec<Finding> {
    [(SONNX_DIV, ONNX_DIV_14), (SONNX_SQRT, ONNX_SQRT_13)]
        .iter()
        .filter_map(|(listing, base)| missing(listing, base))
        .collect()
}

fn missing(listing: &Listing, base: &Listing) -> Option<Finding> {
    let missing: Vec<&str> = base
        .types
        .iter()
        .filter(|dtype| !listing.types.contains(dtype))
        .map(|dtype| dtype.name())
        .collect();
    let first = *missing.first()?;
    Some(Finding {
        document: listing.document,
        section: listing.section,
        domain: "types",
        requirement: listing.requirement,
        kind: Kind::Uncovered,
        level: Level::Warning,
        count: missing.len() as u64,
        example: first.to_owned(),
        against: base.requirement.to_owned(),
        message: format!(
            "no section covers {} of the {} types of {} ({}), on which the document is based: {}",
            missing.len(),
            base.types.len(),
            base.document,
            base.section,
            missing.join(", "),
        ),
    })
}

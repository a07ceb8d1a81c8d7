//! The generator of the project's own suites, which `testdata/suites` holds in ONNX's folder layout.
//!
//! Everything is made here from integers and fixed seeds, and every expected element comes from the
//! oracle; no kernel is asked. A case holds many elements of one equivalence class, so that a suite
//! has few cases and each says by its name what it is about.

mod answer;
mod boundaries;
mod case;
mod draft;
mod floats;
mod graph;
mod hard;
mod integers;
mod openvino;
mod samples;
mod single;
mod sizes;
mod sonnx;
mod stated;
mod versions;

use std::collections::BTreeMap;

use bytes::Bytes;

use crate::dtype::DType;
use crate::tensor::TensorError;
pub use boundaries::boundaries_page;
use case::Case;
pub(crate) use graph::Node;
pub use single::{single_case, single_node};

/// The types of the draft of Div and of ONNX Div-14: the numeric ones of at least 8 bits.
const NUMERIC: [DType; 12] = [
    DType::Bfloat16,
    DType::Float16,
    DType::Float32,
    DType::Float64,
    DType::Int8,
    DType::Int16,
    DType::Int32,
    DType::Int64,
    DType::Uint8,
    DType::Uint16,
    DType::Uint32,
    DType::Uint64,
];

/// The suites cannot be made.
#[derive(Debug, thiserror::Error)]
#[expect(missing_docs, reason = "each variant's message says what it is")]
pub enum GenerateError {
    #[error("the reference does not know {operator}")]
    NoReference { operator: &'static str },
    #[error("by the reference the call is invalid")]
    Invalid(#[from] reference::operator::Invalid),
    #[error(transparent)]
    Element(#[from] reference::elements::ElementError),
    #[error(transparent)]
    Unsolved(#[from] reference::boundaries::Unsolved),
    #[error("OpenVINO has no name for {a} or {b}")]
    NoOpenVinoType { a: DType, b: DType },
    #[error("{path} gives `{name}` a value that no operator of ONNX takes here")]
    Attribute { path: String, name: String },
    #[error("two cases are named {0}")]
    SameName(String),
    #[error(transparent)]
    Tensor(#[from] TensorError),
    #[error("failed to write a case.json")]
    Json(#[from] serde_json::Error),
}

/// Every file of every suite by its path below `testdata/suites`, such as
/// `sonnx/div/float32/overflow/model.onnx`.
///
/// # Errors
///
/// When a case is stated wrongly: two of one name, or elements that do not make its tensors.
pub fn files() -> Result<BTreeMap<String, Bytes>, GenerateError> {
    let mut files = BTreeMap::new();
    for case in cases()? {
        for (path, contents) in case.files()? {
            if files.insert(path, contents).is_some() {
                return Err(GenerateError::SameName(case.path));
            }
        }
    }
    Ok(files)
}

fn cases() -> Result<Vec<Case>, GenerateError> {
    let suites = [
        stated::cases()?,
        sonnx::cases()?,
        draft::cases()?,
        versions::cases()?,
        openvino::cases()?,
    ];
    Ok(suites.into_iter().flatten().collect())
}

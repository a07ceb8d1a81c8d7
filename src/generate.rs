//! The generator of the project's own suites, which `testdata/suites` holds in ONNX's folder layout.
//!
//! Everything is made here from integers and fixed seeds, and every expected element comes from the
//! oracle; no kernel is asked. A case holds many elements of one equivalence class, so that a suite
//! has few cases and each says by its name what it is about.

mod answer;
mod boundaries;
mod case;
mod graph;
mod single;
mod stated;

use std::collections::BTreeMap;

use bytes::Bytes;

use crate::dtype::DType;
use crate::tensor::TensorError;
pub use boundaries::boundaries_page;
pub(crate) use graph::Node;
pub use single::{single_case, single_node};

/// The suites cannot be made.
#[derive(Debug, thiserror::Error)]
#[expect(missing_docs, reason = "each variant's message says what it is")]
pub enum GenerateError {
    #[error("{operator} has no version for operator set {opset}, or more than one output")]
    NoReference { operator: &'static str, opset: i64 },
    #[error("by the reference the call is invalid")]
    Invalid(#[from] reference::operator::Invalid),
    #[error(transparent)]
    Element(#[from] reference::elements::ElementError),
    #[error("the cases of {operator} are stated wrongly")]
    Statement { operator: &'static str, source: reference::case_spec::StatementError },
    #[error(transparent)]
    Unsolved(#[from] reference::boundaries::Unsolved),
    #[error("OpenVINO has no name for {a} or {b}")]
    NoOpenVinoType { a: DType, b: DType },
    #[error("{path} gives `{name}` a value that no operator of ONNX takes here")]
    Attribute { path: String, name: String },
    #[error("{path} has not the two inputs of an OpenVINO layer here")]
    Inputs { path: String },
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
    for case in stated::cases()? {
        for (path, contents) in case.files()? {
            if files.insert(path, contents).is_some() {
                return Err(GenerateError::SameName(case.path));
            }
        }
    }
    Ok(files)
}

//! The files of a trace: the document, its page, and a case for each node that is wrong.

use std::io;
use std::path::{Path, PathBuf};

use super::Traced;
use super::alone::{Ran, Tracer};
use super::document::{CASES, DOCUMENT, WentOn};
use super::html;
use crate::document::JsonDocument;
use crate::document::write::{Part, WriteError, write_parts};
use crate::foundation::files;
use crate::models::graph::Step;
use crate::onnx::encode_value;
use crate::tensor::Value;

/// Name of the page for readers.
const PAGE: &str = "trace.html";

/// The most that the files of all cases take, in bytes.
const CASES_LIMIT: usize = 256 << 20;

/// Longest name of a case, in bytes.
const NAME_KEPT: usize = 80;

/// Where a trace was written.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Written {
    /// The document.
    pub document: PathBuf,
    /// The page for readers.
    pub page: PathBuf,
    /// The folder of cases; none where no node is wrong.
    pub cases: Option<PathBuf>,
}

/// Writes a trace into a folder, in place of one that is there.
pub fn write(traced: &Traced, folder: &Path) -> Result<Written, WriteError> {
    let document = folder.join(DOCUMENT);
    let cases = folder.join(CASES);
    let failed = |source| WriteError::Write { path: cases.clone(), source };
    // A folder of this name that no trace wrote is not replaced.
    if cases.exists() && !document.exists() {
        return Err(failed(io::ErrorKind::AlreadyExists.into()));
    }
    files::replace_folder(&cases, ".onnx-conformance-trace-", &traced.cases, true)
        .map_err(failed)?;
    let parts = vec![
        Part::new(PAGE, || html::to_text(&traced.trace).map(String::into_bytes)),
        Part::new(DOCUMENT, || traced.trace.to_bytes()),
    ];
    write_parts(parts, folder)?;
    let page = folder.join(PAGE);
    Ok(Written { document, page, cases: (!traced.cases.is_empty()).then_some(cases) })
}

/// Adds the case of a node that is wrong, where the reference says what it should give.
pub(super) fn add_case(tracer: &mut Tracer<'_, '_>, step: &Step, ran: &mut Ran) {
    let Some((cut, inputs)) = &ran.alone else { return };
    let went_on = || ran.values.iter().map(|(_, value)| value.clone()).collect();
    let expected: Option<Vec<Value>> = match ran.node.went_on_with {
        WentOn::Reference => Some(went_on()),
        WentOn::Backend | WentOn::Nothing => ran.expected.clone(),
    };
    let Some(expected) = expected else { return };
    let taken: usize = tracer.cases.values().map(bytes::Bytes::len).sum();
    if taken > CASES_LIMIT {
        return;
    }
    let name = format!("{:04}_{}", tracer.nodes.len(), plain(&ran.node.node));
    let path = |file: &str| format!("{name}/{file}");
    tracer.cases.insert(path("model.onnx"), cut.file.clone());
    for (place, (input, value)) in inputs.iter().enumerate() {
        let file = path(&format!("test_data_set_0/input_{place}.pb"));
        tracer.cases.insert(file, encode_value(input, value));
    }
    for (place, (output, value)) in step.writes().zip(&expected).enumerate() {
        let file = path(&format!("test_data_set_0/output_{place}.pb"));
        tracer.cases.insert(file, encode_value(output, value));
    }
    ran.node.case = Some(name);
    tracer.cases_left -= 1;
}

/// A name of letters, digits and `_`, as a folder may have it anywhere.
fn plain(name: &str) -> String {
    let letters = name.chars().map(|c| if c.is_ascii_alphanumeric() { c } else { '_' });
    let name: String = letters.take(NAME_KEPT).collect();
    name.trim_matches('_').to_owned()
}

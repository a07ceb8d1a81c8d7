//! The matrix as files, alone or together with the report that it is made of.

use std::path::{Path, PathBuf};

use super::document::Matrix;
use super::html;
use crate::document::JsonDocument;
use crate::report::document::Report;
use crate::report::{self, Part, WriteError, Written};

/// Name of the document's file within a folder.
pub const DOCUMENT: &str = "matrix.json";
/// Name of the page for readers.
pub const PAGE: &str = "matrix.html";

/// The page and the document.
fn parts(matrix: &Matrix) -> Vec<Part<'_>> {
    vec![
        Part::new(PAGE, || html::to_text(matrix).map(String::into_bytes)),
        Part::new(DOCUMENT, || matrix.to_bytes()),
    ]
}

/// Where the page and the document lie in a folder.
fn paths(dir: &Path) -> [PathBuf; 2] {
    [PAGE, DOCUMENT].map(|name| dir.join(name))
}

/// Writes `matrix.html` and `matrix.json` into the folder, both or none; it is created where it is
/// missing. Gives their paths.
pub fn write(matrix: &Matrix, dir: &Path) -> Result<[PathBuf; 2], WriteError> {
    report::write_parts(parts(matrix), dir)?;
    Ok(paths(dir))
}

/// Writes a report together with the matrix whose page its own links to: all files or none, as
/// [`report::write_parts()`] does.
pub fn write_with(report: &Report, matrix: &Matrix, dir: &Path) -> Result<Written, WriteError> {
    let parts = parts(matrix).into_iter().chain(report::parts(report, Some(PAGE)));
    report::write_parts(parts.collect(), dir)?;
    Ok(Written { matrix: Some(paths(dir)), ..Written::within(dir) })
}

//! The files of a report.

use std::path::{Path, PathBuf};

use super::document::Report;
use super::{html, junit};
use crate::document::JsonDocument;
use crate::document::write::Part;

const JSON: &str = "report.json";
const HTML: &str = "report.html";
const JUNIT: &str = "junit.xml";

/// Where the reports lie.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Written {
    /// The report document.
    pub json: PathBuf,
    /// The page for readers.
    pub html: PathBuf,
    /// The results for CI systems.
    pub junit: PathBuf,
    /// The page and the document of the requirement matrix that the report's page links to, where
    /// there is one.
    pub matrix: Option<[PathBuf; 2]>,
}

impl Written {
    /// Where reports written to this folder lie, without a matrix.
    pub fn within(dir: &Path) -> Self {
        Self { json: dir.join(JSON), html: dir.join(HTML), junit: dir.join(JUNIT), matrix: None }
    }
}

/// `report.html`, `junit.xml` and `report.json`, in this order. The page links to the page of the
/// requirement matrix at this relative address, where there is one.
pub fn parts<'a>(report: &'a Report, matrix: Option<&'a str>) -> Vec<Part<'a>> {
    vec![
        Part::text(HTML, move |out| html::render(report, matrix, out)),
        Part::new(JUNIT, || junit::to_bytes(report)),
        // The document comes last: where it is new, so is what was derived from it.
        Part::new(JSON, || report.to_bytes()),
    ]
}

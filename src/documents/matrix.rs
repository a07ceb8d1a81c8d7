//! The requirement matrix: every requirement, the cases and campaigns that cover it, and what they
//! give together.
//!
//! [`document::Matrix::of`] makes the one document of reports and campaigns of one backend. It is a pure
//! function; the rule for a status is [`Status::of`](crate::judge::requirements::Status::of). [`html`] and
//! [`text`] show what stands in the document.
//!
//! # Links
//!
//! The pages link to each other both ways, by relative addresses that the caller knows:
//!
//! - A [`Source`] carries the address of its own page as seen from the matrix's page. Cases and
//!   campaigns link there; without one they stand as plain text. [`href`] finds the address for two
//!   paths.
//! - The pages of reports ([`report::html::to_text`]) and campaigns
//!   ([`campaign::page`](crate::measure::campaign::page)) take the address of the matrix's page as seen from
//!   theirs, or none. Their requirements link there.
//!
//! So a folder with `matrix.html` at its root and `reports/NAME/report.html` below has sources with the
//! page `reports/NAME/report.html`, and renders the reports with `../../matrix.html`.
//!
//! ```
//! use onnx_conformance::measure::campaign;
//! use onnx_conformance::documents::matrix::document::Matrix;
//! use onnx_conformance::documents::matrix::{MatrixError, Source, html};
//! use onnx_conformance::documents::report::document::Report;
//! use onnx_conformance::judge::requirements::Catalogue;
//!
//! fn page(report: &Report, campaign: &campaign::Campaign) -> Result<String, MatrixError> {
//!     let catalogue = Catalogue::embedded().expect("it is tested");
//!     let reports = [Source { document: report, page: Some("reports/a/report.html") }];
//!     let campaigns = [Source { document: campaign, page: Some("campaigns/b/campaign.html") }];
//!     let matrix = Matrix::of(&catalogue, &reports, &campaigns)?;
//!     Ok(html::to_text(&matrix).expect("a page can be rendered"))
//! }
//! ```

use std::path::{Path, PathBuf};

use self::document::Matrix;
use crate::document::JsonDocument;
use crate::document::write::{Part, WriteError, write_parts};
use crate::documents::report::document::Report;
use crate::documents::report::{self, Written};

mod build;
pub mod document;
mod href;
pub mod html;
pub mod text;
mod validate;

pub use build::{MatrixError, Source};
pub use href::href;

/// Name of the document's file within a folder.
pub const DOCUMENT: &str = "matrix.json";
/// Name of the page for readers.
pub const PAGE: &str = "matrix.html";

fn parts(matrix: &Matrix) -> Vec<Part<'_>> {
    vec![
        Part::text(PAGE, |out| html::render(matrix, out)),
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
    write_parts(parts(matrix), dir)?;
    Ok(paths(dir))
}

/// Writes a report together with the matrix whose page its own links to: all files or none, as
/// [`write_parts()`] does.
pub fn write_with(report: &Report, matrix: &Matrix, dir: &Path) -> Result<Written, WriteError> {
    let parts = parts(matrix).into_iter().chain(report::parts(report, Some(PAGE)));
    write_parts(parts.collect(), dir)?;
    Ok(Written { matrix: Some(paths(dir)), ..Written::within(dir) })
}

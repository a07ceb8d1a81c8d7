//! The requirement matrix: every requirement, the cases and campaigns that speak for it, and what they
//! came to together.
//!
//! [`document::Matrix::of`] makes the one document of reports and campaigns of one backend. It is a pure
//! function; the rule for a status is [`Status::of`](crate::requirements::Status::of). [`html`] and
//! [`text`] show what stands in the document.
//!
//! # Links
//!
//! The pages link to each other both ways, by relative addresses that the caller knows:
//!
//! - A [`Source`] carries the address of its own page as seen from the matrix's page. Cases and
//!   campaigns link there; without one they stand as plain text. [`href`] finds the address for two
//!   paths.
//! - The pages of reports ([`report::html::to_text`](crate::report::html::to_text)) and campaigns
//!   ([`campaign::page`](crate::campaign::page)) take the address of the matrix's page as seen from
//!   theirs, or none. Their requirements link there.
//!
//! So a folder with `matrix.html` at its root and `reports/NAME/report.html` below has sources with the
//! page `reports/NAME/report.html`, and renders the reports with `../../matrix.html`.
//!
//! ```
//! use onnx_conformance::campaign;
//! use onnx_conformance::matrix::document::Matrix;
//! use onnx_conformance::matrix::{MatrixError, Source, html};
//! use onnx_conformance::report::document::Report;
//! use onnx_conformance::requirements::Catalogue;
//!
//! fn page(report: &Report, campaign: &campaign::Document) -> Result<String, MatrixError> {
//!     let catalogue = Catalogue::embedded().expect("it is tested");
//!     let reports = [Source { document: report, page: Some("reports/a/report.html") }];
//!     let campaigns = [Source { document: campaign, page: Some("campaigns/b/campaign.html") }];
//!     let matrix = Matrix::of(&catalogue, &reports, &campaigns)?;
//!     Ok(html::to_text(&matrix).expect("a page can be rendered"))
//! }
//! ```

mod build;
pub mod document;
mod files;
mod href;
pub mod html;
pub mod text;

pub use build::{MatrixError, Source};
pub use files::{DOCUMENT, PAGE, write, write_with};
pub use href::href;

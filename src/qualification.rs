//! The qualification of this tool: defects that were seeded into right kernels and right adapters,
//! and what of the tool finds each of them.
//!
//! The kit that makes the [`Document`] lies in `tests/qualification`, as the defects do; what it found
//! is committed and [`embedded`] here, so that a pack of evidence can say what the tool that wrote it
//! was shown to find. All of the document is a function of the sources: no clock, no host.

mod build;
pub mod document;
mod file;
mod html;
mod text;

pub use build::Contradiction;
pub use document::Document;
pub use html::html;
pub use text::to_text;

use crate::document::{JsonDocument, ReadError};

/// Path of the committed document in the checkout.
pub const PATH: &str = "reports/qualification/qualification.json";

/// Path of its page, which is not committed.
pub const PAGE: &str = "reports/qualification/qualification.html";

const EMBEDDED: &[u8] = include_bytes!("../reports/qualification/qualification.json");

/// The qualification of this version of the tool.
///
/// # Errors
///
/// When the tool was built with a document that is not one, or contradicts itself.
pub fn embedded() -> Result<Document, ReadError> {
    Document::from_bytes(PATH.as_ref(), EMBEDDED)
}

/// The bytes that [`embedded`] reads.
#[must_use]
pub const fn embedded_bytes() -> &'static [u8] {
    EMBEDDED
}

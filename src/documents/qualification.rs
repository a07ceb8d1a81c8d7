//! The qualification of this tool: defects that were seeded into right kernels and right adapters,
//! and what of the tool finds each of them.
//!
//! The kit that makes the [`Qualification`] lies in `tests/qualification`, as the defects do; what it found
//! is committed and [`embedded()`] here, so that a pack of evidence can say what the tool that wrote it
//! was shown to find. All of the document is a function of the sources: no clock, no host.

use std::fmt::Write;

use self::document::Tally;
use crate::document::{JsonDocument, ReadError};
use crate::foundation::embedded;
use crate::foundation::text::words;

mod build;
pub mod document;
mod html;

pub use document::Qualification;
pub use html::html;

/// Path of the committed document in the checkout.
pub const PATH: &str = "reports/qualification/qualification.json";

/// Path of its page, which is not committed.
pub const PAGE: &str = "reports/qualification/qualification.html";

/// The bytes of the qualification of this version of the tool.
pub fn bytes() -> &'static [u8] {
    embedded::file(PATH).unwrap_or_default()
}

/// The qualification in them.
pub fn embedded() -> Result<Qualification, ReadError> {
    Qualification::from_bytes(PATH.as_ref(), bytes())
}

/// A table of at most 80 columns: what was seeded and what was found, by fault class, and the defects that nothing finds.
pub fn to_text(document: &Qualification) -> String {
    let mut text = format!(
        "{:<16} {:>7} {:>7} {:>14} {:>26}\n",
        "fault class", "seeded", "killed", "by own suites", "by the ONNX corpus alone"
    );
    let mut row = |name: &str, tally: &Tally| {
        let Tally { defects, killed, killed_by_suites, killed_by_official } = tally;
        // Writing to a string does not fail.
        let _ = writeln!(
            text,
            "{name:<16} {defects:>7} {killed:>7} {killed_by_suites:>14} {killed_by_official:>26}"
        );
    };
    for class in &document.classes {
        row(&words(class.class), &class.tally);
    }
    row("all", &document.summary);
    for survivor in document.survivors() {
        let _ = writeln!(text, "SURVIVES {}: {}", survivor.id, survivor.says);
    }
    text
}

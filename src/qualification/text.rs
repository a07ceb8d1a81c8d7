//! The qualification as a table of at most 80 columns.

use std::fmt::Write;

use super::document::{Document, Tally};

/// What was seeded and what was found, by fault class, and the defects that nothing finds.
#[must_use]
pub fn to_text(document: &Document) -> String {
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
        row(class.class.words(), &class.tally);
    }
    row("all", &document.summary);
    for survivor in document.survivors() {
        let _ = writeln!(text, "SURVIVES {}: {}", survivor.id, survivor.says);
    }
    text
}

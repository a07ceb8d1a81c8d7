//! The file of a baseline.

use std::path::Path;

use super::{Baseline, FORMAT_VERSION, KIND};
use crate::report::contradiction;
use crate::report::document;
use crate::report::json::{self, Document, ReadError};

/// The text of a baseline file. The same baseline gives the same text.
///
/// # Errors
///
/// Never for a baseline as such; serialisation as a whole may fail.
pub fn to_text(baseline: &Baseline) -> Result<String, serde_json::Error> {
    let cases = baseline.cases.iter().map(serde_json::to_string).collect::<Result<Vec<_>, _>>()?;
    let outer = serde_json::to_string_pretty(&Baseline { cases: Vec::new(), ..baseline.clone() })?;
    // The cases are the last member, so these characters end their empty list and the document.
    let outer = outer.trim_end_matches("]\n}");
    Ok(format!("{outer}\n    {}\n  ]\n}}\n", cases.join(",\n    ")))
}

/// Reads a baseline: a file of this kind, or a whole report.
///
/// # Errors
///
/// When the file cannot be read, is too large, has another version, is neither or contradicts
/// itself.
pub fn read(path: &Path) -> Result<Baseline, ReadError> {
    let bytes = json::read_bytes(path)?;
    from_bytes(path, &bytes)
}

/// The baseline in the bytes of a file, which may be a whole report; `path` names it in errors.
///
/// # Errors
///
/// When the bytes are of another version, are neither or contradict themselves.
pub fn from_bytes(path: &Path, bytes: &[u8]) -> Result<Baseline, ReadError> {
    let document = Document::of(path, bytes)?;
    match document.kind.as_deref() {
        Some(KIND) => {
            let baseline = document.parse(FORMAT_VERSION)?;
            contradiction::of_baseline(&baseline).map_err(ReadError::contradiction(path))?;
            Ok(baseline)
        }
        None => {
            let report = document.parse(document::FORMAT_VERSION)?;
            contradiction::of_report(&report).map_err(ReadError::contradiction(path))?;
            Ok(Baseline::of(&report))
        }
        Some(found) => Err(ReadError::Kind { path: path.to_owned(), found: found.to_owned() }),
    }
}

//! Qualification documents as bytes.

use serde::{Deserialize, Serialize};

use super::build::Contradiction;
use super::document::{Clean, Defect, Document, FORMAT_VERSION};

/// Bytes are no qualification document.
#[derive(Debug, thiserror::Error)]
pub enum ReadError {
    /// It has another format.
    #[error(
        "the qualification has format version {0}, and this program reads version \
         {FORMAT_VERSION}; run `cargo xtask mutants`"
    )]
    Version(u64),
    /// It is none, or only a part of one.
    #[error(
        "the qualification is truncated, edited or none of this tool's; run `cargo xtask mutants`"
    )]
    Malformed(#[from] serde_json::Error),
    /// It contradicts itself.
    #[error("the qualification contradicts itself; run `cargo xtask mutants`")]
    Contradiction(#[from] Contradiction),
}

impl Document {
    /// The text of `qualification.json`: indented, but for a line for each cell, so that a difference
    /// in version control shows which changed.
    ///
    /// # Errors
    ///
    /// Never for a document as such; serialisation as a whole may fail.
    pub fn to_text(&self) -> Result<String, serde_json::Error> {
        let (mut outer, mut lines) = (self.clone(), Vec::new());
        for Clean { cells, .. } in &mut outer.clean {
            lines.push(lines_of(&std::mem::take(cells))?);
        }
        for Defect { cells, .. } in &mut outer.defects {
            lines.push(lines_of(&std::mem::take(cells))?);
        }
        let outer = serde_json::to_string_pretty(&outer)?;
        // Every empty list of cells stands for the lines of one.
        let mut parts = outer.split(EMPTY);
        let mut text = parts.next().unwrap_or_default().to_owned();
        for (part, lines) in parts.zip(lines) {
            text += &format!("\"cells\": [{lines}]{part}");
        }
        Ok(text + "\n")
    }

    /// The document of these bytes.
    ///
    /// # Errors
    ///
    /// When they are none, of another version, or contradict themselves.
    pub fn from_bytes(bytes: &[u8]) -> Result<Self, ReadError> {
        // The version first: what else a document of another version holds is not known here.
        #[derive(Deserialize)]
        struct Versioned {
            format_version: u64,
        }
        let Versioned { format_version: found } = serde_json::from_slice(bytes)?;
        if found != u64::from(FORMAT_VERSION) {
            return Err(ReadError::Version(found));
        }
        let document: Self = serde_json::from_slice(bytes)?;
        document.check()?;
        Ok(document)
    }
}

/// A list of cells that are written elsewhere. Within a string its quotes would be escaped.
const EMPTY: &str = "\"cells\": []";

fn lines_of(cells: &[impl Serialize]) -> Result<String, serde_json::Error> {
    const INDENT: &str = "\n        ";
    let lines = cells.iter().map(serde_json::to_string).collect::<Result<Vec<_>, _>>()?;
    if lines.is_empty() {
        return Ok(String::new());
    }
    Ok(format!("{INDENT}{}\n      ", lines.join(&format!(",{INDENT}"))))
}

//! Qualification documents as bytes.

use serde::Serialize;

use super::PATH;
use super::build::Contradiction;
use super::document::{Clean, Defect, Document, FORMAT_VERSION};
use crate::document::JsonDocument;

impl JsonDocument for Document {
    const NAME: &'static str = "qualification";
    const FILE: &'static str = PATH;
    const FORMAT_VERSION: u32 = FORMAT_VERSION;
    const REMEDY: &'static str = "run `cargo xtask mutants`";
    const SCHEMA: &'static str = "reports/schema/qualification.schema.json";
    type Contradiction = Contradiction;

    fn consistent(&self) -> Result<(), Contradiction> {
        self.check()
    }

    /// Indented, but for a line for each cell, so that a difference in version control shows which
    /// changed.
    fn to_bytes(&self) -> serde_json::Result<Vec<u8>> {
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
        Ok((text + "\n").into_bytes())
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

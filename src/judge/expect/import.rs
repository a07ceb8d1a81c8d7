//! Lists of known failures in the forms of others, as entries of this project's.
//!
//! ONNX Runtime keeps regular expressions of test names in `onnx_backend_test_series_filters.jsonc`, burn-onnx a
//! table for each test in `expectations.toml`. What cannot be said in an entry is told, with the reason.

mod burn;
mod filters;
mod glob;

use std::fmt::Write;

use super::{ExpectError, Expectations, Known};
use crate::foundation::printable::on_one_line;
use crate::foundation::text;

/// Most entries that are made of a file.
const MOST: usize = 10_000;

/// The entries that a file becomes.
#[derive(Clone, Debug, Default)]
pub struct Imported {
    /// The entries in the order of the file.
    pub entries: Vec<Known>,
    /// What is no entry: what it is in the file, and why.
    pub left: Vec<(String, String)>,
    /// How many entries were left out because one before them matches all of their cases.
    pub covered: u64,
}

/// A file is in none of the known forms.
#[derive(Debug, thiserror::Error)]
#[expect(missing_docs, reason = "each variant's message says what it is")]
pub enum ImportError {
    #[error("{0}: it is a list of known failures already; give it with --update")]
    Own(String),
    #[error(
        "failed to read `{file}` as filters of ONNX Runtime's tests: lists of regular expressions by name"
    )]
    Filters { file: String, source: serde_json::Error },
    #[error(
        "failed to read `{file}` as burn-onnx's expectations: a table with `status` for each test"
    )]
    Burn { file: String, source: Box<toml::de::Error> },
    #[error("{file}: it has no list `{list}`; its lists are: {known}")]
    NoList { file: String, list: String, known: String },
    #[error("{0}: it becomes more than {MOST} entries")]
    TooMany(String),
    #[error("{0}: it names no test")]
    Nothing(String),
}

impl Imported {
    /// What a text of another project becomes. Of ONNX Runtime's filters these lists are taken; where none is named,
    /// all but those of one platform or execution provider. `file` goes into errors and reasons.
    pub fn of(file: &str, text: &str, lists: &[String]) -> Result<Self, ImportError> {
        let all = if filters::is_of(text) {
            filters::read(file, text, lists)?
        } else if is_own(file, text) {
            return Err(ImportError::Own(file.to_owned()));
        } else {
            burn::read(file, text)?
        };
        if all.entries.len() > MOST {
            return Err(ImportError::TooMany(file.to_owned()));
        }
        if all.entries.is_empty() && all.left.is_empty() {
            return Err(ImportError::Nothing(file.to_owned()));
        }
        let mut imported = Self { left: all.left, ..Self::default() };
        for entry in all.entries {
            if imported.entries.iter().any(|known| text::matches(&known.cases, &entry.cases)) {
                imported.covered += 1;
            } else {
                imported.entries.push(entry);
            }
        }
        Ok(imported)
    }

    /// A list with the entries that it does not have for these cases yet, and what was left as comments; the list as it
    /// is where it has them all.
    pub fn added_to(&self, list: &str, file: &str, name: &str) -> Result<String, ExpectError> {
        let known = Expectations::parse(file, list)?;
        let is_new = |entry: &&Known| known.entries().iter().all(|it| it.cases != entry.cases);
        let new: Vec<_> = self.entries.iter().filter(is_new).collect();
        if new.is_empty() && !list.trim().is_empty() {
            return Ok(list.to_owned());
        }
        let mut text = list.trim_end().to_owned();
        if !text.is_empty() {
            text += "\n\n";
        }
        // Writing to a string does not fail.
        let _ = writeln!(text, "# From {}.", on_one_line(name));
        for (what, why) in &self.left {
            let _ = writeln!(text, "# Not taken over: {}: {}", on_one_line(what), on_one_line(why));
        }
        for entry in new {
            text.push('\n');
            text += &entry.to_toml();
        }
        Expectations::parse(file, &text).map(|_| text)
    }
}

/// Whether a text is a non-empty list of this project.
fn is_own(file: &str, text: &str) -> bool {
    Expectations::parse(file, text).is_ok_and(|known| !known.entries().is_empty())
}

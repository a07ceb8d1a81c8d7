//! The baseline document, format version 2: what the gate needs of a report, small enough to commit.
//!
//! `kind` tells it from a report. In its text every case takes a line of its own, so that version
//! control shows which cases changed.

use std::path::Path;

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::contradiction;
use super::document::{self, Backend, Case, Corpus, ExpectationsList, Output, Report, Summary};
use super::json::{self, Document, ReadError};
use crate::verdict::Verdict;

/// Version of the document's format; counts up on any change.
pub const FORMAT_VERSION: u32 = 2;

/// What the document says it is.
pub const KIND: &str = "baseline";

/// What a baseline file holds.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
#[schemars(title = "onnx-conformance baseline")]
pub struct Baseline {
    /// Version of this format.
    #[schemars(extend("const" = FORMAT_VERSION))]
    pub format_version: u32,
    /// What this document is.
    #[schemars(extend("const" = KIND))]
    pub kind: String,
    /// The system under test.
    pub backend: Backend,
    /// Name of the accuracy profile.
    pub profile: String,
    /// The list of known failures that the run was given; null where it was given none.
    pub expectations_list: Option<ExpectationsList>,
    /// The corpora the cases come from.
    pub corpora: Vec<Corpus>,
    /// Cases by verdict, and what was compared.
    pub summary: Summary,
    /// Every case, in natural order of the ids.
    pub cases: Vec<BaselineCase>,
}

/// One case, and what it came to.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct BaselineCase {
    /// Such as `onnx-1.22.0/node/test_div`.
    pub id: String,
    /// What it came to.
    pub verdict: Verdict,
    /// What was expected of the backend.
    pub expected: Verdict,
    /// The outputs compared.
    pub outputs: Vec<Measures>,
}

/// What was measured on one output.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Measures {
    /// Name of the output, as in the report.
    pub name: String,
    /// Elements compared.
    pub elements: u64,
    /// Elements that nothing decides.
    pub undecided: u64,
    /// Elements that do not conform.
    pub mismatches: u64,
    /// Largest distance in ULP; null where no element has one.
    pub max_ulp: Option<u64>,
}

impl Baseline {
    /// The baseline that holds what a report found.
    #[must_use]
    pub fn of(report: &Report) -> Self {
        Self {
            format_version: FORMAT_VERSION,
            kind: KIND.to_owned(),
            backend: report.backend.clone(),
            profile: report.profile.clone(),
            expectations_list: report.expectations_list.clone(),
            corpora: report.corpora.clone(),
            summary: report.summary.clone(),
            cases: report.cases.iter().map(BaselineCase::of).collect(),
        }
    }
}

impl BaselineCase {
    /// What a baseline holds of a case.
    #[must_use]
    pub fn of(case: &Case) -> Self {
        Self {
            id: case.id.clone(),
            verdict: case.verdict,
            expected: case.expected,
            outputs: case.outputs.iter().map(Measures::of).collect(),
        }
    }

    /// Whether it failed and was not expected to, or not so.
    #[must_use]
    pub fn is_unexpected_failure(&self) -> bool {
        self.verdict.is_failure() && self.verdict != self.expected
    }

    /// Elements compared in all outputs.
    #[must_use]
    pub fn elements_compared(&self) -> u64 {
        self.outputs.iter().fold(0, |sum, output| sum.saturating_add(output.elements))
    }
}

impl Measures {
    fn of(output: &Output) -> Self {
        Self {
            name: output.name.clone(),
            elements: output.elements,
            undecided: output.undecided,
            mismatches: output.mismatches,
            max_ulp: output.max_ulp,
        }
    }
}

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

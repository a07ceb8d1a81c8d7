//! The baseline document, format version 4: what the gate needs of a report, small enough to commit.
//!
//! `kind` tells it from a report. In its text every case takes a line of its own, so that version
//! control shows which cases changed.

use std::path::Path;

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::document::{Backend, Case, Corpus, ExpectationsList, Output, Report, Summary};
use crate::backend::Isolation;
use crate::document::{Head, JsonDocument, ReadError};
use crate::judge::verdict::Verdict;

/// Version of the document's format; counts up on any change.
pub const FORMAT_VERSION: u32 = 4;

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
    /// What kept the backend from reading what is expected of it.
    pub isolation: Isolation,
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

/// One case, and its result.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct BaselineCase {
    /// Such as `onnx-1.22.0/node/test_div`.
    pub id: String,
    /// Its result.
    pub verdict: Verdict,
    /// What was expected of the backend.
    pub expected: Verdict,
    /// Whether a pass was expected as well.
    pub flaky: bool,
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

/// Reads a baseline: a file of this kind, or a whole report.
pub fn read(path: &Path) -> Result<Baseline, ReadError> {
    from_bytes(path, &Baseline::read_bytes(path)?)
}

/// The baseline in the bytes of a file, which may be a whole report; `path` names it in errors.
pub fn from_bytes(path: &Path, bytes: &[u8]) -> Result<Baseline, ReadError> {
    match Head::of(bytes) {
        Ok(Head { kind: None, .. }) => Ok(Baseline::of(&Report::from_bytes(path, bytes)?)),
        _ => <Baseline as JsonDocument>::from_bytes(path, bytes),
    }
}

impl Baseline {
    /// The baseline that holds what a report found.
    pub fn of(report: &Report) -> Self {
        Self {
            format_version: FORMAT_VERSION,
            kind: KIND.to_owned(),
            backend: report.backend.clone(),
            isolation: report.isolation,
            profile: report.profile.clone(),
            expectations_list: report.expectations_list.clone(),
            corpora: report.corpora.clone(),
            summary: report.summary,
            cases: report.cases.iter().map(BaselineCase::of).collect(),
        }
    }
}

impl BaselineCase {
    /// What a baseline holds of a case.
    pub fn of(case: &Case) -> Self {
        Self {
            id: case.id.clone(),
            verdict: case.verdict,
            expected: case.expected,
            flaky: case.flaky,
            outputs: case.outputs.iter().map(Measures::of).collect(),
        }
    }

    /// Whether it failed and was not expected to, or not so.
    pub fn is_unexpected_failure(&self) -> bool {
        self.verdict.is_failure() && self.verdict != self.expected
    }

    /// Whether it came out as one of the two that were expected of a flaky case.
    pub fn is_flaky_as_expected(&self) -> bool {
        self.flaky && (self.verdict == Verdict::Pass || self.verdict == self.expected)
    }

    /// Elements compared in all outputs.
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

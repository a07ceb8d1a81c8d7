//! Specifications taken at their word: the case analysis of each document, read literally and run
//! over whole types, with what is left open, said twice or contradicted as findings.
//!
//! [`documents`] holds the rows as data, [`sweep`](mod@sweep) runs them over every operand and asks
//! the oracle, `types` and `shapes` run the constraints on types and shapes over what other documents show, `bounds` the
//! accuracy notes over directed operands, and `printed` the results that the documents print.

mod bounds;
pub mod documents;
mod findings;
mod json;
pub mod outcome;
mod printed;
pub mod reading;
mod region;
mod sarif;
mod shapes;
pub mod sweep;
mod text;
mod types;

pub use findings::{of_pair, of_reading};
pub use json::{FORMAT_VERSION, to_json};
pub use sarif::to_sarif;
pub use text::{to_markdown, to_text};

use serde::Serialize;

use crate::dtype::{DType, Kind as ElementKind};
use crate::text::grouped;

/// What is the matter with a document.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum Kind {
    /// Operands that the document gives no result for.
    Uncovered,
    /// What disagrees with the oracle, with another statement or with another document.
    Contradiction,
    /// Operands that two rows apply to.
    Overlap,
    /// An error bound that does not hold, or that is not reached.
    Bound,
}

/// How grave a finding is.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum Level {
    /// The document cannot be followed as it is written.
    Error,
    /// The document leaves a gap.
    Warning,
    /// The document says more than it needs to.
    Note,
}

/// One thing that is the matter with one document.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Finding {
    /// Key of the document, such as `sonnx-div`.
    pub document: &'static str,
    /// The section that says it.
    #[serde(skip)]
    pub section: &'static str,
    /// What it was found on: an element type, or `reals`, `shapes`, `types` or `examples`.
    #[serde(skip)]
    pub domain: &'static str,
    /// Tag of the requirement.
    pub requirement: &'static str,
    /// What is the matter.
    pub kind: Kind,
    /// How grave it is.
    #[serde(skip)]
    pub level: Level,
    /// How many operands, shapes or printed results it is the matter with.
    pub count: u64,
    /// The first of them, for operands the one with the smallest bits: decimal and bits.
    pub example: String,
    /// What disagrees with it: a tag, `oracle`, or empty.
    #[serde(skip)]
    pub against: String,
    /// What is the matter, in words.
    pub message: String,
}

/// Everything that is the matter with the documents: document by document, in the order of the
/// checks. The same at every call.
#[must_use]
pub fn check() -> Vec<Finding> {
    let readings = documents::readings();
    let mut findings = Vec::new();
    for (index, reading) in readings.iter().enumerate() {
        findings.extend(of_reading(reading));
        for earlier in readings.iter().take(index) {
            findings.extend(of_pair(earlier, reading));
        }
    }
    findings.extend(types::check());
    findings.extend(shapes::check());
    findings.extend(printed::check());
    findings.extend(bounds::check());
    let place = |document| readings.iter().position(|reading| reading.document == document);
    findings.sort_by_key(|finding| place(finding.document));
    findings
}

fn is_float(dtype: DType) -> bool {
    matches!(dtype.kind(), ElementKind::Float(_))
}

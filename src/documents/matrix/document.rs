//! The matrix document, format version 2: the types behind `matrix.json` and its JSON Schema.
//!
//! All of it is a function of the reports, the campaigns and the catalogues.

use std::collections::BTreeSet;

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::corpus::Digest;
use crate::documents::report::document::{Backend, Corpus, ExpectationsList, Suite, Tool};
use crate::judge::profile::Strictness;
use crate::judge::requirements::{RequirementKind, Status, Support};
use crate::judge::verdict::{Aspect, Verdict};
use crate::measure::campaign::document::{Shard, Span};

/// Version of the document's format; counts up on any change.
pub const FORMAT_VERSION: u32 = 3;

/// What the document says it is.
pub const KIND: &str = "matrix";

/// What `matrix.json` holds.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
#[schemars(title = "onnx-conformance requirement matrix")]
pub struct Matrix {
    /// Version of this format.
    #[schemars(extend("const" = FORMAT_VERSION))]
    pub format_version: u32,
    /// What this document is.
    #[schemars(extend("const" = KIND))]
    pub kind: String,
    /// The program that made the matrix.
    pub tool: Tool,
    /// The system under test, the same in all reports and campaigns.
    pub backend: Backend,
    /// The reports whose cases are in the matrix.
    pub reports: Vec<Report>,
    /// The campaigns in the matrix.
    pub campaigns: Vec<Campaign>,
    /// All requirements by status.
    pub summary: Summary,
    /// The specifications.
    pub documents: Vec<DocumentCoverage>,
    /// Every requirement of the catalogues: those of a document together, in natural order of the ids.
    pub requirements: Vec<Requirement>,
    /// Cases that name no requirement, in natural order of the ids.
    pub unlinked: Vec<Case>,
    /// What is named as a requirement, but stands in no catalogue; counted nowhere.
    pub unknown: Vec<Unknown>,
}

/// A report.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Report {
    /// Relative address of its page; null where there is none.
    pub page: Option<String>,
    /// The program that wrote it.
    pub tool: Tool,
    /// Names of the accuracy profiles, separated by `, `.
    pub profile: String,
    /// Its suites, each with its accuracy profile.
    pub suites: Vec<Suite>,
    /// The list of known failures that its run was given, which changes no status; null where it was
    /// given none.
    pub expectations_list: Option<ExpectationsList>,
    /// The corpora its cases come from.
    pub corpora: Vec<Corpus>,
    /// Number of its cases.
    pub cases: u64,
}

/// A campaign.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Campaign {
    /// Relative address of its page; null where there is none.
    pub page: Option<String>,
    /// The program that executed it.
    pub tool: Tool,
    /// Name of the accuracy profile.
    pub profile: String,
    /// `Div` or `Sqrt`.
    pub operator: String,
    /// Element type of operands and results.
    #[serde(rename = "type")]
    pub type_name: String,
    /// Which inputs were taken.
    pub strategy: String,
    /// Number of inputs that the strategy has in all.
    pub inputs: u64,
    /// The part of them that was asked for, over all shards.
    pub range: Span,
    /// Which part of the range it is about; null where it is about all of it.
    pub shard: Option<Shard>,
    /// Number of inputs that were to be executed.
    pub promised: u64,
    /// Number of inputs that were executed.
    pub executed: u64,
    /// Results that the specification does not allow.
    pub mismatches: u64,
    /// Results that the profile does not allow; null where it decides nothing.
    pub violations: Option<u64>,
    /// What kept it from its end; null where nothing did.
    pub failure: Option<String>,
    /// Digest of its document.
    #[schemars(with = "String")]
    pub digest: Digest,
    /// What it says for its requirements.
    pub support: Support,
}

/// Requirements by status.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
#[expect(missing_docs, reason = "the counters are named after the statuses")]
pub struct Summary {
    /// The sum of the statuses.
    pub requirements: u64,
    pub verified: u64,
    pub partly: u64,
    pub failed: u64,
    pub out_of_domain: u64,
    pub uncovered: u64,
    pub untestable: u64,
}

impl Summary {
    /// Requirements of this status.
    pub const fn count(mut self, status: Status) -> u64 {
        *self.counter(status)
    }

    const fn counter(&mut self, status: Status) -> &mut u64 {
        match status {
            Status::Verified => &mut self.verified,
            Status::Partly => &mut self.partly,
            Status::Failed => &mut self.failed,
            Status::OutOfDomain => &mut self.out_of_domain,
            Status::Uncovered => &mut self.uncovered,
            Status::Untestable => &mut self.untestable,
        }
    }

    /// The summary of these requirements.
    pub fn of<'a>(requirements: impl IntoIterator<Item = &'a Requirement>) -> Self {
        let mut summary = Self::default();
        for requirement in requirements {
            summary.requirements += 1;
            *summary.counter(requirement.status) += 1;
        }
        summary
    }
}

/// A specification.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct DocumentCoverage {
    /// Name of its catalogue.
    pub key: String,
    /// What it is called.
    pub title: String,
    /// Who issued it, and where it is found.
    pub source: String,
    /// Digest of its file; null where no copy of it is kept.
    #[schemars(with = "Option<String>")]
    pub sha256: Option<Digest>,
    /// Its requirements by status.
    pub summary: Summary,
}

/// A requirement, and what covers it.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Requirement {
    /// Its tag.
    pub id: String,
    /// Key of its specification.
    pub document: String,
    /// Where it stands there.
    pub section: String,
    /// What sort of statement it is.
    pub kind: RequirementKind,
    /// What it states something about.
    pub aspects: BTreeSet<Aspect>,
    /// How strictly values and errors are to be judged to verify it, as in a report; null where it
    /// states nothing about them.
    #[schemars(with = "Option<String>")]
    pub strictness: Option<Strictness>,
    /// Whether the tag is this project's, for want of one in the specification.
    pub provisional: bool,
    /// What it says, in this project's words.
    pub statement: String,
    /// Why no execution can verify it; null where one can.
    pub untestable: Option<String>,
    /// The result of its cases and campaigns together.
    pub status: Status,
    /// The laxer profiles that keep it from being verified, in words; null where none does.
    pub reason: Option<String>,
    /// The cases that name it, in natural order of the ids.
    pub cases: Vec<Case>,
    /// The campaigns that name it, as places in `campaigns`, from 0.
    pub campaigns: Vec<usize>,
}

/// A case of a report.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Case {
    /// Its id.
    pub id: String,
    /// Its report, as a place in `reports`, from 0.
    pub report: usize,
    /// Its result.
    pub verdict: Verdict,
    /// What it says for the requirement, by the aspects that this one states; null where it asks about
    /// none of them or there is no requirement.
    pub support: Option<Support>,
}

/// What is named as a requirement, but stands in no catalogue.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Unknown {
    /// What is named.
    pub id: String,
    /// The cases that name it.
    pub cases: Vec<Case>,
    /// The campaigns that name it, as places in `campaigns`, from 0.
    pub campaigns: Vec<usize>,
}

//! The documents of a site, format version 1: the types behind the JSON beside its pages, and their
//! JSON Schemas.
//!
//! Addresses are relative to the folder of the site, with slashes. Times are RFC 3339 in UTC.

use std::collections::BTreeSet;

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::document::{Contradiction, JsonDocument, ensure};
use crate::documents::gate::ChangeKind;
use crate::documents::report::document::{ExpectationsList, Summary, Tool};
use crate::documents::scoreboard::document::Passed;
use crate::judge::verdict::Verdict;

/// Version of the documents' format; counts up on any change.
pub const FORMAT_VERSION: u32 = 1;

/// What the documents of the front page, of a backend and of an operator say they are.
pub const KINDS: [&str; 3] = ["site", "site-backend", "site-operator"];

/// What `index.json` holds.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
#[schemars(title = "onnx-conformance site")]
pub struct Site {
    /// Version of this format.
    #[schemars(extend("const" = FORMAT_VERSION))]
    pub format_version: u32,
    /// What this document is.
    #[schemars(extend("const" = KINDS[0]))]
    pub kind: String,
    /// The program that made the site.
    pub tool: Tool,
    /// Number of the reports that it is made of.
    pub reports: u64,
    /// When the first of their runs was started.
    pub first: String,
    /// When the last one was.
    pub last: String,
    /// The backends, in natural order of their names.
    pub backends: Vec<Standing>,
    /// The operators, in natural order of their names.
    pub operators: Vec<OperatorRow>,
    /// Every file of the site but this one, in order.
    pub files: Vec<String>,
}

/// A backend on the front page.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Standing {
    /// Its name.
    pub name: String,
    /// Address of its page.
    pub page: String,
    /// The newest result of each of its cases.
    pub summary: Summary,
    /// Those of them that failed and were not known to.
    pub unexpected: u64,
    /// The last report of each series, without what it is compared with.
    pub series: Vec<Latest>,
}

/// The last report of a series.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Latest {
    /// What was asked.
    pub asked: Asked,
    /// Number of the reports in the series.
    pub reports: u64,
    /// The last one.
    pub report: Entry,
}

/// An operator on the front page.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct OperatorRow {
    /// Its name.
    pub name: String,
    /// Address of its page.
    pub page: String,
    /// For each backend, in their order.
    pub backends: Vec<Passed>,
}

/// What the document of a backend's page holds.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
#[schemars(title = "onnx-conformance site: a backend")]
pub struct Backend {
    /// Version of this format.
    #[schemars(extend("const" = FORMAT_VERSION))]
    pub format_version: u32,
    /// What this document is.
    #[schemars(extend("const" = KINDS[1]))]
    pub kind: String,
    /// The program that made the site.
    pub tool: Tool,
    /// Name of the backend.
    pub name: String,
    /// The newest result of each of its cases.
    pub summary: Summary,
    /// Those of them that failed and were not known to.
    pub unexpected: u64,
    /// Its reports by what was asked.
    pub series: Vec<Series>,
    /// Its operators, in natural order of their names.
    pub operators: Vec<OperatorCounts>,
}

/// An operator of a backend.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct OperatorCounts {
    /// Its name.
    pub name: String,
    /// Address of its page.
    pub page: String,
    /// The newest results of its cases.
    pub passed: Passed,
}

/// The reports of one backend on the same suites: each is compared with the one before it.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Series {
    /// What was asked.
    pub asked: Asked,
    /// The reports, the oldest first.
    pub reports: Vec<Entry>,
    /// Known failures in the last report.
    pub known: Vec<Known>,
    /// How many more there are.
    pub known_unlisted: u64,
}

/// What the reports of a series have in common besides the backend.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Asked {
    /// Names of the suites.
    pub suites: BTreeSet<String>,
    /// Names of the variants of the corpora.
    pub variants: BTreeSet<String>,
    /// The seed of the challenge; null where the cases are the committed ones.
    pub challenge: Option<String>,
}

/// A report in a series.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Entry {
    /// When its run was started.
    pub clock: String,
    /// SHA-256 of the report.
    pub sha256: String,
    /// Version of the backend.
    pub version: String,
    /// Accuracy profiles, separated by `, `.
    pub profile: String,
    /// The list of known failures that the run was given; null where it was given none.
    pub expectations_list: Option<ExpectationsList>,
    /// Cases by verdict, and what was compared.
    pub summary: Summary,
    /// Cases that failed and were not known to.
    pub unexpected: u64,
    /// What changed since the report before it; null where there is none, or it compared nothing.
    pub since: Option<Since>,
}

/// What the gate finds in a report with an earlier one as its baseline.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Since {
    /// SHA-256 of the earlier report.
    pub sha256: String,
    /// Number of regressions.
    pub findings: u64,
    /// Number of improvements.
    pub improvements: u64,
    /// The first of the regressions.
    pub regressions: Vec<Regression>,
}

/// Something that is worse than it was.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Regression {
    /// What kind of change.
    pub kind: ChangeKind,
    /// What changed: mostly the id of a case.
    pub what: String,
    /// The operator of that case; null where it is no case, or its graph has several.
    pub operator: Option<String>,
    /// The first lines that differ: `- ` those of the earlier report, `+ ` those of the later one.
    pub difference: Vec<String>,
}

/// A known failure.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Known {
    /// Which cases, as the list of known failures has it.
    pub cases: String,
    /// Their verdict.
    pub verdict: Verdict,
    /// Whether they may as well pass.
    pub flaky: bool,
    /// Why.
    pub reason: String,
    /// Where that is reported or discussed.
    pub link: Option<String>,
    /// Cases that it decides.
    pub matched: u64,
    /// Those that failed as they are known to.
    pub failures: u64,
    /// The operators of these, each once.
    pub operators: BTreeSet<String>,
}

/// What the document of an operator's page holds.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
#[schemars(title = "onnx-conformance site: an operator")]
pub struct Operator {
    /// Version of this format.
    #[schemars(extend("const" = FORMAT_VERSION))]
    pub format_version: u32,
    /// What this document is.
    #[schemars(extend("const" = KINDS[2]))]
    pub kind: String,
    /// The program that made the site.
    pub tool: Tool,
    /// Name of the operator.
    pub name: String,
    /// The backends that were asked for it, in natural order of their names.
    pub backends: Vec<OfBackend>,
}

/// What a backend made of an operator.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct OfBackend {
    /// Name of the backend.
    pub name: String,
    /// Address of its page.
    pub page: String,
    /// The newest result of each case.
    pub summary: Summary,
    /// What was asked in each series of the backend.
    pub asked: Vec<Asked>,
    /// What each report says of the operator, the oldest first.
    pub reports: Vec<OperatorEntry>,
    /// The regressions of the operator in the last report of each series.
    pub regressions: Vec<Regression>,
    /// The known failures of the operator in the last report of each series.
    pub known: Vec<Known>,
}

/// What a report says of an operator.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct OperatorEntry {
    /// When its run was started.
    pub clock: String,
    /// SHA-256 of the report.
    pub sha256: String,
    /// Version of the backend.
    pub version: String,
    /// Of which of the series the report is, from 0.
    pub series: usize,
    /// The operator's cases by verdict.
    pub summary: Summary,
    /// Largest error of an element against the exact result, in ULP; null where the reference knows none.
    pub max_error_ulp: Option<String>,
}

impl Standing {
    /// Regressions in the last report of each series.
    pub fn findings(&self) -> u64 {
        self.series.iter().map(|series| series.report.findings()).sum()
    }
}

impl Entry {
    /// Regressions since the report before it.
    pub fn findings(&self) -> u64 {
        self.since.as_ref().map_or(0, |since| since.findings)
    }
}

impl Asked {
    /// In words, as in `onnx, sonnx` and `sonnx, challenge 7`.
    pub fn words(&self) -> String {
        let mut words: Vec<&str> = self.suites.iter().map(String::as_str).collect();
        words.extend(self.variants.iter().map(String::as_str));
        let mut words = words.join(", ");
        if let Some(seed) = &self.challenge {
            words += &format!(", challenge {seed}");
        }
        words
    }
}

/// The documents of a site, each with its kind, file and schema.
macro_rules! documents {
    ($($type:ident: $name:literal, $file:literal, $kind:literal, $schema:literal;)*) => {$(
        impl JsonDocument for $type {
            const NAME: &'static str = $name;
            const FILE: &'static str = $file;
            const FORMAT_VERSION: u32 = FORMAT_VERSION;
            const KIND: Option<&'static str> = Some(KINDS[$kind]);
            const REMEDY: &'static str = "make the site again";
            const LEVELS: usize = 2;
            const SCHEMA: &'static str = concat!("reports/schema/", $schema, ".schema.json");

            fn consistent(&self) -> Result<(), Contradiction> {
                $type::check(self)
            }
        }
    )*};
}

documents! {
    Site: "site", "`index.json` of a site", 0, "site";
    Backend: "page of a backend", "`index.json` of a backend", 1, "site-backend";
    Operator: "page of an operator", "`OPERATOR.json` of a site", 2, "site-operator";
}

impl Site {
    fn check(&self) -> Result<(), Contradiction> {
        let files: BTreeSet<&str> = self.files.iter().map(String::as_str).collect();
        let pages = self.backends.iter().map(|one| &one.page);
        let mut pages = pages.chain(self.operators.iter().map(|one| &one.page));
        if let Some(page) = pages.find(|page| !files.contains(page.as_str())) {
            return ensure(false, || format!("the page `{page}` is none of `files`"));
        }
        let count = self.backends.len();
        ensure(self.operators.iter().all(|one| one.backends.len() == count), || {
            "an operator has not as many `backends` as there are".to_owned()
        })?;
        let all = self.backends.iter().flat_map(|one| &one.series);
        let reports = all.fold(0_u64, |sum, series| sum.saturating_add(series.reports));
        ensure(reports == self.reports, || "the series have not as many `reports`".to_owned())
    }
}

impl Backend {
    fn check(&self) -> Result<(), Contradiction> {
        ensure(self.series.iter().all(|series| !series.reports.is_empty()), || {
            "a series has no `reports`".to_owned()
        })
    }
}

impl Operator {
    fn check(&self) -> Result<(), Contradiction> {
        ensure(self.backends.iter().all(|backend| !backend.reports.is_empty()), || {
            "a backend has no `reports`".to_owned()
        })?;
        let is_there = |of: &OfBackend| of.reports.iter().all(|one| one.series < of.asked.len());
        ensure(self.backends.iter().all(is_there), || "a report is of no series".to_owned())
    }
}

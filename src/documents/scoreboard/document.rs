//! The scoreboard document, format version 3: the types behind `scoreboard.json` and its JSON
//! Schema.
//!
//! Backends are named by their place in `backends`, from 0. Elements are strings as in the report
//! document: decimal and bits, such as `0.1 (0x3dcccccd)`, integers in decimal alone.

use std::collections::BTreeMap;
use std::fmt;

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::documents::report::document::{Corpus, ExpectationsList, Summary, Tool};
use crate::judge::verdict::Verdict;

/// Version of the document's format; counts up on any change.
pub const FORMAT_VERSION: u32 = 3;

/// What `scoreboard.json` holds.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
#[schemars(title = "onnx-conformance scoreboard")]
pub struct Scoreboard {
    /// Version of this format.
    #[schemars(extend("const" = FORMAT_VERSION))]
    pub format_version: u32,
    /// The program that wrote the scoreboard.
    pub tool: Tool,
    /// Every corpus of the reports; one name stands for one digest.
    pub corpora: Vec<Corpus>,
    /// The reports, in the order given: one backend under one profile each.
    pub backends: Vec<Column>,
    /// Backends against operators: those that the oracle knows first.
    pub operators: Vec<Operator>,
    /// Backends against requirements, in natural order of the ids.
    pub requirements: Vec<Requirement>,
    /// The cases on which backends disagree, the most interesting first.
    pub disagreements: Vec<Disagreement>,
    /// What is known to be hard, and what each backend did.
    pub hard_questions: Vec<DivergentCases>,
    /// Every case of any report, in natural order of the ids.
    pub cases: Vec<Case>,
}

/// A report: the results of one backend.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Column {
    /// Name of the backend.
    pub name: String,
    /// Its version.
    pub version: String,
    /// What else it says of itself.
    pub details: BTreeMap<String, String>,
    /// Accuracy profiles that its verdicts were made under, separated by `, `.
    pub profile: String,
    /// The list of known failures that its runs were given; null where they were given none.
    pub expectations_list: Option<ExpectationsList>,
    /// The program that wrote the report.
    pub tool: Tool,
    /// Cases by verdict, and what was compared.
    pub summary: Summary,
    /// The same for each suite.
    pub suites: BTreeMap<String, Summary>,
}

/// An operator, and how many of the cases of that operator alone each backend passes.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Operator {
    /// Its name; null for the cases whose graphs have several operators.
    pub name: Option<String>,
    /// For each backend.
    pub backends: Vec<Passed>,
}

/// Cases passed of cases asked; those without an implementation were asked too.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Passed {
    /// Cases with the verdict `pass`.
    pub passed: u64,
    /// Cases with the verdict `out_of_domain`, which nothing decides.
    pub undecided: u64,
    /// Cases in the report.
    pub asked: u64,
}

impl Passed {
    /// Counts one more case.
    pub(crate) fn add(&mut self, verdict: Verdict) {
        self.asked += 1;
        self.passed += u64::from(verdict == Verdict::Pass);
        self.undecided += u64::from(verdict == Verdict::OutOfDomain);
    }

    /// Whether there are cases that it passes, and others that it should and does not.
    pub(crate) const fn is_partly(&self) -> bool {
        self.passed > 0 && self.passed.saturating_add(self.undecided) < self.asked
    }
}

/// A requirement, and its status in each report.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Requirement {
    /// Tag of the requirement.
    pub id: String,
    /// For each backend; null where the report does not have it.
    pub backends: Vec<Option<String>>,
}

/// A case on which backends that answered differ in verdict or in what they returned.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Disagreement {
    /// Id of the case.
    pub case: String,
    /// In what they differ.
    pub differ_in: Vec<Difference>,
    /// What decided.
    pub decided_by: DecidedBy,
    /// How it decided, or why nothing does.
    pub reason: String,
    /// Who is not right by that; none where nobody is wrong or nothing decides.
    pub outliers: Vec<Outlier>,
}

/// In what backends differ on a case.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum Difference {
    /// Their verdicts.
    Verdict,
    /// Some returned values and some did not.
    Answer,
    /// The bits of an element, other than those of two NaNs.
    Values,
    /// The bits of NaNs: sign or payload.
    NanBits,
}

/// What decides a disagreement.
#[derive(
    Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize, JsonSchema,
)]
#[serde(rename_all = "snake_case")]
pub enum DecidedBy {
    /// Exact arithmetic on the operands.
    Oracle,
    /// More than half of at least three backends.
    Majority,
    /// The ONNX reference evaluator.
    SecondReference,
    /// Nothing that is known here.
    Undecided,
    /// The specification leaves it open: nobody is wrong.
    NoSpecification,
}

impl fmt::Display for DecidedBy {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.serialize(f)
    }
}

/// A backend that is not right, by what decides.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Outlier {
    /// Which.
    pub backend: usize,
    /// What it did, and what would have been right.
    pub because: String,
}

/// A matter in which implementations are known to differ.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct DivergentCases {
    /// Short name that stays.
    pub id: String,
    /// What it is called.
    pub title: String,
    /// What differs, and what is right.
    pub explanation: String,
    /// For each backend, how many of the cases it answered how.
    pub backends: Vec<BTreeMap<Behaviour, u64>>,
    /// The cases that show it.
    pub cases: Vec<DivergentCase>,
}

/// What a backend did with a case that shows a known divergence.
#[derive(
    Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize, JsonSchema,
)]
#[serde(rename_all = "snake_case")]
pub enum Behaviour {
    /// Returned what conforms: exactly, in the elements that the report holds; in others under its
    /// profile.
    Conforms,
    /// Returned something, and no specification says what is right.
    Returns,
    /// Refused where that is allowed.
    Refuses,
    /// Returned what does not conform exactly, whatever its profile allows.
    Differs,
    /// Returned no values where values are due.
    NoValues,
    /// Died.
    Crash,
    /// Did not answer in time.
    Timeout,
    /// The adapter or the harness is at fault.
    Fault,
    /// Has no implementation.
    Unsupported,
    /// Was not run.
    Skipped,
    /// The report does not have the case.
    NotAsked,
}

impl fmt::Display for Behaviour {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.serialize(f)
    }
}

/// A case that shows a known divergence.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct DivergentCase {
    /// Its id.
    pub case: String,
    /// For each backend.
    pub backends: Vec<Behaviour>,
    /// A few of the elements that show it: those that differ first.
    pub elements: Vec<Element>,
}

/// One case in all reports.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Case {
    /// Such as `onnx-1.22.0/node/test_div`.
    pub id: String,
    /// Suite the case belongs to.
    pub suite: String,
    /// Operators of the graph, separated by `, `.
    pub operator: String,
    /// Operator set version of the first operator's domain.
    pub opset: i64,
    /// Element types of the inputs and outputs.
    pub types: Vec<String>,
    /// For each backend its result; null where it was not asked, which is no pass.
    pub backends: Vec<Option<Cell>>,
    /// The outputs element by element, as far as reports hold them.
    pub outputs: Vec<Output>,
}

/// The result of one backend on one case.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Cell {
    /// Accuracy profile by which it was judged.
    pub profile: String,
    /// The verdict under that profile.
    pub verdict: Verdict,
    /// Whether it returned values.
    pub returned: bool,
    /// Why, where the verdict is not a pass.
    pub message: Option<String>,
    /// Elements that could not be set beside the others, of another type or shape: the first ones
    /// returned.
    pub unaligned: Vec<String>,
}

/// One output of a case in all reports.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Output {
    /// Name of the graph output, as in the report.
    pub name: String,
    /// Element type.
    #[serde(rename = "type")]
    pub type_name: String,
    /// Shape.
    pub shape: Vec<u64>,
    /// The elements that any report holds, in row-major order.
    pub elements: Vec<Element>,
}

/// One element in all reports.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Element {
    /// Coordinates in the output.
    pub index: Vec<u64>,
    /// Operands, where known.
    pub inputs: Vec<String>,
    /// What the case's files expect, where known.
    pub expected: Option<String>,
    /// What exact arithmetic on the operands allows, in words; null where the oracle is not asked.
    pub oracle: Option<String>,
    /// The distinct elements returned, those of most backends first.
    pub answers: Vec<Answer>,
}

/// An element as some backends returned it. Backends that are in no answer returned none, or their
/// reports do not hold it.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Answer {
    /// The element.
    pub value: String,
    /// Who returned it.
    pub backends: Vec<usize>,
    /// Whether the oracle allows it; null where the oracle does not decide.
    pub conforms: Option<bool>,
}

impl Scoreboard {
    /// How many disagreements were decided by what.
    pub(super) fn decided(&self) -> BTreeMap<DecidedBy, u64> {
        let mut decided = BTreeMap::new();
        for one in &self.disagreements {
            *decided.entry(one.decided_by).or_default() += 1;
        }
        decided
    }

    /// What each backend is called: its name, with version, profile and list of known failures where
    /// the name alone is not its own.
    pub(super) fn labels(&self) -> Vec<String> {
        let parts = self.backends.iter().map(|column| {
            let list = column.expectations_list.as_ref().map_or("no list", |list| &list.name);
            [&column.name, &column.version, &column.profile, list]
        });
        let all: Vec<[&str; 4]> = parts.collect();
        let label = |own: &[&str; 4]| {
            let is_own =
                |len: &usize| all.iter().filter(|one| one[..*len] == own[..*len]).count() == 1;
            own[..(1..own.len()).find(is_own).unwrap_or(own.len())].join(" ")
        };
        all.iter().map(label).collect()
    }
}

impl Element {
    /// What a backend returned, where its report tells.
    pub(super) fn answer(&self, backend: usize) -> Option<&Answer> {
        self.answers.iter().find(|answer| answer.backends.contains(&backend))
    }
}

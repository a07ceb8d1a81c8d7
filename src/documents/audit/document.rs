//! The audit document, format version 1: the types behind `audit.json` and its JSON Schema.
//!
//! All of it is a function of the corpora. Elements are strings that hold decimal and bits, such as
//! `0.1 (0x3dcccccd)`; errors in ULP hold decimal and a fraction, such as `0.333334 (<349526/2^20)`.

use std::collections::BTreeMap;
use std::fmt;

use reference::exact::Ulps;
use reference::operator::Domain;
use reference::operators;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::document::JsonDocument;
use crate::document::provenance::tool;
use crate::documents::report::document::{Corpus, Tool};

/// Version of the document's format; counts up on any change.
pub const FORMAT_VERSION: u32 = 1;

/// What the document says it is.
pub const KIND: &str = "audit";

/// What `audit.json` holds.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
#[schemars(title = "onnx-conformance audit")]
pub struct Audit {
    /// Version of this format.
    #[schemars(extend("const" = FORMAT_VERSION))]
    pub format_version: u32,
    /// What this document is.
    #[schemars(extend("const" = KIND))]
    pub kind: String,
    /// The program that made the audit.
    pub tool: Tool,
    /// The corpora the cases come from, each verified against its digest.
    pub corpora: Vec<Corpus>,
    /// All cases.
    pub summary: Tally,
    /// The cases of each operator that the reference knows, in the order of their names.
    pub operators: Vec<Operator>,
    /// Every selected case, in natural order of the ids.
    pub cases: Vec<Case>,
}

/// Cases by status, and what was looked at in them.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
#[expect(missing_docs, reason = "the first counters are named after the statuses")]
pub struct Tally {
    /// The sum of the statuses.
    pub cases: u64,
    pub allowed: u64,
    pub impossible: u64,
    pub invalid: u64,
    pub undecided: u64,
    pub unknown: u64,
    pub unreadable: u64,
    /// Expected elements that the reference decides.
    pub elements: u64,
    /// Those that it does not decide.
    pub undecided_elements: u64,
    /// Those that it decides and does not allow.
    pub impossible_elements: u64,
    /// Largest error in ULP of an expected element against the exact result; null where none has one.
    pub max_error_ulp: Option<String>,
    /// The case that has it.
    pub worst_case: Option<String>,
}

/// The cases of an operator.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Operator {
    /// Its name.
    pub name: String,
    /// Its kind: `exact`, `rounded`, `approximated`, `accumulated` or `composed`.
    pub kind: String,
    /// Its cases.
    pub tally: Tally,
}

/// What the reference says of a case.
#[derive(
    Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize, JsonSchema,
)]
#[serde(rename_all = "snake_case")]
pub enum Status {
    /// Every expected element that is decided is allowed.
    Allowed,
    /// An expected element is one that no implementation gives which keeps to the operator's rule.
    Impossible,
    /// By the reference the call is invalid, or its output has another type or shape.
    Invalid,
    /// No expected element is decided.
    Undecided,
    /// The reference does not know the operator, or the graph has several.
    Unknown,
    /// The case cannot be decoded.
    Unreadable,
}

/// A case.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Case {
    /// Such as `onnx-1.22.0/node/test_div`.
    pub id: String,
    /// Operators of the graph in order of first use, separated by `, `.
    pub operator: String,
    /// Operator set version that the graph imports.
    pub opset: i64,
    /// What the reference says of it.
    pub status: Status,
    /// Why, where it is neither allowed nor impossible.
    pub reason: Option<String>,
    /// The outputs of all data sets that the reference knows.
    pub outputs: Vec<Output>,
}

/// An expected output.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Output {
    /// Name of the graph output; from the second data set on with the set's folder in front.
    pub name: String,
    /// Element type.
    #[serde(rename = "type")]
    pub type_name: String,
    /// Shape.
    pub shape: Vec<u64>,
    /// Elements that the reference decides.
    pub elements: u64,
    /// Those that it does not decide.
    pub undecided: u64,
    /// Those that it decides and does not allow.
    pub impossible: u64,
    /// Largest error in ULP against the exact result; null where no element has one.
    pub max_error_ulp: Option<String>,
    /// Of the elements that are not allowed those with the largest errors, and then the first ones.
    pub worst: Vec<Element>,
}

/// An expected element that is not allowed.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Element {
    /// Coordinates in the output.
    pub index: Vec<u64>,
    /// Operands as decimal and bits; of a sum of many terms the first ones.
    pub inputs: Vec<String>,
    /// What the case expects.
    pub expected: String,
    /// What the reference allows, in words.
    pub allowed: String,
    /// How far the expected element is from the exact result in ULP; null where that is not defined.
    pub error_ulp: Option<String>,
}

impl Audit {
    /// The audit of these cases, which are in natural order.
    pub(super) fn of(corpora: Vec<Corpus>, cases: Vec<Case>) -> Self {
        let mut summary = Tally::default();
        let mut operators: BTreeMap<&str, Operator> = BTreeMap::new();
        for case in &cases {
            summary.add(case);
            let Some(known) = operators::find(Domain::Onnx, &case.operator) else { continue };
            if case.status == Status::Unknown {
                continue;
            }
            let operator = operators.entry(known.name).or_insert_with(|| Operator {
                name: known.name.to_owned(),
                kind: known.kind.to_string(),
                tally: Tally::default(),
            });
            operator.tally.add(case);
        }
        let operators = operators.into_values().collect();
        Self {
            format_version: FORMAT_VERSION,
            kind: KIND.to_owned(),
            tool: tool(),
            corpora,
            summary,
            operators,
            cases,
        }
    }

    /// The cases with an element that is not allowed, the largest error first, and those that are invalid.
    pub fn findings(&self) -> Vec<&Case> {
        let of = |status| self.cases.iter().filter(move |case| case.status == status);
        let mut impossible: Vec<_> = of(Status::Impossible).collect();
        impossible.sort_by_key(|case| std::cmp::Reverse(case.max_error()));
        of(Status::Invalid).chain(impossible).collect()
    }
}

impl Tally {
    /// Cases with this status.
    pub const fn count(&self, status: Status) -> u64 {
        match status {
            Status::Allowed => self.allowed,
            Status::Impossible => self.impossible,
            Status::Invalid => self.invalid,
            Status::Undecided => self.undecided,
            Status::Unknown => self.unknown,
            Status::Unreadable => self.unreadable,
        }
    }

    fn add(&mut self, case: &Case) {
        self.cases += 1;
        *match case.status {
            Status::Allowed => &mut self.allowed,
            Status::Impossible => &mut self.impossible,
            Status::Invalid => &mut self.invalid,
            Status::Undecided => &mut self.undecided,
            Status::Unknown => &mut self.unknown,
            Status::Unreadable => &mut self.unreadable,
        } += 1;
        for output in &case.outputs {
            self.elements += output.elements;
            self.undecided_elements += output.undecided;
            self.impossible_elements += output.impossible;
        }
        let largest = case.max_error();
        if largest.is_some() && largest > self.max_error_ulp.as_deref().and_then(Ulps::parse) {
            self.max_error_ulp = largest.map(Ulps::with_fraction);
            self.worst_case = Some(case.id.clone());
        }
    }
}

impl Case {
    /// The largest error of its expected elements.
    pub fn max_error(&self) -> Option<Ulps> {
        let errors = self.outputs.iter().filter_map(|output| output.max_error_ulp.as_deref());
        errors.filter_map(Ulps::parse).max()
    }

    /// Its expected elements that are not allowed.
    pub fn impossible(&self) -> u64 {
        self.outputs.iter().map(|output| output.impossible).sum()
    }
}

impl Status {
    /// Every status.
    pub const ALL: [Self; 6] = [
        Self::Allowed,
        Self::Impossible,
        Self::Invalid,
        Self::Undecided,
        Self::Unknown,
        Self::Unreadable,
    ];
}

impl fmt::Display for Status {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(match self {
            Self::Allowed => "allowed",
            Self::Impossible => "impossible",
            Self::Invalid => "invalid",
            Self::Undecided => "undecided",
            Self::Unknown => "unknown",
            Self::Unreadable => "unreadable",
        })
    }
}

impl JsonDocument for Audit {
    const NAME: &'static str = "audit";
    const FILE: &'static str = super::DOCUMENT;
    const FORMAT_VERSION: u32 = FORMAT_VERSION;
    const KIND: Option<&'static str> = Some(KIND);
    const SCHEMA: &'static str = "reports/schema/audit.schema.json";
}

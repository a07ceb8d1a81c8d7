//! The inspection of a model, format version 1: the types behind `inspect.json` and its JSON Schema.
//!
//! All of it but `provenance` is a function of the model, the program and the documents that it was given.

use std::collections::BTreeMap;
use std::fmt;

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::document::provenance::{Provenance, Tool};
use crate::document::{Contradiction, JsonDocument, agrees, ensure};

/// Version of the document's format; counts up on any change.
pub const FORMAT_VERSION: u32 = 1;

/// What the document says it is.
pub const KIND: &str = "inspect";

/// What `inspect.json` holds.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
#[schemars(title = "onnx-conformance inspect")]
pub struct Inspection {
    /// Version of this format.
    #[schemars(extend("const" = FORMAT_VERSION))]
    pub format_version: u32,
    /// What this document is.
    #[schemars(extend("const" = KIND))]
    pub kind: String,
    /// The program that inspected the model.
    pub tool: Tool,
    /// The model.
    pub model: Model,
    /// The sizes taken for those that the model leaves open, by name.
    pub sizes: Vec<Size>,
    /// Name of the accuracy profile whose rules are shown; null where none is.
    pub profile: Option<String>,
    /// The documents that results were taken from.
    pub sources: Vec<Source>,
    /// Counts of what follows.
    pub summary: Summary,
    /// The distinct uses of operators, by domain, operator, version, types, ranks and attributes.
    pub uses: Vec<Use>,
    /// The restrictions of SONNX that the model breaks, by tag and then in the order of the nodes.
    pub restrictions: Vec<Restriction>,
    /// What these tags want, in this project's words.
    pub requirements: BTreeMap<String, String>,
    /// What else is to be known of the model.
    pub remarks: Vec<Remark>,
    /// Where and when: the only part that differs between inspections of the same model.
    pub provenance: Provenance,
}

/// A model.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Model {
    /// Name of its file.
    pub name: String,
    /// SHA-256 of its file, without what lies in other files.
    #[schemars(regex(pattern = "^[0-9a-f]{64}$"))]
    pub digest: String,
    /// Version of the format.
    pub ir_version: i64,
    /// The operator sets that it imports; the default domain has the empty name.
    pub opsets: Vec<Opset>,
    /// Nodes of all graphs, with functions expanded.
    pub nodes: u64,
    /// Functions that the model brings.
    pub functions: u64,
    /// What the graph is given.
    pub inputs: Vec<Port>,
    /// What the graph gives.
    pub outputs: Vec<Port>,
}

/// An operator set.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Opset {
    /// Its domain.
    pub domain: String,
    /// Its version.
    pub version: i64,
}

/// An input or output of the graph, as the model declares it.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Port {
    /// Its name.
    pub name: String,
    /// Element type; `?` where it is open or the value is no tensor.
    #[serde(rename = "type")]
    pub type_name: String,
    /// Sizes or the names of dimensions; null where the shape is open.
    pub shape: Option<Vec<String>>,
}

/// A size taken for one that is open.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Size {
    /// Name of the dimension, or the value with the place of the dimension, as in `x[0]`.
    pub name: String,
    /// The size.
    pub size: u64,
    /// Whether it was given; a stand-in otherwise.
    pub given: bool,
}

/// A document that results were taken from.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Source {
    /// `report`, `campaign` or `atlas`.
    pub kind: String,
    /// The system under test; of an atlas all of them.
    pub backend: String,
    /// Its version.
    pub version: String,
    /// SHA-256 of the document's file.
    #[schemars(regex(pattern = "^[0-9a-f]{64}$"))]
    pub digest: String,
    /// Cases of a report that could not be looked at, as their corpus is not here.
    pub unseen: u64,
}

/// Counts.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Summary {
    /// Distinct uses.
    pub uses: u64,
    /// Uses that cases or campaigns cover exactly.
    pub exact: u64,
    /// Uses of operators that have cases, though none of exactly this use.
    pub operator: u64,
    /// Uses that nothing covers.
    pub none: u64,
    /// Restrictions that are broken, each node counted.
    pub restrictions: u64,
}

/// What covers a use.
#[derive(
    Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize, JsonSchema,
)]
#[serde(rename_all = "snake_case")]
pub enum Coverage {
    /// Cases or campaigns of exactly this use.
    Exact,
    /// The operator has cases, this use has not.
    Operator,
    /// Nothing.
    None,
}

/// A use of an operator.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Use {
    /// The operator.
    pub operator: String,
    /// Its domain; empty for ONNX's own.
    pub domain: String,
    /// The operator set that brought the version; null where the version is not known.
    pub since_version: Option<i64>,
    /// The operator set that brought the newest version; null where the operator is not known.
    pub newest_version: Option<i64>,
    /// The operator set that the model imports; null where it imports none of the domain.
    pub opset: Option<i64>,
    /// Element type of each input; empty where it is left out, `?` where it is unknown.
    pub element_types: Vec<String>,
    /// Values of the attributes, with the version's defaults for those that are left out.
    pub attributes: BTreeMap<String, String>,
    /// Rank of each input; null where it is left out or unknown.
    pub ranks: Vec<Option<u64>>,
    /// How inputs are broadcast: `equal`, or of each whether it is whole, a part or one element; null of operators that do
    /// not broadcast, and where shapes are unknown.
    pub broadcast: Option<String>,
    /// Of each output that is named, or left out before one that is, whether it is named.
    pub outputs: Vec<bool>,
    /// The shapes of the inputs of some of the nodes, as text.
    pub shapes: Vec<String>,
    /// The nodes, in their order.
    pub nodes: Vec<String>,
    /// What covers it.
    pub coverage: Coverage,
    /// The cases of exactly this use, in natural order.
    pub cases: Vec<String>,
    /// How many cases the operator has in all of its versions.
    pub operator_cases: u64,
    /// Campaigns and rows of atlases on the operator, element type and attributes.
    pub campaigns: Vec<Sweep>,
    /// What backends made of the cases, in the order of the reports.
    pub results: Vec<Outcome>,
    /// How strictly the profile judges the operator on this type; null where no profile is shown or none applies.
    pub rule: Option<String>,
    /// What keeps the use from being known entirely; null where nothing does.
    pub open: Option<String>,
}

/// A campaign, or a row of an atlas.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Sweep {
    /// `campaign` or `atlas`.
    pub kind: String,
    /// The system under test.
    pub backend: String,
    /// Which inputs were taken.
    pub strategy: String,
    /// Inputs that were to be executed.
    pub inputs: u64,
    /// Inputs that were executed.
    pub executed: u64,
    /// Results that are not the correctly rounded ones.
    pub mismatches: u64,
    /// Largest error against the exact result; null where none has one.
    pub max_error_ulp: Option<String>,
}

/// What a backend made of the cases of a use.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Outcome {
    /// The place of the report among the sources.
    pub source: u64,
    /// Cases by verdict.
    pub verdicts: BTreeMap<String, u64>,
    /// The cases that did not pass, with their verdicts.
    pub not_passed: BTreeMap<String, String>,
}

/// A restriction that is broken.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Restriction {
    /// Tag of the requirement.
    pub tag: String,
    /// The node; null where it is the graph.
    pub node: Option<String>,
    /// What breaks it.
    pub why: String,
    /// Other tags that say the same.
    pub also: Vec<String>,
}

/// What is to be known of a model.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Remark {
    /// What sort of thing.
    pub topic: Topic,
    /// The nodes or values.
    pub names: Vec<String>,
    /// What of them.
    pub why: String,
}

/// What a remark is about.
#[derive(
    Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize, JsonSchema,
)]
#[serde(rename_all = "snake_case")]
pub enum Topic {
    /// A node breaks a rule of ONNX.
    Invalid,
    /// An operator that the reference does not know.
    UnknownOperator,
    /// A version that it does not know.
    UnknownVersion,
    /// An operator that ONNX has deprecated.
    Deprecated,
    /// Nodes outside of ONNX's own domain.
    OtherDomain,
    /// Nodes on which no output depends.
    DeadNode,
    /// Inputs that nothing reads.
    UnusedInput,
    /// Constants that nothing reads.
    UnusedConstant,
    /// Values whose element type the model does not state.
    UntypedValue,
    /// Small constants whose data are not there.
    MissingData,
}

impl Topic {
    /// Its heading.
    pub const fn heading(self) -> &'static str {
        match self {
            Self::Invalid => "invalid by the reference",
            Self::UnknownOperator => "operators not known",
            Self::UnknownVersion => "versions not known",
            Self::Deprecated => "deprecated",
            Self::OtherDomain => "outside ONNX's domain",
            Self::DeadNode => "dead nodes",
            Self::UnusedInput => "unused inputs",
            Self::UnusedConstant => "unused constants",
            Self::UntypedValue => "values without a type",
            Self::MissingData => "data not there",
        }
    }
}

impl Coverage {
    /// Every state.
    pub const ALL: [Self; 3] = [Self::Exact, Self::Operator, Self::None];

    /// What it says.
    pub const fn meaning(self) -> &'static str {
        match self {
            Self::Exact => "cases or campaigns cover exactly this use",
            Self::Operator => "the operator has cases, this use has not",
            Self::None => "nothing covers it",
        }
    }
}

impl fmt::Display for Coverage {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(match self {
            Self::Exact => "exact",
            Self::Operator => "operator",
            Self::None => "none",
        })
    }
}

impl Summary {
    /// The counts of these.
    pub fn of(uses: &[Use], restrictions: &[Restriction]) -> Self {
        let count = |coverage| uses.iter().filter(|one| one.coverage == coverage).count() as u64;
        Self {
            uses: uses.len() as u64,
            exact: count(Coverage::Exact),
            operator: count(Coverage::Operator),
            none: count(Coverage::None),
            restrictions: restrictions.len() as u64,
        }
    }

    /// The uses in a state.
    pub const fn count(&self, coverage: Coverage) -> u64 {
        match coverage {
            Coverage::Exact => self.exact,
            Coverage::Operator => self.operator,
            Coverage::None => self.none,
        }
    }
}

impl Use {
    /// What covers it, by the rest.
    pub(super) fn covered(&self) -> Coverage {
        let is_swept =
            self.campaigns.iter().any(|one| one.kind == "campaign" && one.executed == one.inputs);
        if !self.cases.is_empty() || is_swept {
            Coverage::Exact
        } else if self.operator_cases > 0 {
            Coverage::Operator
        } else {
            Coverage::None
        }
    }

    /// The operator, with the domain in front where it is not ONNX's own, and the version.
    pub fn name(&self) -> String {
        let version = self.since_version.map_or_else(String::new, |since| format!("-{since}"));
        match self.domain.as_str() {
            "" => format!("{}{version}", self.operator),
            domain => format!("{domain}.{}{version}", self.operator),
        }
    }

    /// The types and ranks of its inputs for readers.
    pub fn inputs(&self) -> String {
        let of = |(dtype, rank): (&String, &Option<u64>)| match (dtype.as_str(), rank) {
            ("", _) => "-".to_owned(),
            (dtype, Some(rank)) => format!("{dtype}/{rank}"),
            (dtype, None) => format!("{dtype}/?"),
        };
        let all: Vec<String> = self.element_types.iter().zip(&self.ranks).map(of).collect();
        let runs = all.chunk_by(|one, other| one == other).map(|run| match run {
            [one, _, ..] => format!("{} x {one}", run.len()),
            run => run.join(" "),
        });
        runs.collect::<Vec<_>>().join(" ")
    }

    /// The attributes for readers.
    pub fn attributes(&self) -> String {
        let all = self.attributes.iter().map(|(name, value)| format!("{name}={value}"));
        all.collect::<Vec<_>>().join(" ")
    }
}

impl JsonDocument for Inspection {
    const NAME: &'static str = "inspection";
    const FILE: &'static str = "`inspect.json`, or of a folder with one";
    const IN_FOLDER: Option<&'static str> = Some(super::DOCUMENT);
    const FORMAT_VERSION: u32 = FORMAT_VERSION;
    const KIND: Option<&'static str> = Some(KIND);
    const SIZE_LIMIT: u64 = 128 << 20;
    const REMEDY: &'static str = "run `inspect` again";
    const SCHEMA: &'static str = "reports/schema/inspect.schema.json";

    fn consistent(&self) -> Result<(), Contradiction> {
        for (at, one) in self.uses.iter().enumerate() {
            agrees(format!("uses[{at}].coverage"), &one.coverage, &one.covered())?;
            let are_as_many = one.element_types.len() == one.ranks.len();
            ensure(are_as_many, || format!("`uses[{at}]` has as many ranks as types"))?;
            let mut sources = one.results.iter().map(|result| result.source);
            let is_known = sources.all(|source| source < self.sources.len() as u64);
            ensure(is_known, || format!("`uses[{at}]` has results of no source"))?;
        }
        for broken in &self.restrictions {
            let tag = &broken.tag;
            ensure(self.requirements.contains_key(tag), || format!("`{tag}` is not explained"))?;
        }
        agrees("summary", &self.summary, &Summary::of(&self.uses, &self.restrictions))
    }
}

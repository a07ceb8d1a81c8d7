//! The document of a trace, format version 3: the types behind `trace.json` and its JSON Schema.
//!
//! All of it but `provenance` is a function of the model, the inputs, the tool and what the backend returned.
//! Floating-point values are strings that hold decimal and bits, such as `0.1 (0x3dcccccd)`.

use std::collections::BTreeMap;

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::backend::{Identity as Backend, Isolation};
use crate::corpus::Digest;
use crate::document::provenance::{Provenance, Tool};
use crate::document::{Contradiction, JsonDocument, Sealed, agrees};
use crate::judge::expect::List;
use crate::judge::verdict::Verdict;
use crate::measure::campaign::document::counts;

/// Version of the document's format; counts up on any change.
pub const FORMAT_VERSION: u32 = 3;

/// Name of its file within a folder.
pub const DOCUMENT: &str = "trace.json";

/// Name of the folder of cases beside it.
pub const CASES: &str = "trace-cases";

/// What `trace.json` holds.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
#[schemars(title = "onnx-conformance trace", transform = counts)]
pub struct Trace {
    /// Version of this format.
    #[schemars(extend("const" = FORMAT_VERSION))]
    pub format_version: u32,
    /// What the document is.
    #[schemars(extend("const" = "trace"))]
    pub kind: String,
    /// The program that traced the model.
    pub tool: Tool,
    /// The model.
    pub model: TracedModel,
    /// The system under test.
    pub backend: Backend,
    /// What kept it from reading what it is judged by.
    pub isolation: Isolation,
    /// Name of the accuracy profile that the nodes are judged by.
    pub profile: String,
    /// The list of nodes that are known to be wrong; null where the trace was given none.
    pub expectations_list: Option<List>,
    /// What the model was given.
    pub inputs: Vec<Input>,
    /// Which elements of large outputs are judged.
    pub sample: Sample,
    /// The first node, in the order in which they are computed, that is wrong and not known to be; null where none is.
    pub first_wrong: Option<String>,
    /// The nodes by verdict.
    pub summary: BTreeMap<Verdict, u64>,
    /// What the model gives.
    pub outputs: Vec<Output>,
    /// Groups of nodes that give other bits together than one by one, as when they are fused.
    pub fusions: Vec<Fusion>,
    /// Why not all of these groups were looked for; null where they were.
    pub fusions_left: Option<String>,
    /// The nodes in the order in which they are computed.
    pub nodes: Vec<Node>,
    /// SHA-256 over the document without `digest` and `provenance`, as JSON without spaces and with
    /// sorted members.
    #[schemars(with = "String", regex(pattern = "^[0-9a-f]{64}$"))]
    pub digest: Digest,
    /// Where and when: the only part that differs between traces of the same model on the same backend.
    pub provenance: Provenance,
}

/// A model that was traced.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct TracedModel {
    /// Name of its file.
    pub name: String,
    /// SHA-256 of the file.
    pub digest: String,
    /// The operator sets that it imports, by domain.
    pub imports: BTreeMap<String, i64>,
}

/// An input of the model.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Input {
    /// Its name.
    pub name: String,
    /// Its element type, or the kind of its value.
    #[serde(rename = "type")]
    pub type_name: String,
    /// Its shape; empty where it is no tensor.
    pub shape: Vec<u64>,
    /// Where it comes from: the name of a file, or what it was drawn from.
    pub source: String,
    /// SHA-256 of its value, as a message of ONNX under its name.
    pub digest: String,
}

/// Which elements of large outputs are judged: those of the largest and smallest magnitude, and others that are drawn.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
#[schemars(transform = counts)]
pub struct Sample {
    /// So many of each output at most; null where their number follows from `operands`.
    pub elements: Option<u64>,
    /// As many as are computed from so many operands, and 64 at least; null where `elements` says how many.
    pub operands: Option<u64>,
    /// What they, and the inputs, are drawn from.
    pub seed: u64,
}

/// A node, run alone on what the backend computed before it.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
#[schemars(transform = counts)]
pub struct Node {
    /// Its name, else its place in the model; behind those of the nodes that call the functions, or hold the graphs, it is in.
    pub node: String,
    /// The node that holds the graph it is in; null in the model's own.
    pub within: Option<String>,
    /// Whether the graph that the node holds gives the same bits node by node as the node does; null where it holds none, or
    /// not all of that graph's runs were entered.
    pub same_as_inner: Option<bool>,
    /// The values that it computes.
    pub outputs: Vec<String>,
    /// The values that it reads.
    pub inputs: Vec<String>,
    /// Its operator, with the domain in front where it is not ONNX's own.
    pub operator: String,
    /// The version of the operator that the model's operator set has; null where the reference does not know it.
    pub since_version: Option<i64>,
    /// The verdict.
    pub verdict: Verdict,
    /// What the list of known failures says of it; null where it says nothing.
    pub known: Option<KnownNode>,
    /// Why, where it is not a pass.
    pub message: Option<String>,
    /// Element type and shape of each output.
    pub types: Vec<String>,
    /// Elements that the node gave.
    pub elements: u64,
    /// Elements that were judged: fewer where outputs are large, or the specification leaves some open.
    pub judged: u64,
    /// Elements that do not conform.
    pub mismatches: u64,
    /// Largest error in ULP against the exact result from the node's actual inputs; null where the reference knows none.
    pub max_error_ulp: Option<String>,
    /// Largest share of the bound that decides; null where no bound does.
    pub share_of_bound: Option<String>,
    /// Largest absolute difference from what the reference expects, as decimal and binary64 bits.
    pub max_abs_error: Option<String>,
    /// The worst element that differs from what the reference expects; null where none does.
    pub worst: Option<Worst>,
    /// A NaN or an infinity in an output though the inputs have none; null otherwise.
    pub born: Option<Born>,
    /// Whether an input has a NaN and no output, though there are floats in them; the specification may leave that open.
    pub nan_lost: bool,
    /// Which values the nodes after it were given.
    pub went_on_with: WentOn,
    /// What the outputs would be, with the values of the reference in place of the node's; empty where that was not tried.
    pub effects: Vec<Effect>,
    /// Folder of the case that shows it, within that of the trace; null where none was written.
    pub case: Option<String>,
}

/// What a list says of a node.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct KnownNode {
    /// The verdict that it has.
    pub verdict: Verdict,
    /// Whether it may as well pass.
    pub flaky: bool,
    /// Why.
    pub reason: String,
}

impl Node {
    /// Whether it has the verdict that it is known to have.
    pub fn is_as_known(&self) -> bool {
        self.known.as_ref().is_some_and(|known| known.verdict == self.verdict)
    }

    /// Whether it is wrong, and not known to be so.
    pub fn is_unexpected(&self) -> bool {
        self.verdict.is_failure() && !self.is_as_known()
    }

    /// Whether it passes though the list says that it does not.
    pub fn passes_by_now(&self) -> bool {
        self.verdict == Verdict::Pass && self.known.as_ref().is_some_and(|known| !known.flaky)
    }
}

/// An element that differs.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
#[schemars(transform = counts)]
pub struct Worst {
    /// The output it is in.
    pub output: String,
    /// Its coordinates.
    pub index: Vec<u64>,
    /// The operands it was computed from, the first ones of many.
    pub inputs: Vec<String>,
    /// An element that conforms.
    pub expected: String,
    /// The element that the backend returned.
    pub actual: String,
    /// How far they are apart, in ULP; null across NaN, infinite and finite.
    pub ulp: Option<u64>,
}

/// What first appears in the outputs of a node.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum Born {
    /// A NaN.
    Nan,
    /// An infinity.
    Infinity,
}

/// Which values nodes are given of one before them.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum WentOn {
    /// Those that the backend returned.
    Backend,
    /// Those that the reference expects, as the backend returned none.
    Reference,
    /// None: nodes that need them are skipped.
    Nothing,
}

/// What a node that is wrong does to an output of the model.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
#[schemars(transform = counts)]
pub struct Effect {
    /// The output.
    pub output: String,
    /// Largest difference that the node's values make, in ULP; null across NaN, infinite and finite, and where the outputs
    /// are no numbers of one shape.
    pub max_ulp: Option<u64>,
    /// Largest absolute difference, as decimal and binary64 bits.
    pub max_abs: Option<String>,
    /// Decisions, each the largest element of a row of the last axis.
    pub rows: u64,
    /// Rows of which another element is the largest.
    pub argmax_changed: u64,
    /// Rows whose five largest elements have another order.
    pub order_changed: u64,
    /// Elements on another side of the threshold; null where none was given.
    pub threshold_crossed: Option<u64>,
}

/// An output of the model.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
#[schemars(transform = counts)]
pub struct Output {
    /// Its name.
    pub name: String,
    /// `fail` where a node that it depends on is wrong, `pass` where all are right and the model as a whole gives the bits
    /// that they give one by one, `out_of_domain` where that is not known or the whole gives other bits.
    pub verdict: Verdict,
    /// What the error against the exact result of the whole model is at least, in ULP, of the element of which that is the
    /// most: its distance from the nearest number that exact arithmetic may give. Null where nothing encloses that.
    pub max_error_ulp: Option<String>,
    /// In how many steps, from one number of the type to the next, what an element may be is crossed if each node errs as far as the
    /// profile permits, of the widest element; null where it has no end.
    pub enclosure_width_ulp: Option<String>,
    /// The node after which that grew most, relatively to the values; null where nothing is known of it.
    pub widened_by: Option<String>,
    /// Where the enclosure ends before the output; null where it reaches it.
    pub enclosure_ends: Option<Ended>,
    /// What follows from the output, whatever exact arithmetic gives within its enclosure; null where there is none, or the output has no
    /// real numbers.
    pub decisions: Option<Decisions>,
    /// Whether the model as a whole gives the bits that its nodes give one by one; null where one of them gives nothing.
    pub same_as_nodes: Option<bool>,
    /// How far the two are apart, in ULP; null across NaN, infinite and finite.
    pub whole_differs_ulp: Option<u64>,
    /// How far they are apart, as decimal and binary64 bits.
    pub whole_differs_abs: Option<String>,
}

/// Where nothing encloses what exact arithmetic gives.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Ended {
    /// The node; null where it is a value that no node computes.
    pub node: Option<String>,
    /// Its operator, with the domain in front where it is not ONNX's own.
    pub operator: Option<String>,
    /// Why.
    pub why: String,
}

/// What follows from an output as the backend gives it, held against all that exact arithmetic may give.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
#[schemars(transform = counts)]
pub struct Decisions {
    /// The rows of the last axis.
    pub rows: u64,
    /// Of each row, which element is the largest.
    pub argmax: Decided,
    /// Of each row, the order of its five largest elements.
    pub order: Decided,
    /// Of each element, on which side of the threshold it is; null where none was given.
    pub threshold: Option<Decided>,
}

/// How many decisions are as exact arithmetic has them.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
#[schemars(transform = counts)]
pub struct Decided {
    /// The same for every number of the enclosure.
    pub unchanged: u64,
    /// Another one for every number of the enclosure.
    pub changed: u64,
    /// The same for some and another one for others, as far as the enclosure shows.
    pub not_decided: u64,
}

impl Decided {
    /// Counts a decision: whether it is the same, where that is certain.
    pub(super) const fn add(&mut self, is_same: Option<bool>) {
        match is_same {
            Some(true) => self.unchanged += 1,
            Some(false) => self.changed += 1,
            None => self.not_decided += 1,
        }
    }
}

/// The smallest group of nodes found that gives other bits as one model than one node after the other.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
#[schemars(transform = counts)]
pub struct Fusion {
    /// The nodes.
    pub nodes: Vec<String>,
    /// Their operators, in the same order.
    pub operators: Vec<String>,
    /// The values that differ.
    pub outputs_differ: Vec<String>,
    /// How far they are apart at most, in ULP; null across NaN, infinite and finite.
    pub max_ulp: Option<u64>,
    /// How far they are apart at most, as decimal and binary64 bits.
    pub max_abs: Option<String>,
    /// Whether the values that the group gives together are within what its nodes may give one after the other, from the group's actual
    /// inputs, if each errs as far as the profile permits; null where that is not known.
    pub is_within: Option<bool>,
}

impl Trace {
    /// The nodes by verdict.
    pub(super) fn counted(nodes: &[Node]) -> BTreeMap<Verdict, u64> {
        let mut summary: BTreeMap<_, _> = Verdict::ALL.map(|verdict| (verdict, 0)).into();
        for node in nodes {
            *summary.entry(node.verdict).or_default() += 1;
        }
        summary
    }

    /// The first node that is wrong and not known to be.
    pub(super) fn first_of(nodes: &[Node]) -> Option<&Node> {
        nodes.iter().find(|node| node.is_unexpected())
    }

    /// The first node that is wrong and not known to be.
    pub fn first(&self) -> Option<&Node> {
        Self::first_of(&self.nodes)
    }

    /// Elements that were judged.
    pub fn judged(&self) -> u64 {
        self.nodes.iter().map(|node| node.judged).sum()
    }
}

impl Sealed for Trace {
    fn digest_mut(&mut self) -> &mut Digest {
        &mut self.digest
    }
}

impl JsonDocument for Trace {
    const NAME: &'static str = "trace";
    const FILE: &'static str = "`trace.json`, or of a folder with one";
    const IN_FOLDER: Option<&'static str> = Some(DOCUMENT);
    const KIND: Option<&'static str> = Some("trace");
    const FORMAT_VERSION: u32 = FORMAT_VERSION;
    const SEALED: bool = true;
    const REMEDY: &'static str = "run `trace` again";
    const SCHEMA: &'static str = "reports/schema/trace.schema.json";

    fn consistent(&self) -> Result<(), Contradiction> {
        agrees("digest", &self.digest, &self.contents_digest()?)?;
        agrees("summary", &self.summary, &Self::counted(&self.nodes))?;
        let first = self.first().map(|node| node.node.clone());
        agrees("first_wrong", &self.first_wrong, &first)
    }
}

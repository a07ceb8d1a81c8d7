//! The campaign document, format version 2: the types behind `campaign.json` and its JSON Schema.
//!
//! All of it but `provenance` is a function of the inputs, of the tool and of the backend. A
//! campaign that is under way keeps the same document as its checkpoint, with less executed than
//! promised.

use std::collections::BTreeMap;
use std::ops::Range;

use schemars::{JsonSchema, Schema};
use serde::{Deserialize, Serialize};

use crate::backend::Identity as Backend;
use crate::corpus::Digest;
pub use crate::corpus::shard::Shard;
use crate::document::Sealed;
use crate::document::provenance::{Provenance, Tool};
use crate::judge::requirements::Support;

/// Version of the document's format; counts up on any change.
pub const FORMAT_VERSION: u32 = 2;

/// What `campaign.json` holds.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
#[schemars(title = "onnx-conformance campaign", transform = counts)]
pub struct Campaign {
    /// Version of this format.
    #[schemars(extend("const" = FORMAT_VERSION))]
    pub format_version: u32,
    /// The program that executed the campaign.
    pub tool: Tool,
    /// The system under test.
    pub backend: Backend,
    /// Name of the accuracy profile.
    pub profile: String,
    /// Such as `Div`, in its newest version.
    pub operator: String,
    /// Element type of the operands.
    #[serde(rename = "type")]
    pub type_name: String,
    /// The attributes that the operator was given, by name.
    pub attributes: BTreeMap<String, String>,
    /// Element type of the results.
    pub result_type: String,
    /// Which inputs were taken.
    pub strategy: String,
    /// What sets the strategy apart from others of its name.
    pub parameters: BTreeMap<String, String>,
    /// Number of inputs that the strategy has in all.
    #[schemars(range(min = 1))]
    pub inputs: u64,
    /// The parts that these consist of, one after the other; none where they are of one kind.
    pub parts: Vec<Part>,
    /// The part of them that was asked for, over all shards.
    pub range: Span,
    /// Which part of the range this document is about; null where it is about all of it.
    pub shard: Option<Shard>,
    /// Number of inputs that were to be executed.
    #[schemars(range(min = 1))]
    pub promised: u64,
    /// Number of inputs that were executed.
    pub executed: u64,
    /// Which ones, in order.
    pub ranges: Vec<Span>,
    /// Results that the specification does not allow: not the correctly rounded ones; of
    /// integers not the truncated quotients, or the results modulo 2^n.
    pub mismatches: u64,
    /// Results that the profile does not allow; null where it decides nothing.
    pub violations: Option<u64>,
    /// What a sample says of what it was drawn from; null where nothing was sampled.
    pub confidence: Option<Confidence>,
    /// Largest error of all results against the real ones; null where no result has one.
    pub max_error_ulp: Option<String>,
    /// Results by their error against the real ones.
    pub histogram: Vec<Bin>,
    /// Inputs by the class of the correct result; together all that were executed.
    pub classes: Classes,
    /// Mismatches, each with its place among the strategy's inputs.
    pub counterexamples: Counterexamples,
    /// The worst errors by the size of the operands.
    pub heat_map: HeatMap,
    /// Requirements that the inputs cover; verified where nothing is violated.
    pub requirements: Vec<String>,
    /// What kept the campaign from its end; null where nothing did.
    pub failure: Option<String>,
    /// SHA-256 over the document without `digest` and `provenance`, as JSON without spaces and with
    /// sorted members.
    #[schemars(with = "String", regex(pattern = "^[0-9a-f]{64}$"))]
    pub digest: Digest,
    /// Where and when: the only part that differs between campaigns on the same inputs.
    pub provenance: Provenance,
}

/// Inputs of a kind. Those of the next part follow.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
#[schemars(transform = counts)]
pub struct Part {
    /// Which kind.
    pub name: String,
    /// Number of inputs.
    pub size: u64,
}

/// What a sample says of what it was drawn from.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Confidence {
    /// How many samplings in one lead to a bound that holds, at least.
    pub level: String,
    /// Upper bound on the share of inputs with a mismatch, in four digits, rounded up.
    pub upper_bound: String,
    /// All that in words, with what it assumes.
    pub statement: String,
}

/// Inputs from one index up to, but without, another.
#[derive(
    Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize, JsonSchema,
)]
#[serde(deny_unknown_fields)]
#[schemars(transform = counts)]
pub struct Span {
    /// Index of the first one.
    pub first: u64,
    /// Index after the last one.
    #[schemars(range(min = 1))]
    pub end: u64,
}

/// Results with an error within bounds.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
#[schemars(transform = counts)]
pub struct Bin {
    /// The errors in units in the last place, as an interval: `(1/8, 1/4]`.
    pub ulp: String,
    /// How many results.
    pub results: u64,
}

/// Inputs by the class of the correct result.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
#[schemars(transform = counts)]
#[expect(missing_docs, reason = "the counters are named after the classes")]
pub struct Classes {
    pub nan: u64,
    pub infinite: u64,
    pub zero: u64,
    pub subnormal: u64,
    /// Normal numbers, integers other than 0, and strings.
    pub normal: u64,
    /// There is no correct result: an integer divided by zero, or a signed type's minimum by -1. The
    /// backend was given the divisor 1 in their place, and its result was dropped.
    pub out_of_domain: u64,
}

/// Mismatches.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Counterexamples {
    /// The first ones.
    pub first: Vec<Counterexample>,
    /// The worst ones.
    pub worst: Vec<Counterexample>,
}

/// A mismatch.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
#[schemars(transform = counts)]
pub struct Counterexample {
    /// Place among the strategy's inputs.
    pub index: u64,
    /// Operands as decimal and bits; strings quoted and escaped.
    pub inputs: Vec<String>,
    /// The correct result, likewise; of NaNs the positive quiet one.
    pub expected: String,
    /// The result that came back, likewise; of a string the first 4096 bytes.
    pub actual: String,
    /// Its error against the real result.
    pub error_ulp: String,
}

/// The worst errors by the size of the operands: of all mismatches, and of a sample of all results.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
#[schemars(transform = counts)]
pub struct HeatMap {
    /// The sample is of the inputs whose index is a multiple of this.
    #[schemars(range(min = 1))]
    pub stride: u64,
    /// Exponents that make a group: those of float64 in 32 groups at most.
    #[schemars(range(min = 1, max = 64))]
    pub group: u64,
    /// Cells with a mismatch or a sampled result.
    pub cells: Vec<HeatCell>,
}

/// Results whose operands are of one size.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
#[schemars(transform = counts)]
pub struct HeatCell {
    /// Size of the first operand: its biased exponent divided by the group; for integers the length
    /// of its magnitude in bits.
    #[schemars(range(max = 64))]
    pub a: u64,
    /// Size of the second operand; of a single operand the same again.
    #[schemars(range(max = 64))]
    pub b: u64,
    /// How many were sampled.
    pub sampled: u64,
    /// How many are mismatches.
    pub mismatches: u64,
    /// The worst error among both; null where none of them has one.
    pub worst_error_ulp: Option<String>,
}

/// Says of each count among a type's members which is the largest.
pub(crate) fn counts(schema: &mut Schema) {
    let members = schema.get_mut("properties").and_then(serde_json::Value::as_object_mut);
    for member in members.into_iter().flat_map(|members| members.values_mut()) {
        if member["format"] == "uint64" && member.get("maximum").is_none() {
            member["maximum"] = u64::MAX.into();
        }
    }
}

impl Campaign {
    /// The part of the strategy's inputs that was to be executed.
    pub fn part(&self) -> Option<Range<u64>> {
        let range = Range::from(self.range);
        let Some(Shard { index, count }) = self.shard else { return Some(range) };
        Some(Shard::new(index, count).ok()?.of(&range))
    }

    /// Whether everything that was promised was executed and conforms: to the profile, or to the
    /// specification where the profile decides nothing.
    pub fn conforms(&self) -> bool {
        self.is_complete() && self.wrong() == 0
    }

    /// Whether the specification decides no result of all that was asked for, so that none was compared with anything.
    pub fn compared_nothing(&self) -> bool {
        self.support() == Support::Undecided
    }

    /// Results that the profile does not allow, or the specification where the profile decides nothing.
    fn wrong(&self) -> u64 {
        self.violations.unwrap_or(self.mismatches)
    }

    /// What it says for the requirements that it names. One shard of several is a part of what was
    /// asked for, however complete it is.
    pub fn support(&self) -> Support {
        let asked = self.range.end.saturating_sub(self.range.first);
        if self.wrong() > 0 {
            Support::Failed
        } else if self.executed == 0 {
            Support::NotRun
        } else if self.executed < asked {
            Support::Partial
        } else if self.classes.out_of_domain >= self.executed {
            Support::Undecided
        } else {
            Support::Passed
        }
    }

    /// Whether everything that was promised was executed.
    pub const fn is_complete(&self) -> bool {
        self.promised == self.executed
    }
}

impl From<Range<u64>> for Span {
    fn from(range: Range<u64>) -> Self {
        Self { first: range.start, end: range.end }
    }
}

impl From<Span> for Range<u64> {
    fn from(span: Span) -> Self {
        span.first..span.end
    }
}

impl Sealed for Campaign {
    fn digest_mut(&mut self) -> &mut Digest {
        &mut self.digest
    }
}

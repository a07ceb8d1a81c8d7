//! The document of sums, format version 1: the types behind `sums.json` and its JSON Schema.
//!
//! All of it but `provenance` is a function of the vectors, of the tool and of the backend.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::corpus::Digest;
use crate::document::Sealed;
use crate::document::provenance::{Provenance, Tool};
use crate::measure::campaign::document::counts;

/// Version of the document's format; counts up on any change.
pub const FORMAT_VERSION: u32 = 1;

/// What `sums.json` holds.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
#[schemars(title = "onnx-conformance sums", transform = counts)]
pub struct Sums {
    /// Version of this format.
    #[schemars(extend("const" = FORMAT_VERSION))]
    pub format_version: u32,
    /// The program that made the vectors and judged the results.
    pub tool: Tool,
    /// What the vectors were drawn from.
    pub seed: u64,
    /// One row for each backend, operator and type, in the order of their names.
    pub rows: Vec<Row>,
    /// SHA-256 over the document without `digest` and `provenance`, as JSON without spaces and with
    /// sorted members.
    #[schemars(with = "String", regex(pattern = "^[0-9a-f]{64}$"))]
    pub digest: Digest,
    /// Where and when: the only part that differs between documents of the same backend.
    pub provenance: Provenance,
}

/// One operator on one type of one backend.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
#[schemars(transform = counts)]
pub struct Row {
    /// The system under test, by the name that it gives itself.
    pub backend: String,
    /// Its version.
    pub version: String,
    /// The operator, in its newest version.
    pub operator: String,
    /// Element type of operands and results.
    #[serde(rename = "type")]
    pub type_name: String,
    /// Number of vectors that were planned.
    #[schemars(range(min = 1))]
    pub vectors: u64,
    /// Number of vectors that were executed.
    pub executed: u64,
    /// Results that no order of additions in the type's precision or more can give.
    pub not_conforming: u64,
    /// Results of which the specification says nothing, as there are so many terms that they may lose every bit.
    pub reference_undecided: u64,
    /// The first result that does not conform; null where all do.
    pub counterexample: Option<Witness>,
    /// The largest error; null where nothing was executed.
    pub max_error: Option<Witness>,
    /// The largest share of the bound; null where no result has one.
    pub max_share: Option<Witness>,
    /// The largest errors by condition number.
    pub decades: Vec<Decade>,
    /// What the probes betrayed; null where they were not all executed.
    pub accumulator: Option<Accumulator>,
    /// What kept the row from its end; null where nothing did.
    pub failure: Option<String>,
}

/// A vector, and what came of it.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
#[schemars(transform = counts)]
pub struct Witness {
    /// Number of terms.
    pub length: u64,
    /// Logarithm of the condition number that was asked for, to base 2.
    pub asked_log2: u32,
    /// The order of the terms.
    pub order: String,
    /// Logarithm of the condition number that they have, to base 2, rounded down.
    pub condition_log2: u32,
    /// How far the result is from the exact one, in units in the last place.
    pub error_ulp: String,
    /// The share of the bound that it needs beyond the last rounding, rounded up to millionths; null where there is no bound, or
    /// it is a NaN.
    pub share: Option<String>,
    /// Whether some order of additions in the type's precision or more can give it; null where the specification says nothing.
    pub conforms: Option<bool>,
    /// The result that came back, as decimal and bits.
    pub result: String,
    /// The exact result, correctly rounded, as decimal and bits; null where the specification says nothing.
    pub expected: Option<String>,
}

/// The vectors whose condition number is of one size.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Decade {
    /// Logarithm of the least condition number to base 2, a multiple of 8; the next one is 8 more.
    pub condition_log2: u32,
    /// The largest errors of each order.
    pub orders: Vec<Largest>,
}

/// The largest errors of one order.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
#[schemars(transform = counts)]
pub struct Largest {
    /// The order.
    pub order: String,
    /// Number of vectors.
    #[schemars(range(min = 1))]
    pub vectors: u64,
    /// The largest error in units in the last place.
    pub error_ulp: String,
    /// The largest share of the bound; null where no result has one.
    pub share: Option<String>,
}

/// What the probes betrayed of an accumulator.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Accumulator {
    /// The precisions in bits that additions round to, in order: 8 is that of bfloat16, 11 of float16, 24 of float32, 53 of
    /// float64. Empty where nothing was lost, or what was lost says nothing.
    pub bits: Vec<u32>,
    /// Sums keep more bits than this, where no probe lost anything; null otherwise.
    pub more_than: Option<u32>,
    /// What happens to products before they are added; null where the terms are none, or the probes do not tell.
    pub products: Option<Products>,
    /// Why the probes do not tell something; null where they tell all.
    pub reason: Option<String>,
}

/// What happens to products before they are added.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum Products {
    /// They are rounded.
    Rounded,
    /// They are added without having been rounded, though the accumulator does not hold them all.
    Fused,
    /// The accumulator holds them all exactly.
    Held,
}

impl Row {
    /// What rows are in order by, and told apart by.
    pub(super) fn key(&self) -> [&str; 4] {
        [&self.backend, &self.version, &self.operator, &self.type_name]
    }

    /// Whether everything that was planned was executed.
    pub const fn is_complete(&self) -> bool {
        self.vectors == self.executed && self.failure.is_none()
    }
}

impl Sealed for Sums {
    fn digest_mut(&mut self) -> &mut Digest {
        &mut self.digest
    }
}

//! The atlas document, format version 5: the types behind `atlas.json` and its JSON Schema.
//!
//! All of it but `provenance` is a function of the inputs, of the tool and of the backend.

use std::collections::BTreeMap;

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::corpus::Digest;
pub use crate::corpus::shard::Shard;
use crate::document::Sealed;
use crate::document::provenance::{Provenance, Tool};
use crate::measure::campaign::Strategy;
use crate::measure::campaign::document::{Span, counts};

/// Version of the document's format; counts up on any change.
pub const FORMAT_VERSION: u32 = 5;

/// What `atlas.json` holds.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
#[schemars(title = "onnx-conformance atlas")]
pub struct Atlas {
    /// Version of this format.
    #[schemars(extend("const" = FORMAT_VERSION))]
    pub format_version: u32,
    /// The program that looked at the results.
    pub tool: Tool,
    /// One row for each backend, operator and type, in the order of their names.
    pub rows: Vec<Row>,
    /// SHA-256 over the document without `digest` and `provenance`, as JSON without spaces and with
    /// sorted members.
    #[schemars(with = "String", regex(pattern = "^[0-9a-f]{64}$"))]
    pub digest: Digest,
    /// Where and when: the only part that differs between atlases of the same backend.
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
    /// Element type of the operands.
    #[serde(rename = "type")]
    pub type_name: String,
    /// The attributes that the operator was given, by name.
    pub attributes: BTreeMap<String, String>,
    /// Element type of the results.
    pub result_type: String,
    /// `exhaustive`: all inputs that there are, numbered by their bits; `stratified`: random ones of every size and pattern.
    pub strategy: String,
    /// What sets the strategy apart from others of its name.
    pub parameters: BTreeMap<String, String>,
    /// Which part of the inputs this row is about; null where it is about all of them.
    pub shard: Option<Shard>,
    /// Number of inputs that were planned.
    #[schemars(range(min = 1))]
    pub inputs: u64,
    /// Number of inputs that were executed.
    pub executed: u64,
    /// Which ones, in order.
    pub ranges: Vec<Span>,
    /// The largest error against the exact result, in units in the last place; null where none was seen, or none is real. Of
    /// functions whose results are decided by polynomials, errors up to 1/256 are not told apart.
    pub max_error_ulp: Option<String>,
    /// The operands of it as decimal and bits.
    pub at: Vec<String>,
    /// The result that came back, as decimal and bits.
    pub result: Option<String>,
    /// The result that is right, as decimal and bits.
    pub expected: Option<String>,
    /// Results that are not the exact ones, correctly rounded.
    pub not_correctly_rounded: u64,
    /// Those of them where every implementation has to be exact: an operand is a NaN or an infinity, or it is a zero, 1 or -1 of which the
    /// function has an exact value, or a NaN or an infinity came back or was due, or a zero was due.
    pub special_mismatches: u64,
    /// Those of them that are zeros where a subnormal number was due.
    pub flushed: u64,
    /// Neighbouring operands whose results are in the wrong order, where the function never falls or never rises; null where that is
    /// not known, or neighbours are not among the inputs.
    pub not_monotone: Option<u64>,
    /// Pairs of a number and its negation whose results are not each other's negation, or of an even function not the same; null where the
    /// function is neither odd nor even, where the inputs are a sample, or where the backend did not answer again.
    pub not_symmetric: Option<u64>,
    /// Operands in a row that have one and the same result where the function is not as constant; null where neighbours are not among the
    /// inputs, or operands are pairs, or operands or results no floats.
    pub clamps: Option<Clamps>,
    /// Of 64 inputs, evenly spread over all, those whose result is another where they are asked alone than among 4,098 others; null where
    /// none was asked.
    pub position_dependent: Option<u64>,
    /// Of up to 1,048,588 inputs, in four tensors evenly spread over all, those whose result is another in a tensor of 1,021 of them; null
    /// where none was asked.
    pub size_dependent: Option<u64>,
    /// Of these, those whose result is another when the same tensor is asked for once more; null where none was asked.
    pub repetition_dependent: Option<u64>,
    /// Results of which the specification says nothing.
    pub reference_undecided: u64,
    /// What published profiles say of it.
    pub limits: Vec<Limit>,
    /// The largest errors by the size of the first operand; null in a summary.
    pub binades: Option<Vec<Binade>>,
    /// What kept the row from its end; null where nothing did.
    pub failure: Option<String>,
}

/// Runs of consecutive operands, by their bits, that all have one result, where the right results of the first and the last one are three
/// numbers apart or more. Results that are all one of the two numbers beside the real one have none. Zeros in the place of subnormal numbers are
/// no clamps, but flushed.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
#[schemars(transform = counts)]
pub struct Clamps {
    /// The number of all their operands.
    pub operands: u64,
    /// The longest one, of several the one of the least operands; null where there is none.
    pub longest: Option<Run>,
    /// Runs, clamps or not, that may go on in inputs that are not executed yet, or that are those of other parts.
    pub open: Vec<Run>,
}

/// Consecutive operands of one result.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Run {
    /// The first operand as decimal and bits.
    pub first: String,
    /// The last one.
    pub last: String,
    /// The result as decimal and bits; of NaNs the positive, quiet one.
    pub result: String,
}

/// What a profile says of an operator and a type.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Limit {
    /// Name of the profile.
    pub profile: String,
    /// How strict it is: `exact`, or a limit such as `3 ULP`.
    pub limit: String,
    /// Whether all results that were seen are within it; null where zeros in the place of subnormal numbers, which it allows, may be what is not.
    pub holds: Option<bool>,
}

/// The largest error of the operands of one size.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Binade {
    /// The size of the first operand: of floats its exponent field, of integers the length of its magnitude in bits; of negative ones
    /// the same below 0, from -1 on.
    pub binade: i32,
    /// The error.
    pub max_error_ulp: String,
    /// The operands as decimal and bits.
    pub at: Vec<String>,
    /// The result that came back, as decimal and bits.
    pub result: String,
}

impl Atlas {
    /// The rows of each version of a backend, which stand next to each other.
    pub fn by_backend(&self) -> impl Iterator<Item = &[Row]> {
        self.rows
            .chunk_by(|one, next| (&one.backend, &one.version) == (&next.backend, &next.version))
    }

    /// The same rows without the largest errors by size: a tenth of the file, enough for tables and the gate, and not to be
    /// merged with other parts.
    pub fn summary(mut self) -> Result<Self, serde_json::Error> {
        for row in &mut self.rows {
            row.binades = None;
        }
        self.sealed()
    }
}

/// Backend, version, operator and type, the attributes, and the strategy.
pub(crate) type Key<'a> = ([&'a str; 4], &'a BTreeMap<String, String>, &'a str);

impl Row {
    /// Whether everything that was planned was executed.
    pub const fn is_complete(&self) -> bool {
        self.inputs == self.executed
    }

    /// Whether it is the second one of an operator and a type, whose inputs are the hard ones.
    pub(crate) fn is_hard(&self) -> bool {
        self.strategy == Strategy::Hard.name()
    }

    /// What rows are in order by, and told apart by.
    pub(crate) fn key(&self) -> Key<'_> {
        let Self { backend, version, operator, type_name, attributes, strategy, .. } = self;
        ([backend, version, operator, type_name], attributes, strategy)
    }

    /// The type of the operands, and the attributes where there are any: `float32, to float16`.
    pub fn applied_to(&self) -> String {
        let attributes = self.attributes.iter().map(|(name, value)| format!(", {name} {value}"));
        attributes.fold(self.type_name.clone(), |text, attribute| text + &attribute)
    }
}

impl Sealed for Atlas {
    fn digest_mut(&mut self) -> &mut Digest {
        &mut self.digest
    }
}

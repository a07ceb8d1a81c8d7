//! The report document, format version 9: the types behind `report.json` and its JSON Schema.
//!
//! Every other report is derived from it. All of it but `provenance` is a function of the inputs.
//! Floating-point values are strings that hold decimal and bits, such as `0.1 (0x3dcccccd)`.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

pub use crate::backend::{Identity as Backend, Isolation};
pub use crate::document::provenance::{Provenance, Tool};
pub use crate::judge::expect::List as ExpectationsList;
pub use crate::run::{
    CaseResult as Case, CorpusResult as Corpus, ExpectationResult as Expectation, Output,
    ShardResult as Shard, Summary, Worst,
};

/// Version of the document's format; counts up on any change.
pub const FORMAT_VERSION: u32 = 9;

/// What `report.json` holds.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
#[schemars(title = "onnx-conformance report")]
pub struct Report {
    /// Version of this format.
    #[schemars(extend("const" = FORMAT_VERSION))]
    pub format_version: u32,
    /// The program that wrote the report.
    pub tool: Tool,
    /// The system under test.
    pub backend: Backend,
    /// What kept the system under test from reading the results that are expected of it, and from
    /// altering what it is judged by.
    pub isolation: Isolation,
    /// What that leaves open, in a sentence each, where it is partial.
    pub isolation_gaps: Vec<String>,
    /// The seed that the cases of the own suites were made from at run time; null where they are the
    /// committed ones.
    pub challenge: Option<String>,
    /// Names of the accuracy profiles, separated by `, `; each case names its own.
    pub profile: String,
    /// The suites of the corpora, each with its accuracy profile.
    pub suites: Vec<Suite>,
    /// The corpora the cases come from, each verified against its digest.
    pub corpora: Vec<Corpus>,
    /// Which part of the selected cases was run; null where all were.
    pub shard: Option<Shard>,
    /// Cases by verdict, and what was compared.
    pub summary: Summary,
    /// Every selected case, in natural order of the ids; of a shard, its own.
    pub cases: Vec<Case>,
    /// The list of known failures that the run was given; null where it was given none.
    pub expectations_list: Option<ExpectationsList>,
    /// The known failures of that list that are of these corpora.
    pub expectations: Vec<Expectation>,
    /// Requirements with the cases that verify them.
    pub requirements: Vec<Requirement>,
    /// Where and when: the only part that differs between runs on the same inputs.
    pub provenance: Provenance,
}

impl Report {
    /// Whether a case failed that was not expected to.
    pub fn has_failed(&self) -> bool {
        self.cases.iter().any(Case::is_unexpected_failure)
    }

    /// Whether an expectation does not hold: a known failure passed, or is that of no case.
    pub fn has_surprises(&self) -> bool {
        self.expectations.iter().any(|known| known.stale || !known.unexpected_passes.is_empty())
    }
}

/// A suite, and by which accuracy profile its cases were judged; the own cases in it, those with a
/// `case.json`, have an entry of their own where their profiles are others.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Suite {
    /// Such as `sonnx`.
    pub name: String,
    /// Whether this speaks of the own cases in the suite alone.
    pub own_cases: bool,
    /// Name of the profile.
    pub profile: String,
    /// Name of the profile that the suite has where none is named.
    pub default: String,
    /// Whether the profile judges anything less strictly than the default one.
    pub laxer: bool,
}

impl Suite {
    /// The names of the suites' profiles, each once, separated by `, `.
    pub fn profiles(suites: &[Self]) -> String {
        let mut names: Vec<&str> = Vec::new();
        for suite in suites {
            if !names.contains(&suite.profile.as_str()) {
                names.push(&suite.profile);
            }
        }
        names.join(", ")
    }

    /// The suites' profiles in words: the name where all have one, else each suite with its own, as
    /// in `onnx for onnx, onnx-exact for its own cases, sonnx for sonnx`.
    pub fn described(suites: &[Self]) -> String {
        match suites {
            [first, rest @ ..] if rest.iter().any(|other| other.profile != first.profile) => {
                let each = suites.iter().map(|suite| match suite.own_cases {
                    false => format!("{} for {}", suite.profile, suite.name),
                    true => format!("{} for its own cases", suite.profile),
                });
                each.collect::<Vec<_>>().join(", ")
            }
            suites => Self::profiles(suites),
        }
    }

    /// That the profile is laxer than the default one, in a sentence, where it is.
    pub fn laxer(&self) -> Option<String> {
        self.laxer.then(|| {
            let Self { name, profile, default, .. } = self;
            let (what, their) = match self.own_cases {
                false => (format!("The suite {name} is"), "its"),
                true => (format!("The suite {name}'s own cases are"), "their"),
            };
            format!("{what} judged by `{profile}`, which is laxer than {their} default profile `{default}`.")
        })
    }
}

/// A requirement and the cases that verify it.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Requirement {
    /// Tag of the requirement.
    pub id: String,
    /// Whether its cases were executed, and with what result.
    pub status: String,
    /// The laxer profiles that keep it from being verified, in words; null where none does.
    pub reason: Option<String>,
    /// Ids of its cases.
    pub cases: Vec<String>,
}

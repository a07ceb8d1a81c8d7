//! The report document, format version 3: the types behind `report.json` and its JSON Schema.
//!
//! Every other report is derived from it. All of it but `provenance` is a function of the inputs.
//! Floating-point values are strings that hold decimal and bits, such as `0.1 (0x3dcccccd)`.

use std::collections::BTreeMap;
use std::fmt;

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::profile::Strictness;
use crate::requirements::Tested;
use crate::verdict::{Aspects, Verdict};

/// Version of the document's format; counts up on any change.
pub const FORMAT_VERSION: u32 = 3;

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
    /// Names of the accuracy profiles, separated by `, `; each case names its own.
    pub profile: String,
    /// The suites of the corpora, each with its accuracy profile.
    pub suites: Vec<Suite>,
    /// The corpora the cases come from, each verified against its digest.
    pub corpora: Vec<Corpus>,
    /// Cases by verdict, and what was compared.
    pub summary: Summary,
    /// Every selected case, in natural order of the ids.
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

/// The program that wrote the report.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Tool {
    /// `onnx-conformance`.
    pub name: String,
    /// Package version.
    pub version: String,
    /// Commit it was built from, or `unknown`.
    pub commit: String,
    /// Whether the checkout had uncommitted changes when it was built; null where unknown.
    pub dirty: Option<bool>,
}

/// The system under test.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Backend {
    /// `builtin`, or the name an adapter gives.
    pub name: String,
    /// Its version.
    pub version: String,
    /// What else it says of itself.
    pub details: BTreeMap<String, String>,
}

/// A suite, and by which accuracy profile its cases were judged.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Suite {
    /// Such as `sonnx`.
    pub name: String,
    /// Name of the profile.
    pub profile: String,
    /// Name of the profile that the suite has where none is named.
    pub default: String,
    /// Whether the profile judges anything less strictly than the default one.
    pub laxer: bool,
}

/// A corpus that cases come from.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Corpus {
    /// Name, such as `onnx-1.22.0`.
    pub name: String,
    /// SHA-256 over the digests of its cases, as verified in this run.
    pub digest: String,
    /// Cases it holds, selected or not.
    pub cases: u64,
}

/// Cases by verdict.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
#[expect(missing_docs, reason = "the counters are named after the verdicts")]
pub struct Summary {
    /// Cases selected; the sum of the verdicts.
    pub cases: u64,
    pub pass: u64,
    pub fail: u64,
    pub unsupported: u64,
    pub out_of_domain: u64,
    pub crash: u64,
    pub timeout: u64,
    pub fault: u64,
    pub skipped: u64,
    /// Output elements compared in all cases.
    pub elements_compared: u64,
}

impl Suite {
    /// The names of the suites' profiles, each once, separated by `, `.
    #[must_use]
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
    /// in `onnx for onnx, sonnx for sonnx`.
    #[must_use]
    pub fn described(suites: &[Self]) -> String {
        match suites {
            [first, rest @ ..] if rest.iter().any(|other| other.profile != first.profile) => {
                let each =
                    suites.iter().map(|suite| format!("{} for {}", suite.profile, suite.name));
                each.collect::<Vec<_>>().join(", ")
            }
            suites => Self::profiles(suites),
        }
    }

    /// That the profile is laxer than the default one, in a sentence, where it is.
    #[must_use]
    pub fn laxer(&self) -> Option<String> {
        self.laxer.then(|| {
            format!(
                "The suite {} is judged by `{}`, which is laxer than its default profile `{}`.",
                self.name, self.profile, self.default
            )
        })
    }
}

impl Summary {
    /// Cases with this verdict.
    #[must_use]
    pub const fn count(&self, verdict: Verdict) -> u64 {
        match verdict {
            Verdict::Pass => self.pass,
            Verdict::Fail => self.fail,
            Verdict::Unsupported => self.unsupported,
            Verdict::OutOfDomain => self.out_of_domain,
            Verdict::Crash => self.crash,
            Verdict::Timeout => self.timeout,
            Verdict::Fault => self.fault,
            Verdict::Skipped => self.skipped,
        }
    }

    /// The summary of these cases.
    #[must_use]
    pub fn of<'a>(cases: impl IntoIterator<Item = &'a Case>) -> Self {
        Self::of_results(cases.into_iter().map(|case| (case.verdict, case.elements_compared())))
    }

    /// The summary of cases with these verdicts, with so many elements compared in each.
    #[must_use]
    pub fn of_results(cases: impl IntoIterator<Item = (Verdict, u64)>) -> Self {
        let mut summary = Self::default();
        for (verdict, elements) in cases {
            let count = match verdict {
                Verdict::Pass => &mut summary.pass,
                Verdict::Fail => &mut summary.fail,
                Verdict::Unsupported => &mut summary.unsupported,
                Verdict::OutOfDomain => &mut summary.out_of_domain,
                Verdict::Crash => &mut summary.crash,
                Verdict::Timeout => &mut summary.timeout,
                Verdict::Fault => &mut summary.fault,
                Verdict::Skipped => &mut summary.skipped,
            };
            *count += 1;
            summary.cases += 1;
            summary.elements_compared = summary.elements_compared.saturating_add(elements);
        }
        summary
    }
}

/// One case.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Case {
    /// Such as `onnx-1.22.0/node/test_div`.
    pub id: String,
    /// Suite the case belongs to.
    pub suite: String,
    /// Operators of the graph in order of first use, separated by `, `; with the domain in front
    /// where it is not ONNX's own.
    pub operator: String,
    /// Operator set version the graph imports for its first operator's domain.
    pub opset: i64,
    /// Element types of the inputs and outputs, in order of first appearance.
    pub types: Vec<String>,
    /// Name of the accuracy profile by which the case was judged.
    pub profile: String,
    /// How strictly its outputs were judged, the laxest of them: `exact`, `2.5 ULP`,
    /// `2.5 ULP or flushed`, `accumulated`, `close` or `undecided`; null where none was judged.
    #[schemars(with = "Option<String>")]
    pub strictness: Option<Strictness>,
    /// The case's verdict.
    pub verdict: Verdict,
    /// How each aspect of the case came out.
    pub aspects: Aspects,
    /// What was expected of this backend: `pass`, or the verdict of a known failure.
    pub expected: Verdict,
    /// Requirements the case verifies.
    pub requirements: Vec<String>,
    /// Why, where the verdict is not a pass; may have several lines.
    pub message: Option<String>,
    /// The outputs compared; several data sets follow each other.
    pub outputs: Vec<Output>,
}

impl Case {
    /// What requirements ask of the case.
    #[must_use]
    pub fn tested(&self) -> Tested<'_> {
        Tested {
            id: &self.id,
            requirements: &self.requirements,
            aspects: self.aspects,
            profile: &self.profile,
            strictness: self.strictness,
        }
    }

    /// Whether it failed as it is known to.
    #[must_use]
    pub fn is_known_failure(&self) -> bool {
        self.verdict.is_failure() && self.verdict == self.expected
    }

    /// Elements compared in all outputs.
    #[must_use]
    pub fn elements_compared(&self) -> u64 {
        self.outputs.iter().fold(0, |sum, output| sum.saturating_add(output.elements))
    }

    /// Elements that do not conform in all outputs.
    #[must_use]
    pub fn mismatches(&self) -> u64 {
        self.outputs.iter().fold(0, |sum, output| sum.saturating_add(output.mismatches))
    }

    /// Largest distance in ULP over all outputs.
    #[must_use]
    pub fn max_ulp(&self) -> Option<u64> {
        self.outputs.iter().filter_map(|output| output.max_ulp).max()
    }
}

/// One output tensor, compared.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Output {
    /// Name of the graph output, with the place in a sequence, as in `y[2]`; from the second data
    /// set on with the set in front, as in `1:y`.
    pub name: String,
    /// Expected element type.
    #[serde(rename = "type")]
    pub type_name: String,
    /// Expected shape.
    pub shape: Vec<u64>,
    /// Elements compared.
    pub elements: u64,
    /// Elements that the profile or the specification does not decide; nothing is measured on them.
    pub undecided: u64,
    /// Elements that do not conform under the profile.
    pub mismatches: u64,
    /// Largest distance in ULP of the output's own format (in units for integers); null where no
    /// element has one.
    pub max_ulp: Option<u64>,
    /// Largest error in ULP against the exact results, whatever the profile, over the elements that
    /// have one: in decimal, rounded up, and as a fraction of 2^-20, such as `0.333334 (<349526/2^20)`;
    /// null, or left out, where the reference knows none.
    #[serde(default)]
    #[schemars(skip_serializing_if = "Option::is_none")]
    pub max_error_ulp: Option<String>,
    /// That of the expected elements.
    #[serde(default)]
    #[schemars(skip_serializing_if = "Option::is_none")]
    pub expected_max_error_ulp: Option<String>,
    /// Largest absolute difference as decimal and binary64 bits.
    pub max_abs_error: Option<String>,
    /// Largest relative difference as decimal and binary64 bits.
    pub max_rel_error: Option<String>,
    /// Elements that are NaN on both sides but differ in sign or payload.
    pub nan_sign_or_payload_differs: u64,
    /// The worst elements that differ.
    pub worst: Vec<Worst>,
    /// The first elements that the backend returned, in row-major order, as decimal and bits.
    pub returned: Vec<String>,
}

/// An element that differs.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Worst {
    /// Coordinates in the output.
    pub index: Vec<u64>,
    /// Operands as decimal and bits, where known.
    pub inputs: Vec<String>,
    /// Expected element as decimal and bits.
    pub expected: String,
    /// Returned element as decimal and bits.
    pub actual: String,
    /// Distance in ULP; null across NaN, infinite and finite.
    pub ulp: Option<u64>,
}

/// A list of known failures.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct ExpectationsList {
    /// Name of its file, without the folder.
    pub name: String,
    /// SHA-256 of its text.
    pub sha256: String,
}

impl ExpectationsList {
    /// Its name with as many digits of the digest as tell lists apart, for a line of a terminal.
    #[must_use]
    pub fn short(&self) -> String {
        let digest: String = self.sha256.chars().take(16).collect();
        format!("{}, SHA-256 {digest}...", self.name)
    }
}

impl fmt::Display for ExpectationsList {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} (SHA-256 {})", self.name, self.sha256)
    }
}

/// A known failure of the backend, and what became of it.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Expectation {
    /// Ids of its cases; `*` stands for any characters.
    pub cases: String,
    /// Their known verdict.
    pub verdict: Verdict,
    /// Why.
    pub reason: String,
    /// Where that is reported or discussed.
    pub link: Option<String>,
    /// Selected cases that it matches.
    pub matched: u64,
    /// Those of them that failed as they are known to.
    pub failures: Vec<String>,
    /// Those of them that passed: each is an unexpected pass.
    pub unexpected_passes: Vec<String>,
    /// Whether it matches no case of the corpora of the run, selected or not.
    pub stale: bool,
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

/// Where and when the report was made.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Provenance {
    /// Start of the run, RFC 3339 in UTC.
    pub clock: String,
    /// Target, operating system, CPU count and features.
    pub host: BTreeMap<String, String>,
    /// Compiler the tool was built with.
    pub toolchain: String,
    /// Rounding mode found by computing.
    pub rounding_mode: String,
    /// Treatment of subnormals found by computing.
    pub subnormal_policy: String,
    /// Seeds of whatever was drawn at random.
    pub seeds: BTreeMap<String, u64>,
    /// Seconds by phase and, for executed cases, by id.
    pub durations: BTreeMap<String, String>,
    /// What the backend wrote to its standard error, by case: the end of it, where it was much.
    pub stderr: BTreeMap<String, String>,
}

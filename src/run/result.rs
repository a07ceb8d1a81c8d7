//! What a run found, case by case: what a report holds, as the run makes it.

use std::time::Duration;

use serde::{Deserialize, Serialize};

use crate::corpus::Digest;
use crate::corpus::shard::Shard;
use crate::float;
use crate::judge::compare::{OutputComparison, Whole, WorstElement};
use crate::judge::expect::{Facts, Known};
use crate::judge::profile::Strictness;
use crate::judge::requirements::Tested;
use crate::judge::verdict::{Aspects, Verdict};
use crate::oracle::{Share, Ulps};
use values::text::bounded;

/// Longest name of an output that is shown, in bytes.
const NAME_KEPT: usize = 256;

/// The result of a case, and why.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "cli", derive(schemars::JsonSchema))]
#[serde(deny_unknown_fields)]
#[cfg_attr(feature = "cli", schemars(rename = "Case"))]
pub struct CaseResult {
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
    /// `2.5 ULP or flushed`, `3 ULP or by body`, `accumulated`, `close` or `undecided`; null where none was judged.
    #[cfg_attr(feature = "cli", schemars(with = "Option<String>"))]
    pub strictness: Option<Strictness>,
    /// The case's verdict.
    pub verdict: Verdict,
    /// How each aspect of the case came out.
    pub aspects: Aspects,
    /// What was expected of this backend: `pass`, or the verdict that is known of the case.
    pub expected: Verdict,
    /// Whether it was expected to have that verdict or to pass, the one as well as the other.
    pub flaky: bool,
    /// Whether the case failed by its recorded outputs alone: the reference, within the limits of the profile
    /// `onnx-exact`, allows what came back, and not what is recorded. Left out where that is not so.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub is_allowed: bool,
    /// Requirements the case verifies.
    pub requirements: Vec<String>,
    /// Why, where the verdict is not a pass; may have several lines.
    pub message: Option<String>,
    /// The outputs compared; several data sets follow each other.
    pub outputs: Vec<Output>,
    /// What the backend wrote to its standard error, or the end of it.
    #[serde(skip)]
    pub stderr: String,
    /// Time the backend took.
    #[serde(skip)]
    pub duration: Duration,
}

impl CaseResult {
    /// What requirements ask of the case.
    pub fn tested(&self) -> Tested<'_> {
        Tested {
            id: &self.id,
            requirements: &self.requirements,
            aspects: self.aspects,
            profile: &self.profile,
            strictness: self.strictness,
        }
    }

    /// What the entries of a list of known failures ask.
    pub fn facts(&self) -> Facts<'_> {
        Facts { id: &self.id, operator: &self.operator, types: &self.types, opset: self.opset }
    }

    /// Whether the result alone makes the run fail.
    pub fn is_unexpected_failure(&self) -> bool {
        self.verdict.is_failure() && self.verdict != self.expected
    }

    /// Whether it passed though it is known not to.
    pub fn is_unexpected_pass(&self) -> bool {
        self.verdict == Verdict::Pass && self.expected.can_be_known() && !self.flaky
    }

    /// Whether it failed as it is known to.
    pub fn is_known_failure(&self) -> bool {
        self.verdict.is_failure() && self.verdict == self.expected
    }

    /// Elements compared in all outputs.
    pub fn elements_compared(&self) -> u64 {
        self.outputs.iter().fold(0, |sum, output| sum.saturating_add(output.elements))
    }

    /// Elements that do not conform in all outputs.
    pub fn mismatches(&self) -> u64 {
        self.outputs.iter().fold(0, |sum, output| sum.saturating_add(output.mismatches))
    }

    /// Largest share of a bound over all outputs, as [`Output::share_of_bound`].
    #[cfg(feature = "cli")]
    pub(crate) fn share_of_bound(&self) -> Option<Share> {
        Output::largest_share(&self.outputs)
    }

    /// Largest distance in ULP over all outputs.
    pub fn max_ulp(&self) -> Option<u64> {
        self.outputs.iter().filter_map(|output| output.max_ulp).max()
    }
}

/// One output tensor, compared.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "cli", derive(schemars::JsonSchema))]
#[serde(deny_unknown_fields)]
pub struct Output {
    /// Name of the graph output, with the place in a sequence, as in `y[2]`; from the second data
    /// set on with the set's folder in front, as in `test_data_set_1:y`.
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
    #[cfg_attr(feature = "cli", schemars(skip_serializing_if = "Option::is_none"))]
    pub max_error_ulp: Option<String>,
    /// That of the expected elements.
    #[serde(default)]
    #[cfg_attr(feature = "cli", schemars(skip_serializing_if = "Option::is_none"))]
    pub expected_max_error_ulp: Option<String>,
    /// Largest share of its bound that a number takes, where a bound decides, as of sums, products and what is composed of
    /// several operations: the least t for which the number is the element nearest to one within t times the bound of the
    /// exact result. 0 for a correctly rounded number, at most 1 where all elements conform, and more where one does not; in
    /// decimal, rounded up to millionths, such as `0.312500`. Left out where no bound decides, or an element that does not
    /// conform takes no share, such as a NaN in place of a number.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub share_of_bound: Option<String>,
    /// What the errors of all elements come to together, where the profile judges that, too.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub whole: Option<WholeErrors>,
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

/// The errors of all elements of an output of sums: each a share of what rounding to nearest can give, in decimal, rounded up to
/// millionths; more than 1 where it is exceeded, and the output does not conform.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "cli", derive(schemars::JsonSchema))]
#[serde(deny_unknown_fields)]
pub struct WholeErrors {
    /// Elements that some order of summation rounds.
    pub elements: u64,
    /// The sum of their errors.
    pub bias: String,
    /// The root of the sum of the squares of their errors.
    pub spread: String,
}

/// An element that differs.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "cli", derive(schemars::JsonSchema))]
#[serde(deny_unknown_fields)]
pub struct Worst {
    /// Coordinates in the output.
    pub index: Vec<u64>,
    /// Operands as decimal and bits, where known; of a sum of many terms the first ones, and how
    /// many more there are, as in `and 2,046 more`.
    pub inputs: Vec<String>,
    /// Expected element as decimal and bits.
    pub expected: String,
    /// Returned element as decimal and bits.
    pub actual: String,
    /// Distance in ULP; null across NaN, infinite and finite.
    pub ulp: Option<u64>,
}

impl Output {
    /// Its share of a bound as a number.
    #[cfg(feature = "cli")]
    pub(crate) fn share(&self) -> Option<Share> {
        self.share_of_bound.as_deref().and_then(Share::parse)
    }

    /// Whether it has the errors of all elements together, and these exceed what rounding can give; `None` where a share is none.
    #[cfg(feature = "cli")]
    pub(crate) fn exceeds_as_a_whole(&self) -> Option<bool> {
        let Some(WholeErrors { bias, spread, .. }) = &self.whole else { return Some(false) };
        Some(Share::parse(bias)?.max(Share::parse(spread)?) > Share::ALL)
    }

    /// Largest share of a bound over these outputs; `None` where one with mismatches has none, too.
    #[cfg(feature = "cli")]
    pub(crate) fn largest_share<'a>(outputs: impl IntoIterator<Item = &'a Self>) -> Option<Share> {
        outputs.into_iter().try_fold(None, |largest: Option<Share>, output| {
            let share = output.share();
            (share.is_some() || output.mismatches == 0).then(|| largest.max(share))
        })?
    }

    /// What a report says of a comparison.
    pub(crate) fn of(output: &OutputComparison) -> Self {
        Self {
            name: bounded(output.name.clone(), NAME_KEPT),
            type_name: output.type_name.clone(),
            shape: widen(&output.shape),
            elements: output.elements,
            undecided: output.undecided,
            mismatches: output.mismatches,
            max_ulp: output.max_ulp,
            max_error_ulp: output.max_error.map(Ulps::with_fraction),
            expected_max_error_ulp: output.expected_max_error.map(Ulps::with_fraction),
            share_of_bound: output.share_of_bound.map(|share| share.to_string()),
            whole: output.whole.map(|Whole { elements, bias, spread }| WholeErrors {
                elements,
                bias: bias.to_string(),
                spread: spread.to_string(),
            }),
            max_abs_error: output.max_abs_error.map(float::with_bits),
            max_rel_error: output.max_rel_error.map(float::with_bits),
            nan_sign_or_payload_differs: output.nan_sign_or_payload_differs,
            worst: output.worst.iter().map(worst).collect(),
            returned: output.returned.iter().map(ToString::to_string).collect(),
        }
    }
}

fn worst(worst: &WorstElement) -> Worst {
    Worst {
        index: widen(&worst.index),
        inputs: worst.inputs.clone(),
        expected: worst.expected.to_string(),
        actual: worst.actual.to_string(),
        ulp: worst.ulp,
    }
}

/// Dimensions or coordinates as documents hold them.
pub(crate) fn widen(dims: &[usize]) -> Vec<u64> {
    dims.iter().map(|&dim| dim as u64).collect()
}

/// A corpus that cases come from, as the run found it.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "cli", derive(schemars::JsonSchema))]
#[serde(deny_unknown_fields)]
#[cfg_attr(feature = "cli", schemars(rename = "Corpus"))]
pub struct CorpusResult {
    /// Name, such as `onnx-1.22.0`.
    pub name: String,
    /// SHA-256 over the digests of its cases, as verified in this run.
    pub digest: String,
    /// Cases it holds, selected or not.
    pub cases: u64,
}

/// Which part of the selected cases a run took, where it took one.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "cli", derive(schemars::JsonSchema))]
#[serde(deny_unknown_fields)]
#[cfg_attr(feature = "cli", schemars(rename = "Shard"))]
pub struct ShardResult {
    /// Which part, from 1: of the selected cases in natural order of their ids every `count`-th one,
    /// beginning with the one at this place.
    #[cfg_attr(feature = "cli", schemars(range(min = 1, max = u64::MAX)))]
    pub index: u64,
    /// Number of parts.
    #[cfg_attr(feature = "cli", schemars(range(min = 1, max = u64::MAX)))]
    pub count: u64,
    /// Number of selected cases, of all parts.
    pub selected: u64,
    /// SHA-256 over their ids in natural order, each with a line feed behind it, as `list` prints them.
    pub selection: String,
}

impl ShardResult {
    /// The part that a run took of the cases with these ids.
    pub(crate) fn of<'a>(shard: Shard, ids: impl IntoIterator<Item = &'a str>) -> Self {
        let Shard { index, count } = shard;
        let (mut selected, mut lines) = (0, String::new());
        for id in ids {
            selected += 1;
            lines.extend([id, "\n"]);
        }
        Self { index, count, selected, selection: Digest::of(lines.as_bytes()).to_string() }
    }

    /// Which part it is.
    pub const fn shard(&self) -> Shard {
        Shard { index: self.index, count: self.count }
    }
}

/// Something known of the backend, and what became of it.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "cli", derive(schemars::JsonSchema))]
#[serde(deny_unknown_fields)]
#[cfg_attr(feature = "cli", schemars(rename = "Expectation"))]
pub struct ExpectationResult {
    /// Ids of its cases, or without a `/` their names in any corpus; `*` stands for any characters.
    pub cases: String,
    /// Their known verdict: a failure, `unsupported`, or `skipped`, which is why they were not run.
    pub verdict: Verdict,
    /// Whether they may as well pass.
    pub flaky: bool,
    /// Operator that their models have; null where any may.
    pub op: Option<String>,
    /// Element type that an input or output of theirs has; null where any may.
    #[serde(rename = "type")]
    pub type_name: Option<String>,
    /// First operator set of theirs; null where none is named.
    pub since_opset: Option<i64>,
    /// Last operator set of theirs; null where none is named.
    pub until_opset: Option<i64>,
    /// Why.
    pub reason: String,
    /// Where that is reported or discussed.
    pub link: Option<String>,
    /// Selected cases that it decides.
    pub matched: u64,
    /// Those of them that failed as they are known to.
    pub failures: Vec<String>,
    /// Those of them that passed and may not: each is an unexpected pass.
    pub unexpected_passes: Vec<String>,
    /// Whether it decides no case of the corpora of the run, selected or not; of those that were not selected
    /// nothing but their ids is known.
    pub stale: bool,
}

impl ExpectationResult {
    /// Entries of a list, and what became of them by these cases. The first entry that matches a case decides it.
    pub(crate) fn all(entries: &[Known], cases: &[CaseResult]) -> Vec<Self> {
        let mut results: Vec<Self> = entries.iter().cloned().map(Self::of).collect();
        for case in cases {
            let facts = case.facts();
            let place = entries.iter().position(|entry| entry.matches(&facts));
            let Some(result) = place.and_then(|at| results.get_mut(at)) else { continue };
            result.stale = false;
            result.matched += 1;
            if case.is_unexpected_pass() {
                result.unexpected_passes.push(case.id.clone());
            } else if case.is_known_failure() {
                result.failures.push(case.id.clone());
            }
        }
        results
    }

    /// The same entries by these cases. Whether one that matches none of them is stale stays as it is: that depends on
    /// cases that were not selected.
    #[cfg(feature = "cli")]
    pub(crate) fn recomputed(known: &[Self], cases: &[CaseResult]) -> Vec<Self> {
        let entries: Vec<Known> = known.iter().map(Self::entry).collect();
        let mut results = Self::all(&entries, cases);
        for (result, known) in results.iter_mut().zip(known) {
            result.stale &= known.stale;
        }
        results
    }

    /// The entry, of which nothing became yet.
    fn of(entry: Known) -> Self {
        let Known { cases, verdict, flaky, op, type_name, since_opset, until_opset, reason, link } =
            entry;
        Self {
            cases,
            verdict,
            flaky,
            op,
            type_name,
            since_opset,
            until_opset,
            reason,
            link,
            stale: true,
            ..Self::default()
        }
    }

    /// The entry as its list has it.
    pub fn entry(&self) -> Known {
        Known {
            cases: self.cases.clone(),
            verdict: self.verdict,
            flaky: self.flaky,
            op: self.op.clone(),
            type_name: self.type_name.clone(),
            since_opset: self.since_opset,
            until_opset: self.until_opset,
            reason: self.reason.clone(),
            link: self.link.clone(),
        }
    }
}

/// Cases by verdict.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "cli", derive(schemars::JsonSchema))]
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

impl Summary {
    /// Cases with this verdict.
    pub const fn count(mut self, verdict: Verdict) -> u64 {
        *self.counter(verdict)
    }

    const fn counter(&mut self, verdict: Verdict) -> &mut u64 {
        match verdict {
            Verdict::Pass => &mut self.pass,
            Verdict::Fail => &mut self.fail,
            Verdict::Unsupported => &mut self.unsupported,
            Verdict::OutOfDomain => &mut self.out_of_domain,
            Verdict::Crash => &mut self.crash,
            Verdict::Timeout => &mut self.timeout,
            Verdict::Fault => &mut self.fault,
            Verdict::Skipped => &mut self.skipped,
        }
    }

    /// The summary of these cases.
    pub fn of<'a>(cases: impl IntoIterator<Item = &'a CaseResult>) -> Self {
        Self::of_results(cases.into_iter().map(|case| (case.verdict, case.elements_compared())))
    }

    /// The summary of cases with these verdicts, with so many elements compared in each.
    pub fn of_results(cases: impl IntoIterator<Item = (Verdict, u64)>) -> Self {
        let mut summary = Self::default();
        for (verdict, elements) in cases {
            *summary.counter(verdict) += 1;
            summary.cases += 1;
            summary.elements_compared = summary.elements_compared.saturating_add(elements);
        }
        summary
    }
}

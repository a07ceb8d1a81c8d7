//! The result of all reports and campaigns of a pack, in the words of the test-result predicate.

use std::collections::{BTreeMap, BTreeSet};
use std::fmt;

use serde::Serialize;

use super::requirements::violated;
use super::sources::Sources;
use crate::document::text::counted;
use crate::documents::report::document::{Case, Expectation, Report};
use crate::foundation::text::natural_order;
use crate::judge::requirements::Support;
use crate::judge::verdict::Verdict;
use crate::measure::campaign::Campaign;

/// The tests of a pack. A case is named `reports/NAME#ID`, a campaign `campaigns/NAME`.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Outcome {
    /// Cases that passed and were expected to, and campaigns that conform.
    pub passed: Vec<String>,
    /// Known failures that violate no requirement, passes of known failures, what was not decided or
    /// not executed, and campaigns on a part of what was asked for.
    pub warned: Vec<String>,
    /// Failures that were not expected or violate a requirement, and campaigns that do not conform or
    /// did not end.
    pub failed: Vec<String>,
    /// Known failures that violate a requirement. Their cases are among those that failed: that a
    /// violation is known does not make it none.
    pub known: Vec<KnownViolation>,
}

/// What a known failure violates in one report.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct KnownViolation {
    /// Path of the report in the pack.
    pub report: String,
    /// The known failure.
    pub known: Expectation,
    /// How many of its cases violate a requirement.
    pub failed: u64,
    /// The requirements, in natural order.
    pub requirements: Vec<String>,
}

/// The result of the tests together, named as in the test-result predicate.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "UPPERCASE")]
pub enum Result {
    /// Every test passed.
    Passed,
    /// None failed, but not all passed.
    Warned,
    /// At least one failed.
    Failed,
}

impl Outcome {
    pub(super) fn of(sources: &Sources) -> Self {
        let mut outcome = Self::default();
        for (named, report) in sources.reports() {
            for case in &report.cases {
                let name = format!("{}#{}", named.folder, case.id);
                outcome.list(result_of_case(case)).push(name);
            }
            outcome.known.extend(known_violations(&named.path, report));
        }
        for (named, campaign) in sources.campaigns() {
            outcome.list(result_of_campaign(campaign)).push(named.folder.clone());
        }
        outcome
    }

    const fn list(&mut self, result: Result) -> &mut Vec<String> {
        match result {
            Result::Passed => &mut self.passed,
            Result::Warned => &mut self.warned,
            Result::Failed => &mut self.failed,
        }
    }

    /// Cases that failed as they are known to, and violate a requirement.
    pub fn known_cases(&self) -> u64 {
        self.known.iter().map(|known| known.failed).sum()
    }

    /// The result of all of them.
    pub const fn result(&self) -> Result {
        if !self.failed.is_empty() {
            Result::Failed
        } else if !self.warned.is_empty() || self.passed.is_empty() {
            Result::Warned
        } else {
            Result::Passed
        }
    }
}

/// The known failures of a report that violate requirements.
fn known_violations(path: &str, report: &Report) -> Vec<KnownViolation> {
    let failed = report.cases.iter().filter(|case| case.is_known_failure());
    let violated: BTreeMap<_, _> = failed.map(|case| (&case.id, violated(case))).collect();
    let violation = |known: &Expectation| {
        let cases = known.failures.iter().filter_map(|id| violated.get(id));
        let cases: Vec<_> = cases.filter(|requirements| !requirements.is_empty()).collect();
        let requirements: BTreeSet<_> = cases.iter().copied().flatten().copied().collect();
        let mut requirements: Vec<_> = requirements.into_iter().cloned().collect();
        requirements.sort_by(|a, b| natural_order(a, b));
        KnownViolation {
            report: path.to_owned(),
            known: known.clone(),
            failed: cases.len() as u64,
            requirements,
        }
    };
    report.expectations.iter().map(violation).filter(|known| known.failed > 0).collect()
}

impl fmt::Display for KnownViolation {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { known: Expectation { cases, reason, link, .. }, failed, requirements, .. } =
            self;
        let (count, ids) = (counted(*failed, "known failure"), requirements.join(", "));
        let violate = if *failed == 1 { "violates" } else { "violate" };
        write!(f, "{count} (`{cases}`) {violate} {ids}: {reason}")?;
        link.iter().try_for_each(|link| write!(f, " ({link})"))
    }
}

pub(super) fn result_of_case(case: &Case) -> Result {
    if case.verdict.is_failure() && !(case.is_known_failure() && violated(case).is_empty()) {
        Result::Failed
    } else if case.verdict == Verdict::Pass && case.expected == Verdict::Pass {
        Result::Passed
    } else {
        Result::Warned
    }
}

/// What a campaign counts as. One that did not finish failed, whatever it found.
pub(super) fn result_of_campaign(campaign: &Campaign) -> Result {
    if !campaign.is_complete() {
        return Result::Failed;
    }
    match campaign.support() {
        Support::Passed => Result::Passed,
        Support::Partial | Support::Lax | Support::Undecided | Support::NotRun => Result::Warned,
        Support::Failed => Result::Failed,
    }
}

impl fmt::Display for Result {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.serialize(f)
    }
}

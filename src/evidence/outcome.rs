//! What all reports and campaigns of a pack come to, in the words of the test-result predicate.

use std::fmt;

use super::sources::Named;
use crate::campaign::Document as Campaign;
use crate::report::document::{Case, Report};
use crate::requirements::Support;
use crate::verdict::Verdict;

/// The tests of a pack. A case is named `reports/NAME#ID`, a campaign `campaigns/NAME`.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Outcome {
    /// Cases that passed and were expected to, and campaigns that conform.
    pub passed: Vec<String>,
    /// Known failures, passes of known failures, what was not decided or not executed, and campaigns on
    /// a part of what was asked for.
    pub warned: Vec<String>,
    /// Failures that were not expected, and campaigns that do not conform or did not end.
    pub failed: Vec<String>,
}

/// What the tests come to together.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Result {
    /// Every test passed.
    Passed,
    /// None failed, but not all passed.
    Warned,
    /// At least one failed.
    Failed,
}

impl Outcome {
    /// What these came to.
    pub(super) fn of(reports: &[Named<Report>], campaigns: &[Named<Campaign>]) -> Self {
        let mut outcome = Self::default();
        for report in reports {
            for case in &report.document.cases {
                let name = format!("{}#{}", report.folder(), case.id);
                outcome.list(result_of_case(case)).push(name);
            }
        }
        for campaign in campaigns {
            outcome.list(result_of_campaign(&campaign.document)).push(campaign.folder());
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

    /// What they come to together.
    #[must_use]
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

/// What a case counts as.
pub(super) const fn result_of_case(case: &Case) -> Result {
    let is_expected = case.verdict as u8 == case.expected as u8;
    if case.verdict.is_failure() && !is_expected {
        Result::Failed
    } else if matches!(case.verdict, Verdict::Pass) && is_expected {
        Result::Passed
    } else {
        Result::Warned
    }
}

/// What a campaign counts as. One that did not come to its end failed, whatever it found.
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

impl Result {
    /// The name in the test-result predicate.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::Passed => "PASSED",
            Self::Warned => "WARNED",
            Self::Failed => "FAILED",
        }
    }
}

impl fmt::Display for Result {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(self.name())
    }
}

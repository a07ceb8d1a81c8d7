//! `index.html`: the front page of a pack, to be read from top to bottom and printed.
//!
//! It has no script. Style, escaping and content security policy are those of a report's page.

use askama::Template;

use super::document::{Basis, File, Limitation, Tool};
use super::listing::OWN;
use super::named::Named;
use super::outcome::{Outcome, Result, result_of_campaign};
use super::sources::{Sources, profile_path};
use crate::campaign::{self, Document as Campaign};
use crate::matrix::document::Matrix;
use crate::qualification::document::Tally;
use crate::report::document::{Case, Report};
use crate::report::html::{anchor, content_security_policy, requirement_anchor};
use crate::report::text::{counted, grouped};
use crate::requirements::Status;
use crate::verdict::Verdict;

const STYLE: &str =
    concat!(include_str!("../report/templates/report.css"), include_str!("templates/evidence.css"));

/// How many cases of a kind the page lists; their reports list them all.
const CASES_LISTED: usize = 25;

/// What the page shows.
pub(super) struct Front<'a> {
    pub(super) sources: &'a Sources,
    pub(super) tool: &'a Tool,
    pub(super) matrix: &'a Matrix,
    pub(super) qualification: &'a Tally,
    pub(super) limitations: &'a [Limitation],
    pub(super) files: &'a [File],
}

/// The page as text.
pub(super) fn to_text(front: &Front<'_>) -> std::result::Result<String, askama::Error> {
    let outcome = front.sources.outcome();
    let result = outcome.result();
    let failures: Vec<_> = front
        .sources
        .reports
        .iter()
        .flat_map(|report| {
            cases(report).filter(|(_, case)| case.verdict.is_failure() && !case.is_known_failure())
        })
        .collect();
    let known: Vec<_> = front
        .sources
        .reports
        .iter()
        .flat_map(|report| cases(report).filter(|(_, case)| case.expected.is_failure()))
        .collect();
    Page { front, policy: content_security_policy(STYLE, None), result, outcome, failures, known }
        .render()
}

fn cases(report: &Named<Report>) -> impl Iterator<Item = (&Named<Report>, &Case)> {
    report.document.cases.iter().map(move |case| (report, case))
}

#[derive(Template)]
#[template(path = "index.html")]
struct Page<'a> {
    front: &'a Front<'a>,
    policy: String,
    result: Result,
    outcome: Outcome,
    failures: Vec<(&'a Named<Report>, &'a Case)>,
    known: Vec<(&'a Named<Report>, &'a Case)>,
}

impl<'a> Page<'a> {
    /// What the result means, in a sentence.
    fn meaning(&self) -> &'static str {
        match self.result {
            Result::Passed => "Every test passed.",
            Result::Warned => {
                "No test failed unexpectedly, but not all passed: see below what did not, and why."
            }
            Result::Failed if self.known_alone() => {
                "Known failures violate requirements, which count as failed: see below which, and why. \
                 Nothing failed unexpectedly."
            }
            Result::Failed => "At least one test failed, or a campaign did not come to its end.",
        }
    }

    /// Whether all that failed was known to.
    fn known_alone(&self) -> bool {
        self.outcome.failed.len() as u64 == self.outcome.known_cases()
    }

    /// Class of the result's colour.
    const fn class(&self) -> &'static str {
        match self.result {
            Result::Passed => "pass",
            Result::Warned => "timeout",
            Result::Failed => "fail",
        }
    }

    /// What the identity of the subject rests on.
    const fn basis(&self) -> &'static str {
        match self.front.sources.subject.basis {
            Basis::File => "the file that was named when the pack was made",
            Basis::Executable => {
                "the program whose own kernels were tested, by the digest that its reports hold"
            }
            Basis::Description => "what the backend says of itself; no file of it is known",
        }
    }

    /// Counts of the reports' verdicts that occur.
    fn verdicts(&self) -> Vec<Verdict> {
        let reports = &self.front.sources.reports;
        let occurs = |verdict: &Verdict| {
            reports.iter().any(|report| report.document.summary.count(*verdict) > 0)
        };
        Verdict::ALL.into_iter().filter(occurs).collect()
    }

    /// The first of a list of cases.
    fn first<'c>(
        &self,
        cases: &'c [(&'a Named<Report>, &'a Case)],
    ) -> &'c [(&'a Named<Report>, &'a Case)] {
        &cases[..cases.len().min(CASES_LISTED)]
    }

    /// How many of a list are not shown.
    fn unlisted(&self, cases: &[(&Named<Report>, &Case)]) -> u64 {
        cases.len().saturating_sub(CASES_LISTED) as u64
    }

    /// The files that the manifest does not list.
    fn own_files(&self) -> String {
        OWN.join(", ")
    }

    /// Whether the pack holds a file.
    fn holds(&self, path: &str) -> bool {
        self.front.files.iter().any(|file| file.path == path)
    }
}

/// A known failure's reasons, by its report.
fn reasons(report: &Named<Report>) -> Vec<(&str, &str, u64)> {
    let known = report.document.expectations.iter();
    known
        .filter(|known| known.matched > 0)
        .map(|known| (known.cases.as_str(), known.reason.as_str(), known.matched))
        .collect()
}

/// The class of a campaign's verdict, and the word.
fn of_campaign(campaign: &Campaign) -> (&'static str, &'static str) {
    match result_of_campaign(campaign) {
        Result::Passed => ("pass", "conforms"),
        Result::Warned if campaign.conforms() => ("timeout", "conforms in part"),
        Result::Warned => ("unsupported", "not decided"),
        Result::Failed if !campaign.is_complete() => ("fail", "not complete"),
        Result::Failed => ("fail", "does not conform"),
    }
}

/// What was asked for of a campaign's inputs.
fn share(campaign: &Campaign) -> String {
    if campaign.promised == campaign.inputs {
        "all".to_owned()
    } else {
        format!("of {}", grouped(campaign.inputs))
    }
}

/// The first line of a case's message.
fn first_line(case: &Case) -> &str {
    case.message.as_deref().and_then(|message| message.lines().next()).unwrap_or_default()
}

/// An error without its exact fraction.
fn short(error: &str) -> &str {
    error.split_once(" (").map_or(error, |(decimal, _)| decimal)
}

/// A number, grouped.
fn number(number: usize) -> String {
    grouped(number as u64)
}

/// A name of several words as they are written.
fn words(name: &str) -> String {
    name.replace('_', " ")
}

/// A text, or what says that it is not known.
fn or_unknown(text: &Option<String>) -> &str {
    text.as_deref().unwrap_or("not known")
}

//! `index.html`: the front page of a pack, to be read from top to bottom and printed.
//!
//! It has no script but that of every page. Style, escaping and content security policy are those of a report's page.

use std::collections::BTreeSet;

use askama::Template;

use super::document::{Basis, File, Limitation, Tool};
use super::listing::OWN;
use super::named::Named;
use super::outcome::{Outcome, Result, result_of_campaign};
use super::sources::{Sources, profile_path};
use crate::document::page::{PAGE_SCRIPT, anchor, content_security_policy, requirement_anchor};
use crate::document::text::{counted, grouped};
use crate::documents::matrix::document::Matrix;
use crate::documents::qualification::document::Tally;
use crate::documents::report::document::Case;
use crate::documents::report::html::first_line;
use crate::foundation::text::words;
use crate::judge::requirements::Status;
use crate::judge::verdict::Verdict;
use crate::measure::campaign::Campaign;

const STYLE: &str =
    concat!(include_str!("../report/templates/report.css"), include_str!("templates/evidence.css"));

/// How many cases of a kind the page lists; their reports list them all.
const CASES_LISTED: usize = 25;

pub(super) fn to_text(
    sources: &Sources,
    tool: &Tool,
    matrix: &Matrix,
    qualification: &Tally,
    limitations: &[Limitation],
    files: &[File],
) -> std::result::Result<String, askama::Error> {
    let outcome = Outcome::of(sources);
    let cases = || {
        let reports = sources.reports();
        reports.flat_map(|(named, report)| report.cases.iter().map(move |case| (named, case)))
    };
    let is_unexpected = |case: &Case| case.verdict.is_failure() && !case.is_known_failure();
    let page = Page {
        sources,
        tool,
        matrix,
        qualification,
        limitations,
        files,
        policy: content_security_policy(STYLE, Some(PAGE_SCRIPT)),
        failures: cases().filter(|(_, case)| is_unexpected(case)).collect(),
        known: cases().filter(|(_, case)| case.expected.can_be_known()).collect(),
        outcome,
    };
    page.render()
}

#[derive(Template)]
#[template(path = "index.html")]
struct Page<'a> {
    sources: &'a Sources,
    tool: &'a Tool,
    matrix: &'a Matrix,
    qualification: &'a Tally,
    limitations: &'a [Limitation],
    files: &'a [File],
    policy: String,
    outcome: Outcome,
    failures: Vec<(&'a Named, &'a Case)>,
    known: Vec<(&'a Named, &'a Case)>,
}

impl Page<'_> {
    /// The verdicts that occur in the reports.
    fn verdicts(&self) -> Vec<Verdict> {
        let occurs = |verdict: &Verdict| {
            self.sources.reports().any(|(_, report)| report.summary.count(*verdict) > 0)
        };
        Verdict::ALL.into_iter().filter(occurs).collect()
    }

    /// The seeds of the reports that are of challenges, each once.
    fn challenges(&self) -> BTreeSet<&str> {
        self.sources.reports().filter_map(|(_, report)| report.challenge.as_deref()).collect()
    }

    fn holds(&self, path: &str) -> bool {
        self.files.iter().any(|file| file.path == path)
    }
}

fn of_campaign(campaign: &Campaign) -> (&'static str, &'static str) {
    match result_of_campaign(campaign) {
        Result::Passed => ("pass", "conforms"),
        Result::Warned if campaign.conforms() => ("timeout", "conforms in part"),
        Result::Warned => ("unsupported", "not decided"),
        Result::Failed if !campaign.is_complete() => ("fail", "not complete"),
        Result::Failed => ("fail", "does not conform"),
    }
}

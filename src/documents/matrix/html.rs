//! `matrix.html`: one self-contained page for readers.
//!
//! It shares style, theme switch, escaping and content security policy with the page of a report. Without
//! JavaScript the page has everything but filters and the theme switch.

use std::fmt::{self, Display};

use askama::Template;

use super::document::{Campaign, Case, Matrix, Report, Summary};
use crate::document::text::{counted, folder_and_name, grouped};
use crate::documents::report::document::Suite;
use crate::documents::report::html::{anchor, content_security_policy, requirement_anchor};
use crate::foundation::text::words;
use crate::judge::requirements::{Status, Support};
use crate::judge::verdict::Verdict;

const STYLE: &str =
    concat!(include_str!("../report/templates/report.css"), include_str!("templates/matrix.css"));
const SCRIPT: &str = concat!(
    include_str!("../report/templates/theme.js"),
    include_str!("../report/templates/focus.js"),
    include_str!("../report/templates/filters.js"),
    include_str!("templates/matrix.js")
);

/// Writes the page.
pub fn render(matrix: &Matrix, out: &mut impl fmt::Write) -> Result<(), askama::Error> {
    Page { matrix, policy: content_security_policy(STYLE, Some(SCRIPT)) }.render_into(out)
}

/// The page as text.
pub fn to_text(matrix: &Matrix) -> Result<String, askama::Error> {
    let mut page = String::new();
    render(matrix, &mut page)?;
    Ok(page)
}

#[derive(Template)]
#[template(path = "matrix.html")]
struct Page<'a> {
    matrix: &'a Matrix,
    policy: String,
}

impl Page<'_> {
    /// The pieces of the bar: status, where it begins and how long it is, in hundredths.
    fn bar(&self) -> Vec<(Status, f64, f64)> {
        let summary = &self.matrix.summary;
        let mut from = 0.0;
        let piece = |status| {
            #[expect(clippy::cast_precision_loss, reason = "lengths in a picture")]
            let length = 100.0 * summary.count(status) as f64 / summary.requirements.max(1) as f64;
            from += length;
            (status, from - length, length)
        };
        Status::ALL.into_iter().map(piece).filter(|(.., length)| *length > 0.0).collect()
    }

    /// The address of a case on the page of its report.
    fn case_address(&self, case: &Case) -> Option<String> {
        let page = self.matrix.reports.get(case.report)?.page.as_ref()?;
        Some(format!("{page}#{}", anchor(&case.id)))
    }

    /// The campaigns at these places, which count from 1.
    fn campaigns(&self, places: &[usize]) -> Vec<(usize, &Campaign)> {
        places.iter().filter_map(|&at| Some((at + 1, self.matrix.campaigns.get(at)?))).collect()
    }
}

/// What cases say for a requirement, in words: `3 cases: 2 passed, 1 failed`; of those without one
/// with their results: `3 cases: 2 pass, 1 fail`.
fn tally(cases: &[Case]) -> String {
    let count = |is_meant: &dyn Fn(&Case) -> bool| cases.iter().filter(|one| is_meant(one)).count();
    let told = if cases.iter().any(|case| case.support.is_some()) {
        let all = Support::ALL.map(Some).into_iter().chain([None]);
        counts(all.map(|said| {
            (count(&|case| case.support == said) as u64, said.map_or("not asked", in_words))
        }))
    } else {
        let all = Verdict::ALL.into_iter();
        counts(all.map(|verdict| (count(&|case| case.verdict == verdict) as u64, words(verdict))))
    };
    format!("{}: {told}", counted(cases.len() as u64, "case"))
}

/// The counts of what there is, in words.
fn counts<W: Display>(counts: impl Iterator<Item = (u64, W)>) -> String {
    let there = counts.filter(|(count, _)| *count > 0);
    there.map(|(count, word)| format!("{} {word}", grouped(count))).collect::<Vec<_>>().join(", ")
}

/// What a case says for a requirement, in words.
const fn in_words(support: Support) -> &'static str {
    match support {
        Support::Passed => "passed",
        Support::Partial => "passed in part",
        Support::Lax => "judged less strictly",
        Support::Undecided => "undecided",
        Support::NotRun => "not run",
        Support::Failed => "failed",
    }
}

/// What a case says for the requirement, where its verdict does not tell.
fn apart(case: &Case) -> Option<&'static str> {
    let support = case.support?;
    let is_told = case.verdict.is_failure() == (support == Support::Failed);
    (!is_told || support == Support::Lax).then(|| in_words(support))
}

fn statuses(summary: &Summary) -> String {
    counts(Status::ALL.into_iter().map(|status| (summary.count(status), words(status))))
}

fn described(report: &Report) -> String {
    let corpora: Vec<_> = report.corpora.iter().map(|corpus| corpus.name.as_str()).collect();
    format!("{}, profile {}", corpora.join(", "), Suite::described(&report.suites))
}

fn named(campaign: &Campaign) -> String {
    let Campaign { operator, type_name, strategy, .. } = campaign;
    format!("{operator} {type_name} {strategy}")
}

/// What a campaign says, as the word and the verdict whose colour it has.
const fn said(support: Support) -> (&'static str, Verdict) {
    match support {
        Support::Passed => ("conforms", Verdict::Pass),
        Support::Partial => ("incomplete", Verdict::Timeout),
        Support::Lax => ("judged laxly", Verdict::Timeout),
        Support::Undecided => ("out of domain", Verdict::OutOfDomain),
        Support::NotRun => ("not executed", Verdict::Unsupported),
        Support::Failed => ("violated", Verdict::Fail),
    }
}

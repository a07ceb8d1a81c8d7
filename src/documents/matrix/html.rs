//! `matrix.html`: one self-contained page for readers.
//!
//! It shares style, theme switch, escaping and content security policy with the page of a report. The cases of a
//! requirement are packed, and its script unpacks them; without JavaScript the page has every requirement and every case
//! that did not pass, but no filters and no theme switch.

use std::fmt::{self, Display};

use askama::Template;
use rayon::prelude::*;

use super::document::{Campaign, Case, Matrix, Report, Requirement, Summary, Unknown};
use crate::document::page::{anchor, content_security_policy, requirement_anchor};
use crate::document::text::{counted, folder_and_name, grouped};
use crate::documents::report::document::Suite;
use crate::documents::report::packed::packed_parts;
use crate::foundation::text::words;
use crate::judge::requirements::{Status, Support};
use crate::judge::verdict::Verdict;

const STYLE: &str =
    concat!(include_str!("../report/templates/report.css"), include_str!("templates/matrix.css"));
const SCRIPT: &str = concat!(
    include_str!("../report/templates/theme.js"),
    include_str!("../report/templates/focus.js"),
    include_str!("../report/templates/unpack.js"),
    include_str!("../report/templates/filters.js"),
    include_str!("templates/matrix.js")
);

/// Writes the page.
pub fn render(matrix: &Matrix, out: &mut impl fmt::Write) -> Result<(), askama::Error> {
    let requirements = matrix.requirements.par_iter();
    let piece = |requirement: &Requirement| {
        let about = is_brief(requirement).then(|| About { requirement }.render()).transpose()?;
        Ok(about.into_iter().chain(list_of(matrix, &requirement.cases)?).collect())
    };
    let mut pieces = requirements.map(piece).collect::<askama::Result<Vec<_>>>()?;
    let others = matrix.unknown.iter().map(|unknown| &unknown.cases);
    for cases in std::iter::once(&matrix.unlinked).chain(others) {
        pieces.push(list_of(matrix, cases)?);
    }
    let policy = content_security_policy(STYLE, Some(SCRIPT));
    Page { matrix, policy, packed_cases: packed_parts(&pieces)? }.render_into(out)
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
    /// The cases of the requirements at their places, then those of none, then those of each unknown requirement.
    packed_cases: String,
}

/// What a requirement is about.
#[derive(Template)]
#[template(path = "matrix-about.html")]
struct About<'a> {
    requirement: &'a Requirement,
}

/// A case in a list.
#[derive(Template)]
#[template(path = "matrix-case.html")]
struct Line<'a> {
    matrix: &'a Matrix,
    case: &'a Case,
}

impl Line<'_> {
    /// The address of the case on the page of its report.
    fn address(&self) -> Option<String> {
        let page = self.matrix.reports.get(self.case.report)?.page.as_ref()?;
        Some(format!("{page}#{}", anchor(&self.case.id)))
    }
}

/// The parts of a list of cases, each of which other lists may have, too; none of no cases.
fn list_of<'a>(
    matrix: &Matrix,
    cases: impl IntoIterator<Item = &'a Case>,
) -> askama::Result<Vec<String>> {
    let lines = cases.into_iter().map(|case| Line { matrix, case }.render());
    let lines = lines.collect::<askama::Result<Vec<_>>>()?;
    let [begin, end] = ["<ul class=\"support\">", "</ul>"].map(str::to_owned);
    Ok(match lines.is_empty() {
        true => lines,
        false => std::iter::once(begin).chain(lines).chain([end]).collect(),
    })
}

impl Page<'_> {
    /// The list of those cases that did not pass.
    fn others(&self, cases: &[Case]) -> askama::Result<String> {
        let others = cases.iter().filter(|case| case.verdict != Verdict::Pass);
        Ok(list_of(self.matrix, others)?.concat())
    }

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

    /// The requirements of a document, with their places.
    fn of_document(&self, key: &str) -> Vec<(usize, &Requirement)> {
        let all = self.matrix.requirements.iter().enumerate();
        all.filter(|(_, one)| one.document == key).collect()
    }

    /// The place of what is packed of an unknown requirement.
    fn place_of(&self, unknown: &Unknown) -> usize {
        let before = self.matrix.unknown.iter().take_while(|one| one.id != unknown.id);
        self.matrix.requirements.len() + 1 + before.count()
    }

    /// The campaigns at these places, which count from 1.
    fn campaigns(&self, places: &[usize]) -> Vec<(usize, &Campaign)> {
        places.iter().filter_map(|&at| Some((at + 1, self.matrix.campaigns.get(at)?))).collect()
    }
}

/// Whether of a requirement the line that says what it is about is packed with its cases.
fn is_brief(requirement: &Requirement) -> bool {
    requirement.status == Status::Verified && !requirement.cases.is_empty()
}

/// What cases say for a requirement, in words: `3 cases: 2 passed, 1 failed`, or `3 cases passed`; of those without one
/// with their results: `3 cases: 2 pass, 1 fail`.
fn tally(cases: &[Case]) -> String {
    let count = |is_meant: &dyn Fn(&Case) -> bool| cases.iter().filter(|one| is_meant(one)).count();
    let all = counted(cases.len() as u64, "case");
    let support = cases.first().and_then(|case| case.support);
    let told = if let Some(support) = support
        && cases.iter().all(|case| case.support == Some(support))
    {
        return format!("{all} {}", in_words(support));
    } else if cases.iter().any(|case| case.support.is_some()) {
        let kinds = Support::ALL.map(Some).into_iter().chain([None]);
        counts(kinds.map(|said| {
            (count(&|case| case.support == said) as u64, said.map_or("not asked", in_words))
        }))
    } else {
        let all = Verdict::ALL.into_iter();
        counts(all.map(|verdict| (count(&|case| case.verdict == verdict) as u64, words(verdict))))
    };
    format!("{all}: {told}")
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

//! `scoreboard.html`: one self-contained page for readers.
//!
//! It shares style, script, escaping and content security policy with the page of a report.

use std::collections::{BTreeMap, BTreeSet};
use std::fmt;

use askama::Template;

use super::document::{
    Answer, Behaviour, Case, Cell, DecidedBy, Disagreement, DivergentCases, Element, Output,
    Requirement, Scoreboard,
};
use super::groups::{self, Group};
use crate::document::text::{
    at_separators, bracketed, counted, decimal_and_bits, folder_and_name, grouped, list,
};
use crate::documents::report::html::{SCRIPT, STYLE, anchor, content_security_policy, occurrences};
use crate::foundation::text::{percent_encoded, words};
use crate::judge::requirements::Status;
use crate::judge::verdict::Verdict;

const OWN_STYLE: &str = include_str!("templates/scoreboard.css");

const GROUPS_LISTED: usize = 24;

/// Rows up to which the cases of a known divergence are unfolded.
const ROWS_UNFOLDED: usize = 24;

/// Writes the page.
pub fn render(scoreboard: &Scoreboard, out: &mut impl fmt::Write) -> Result<(), askama::Error> {
    Page::of(scoreboard, &scoreboard.labels()).render_into(out)
}

/// The page as text.
pub fn to_text(scoreboard: &Scoreboard) -> Result<String, askama::Error> {
    let mut page = String::new();
    render(scoreboard, &mut page)?;
    Ok(page)
}

#[derive(Template)]
#[template(path = "scoreboard.html")]
struct Page<'a> {
    scoreboard: &'a Scoreboard,
    style: String,
    policy: String,
    labels: &'a [String],
    disagreements: BTreeMap<&'a str, &'a Disagreement>,
    groups: Vec<Group<'a>>,
    decided: BTreeMap<DecidedBy, u64>,
    outliers: Vec<(&'a str, u64)>,
    operators: Vec<(&'a str, u64)>,
    types: Vec<(&'a str, u64)>,
    suites: Vec<(&'a str, u64)>,
    verdicts: Vec<Verdict>,
    /// The requirements that a backend was asked for, and how many others there are.
    requirements: Vec<&'a Requirement>,
    requirements_unasked: u64,
}

impl<'a> Page<'a> {
    fn of(scoreboard: &'a Scoreboard, labels: &'a [String]) -> Self {
        let (cases, disagreements) = (&scoreboard.cases, scoreboard.disagreements.iter());
        // As many columns as there are backends; nothing else in the style depends on the data.
        let style = format!("{STYLE}{OWN_STYLE}.scores {{ --backends: {}; }}\n", labels.len());
        let (requirements, unasked): (Vec<_>, Vec<_>) =
            scoreboard.requirements.iter().partition(|one| is_asked(one));
        let is_any = |verdict: &Verdict| {
            scoreboard.backends.iter().any(|backend| backend.summary.count(*verdict) > 0)
        };
        Self {
            scoreboard,
            policy: content_security_policy(&style, Some(SCRIPT)),
            style,
            labels,
            disagreements: disagreements.map(|one| (one.case.as_str(), one)).collect(),
            groups: groups::of(scoreboard),
            decided: scoreboard.decided(),
            outliers: outliers(scoreboard, labels),
            operators: occurrences(cases.iter().map(|case| list(&case.operator))),
            types: occurrences(cases.iter().map(|case| case.types.iter().map(String::as_str))),
            suites: occurrences(cases.iter().map(|case| std::iter::once(case.suite.as_str()))),
            verdicts: Verdict::ALL.into_iter().filter(is_any).collect(),
            requirements,
            requirements_unasked: unasked.len() as u64,
        }
    }

    fn disagreement(&self, case: &Case) -> Option<&'a Disagreement> {
        self.disagreements.get(case.id.as_str()).copied()
    }

    fn outliers_of(&self, disagreement: &Disagreement) -> String {
        let outliers = disagreement.outliers.iter();
        outliers.map(|outlier| self.name(outlier.backend)).collect::<Vec<_>>().join(", ")
    }

    fn name(&self, backend: usize) -> &str {
        self.labels.get(backend).map_or("", String::as_str)
    }

    /// What came of a case, the backends of one verdict and message together.
    fn answers<'c>(&self, case: &'c Case) -> Vec<(Option<&'c Cell>, Vec<&str>)> {
        let labels = self.labels.iter().map(String::as_str);
        groups::by_answer(case.backends.iter().map(Option::as_ref).zip(labels))
    }

    /// The backends that returned an output: places and names.
    fn returning(&self, output: &Output) -> Vec<(usize, &str)> {
        let returned =
            |at: usize| output.elements.iter().any(|element| element.answer(at).is_some());
        (0..self.labels.len()).filter(|at| returned(*at)).map(|at| (at, self.name(at))).collect()
    }
}

/// Whether a backend was given anything that names a requirement, and answered.
fn is_asked(requirement: &Requirement) -> bool {
    let unasked = [Status::Uncovered, Status::Untestable].map(words);
    let mut statuses = requirement.backends.iter().flatten();
    statuses.any(|status| !unasked.contains(status))
}

/// How many cases each backend is the outlier of, where it is.
fn outliers<'a>(scoreboard: &Scoreboard, labels: &'a [String]) -> Vec<(&'a str, u64)> {
    let count = |(backend, label): (usize, &'a String)| {
        let all = scoreboard.disagreements.iter();
        let is_outlier =
            |one: &&Disagreement| one.outliers.iter().any(|outlier| outlier.backend == backend);
        (label.as_str(), all.filter(is_outlier).count() as u64)
    };
    labels.iter().enumerate().map(count).filter(|(_, count)| *count > 0).collect()
}

/// How an answer to an element is marked: where it is wrong, or one of several and not the expected one.
fn mark(element: &Element, answer: &Answer) -> &'static str {
    let is_expected = element.expected.as_ref() == Some(&answer.value);
    match answer.conforms {
        Some(false) => "wrong",
        None if element.answers.len() > 1 && !is_expected => "other",
        Some(true) | None => "",
    }
}

/// The elements of an output on which backends differ, and those on which all agree.
fn parted(output: &Output) -> (Vec<&Element>, Vec<&Element>) {
    output.elements.iter().partition(|element| element.answers.len() > 1)
}

fn behaviours(divergence: &DivergentCases) -> BTreeSet<Behaviour> {
    divergence.backends.iter().flat_map(|counts| counts.keys().copied()).collect()
}

/// Whether the cases of a known divergence are few enough to be unfolded.
fn is_short(divergence: &DivergentCases) -> bool {
    divergence.cases.iter().map(|case| case.elements.len()).sum::<usize>() <= ROWS_UNFOLDED
}

fn told(behaviour: &Behaviour) -> String {
    match behaviour {
        Behaviour::Returns => "returns a value".to_owned(),
        behaviour => words(behaviour),
    }
}

/// The verdict whose colour a behaviour has.
const fn class_of(behaviour: Behaviour) -> &'static str {
    match behaviour {
        Behaviour::Conforms => "pass",
        Behaviour::Returns | Behaviour::Refuses => "out_of_domain",
        Behaviour::Differs | Behaviour::NoValues => "fail",
        Behaviour::Crash => "crash",
        Behaviour::Timeout => "timeout",
        Behaviour::Fault => "fault",
        Behaviour::Unsupported | Behaviour::Skipped | Behaviour::NotAsked => "unsupported",
    }
}

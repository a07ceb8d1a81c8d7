//! `scoreboard.html`: one self-contained page for readers.
//!
//! It shares style, script, escaping and content security policy with the page of a report.

use std::collections::BTreeMap;

use askama::Template;

use super::document::{
    Behaviour, Case, Cell, Column, DecidedBy, Disagreement, Element, HardCase, HardQuestion,
    Output, Passed, Scoreboard,
};
use super::groups::{self, Group};
use crate::report::html::{SCRIPT, STYLE, anchor, content_security_policy, occurrences};
use crate::report::text::{bracketed, counted, decimal_and_bits, folder_and_name, grouped, list};
use crate::verdict::Verdict;

const OWN_STYLE: &str = include_str!("templates/scoreboard.css");

/// How many groups of disagreements are listed before the table.
const GROUPS_LISTED: usize = 24;

/// Rows up to which the cases of a hard question are unfolded.
const ROWS_UNFOLDED: usize = 24;

/// The page as text.
///
/// # Errors
///
/// Never for a scoreboard as such; rendering as a whole may fail.
pub fn to_text(scoreboard: &Scoreboard) -> Result<String, askama::Error> {
    Page::of(scoreboard, &labels(scoreboard)).render()
}

/// What each backend is called: its name, with version, profile and list of known failures where the
/// name alone is not its own.
pub(super) fn labels(scoreboard: &Scoreboard) -> Vec<String> {
    let backends = &scoreboard.backends;
    let label = |at: usize| {
        let own = &backends[at];
        let others = || backends.iter().enumerate().filter(|(other, _)| *other != at);
        let named = || others().filter(|(_, other)| other.name == own.name);
        let same = || named().any(|(_, other)| other.version == own.version);
        let is_alike =
            |other: &Column| other.version == own.version && other.profile == own.profile;
        let alike = || named().any(|(_, other)| is_alike(other));
        let list = || own.expectations_list.as_ref().map_or("no list", |list| list.name.as_str());
        match (named().next().is_some(), same()) {
            (false, _) => own.name.clone(),
            (true, false) => format!("{} {}", own.name, own.version),
            (true, true) if alike() => {
                format!("{} {} {} {}", own.name, own.version, own.profile, list())
            }
            (true, true) => format!("{} {} {}", own.name, own.version, own.profile),
        }
    };
    (0..backends.len()).map(label).collect()
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
    decided: Vec<(DecidedBy, u64)>,
    outliers: Vec<(&'a str, u64)>,
    operators: Vec<(&'a str, u64)>,
    types: Vec<(&'a str, u64)>,
    suites: Vec<(&'a str, u64)>,
    verdicts: Vec<Verdict>,
}

impl<'a> Page<'a> {
    fn of(scoreboard: &'a Scoreboard, labels: &'a [String]) -> Self {
        let cases = &scoreboard.cases;
        // As many columns as there are backends; nothing else in the style depends on the data.
        let style = format!("{STYLE}{OWN_STYLE}.scores {{ --backends: {}; }}\n", labels.len());
        let decided = DecidedBy::ALL.into_iter().map(|by| {
            let count = scoreboard.disagreements.iter().filter(|one| one.decided_by == by).count();
            (by, count as u64)
        });
        let is_any = |verdict: &Verdict| {
            scoreboard.backends.iter().any(|backend| backend.summary.count(*verdict) > 0)
        };
        Self {
            scoreboard,
            policy: content_security_policy(&style, Some(SCRIPT)),
            style,
            labels,
            disagreements: scoreboard
                .disagreements
                .iter()
                .map(|one| (one.case.as_str(), one))
                .collect(),
            groups: groups::of(scoreboard),
            decided: decided.filter(|(_, count)| *count > 0).collect(),
            outliers: outliers(scoreboard, labels),
            operators: occurrences(cases.iter().map(|case| list(&case.operator))),
            types: occurrences(cases.iter().map(|case| case.types.iter().map(String::as_str))),
            suites: occurrences(cases.iter().map(|case| std::iter::once(case.suite.as_str()))),
            verdicts: Verdict::ALL.into_iter().filter(is_any).collect(),
        }
    }

    fn disagreement(&self, case: &Case) -> Option<&'a Disagreement> {
        self.disagreements.get(case.id.as_str()).copied()
    }

    /// The names of the outliers of a disagreement.
    fn outliers_of(&self, disagreement: &Disagreement) -> String {
        let outliers = disagreement.outliers.iter();
        let names: Vec<_> = outliers
            .filter_map(|outlier| self.labels.get(outlier.backend))
            .map(String::as_str)
            .collect();
        names.join(", ")
    }

    fn name(&self, backend: usize) -> &str {
        self.labels.get(backend).map_or("", String::as_str)
    }

    /// What came of a case, the backends of one verdict and message together.
    fn answers<'c>(&self, case: &'c Case) -> Vec<(Vec<&str>, Option<&'c Cell>)> {
        let mut groups = Vec::<(Vec<&str>, Option<&Cell>)>::new();
        for (label, cell) in self.labels.iter().zip(&case.backends) {
            match groups.iter_mut().find(|(_, known)| same(*known, cell.as_ref())) {
                Some((names, _)) => names.push(label),
                None => groups.push((vec![label], cell.as_ref())),
            }
        }
        groups
    }

    /// The backends that returned an output: places and names.
    fn returning(&self, output: &Output) -> Vec<(usize, &str)> {
        let returned =
            |at: usize| output.elements.iter().any(|element| value_of(element, at).is_some());
        (0..self.labels.len()).filter(|at| returned(*at)).map(|at| (at, self.name(at))).collect()
    }
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

/// How many there are, in words.
fn count_of(count: usize, noun: &str) -> String {
    counted(count as u64, noun)
}

/// How many there are.
fn number_of(count: usize) -> String {
    grouped(count as u64)
}

/// Text as the value of a filter in an address.
fn percent_encoded(text: &str) -> String {
    let encoded = |byte: u8| match byte {
        b'a'..=b'z' | b'A'..=b'Z' | b'0'..=b'9' | b'-' | b'.' | b'_' => char::from(byte).into(),
        _ => format!("%{byte:02X}"),
    };
    text.bytes().map(encoded).collect()
}

/// Whether two backends did the same but for the elements.
fn same(a: Option<&Cell>, b: Option<&Cell>) -> bool {
    match (a, b) {
        (Some(a), Some(b)) => a == b,
        (None, None) => true,
        _ => false,
    }
}

/// An element as a table shows it: decimal, bits, and how it is marked.
struct Shown<'a> {
    decimal: &'a str,
    bits: &'a str,
    mark: &'static str,
}

/// The element that a backend returned.
fn value_of(element: &Element, backend: usize) -> Option<Shown<'_>> {
    let answer = element.answers.iter().find(|answer| answer.backends.contains(&backend))?;
    let (decimal, bits) = decimal_and_bits(&answer.value);
    let is_expected = element.expected.as_ref() == Some(&answer.value);
    let mark = match answer.conforms {
        Some(false) => "wrong",
        Some(true) => "",
        None if element.answers.len() > 1 && !is_expected => "other",
        None => "",
    };
    Some(Shown { decimal, bits, mark })
}

/// The elements of an output on which backends differ, and those on which all agree.
fn parted(output: &Output) -> (Vec<&Element>, Vec<&Element>) {
    output.elements.iter().partition(|element| element.answers.len() > 1)
}

/// An element on which all agree, in a line.
fn agreed(element: &Element) -> String {
    let value = element.answers.first().map_or("", |answer| answer.value.as_str());
    let inputs = element.inputs.join(", ");
    let of = if inputs.is_empty() { String::new() } else { format!(" from {inputs}") };
    format!("{} {value}{of}", bracketed(&element.index))
}

/// The backends of a hard question that did something, with what they did how often.
fn behaviours(question: &HardQuestion) -> Vec<Behaviour> {
    let mut all: Vec<_> =
        question.backends.iter().flat_map(|counts| counts.keys().copied()).collect();
    all.sort_unstable();
    all.dedup();
    all
}

/// Whether the cases of a hard question are few enough to be unfolded.
fn is_short(question: &HardQuestion) -> bool {
    question.cases.iter().map(|case| case.elements.len()).sum::<usize>() <= ROWS_UNFOLDED
}

/// What a backend did with a case that asks a hard question.
fn behaviour_of(case: &HardCase, backend: usize) -> Behaviour {
    case.backends.get(backend).copied().unwrap_or(Behaviour::NotAsked)
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

fn passed(passed: &Passed) -> String {
    if passed.asked == 0 {
        return "not asked".to_owned();
    }
    format!("{} / {}", grouped(passed.passed), grouped(passed.asked))
}

//! `scoreboard.html`: one self-contained page for readers.
//!
//! It shares style, script, escaping and content security policy with the page of a report. The table of all cases and
//! their details are packed, and its script unpacks them; without JavaScript the page has every case that failed.

use std::collections::{BTreeMap, BTreeSet};
use std::fmt;

use askama::Template;
use rayon::prelude::*;

use super::document::{
    Answer, Behaviour, Case, Cell, DecidedBy, Disagreement, DivergentCases, Element, Operator,
    Output, Passed, Requirement, Scoreboard,
};
use super::groups::{self, OfOperator};
use crate::document::page::{STYLE, anchor, content_security_policy};
use crate::document::text::{
    at_separators, bracketed, counted, decimal_and_bits, folder_and_name, grouped, list,
};
use crate::documents::report::html::{SCRIPT, occurrences};
use crate::documents::report::packed::packed;
use crate::foundation::text::{percent_encoded, words};
use crate::judge::requirements::Status;
use crate::judge::verdict::Verdict;

const OWN_STYLE: &str = include_str!("templates/scoreboard.css");

/// Rows up to which the cases of a known divergence are unfolded.
const ROWS_UNFOLDED: usize = 24;

/// Writes the page.
pub fn render(scoreboard: &Scoreboard, out: &mut impl fmt::Write) -> Result<(), askama::Error> {
    let labels = scoreboard.labels();
    let disagreements = scoreboard.disagreements.iter();
    let disagreements = disagreements.map(|one| (one.case.as_str(), one)).collect();
    Page::of(scoreboard, &Board { labels: &labels, disagreements })?.render_into(out)
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
    board: &'a Board<'a>,
    style: String,
    policy: String,
    map: Vec<MapRow<'a>>,
    by_operator: Vec<OfOperator<'a>>,
    /// The cases that failed on every backend that answered, by operator.
    alike: Vec<(&'a str, Vec<&'a Case>)>,
    decided: BTreeMap<DecidedBy, u64>,
    outliers: Vec<(&'a str, u64)>,
    /// How many cases each backend was run on and did not pass, where there are any.
    missed: Vec<(&'a str, u64)>,
    operators: Vec<(&'a str, u64)>,
    types: Vec<(&'a str, u64)>,
    suites: Vec<(&'a str, u64)>,
    verdicts: Vec<Verdict>,
    /// The rows of the requirements that a backend was asked for and did not verify; how many all verified that were
    /// asked, and for how many none was.
    requirements: String,
    requirements_settled: u64,
    requirements_unasked: u64,
    /// What the script unpacks, by name.
    packs: Vec<(&'static str, String)>,
}

/// An operator in the map of operators by backends.
struct MapRow<'a> {
    name: Option<&'a str>,
    cells: Vec<MapCell>,
}

struct MapCell {
    passed: Passed,
    /// The class that gives its colour.
    heat: &'static str,
    /// The address of its cases.
    address: Option<String>,
}

/// What all parts of a page look up.
struct Board<'a> {
    labels: &'a [String],
    /// By case.
    disagreements: BTreeMap<&'a str, &'a Disagreement>,
}

/// The row of a case in the table.
#[derive(Template)]
#[template(path = "scoreboard-row.html")]
struct Row<'a> {
    board: &'a Board<'a>,
    case: &'a Case,
    number: usize,
}

/// The details of a case.
#[derive(Template)]
#[template(path = "scoreboard-case.html")]
struct Details<'a> {
    board: &'a Board<'a>,
    case: &'a Case,
    number: usize,
}

/// The row of a requirement, with what each backend made of it.
#[derive(Template)]
#[template(path = "scoreboard-requirement.html")]
struct RequirementRow<'a> {
    requirement: &'a Requirement,
}

/// The cases of a known divergence, element by element.
#[derive(Template)]
#[template(path = "scoreboard-divergence.html")]
struct Divergence<'a> {
    board: &'a Board<'a>,
    divergence: &'a DivergentCases,
}

impl<'a> Page<'a> {
    fn of(scoreboard: &'a Scoreboard, board: &'a Board<'a>) -> Result<Self, askama::Error> {
        let cases = &scoreboard.cases;
        // As many columns as there are backends; nothing else in the style depends on the data.
        let backends = board.labels.len();
        let style = format!("{STYLE}{OWN_STYLE}.scores {{ --backends: {backends}; }}\n");
        let (asked, unasked): (Vec<_>, Vec<_>) =
            scoreboard.requirements.iter().partition(|one| is_asked(one));
        let (settled, open): (Vec<_>, Vec<_>) = asked.into_iter().partition(|one| is_settled(one));
        let row = |requirement: &'a Requirement| RequirementRow { requirement }.render();
        let settled: Vec<_> = settled.into_iter().map(row).collect::<Result<_, _>>()?;
        let mut packs = packs(scoreboard, board)?;
        if !settled.is_empty() {
            packs.push(("requirements", packed(&settled)?));
        }
        let is_any = |verdict: &Verdict| {
            scoreboard.backends.iter().any(|backend| backend.summary.count(*verdict) > 0)
        };
        Ok(Self {
            scoreboard,
            board,
            policy: content_security_policy(&style, Some(SCRIPT)),
            style,
            map: map(scoreboard, board.labels),
            by_operator: groups::by_operator(scoreboard),
            alike: alike(scoreboard, board),
            decided: scoreboard.decided(),
            outliers: outliers(scoreboard, board.labels),
            missed: missed(scoreboard, board.labels),
            operators: occurrences(cases.iter().map(|case| list(&case.operator))),
            types: occurrences(cases.iter().map(|case| case.types.iter().map(String::as_str))),
            suites: occurrences(cases.iter().map(|case| std::iter::once(case.suite.as_str()))),
            verdicts: Verdict::ALL.into_iter().filter(is_any).collect(),
            requirements: open.into_iter().map(row).collect::<Result<_, _>>()?,
            requirements_settled: settled.len() as u64,
            requirements_unasked: unasked.len() as u64,
            packs,
        })
    }
}

/// The rows and details of all cases, and the tables of known divergences with many cases.
fn packs(
    scoreboard: &Scoreboard,
    board: &Board<'_>,
) -> Result<Vec<(&'static str, String)>, askama::Error> {
    let cases = || scoreboard.cases.par_iter().enumerate();
    let rows = cases().map(|(at, case)| Row { board, case, number: at + 1 }.render());
    let details = cases().map(|(at, case)| Details { board, case, number: at + 1 }.render());
    let divergences = scoreboard.hard_questions.par_iter().map(|divergence| {
        if is_short(divergence) { Ok(String::new()) } else { board.divergence(divergence) }
    });
    let pieces = [
        ("rows", rows.collect::<Result<Vec<_>, _>>()?),
        ("details", details.collect::<Result<_, _>>()?),
        ("divergences", divergences.collect::<Result<_, _>>()?),
    ];
    pieces.par_iter().map(|(name, pieces)| Ok((*name, packed(pieces)?))).collect()
}

/// The operators, with what each backend made of their cases.
fn map<'a>(scoreboard: &'a Scoreboard, labels: &[String]) -> Vec<MapRow<'a>> {
    let mut failed = BTreeMap::<_, u64>::new();
    for case in &scoreboard.cases {
        let name = (!case.operator.contains(", ")).then_some(case.operator.as_str());
        for (at, cell) in case.backends.iter().enumerate() {
            let has_failed = cell.as_ref().is_some_and(|cell| cell.verdict.is_failure());
            *failed.entry((name, at)).or_default() += u64::from(has_failed);
        }
    }
    let row = |operator: &'a Operator| {
        let name = operator.name.as_deref();
        let cells =
            operator.backends.iter().zip(labels).enumerate().map(|(at, (passed, label))| {
                let failed = failed.get(&(name, at)).copied().unwrap_or_default();
                let missed = match passed.passed < passed.asked {
                    true => format!("&missed={}", percent_encoded(label)),
                    false => String::new(),
                };
                let address =
                    name.map(|name| format!("#operator={}{missed}", percent_encoded(name)));
                MapCell { passed: *passed, heat: heat(*passed, failed), address }
            });
        MapRow { name, cells: cells.collect() }
    };
    scoreboard.operators.iter().map(row).collect()
}

/// The class of a cell of the map, by how many of the cases passed and failed.
const fn heat(passed: Passed, failed: u64) -> &'static str {
    let Passed { passed, undecided, asked } = passed;
    match failed {
        _ if asked == 0 => "",
        0 if passed.saturating_add(undecided) >= asked => "all",
        0 if passed > 0 => "part",
        0 => "none",
        _ if failed > asked / 4 => "fail-3",
        _ if failed > asked / 20 => "fail-2",
        _ => "fail-1",
    }
}

/// The cases that failed on a backend, but on which none disagree, by operator.
fn alike<'a>(scoreboard: &'a Scoreboard, board: &Board<'_>) -> Vec<(&'a str, Vec<&'a Case>)> {
    let mut alike = BTreeMap::<&str, Vec<&Case>>::new();
    for case in &scoreboard.cases {
        let has_failed = case.backends.iter().flatten().any(|cell| cell.verdict.is_failure());
        if has_failed && board.disagreement(case).is_none() {
            alike.entry(&case.operator).or_default().push(case);
        }
    }
    alike.into_iter().collect()
}

/// How many cases each backend was run on and did not pass.
fn missed<'a>(scoreboard: &Scoreboard, labels: &'a [String]) -> Vec<(&'a str, u64)> {
    let counts = scoreboard.backends.iter().map(|one| one.summary.cases - one.summary.pass);
    labels.iter().map(String::as_str).zip(counts).filter(|(_, count)| *count > 0).collect()
}

impl Board<'_> {
    fn disagreement(&self, case: &Case) -> Option<&Disagreement> {
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

    /// The verdicts on a case, and the backends of each.
    fn verdicts(&self, case: &Case) -> Vec<(Option<Verdict>, Vec<&str>)> {
        let labels = self.labels.iter().map(String::as_str);
        let verdicts = case.backends.iter().map(|cell| cell.as_ref().map(|cell| cell.verdict));
        groups::by_answer(verdicts.zip(labels))
    }

    /// The table of a known divergence.
    fn divergence(&self, divergence: &DivergentCases) -> askama::Result<String> {
        Divergence { board: self, divergence }.render()
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

/// Whether every backend that was asked for a requirement verified it.
fn is_settled(requirement: &Requirement) -> bool {
    let settled = [Status::Verified, Status::Uncovered, Status::Untestable].map(words);
    let mut statuses = requirement.backends.iter().flatten();
    statuses.all(|status| settled.contains(status))
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

fn label(behaviour: &Behaviour) -> String {
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

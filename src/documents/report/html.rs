//! `report.html`: one self-contained page for readers.
//!
//! The page loads nothing, and its content security policy lets nothing run or style it but the
//! script and the style sheet written here. Every string from the report goes through [`Escape`].
//! What passed is `packed`, and its script unpacks it; without JavaScript the page has every case that did not
//! pass, and everything but filters, sorting and the theme switch.

use std::collections::{BTreeMap, BTreeSet};
use std::fmt;

use askama::Template;
use rayon::prelude::*;

use super::document::{Case, Output, Report, Requirement, Suite, Worst};
use super::operators::{self, Operator};
use super::packed::{packed, packed_parts};
use super::text::values;
use crate::document::page::{Escape, STYLE, anchor, content_security_policy, requirement_anchor};
use crate::document::text::{
    at_separators, bracketed, counted, decimal_and_bits, folder_and_name, grouped, is_integer, list,
};
use crate::foundation::text::natural_order;
use crate::judge::requirements::Status;
use crate::judge::verdict::Verdict;
use crate::oracle::{Share, Ulps};
use askama::filters::Escaper as _;

pub(crate) const SCRIPT: &str = concat!(
    include_str!("templates/theme.js"),
    include_str!("templates/focus.js"),
    include_str!("templates/unpack.js"),
    include_str!("templates/filters.js"),
    include_str!("templates/report.js")
);

/// How many cases that did not pass are listed before the table.
const FAILURES_LISTED: usize = 12;

/// How many bytes the details of cases that did not pass may take on the page; those of the rest are packed.
const DETAILS_SHOWN: usize = 1 << 20;

/// Writes the page. Its requirements link to the page of the requirement matrix at this address, which
/// is relative to the report's page and percent-encoded, where there is one; else to the end of the page.
pub fn render(
    report: &Report,
    matrix: Option<&str>,
    out: &mut impl fmt::Write,
) -> Result<(), askama::Error> {
    Page::of(report, matrix)?.render_into(out)
}

/// The page as text; see [`render`].
pub fn to_text(report: &Report, matrix: Option<&str>) -> Result<String, askama::Error> {
    let mut page = String::new();
    render(report, matrix, &mut page)?;
    Ok(page)
}

#[derive(Template)]
#[template(path = "report.html")]
struct Page<'a> {
    report: &'a Report,
    matrix: Option<&'a str>,
    policy: String,
    verdicts: Vec<Tally>,
    failures: Vec<&'a Case>,
    failures_unlisted: u64,
    /// Where a list of known failures was used: how many failures are not in it, and how many are.
    by_expectation: Vec<(&'static str, u64)>,
    operators: Vec<(&'a str, u64)>,
    by_operator: Vec<Operator<'a>>,
    types: Vec<(&'a str, u64)>,
    /// The rows of the cases that did not pass, and the details of these.
    rows: String,
    details: String,
    /// How many cases passed, and of how many cases the details are not shown at once.
    packed_cases: u64,
    details_packed: u64,
    /// The rows of the requirements that a case names and that are not verified; how many others there are.
    requirements: String,
    requirements_verified: u64,
    requirements_unnamed: u64,
    /// What the script unpacks, by name; that of the provenance apart.
    packs: Vec<(&'static str, String)>,
    durations: String,
}

/// The row of a case in the table.
#[derive(Template)]
#[template(path = "report-row.html")]
struct Row<'a> {
    case: &'a Case,
    number: usize,
    /// Whether its details are shown at once.
    is_detailed: bool,
}

/// The details of a case.
#[derive(Template)]
#[template(path = "report-case.html")]
struct Details<'a> {
    case: &'a Case,
    number: usize,
    matrix: Option<&'a str>,
}

/// The row of a requirement that a case names.
#[derive(Template)]
#[template(path = "report-requirement.html")]
struct RequirementRow<'a> {
    requirement: &'a Requirement,
    /// Its place among those that a case names.
    at: usize,
    /// Its cases that did not pass.
    others: Vec<&'a str>,
    matrix: Option<&'a str>,
}

/// A verdict with its cases and its piece of the bar, in hundredths of its length.
struct Tally {
    verdict: Verdict,
    cases: u64,
    from: f64,
    length: f64,
}

impl<'a> Page<'a> {
    fn of(report: &'a Report, matrix: Option<&'a str>) -> Result<Self, askama::Error> {
        let (mut others, passed): (Vec<&Case>, Vec<&Case>) =
            report.cases.iter().partition(|case| case.verdict != Verdict::Pass);
        if report.expectations_list.is_some() {
            others.sort_by_key(|case| !case.is_unexpected_failure());
        }
        let failures: Vec<&Case> =
            others.iter().copied().filter(|case| case.verdict.is_failure()).collect();
        let unexpected = failures.iter().filter(|case| case.is_unexpected_failure()).count();
        let by_expectation = match report.expectations_list {
            Some(_) => [("unexpected", unexpected), ("known", failures.len() - unexpected)]
                .map(|(name, cases)| (name, cases as u64))
                .to_vec(),
            None => Vec::new(),
        };
        let cases = [others.as_slice(), &passed].concat();
        let details =
            |(at, case): (usize, &&'a Case)| Details { case, number: at + 1, matrix }.render();
        let mut details =
            cases.par_iter().enumerate().map(details).collect::<Result<Vec<_>, _>>()?;
        let shown = shown(&others, &details);
        let row = |(at, case): (usize, &&'a Case)| {
            Row { case, number: at + 1, is_detailed: shown.contains(&at) }.render()
        };
        let mut rows = cases.par_iter().enumerate().map(row).collect::<Result<Vec<_>, _>>()?;
        let packed_rows = rows.split_off(others.len());
        let take = |(at, piece): (usize, &mut String)| {
            if shown.contains(&at) { std::mem::take(piece) } else { String::new() }
        };
        let shown_details: String = details.iter_mut().enumerate().map(take).collect();

        let named = || report.requirements.iter().filter(|one| !one.cases.is_empty());
        let verifying: Vec<_> = named().map(|one| case_links(&one.cases)).collect();
        let others: BTreeSet<_> = others.iter().map(|case| case.id.as_str()).collect();
        let requirement = |(at, requirement): (usize, &'a Requirement)| {
            let ids = requirement.cases.iter().map(String::as_str);
            let others = ids.filter(|id| others.contains(id)).collect();
            RequirementRow { requirement, at, others, matrix }.render()
        };
        let (verified, unverified): (Vec<_>, Vec<_>) =
            named().enumerate().partition(|(_, one)| one.status == Status::Verified.to_string());
        let verified_rows = verified.into_iter().map(requirement).collect::<Result<Vec<_>, _>>()?;
        let requirements =
            unverified.into_iter().map(requirement).collect::<Result<String, _>>()?;

        let durations = report.provenance.durations.iter().map(duration).collect::<Vec<_>>();
        let packs =
            [("rows", &packed_rows), ("details", &details), ("requirements", &verified_rows)];
        let is_any = |piece: &String| !piece.is_empty();
        let packs = packs.into_par_iter().filter(|(_, pieces)| pieces.iter().any(is_any));
        let packs = packs.map(|(name, pieces)| Ok((name, packed(pieces)?)));
        let mut packs = packs.collect::<Result<Vec<_>, askama::Error>>()?;
        if !verifying.is_empty() {
            packs.push(("verifying", packed_parts(&verifying)?));
        }
        Ok(Self {
            report,
            matrix,
            policy: content_security_policy(STYLE, Some(SCRIPT)),
            verdicts: tallies(report),
            failures_unlisted: failures.len().saturating_sub(FAILURES_LISTED) as u64,
            failures: failures.into_iter().take(FAILURES_LISTED).collect(),
            by_expectation,
            operators: occurrences(report.cases.iter().map(|case| list(&case.operator))),
            by_operator: operators::of(report),
            types: occurrences(
                report.cases.iter().map(|case| case.types.iter().map(String::as_str)),
            ),
            rows: rows.concat(),
            details: shown_details,
            packed_cases: passed.len() as u64,
            details_packed: (rows.len() - shown.len()) as u64,
            requirements,
            requirements_verified: verified_rows.len() as u64,
            requirements_unnamed: (report.requirements.len() - verifying.len()) as u64,
            packs,
            durations: match durations.is_empty() {
                true => String::new(),
                false => packed(&durations)?,
            },
        })
    }
}

/// Which of the cases that did not pass have their details on the page, those that failed before the others, as
/// far as there is room.
fn shown(cases: &[&Case], details: &[String]) -> BTreeSet<usize> {
    let (failed, others): (Vec<_>, Vec<_>) =
        (0..cases.len()).partition(|at| cases[*at].verdict.is_failure());
    let mut room = DETAILS_SHOWN;
    let has_room = |at: &usize| match room.checked_sub(details[*at].len()) {
        Some(left) => {
            room = left;
            true
        }
        None => false,
    };
    failed.into_iter().chain(others).take_while(has_room).collect()
}

/// The address of a requirement: on the page of the matrix, where there is one.
fn requirement_address(matrix: Option<&str>, id: &str) -> String {
    match matrix {
        Some(page) => format!("{page}#{}", requirement_anchor(id)),
        None => format!("#requirement-{id}"),
    }
}

/// A list of links to cases, as the parts of a piece of the page.
fn case_links(cases: &[String]) -> Vec<String> {
    let link = |id: &String| {
        format!("<li><a href=\"#{}\"><bdi>{}</bdi></a></li>", anchor(id), escaped(id))
    };
    cases.iter().map(link).collect()
}

/// How long something took, as a piece of the page.
fn duration((name, seconds): (&String, &String)) -> String {
    let [name, seconds] = [name, seconds].map(|text| escaped(text));
    format!("<div><dt><bdi>{name}</bdi></dt><dd>{seconds}</dd></div>")
}

/// A text as the page has it.
fn escaped(text: &str) -> String {
    let mut escaped = String::with_capacity(text.len());
    let _ = Escape.write_escaped_str(&mut escaped, text);
    escaped
}

fn tallies(report: &Report) -> Vec<Tally> {
    let mut from = 0.0;
    Verdict::ALL
        .into_iter()
        .map(|verdict| {
            let cases = report.summary.count(verdict);
            #[expect(clippy::cast_precision_loss, reason = "lengths in a picture")]
            let length = 100.0 * cases as f64 / report.summary.cases.max(1) as f64;
            let tally = Tally { verdict, cases, from, length };
            from += length;
            tally
        })
        .collect()
}

/// Names in natural order with the number of cases that have them.
pub(crate) fn occurrences<'a>(
    cases: impl Iterator<Item = impl Iterator<Item = &'a str>>,
) -> Vec<(&'a str, u64)> {
    let mut counts = BTreeMap::new();
    for names in cases {
        // A name counts once a case.
        for name in names.collect::<BTreeSet<_>>() {
            *counts.entry(name).or_default() += 1;
        }
    }
    let mut counts: Vec<_> = counts.into_iter().collect();
    counts.sort_by(|(a, _), (b, _)| natural_order(a, b));
    counts
}

/// The first line of a case's message.
pub(crate) fn first_line(case: &Case) -> &str {
    case.message.as_deref().and_then(|message| message.lines().next()).unwrap_or_default()
}

/// Whether the table shows the message: where it says something about this case in particular.
fn is_telling(case: &Case) -> bool {
    !matches!(case.verdict, Verdict::Pass | Verdict::Unsupported) && case.message.is_some()
}

/// Whether an element of an output differs at all, or an output could not be compared.
fn differs(case: &Case) -> bool {
    case.outputs.iter().any(|output| {
        output.mismatches > 0 || !output.worst.is_empty() || output.nan_sign_or_payload_differs > 0
    })
}

/// The worst elements of an output that the page has: of a case that passed the first alone.
fn shown_worst<'a>(case: &Case, output: &'a Output) -> &'a [Worst] {
    let most = if case.verdict == Verdict::Pass { 1 } else { usize::MAX };
    output.worst.get(..most).unwrap_or(&output.worst)
}

/// Whether a bound decides results of any of these operators.
fn has_share(operators: &[Operator<'_>]) -> bool {
    operators.iter().any(|one| one.share_of_bound.is_some())
}

/// An error in ULP, after the share of the bound where a bound decides.
fn after_share(share: Option<Share>, ulp: String) -> String {
    match share {
        Some(share) if ulp.is_empty() => format!("{} the bound", share.amount()),
        Some(share) => format!("{} the bound, {ulp} ULP", share.amount()),
        None => ulp,
    }
}

/// An error in ULP, or that there is none.
fn or_dash(error: Option<Ulps>) -> String {
    error.map_or("–".to_owned(), |error| error.to_string())
}

fn or_blank(number: Option<u64>) -> String {
    number.map_or_else(String::new, grouped)
}

/// The rows of a worst element: role, decimal, bits that agree with the other result, bits that
/// do not.
fn worst_rows<'a>(worst: &'a Worst) -> Vec<(&'static str, &'a str, &'a str, &'a str)> {
    let bits = [&worst.expected, &worst.actual].map(|value| decimal_and_bits(value).1);
    let agree = bits[0].bytes().zip(bits[1].bytes()).take_while(|(a, b)| a == b).count();
    let row = |(role, decimal, bits): (_, _, &'a str)| {
        let (same, other) = bits.split_at(if role == "input" { bits.len() } else { agree });
        (role, decimal, same, other)
    };
    values(worst).into_iter().map(row).collect()
}

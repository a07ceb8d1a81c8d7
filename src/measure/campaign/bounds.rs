//! Bounds on what was executed and found: counts that no results give together.

use std::collections::BTreeMap;

use super::document::Campaign;
use super::engine::State;
use super::example::{Example, KEPT, severity};
use super::findings::{Cell, Findings, Heat, cell, first_wrong, sizes};
use super::judge::Judge;
use super::plan::Plan;
use super::recompute;
use crate::check::Check;
use crate::corpus::Digest;
use crate::document::Contradiction;
use crate::document::provenance::EXECUTABLE;
use crate::dtype::{DType, Kind};
use crate::oracle::{Conforming, Deviation};
use crate::sweep::{Classes, bin};
use values::element::Element;

/// Checks what was executed and found, as it was read of the document of a plan.
pub(super) fn check(
    document: &Campaign,
    plan: &Plan,
    judge: Option<&Judge>,
    state: &State,
) -> Result<(), Contradiction> {
    // One after the other: each relies on those before it.
    all(&counted(document, plan, state))?;
    all(&provenance(document))?;
    all(&Listed::of(&state.findings).agrees(document, plan, judge, state))?;
    all(&errors(document, plan, state))?;
    all(&recompute::agreeing(document, plan, judge, state))
}

/// A member that no campaign of this program writes as it is.
pub(super) fn impossible(member: &str) -> Contradiction {
    Contradiction::Impossible(format!("no campaign of this program has such a `{member}`"))
}

/// A member, and whether it agrees with the others.
type Agrees = (&'static str, bool);

fn all(members: &[Agrees]) -> Result<(), Contradiction> {
    let wrong = members.iter().find(|(_, agrees)| !agrees);
    wrong.map_or(Ok(()), |(member, _)| Err(impossible(member)))
}

/// Counts that together are others.
fn counted(document: &Campaign, plan: &Plan, state: &State) -> Vec<Agrees> {
    let part = plan.part();
    let Campaign { executed, mismatches, .. } = *document;
    let Classes { nan, infinite, zero, subnormal, normal, out_of_domain } =
        state.findings.tally.classes;
    let classes = [nan, infinite, zero, subnormal, normal, out_of_domain];
    let is_float = matches!(plan.check.result().kind(), Kind::Float(_));
    let cells = || state.findings.cells.values();
    // Of every so many-th input, by its index.
    let stride = plan.stride();
    let sampled =
        state.done.iter().map(|range| range.end.div_ceil(stride) - range.start.div_ceil(stride));
    vec![
        (
            "ranges",
            state.done.iter().all(|range| part.start <= range.start && range.end <= part.end),
        ),
        ("classes", sum(classes) == Some(executed)),
        ("classes", is_float || (nan, infinite, subnormal) == (0, 0, 0)),
        ("mismatches", mismatches <= executed),
        ("heat_map", sum(cells().map(|heat| heat.sampled)) == sum(sampled)),
        ("heat_map", sum(cells().map(|heat| heat.mismatches)) == Some(mismatches)),
        ("failure", document.failure.is_none() || !document.is_complete()),
    ]
}

/// What the digest does not cover.
fn provenance(document: &Campaign) -> Vec<Agrees> {
    let executable = document.provenance.host.get(EXECUTABLE);
    vec![
        ("provenance.seeds", document.provenance.seeds == document.seeds()),
        ("provenance.host", executable.is_none_or(|digest| digest.parse::<Digest>().is_ok())),
    ]
}

/// The errors of all results: in the histogram, in the heat map, and the largest one.
fn errors(document: &Campaign, plan: &Plan, state: &State) -> Vec<Agrees> {
    let check = &plan.check;
    let dtype = check.result();
    let Campaign { executed, mismatches, .. } = *document;
    let Findings { tally, worst, cells, .. } = &state.findings;
    let (classes, bins) = (tally.classes, &tally.histogram);
    let largest = tally.largest.map(|largest| largest.deviation);
    let is_wrong = |error| is_wrong(check, error);

    // Whatever has a real result is in a bin. A zero has none where it is a quotient by an infinity, and no truth value has
    // one.
    let real = sum(bins.iter().copied());
    let decided = executed.saturating_sub(classes.out_of_domain);
    let (least, most) = match dtype.kind() {
        Kind::Int { .. } => (decided, decided),
        Kind::Bool | Kind::String => (0, 0),
        _ => {
            let numbers = classes.normal.saturating_add(classes.subnormal);
            (numbers, decided.saturating_sub(classes.nan))
        }
    };
    // What is too far off is wrong, and what is near enough is right, but for the signs of zeros.
    let too_far = sum(bins[first_wrong(check)..].iter().copied());
    let near = sum(bins[..if is_integer(dtype) { 1 } else { 5 }].iter().copied());
    let near =
        near.map(|near| near.saturating_sub(if is_integer(dtype) { 0 } else { classes.zero }));
    let last = bins.iter().rposition(|&results| results > 0);

    // The largest error among wrong results, where it is known.
    let of_wrong = worst.iter().map(|example| example.error).find(|&error| error != NO_REAL_RESULT);
    let all_wrong_known = of_wrong.is_some() || worst.len() as u64 == mismatches;
    let is_largest = of_wrong <= largest
        && (!all_wrong_known || !largest.is_some_and(is_wrong) || largest == of_wrong);

    let hidden = cells.values().any(|heat| heat.worst == Some(NO_REAL_RESULT));
    let seen =
        cells.values().filter_map(|heat| heat.worst).filter(|&error| error != NO_REAL_RESULT);
    let seen = seen.max();
    // Of wrong results every one is in the map, and of the others those that are sampled.
    let must_be_seen = !hidden && (plan.stride() == 1 || largest.is_some_and(is_wrong));
    let worst = worst.first().map(|example| severity(example.error));
    let size = sizes(plan.check.dtype()).unwrap_or(1);
    let is_unary = plan.check.axes().len() == 1;
    let fits = |(&(a, b), heat): (&Cell, &Heat)| {
        let &Heat { sampled, mismatches, worst: error } = heat;
        let agrees = match error {
            None => mismatches == 0,
            Some(error) if is_wrong(error) => mismatches > 0 && Some(severity(error)) <= worst,
            Some(_) => true,
        };
        a < size && b < size && (!is_unary || a == b) && (sampled > 0 || mismatches > 0) && agrees
    };
    vec![
        ("histogram", real.is_some_and(|real| (least..=most).contains(&real))),
        ("histogram", too_far.is_some_and(|too_far| too_far <= mismatches)),
        ("histogram", near.is_some_and(|near| mismatches <= executed.saturating_sub(near))),
        ("max_error_ulp", largest.map(bin) == last.map(Some)),
        ("max_error_ulp", is_largest),
        ("heat_map", cells.iter().all(fits)),
        ("heat_map", seen <= largest && (!must_be_seen || seen == largest)),
    ]
}

/// The counterexamples, each once, by their index.
struct Listed<'a>(BTreeMap<u64, &'a Example>);

impl<'a> Listed<'a> {
    fn of(findings: &'a Findings) -> Self {
        let all = findings.first.iter().chain(&findings.worst);
        Self(all.map(|example| (example.index, example)).collect())
    }

    fn agrees(
        &self,
        document: &Campaign,
        plan: &Plan,
        judge: Option<&Judge>,
        state: &State,
    ) -> Vec<Agrees> {
        let Self(listed) = self;
        let (check, mismatches) = (&plan.check, document.mismatches);
        let Findings { first, worst, cells, tally, .. } = &state.findings;
        let kept = mismatches.min(KEPT as u64);
        let mut again = Findings::default();
        listed.values().for_each(|example| again.keep(example));
        let are_kept = [first, worst].map(|examples| examples.len() as u64) == [kept; 2]
            && (&again.first, &again.worst) == (first, worst)
            && listed.len() as u64 <= mismatches;
        // Each is an input that was executed, with a result that does not conform.
        let is_one = |example: &&Example| {
            state.done.contains(example.index)
                && operands_at(plan, example.index) == example.operands
                && !conforming(check, example).accepts_element(&example.actual)
        };
        let mut by_cell = BTreeMap::<Cell, Vec<Deviation>>::new();
        let mut by_bin = [0; crate::sweep::BINS];
        for example in listed.values() {
            let cell = cell(check, &example.operands);
            by_cell.entry(cell).or_default().push(example.error);
            if let (Some(bin), true) = (bin(example.error), conforming(check, example).is_decided())
            {
                by_bin[bin] += 1;
            }
        }
        let are_in_map = by_cell.iter().all(|(cell, errors)| {
            let worst = errors.iter().copied().map(severity).max();
            cells.get(cell).is_some_and(|heat| {
                errors.len() as u64 <= heat.mismatches && worst <= heat.worst.map(severity)
            })
        });
        let are_in_bins = by_bin.iter().zip(&tally.histogram).all(|(listed, all)| listed <= all);
        let some: Vec<Example> = listed.values().map(|&example| example.clone()).collect();
        let violations = match judge {
            None => document.violations.is_none_or(|violations| violations <= mismatches),
            Some(judge) => match (judge.possible(check, &some, mismatches), document.violations) {
                (None, None) => true,
                (Some(possible), Some(violations)) => possible.contains(&violations),
                _ => false,
            },
        };
        vec![
            ("counterexamples", are_kept && listed.values().all(is_one)),
            ("heat_map", are_in_map),
            ("histogram", are_in_bins),
            ("violations", violations),
        ]
    }
}

const NO_REAL_RESULT: Deviation = Deviation::NoRealResult;

fn is_integer(dtype: DType) -> bool {
    matches!(dtype.kind(), Kind::Int { .. })
}

/// What conforms for the operands of a counterexample.
fn conforming(check: &Check, example: &Example) -> Conforming {
    check.function().conforming(check.result(), &example.operands)
}

/// Whether no correct result has such an error.
fn is_wrong(check: &Check, error: Deviation) -> bool {
    bin(error).is_none_or(|bin| bin >= first_wrong(check))
}

/// The operands at an index of the plan's inputs.
fn operands_at(plan: &Plan, index: u64) -> Vec<Element> {
    let mut columns = plan.check.columns();
    columns.iter_mut().for_each(|column| column.resize(1));
    plan.space.fill(index, &mut columns);
    columns.iter().map(|column| column.get(0)).collect()
}

/// The sum of counts, where it fits.
fn sum(counts: impl IntoIterator<Item = u64>) -> Option<u64> {
    counts.into_iter().try_fold(0_u64, u64::checked_add)
}

//! Small campaigns, counted anew: a result that conforms is what the reference says, and one that does
//! not is listed, so that of few inputs everything can be told without the implementation.

use std::collections::{BTreeMap, BTreeSet};

use super::Column;
use super::document::Campaign;
use super::engine::State;
use super::findings::{Cell, Findings};
use super::judge::{Judge, expected};
use super::plan::Plan;
use values::element::Element;

/// Most inputs that are counted anew, which takes milliseconds.
const MOST: u64 = 1 << 16;

/// Inputs of a batch.
const BATCH: u64 = 1 << 12;

/// Whether members are what comes of the inputs; none where they are too many to count.
pub(super) fn agreeing(
    document: &Campaign,
    plan: &Plan,
    judge: Option<&Judge>,
    state: &State,
) -> Vec<(&'static str, bool)> {
    if document.executed > MOST {
        return Vec::new();
    }
    let found = &state.findings;
    let listed = found.first.iter().chain(&found.worst);
    let listed: BTreeMap<u64, &Element> =
        listed.map(|example| (example.index, &example.actual)).collect();
    let again = recomputed(plan, judge, state, &listed);
    // Results that are wrong and not listed were taken for correct ones here.
    let unlisted = document.mismatches.saturating_sub(listed.len() as u64);
    let histogram = found.tally.histogram.iter().zip(again.tally.histogram);
    let moved = histogram.map(|(one, other)| one.abs_diff(other)).max().unwrap_or(0);
    let sampled =
        |findings: &Findings, cell: &Cell| findings.cells.get(cell).map_or(0, |heat| heat.sampled);
    let cells: BTreeSet<&Cell> = found.cells.keys().chain(again.cells.keys()).collect();
    let largest = |findings: &Findings| findings.tally.largest.map(|largest| largest.deviation);
    let whole = unlisted == 0;
    vec![
        ("classes", found.tally.classes == again.tally.classes),
        ("histogram", moved <= unlisted),
        ("heat_map", cells.iter().all(|cell| sampled(found, cell) == sampled(&again, cell))),
        ("max_error_ulp", !whole || largest(found) == largest(&again)),
        ("heat_map", !whole || found.cells == again.cells),
    ]
}

/// What is found where every result is a correct one, but for those that are listed by their index.
fn recomputed(
    plan: &Plan,
    judge: Option<&Judge>,
    state: &State,
    listed: &BTreeMap<u64, &Element>,
) -> Findings {
    let check = &plan.check;
    let violations = judge.and_then(Judge::no_violations);
    let mut findings = Findings { violations, ..Findings::default() };
    let mut operands = check.columns();
    let mut results = Column::new(check.result());
    for range in state.done.iter() {
        for first in range.clone().step_by(BATCH as usize) {
            let count = (range.end - first).min(BATCH) as usize;
            operands.iter_mut().for_each(|column| column.resize(count));
            results.resize(count);
            plan.space.fill(first, &mut operands);
            for (at, index) in (0..count).zip(first..) {
                let correct = || {
                    let operands: Vec<_> = operands.iter().map(|column| column.get(at)).collect();
                    expected(check, &operands)
                };
                results.put(at, listed.get(&index).copied().cloned().unwrap_or_else(correct));
            }
            findings.add(plan, judge, first, &operands, &results);
        }
    }
    findings
}

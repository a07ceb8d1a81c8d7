//! Which entries of a list hold by reports, and which cases they leave open.

use super::seen::{Seen, SeenCase, holds};
use crate::document::text::{counted, grouped};
use crate::foundation::text::natural_order;
use crate::judge::expect::Known;
use crate::judge::verdict::Verdict;

/// What became of a list.
pub(super) struct Judged<'s> {
    /// Why each entry has to go, in their order; none where it stays.
    pub(super) verdicts: Vec<Option<String>>,
    /// The cases that no entry which stays decides, in natural order of their ids.
    pub(super) open: Vec<Open<'s>>,
}

/// A case that no entry decides.
pub(super) struct Open<'s> {
    pub(super) seen: &'s SeenCase<'s>,
    /// The entry that said so of it, and had to go for other cases.
    pub(super) was: Option<Known>,
}

/// Sees each entry against the cases that it decides: those that no entry before it does that stays.
pub(super) fn judge<'s>(entries: &[Known], seen: &'s Seen<'_>) -> Judged<'s> {
    let mut open: Vec<_> = seen.cases.iter().map(|seen| Open { seen, was: None }).collect();
    let mut verdicts = Vec::new();
    for entry in entries {
        let (mut its, others): (Vec<_>, Vec<_>) =
            open.into_iter().partition(|open| entry.matches(&open.seen.facts()));
        let why = why_not(entry, &its, seen);
        open = others;
        if why.is_some() {
            for case in its.iter_mut().filter(|case| case.was.is_none() && says(entry, case.seen)) {
                case.was = Some(entry.clone());
            }
            open.append(&mut its);
        }
        verdicts.push(why);
    }
    open.sort_by(|a, b| natural_order(&a.seen.case.id, &b.seen.case.id));
    Judged { verdicts, open }
}

/// Why an entry that decides these cases has to go.
fn why_not(entry: &Known, its: &[Open<'_>], seen: &Seen<'_>) -> Option<String> {
    let off: Vec<_> = its.iter().filter(|case| !fits(entry, case.seen)).collect();
    if off.is_empty() {
        let is_idle = !its.iter().any(|case| says(entry, case.seen));
        let why = match its {
            [] => "it decides no case".to_owned(),
            _ => format!(
                "none of {} came out as {}",
                counted(its.len() as u64, "case"),
                entry.verdict
            ),
        };
        return (is_idle && seen.holds_all_of(entry)).then_some(why);
    }
    let passing = off.iter().filter(|case| case.seen.passes()).count() as u64;
    let all = counted(its.len() as u64, "case");
    let others = off.len() as u64 - passing;
    let mut told = Vec::new();
    if passing > 0 {
        told.push(format!("{} of {all} passed", grouped(passing)));
    }
    if others > 0 {
        told.push(format!("{} of {all} failed otherwise", grouped(others)));
    }
    Some(told.join(", "))
}

/// Whether a run in which a case ends as it did would not tell it as unexpected.
fn fits(entry: &Known, case: &SeenCase<'_>) -> bool {
    entry.verdict == Verdict::Skipped || case.verdicts.iter().all(|verdict| holds(entry, *verdict))
}

/// Whether a case is as an entry says, or nothing is known that contradicts it.
fn says(entry: &Known, case: &SeenCase<'_>) -> bool {
    let is_so = entry.verdict == Verdict::Skipped
        || entry.flaky
        || case.is_unknown()
        || case.verdicts.contains(&entry.verdict);
    is_so && fits(entry, case)
}

//! Entries for cases that are in none: as few as patterns of their beginnings and folders allow.

use std::collections::BTreeMap;

use super::judge::Open;
use super::merge::{Pattern, merged};
use super::seen::Need;
use crate::foundation::printable::on_one_line;
use crate::foundation::text::grouped;
use crate::judge::expect::Known;
use crate::judge::verdict::Verdict;
use values::text::bounded;

/// Longest reason that is taken from a message, in bytes.
const REASON_KEPT: usize = 200;

/// What ends a part of a name.
const SEPARATORS: [char; 2] = ['/', '_'];

/// What cases have in common that one entry may speak of.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
struct Alike<'a> {
    corpus: &'a str,
    operator: &'a str,
    verdict: Verdict,
    flaky: bool,
    /// The reason and the link of the entry that they had; none where they had none.
    was: Option<(&'a str, Option<&'a str>)>,
}

/// The entries that open cases need, and of each whether it is what is left of another one.
pub(super) fn entries(open: &[Open<'_>]) -> Vec<(bool, Known)> {
    let mut groups = BTreeMap::<Alike<'_>, Vec<&Open<'_>>>::new();
    for case in open {
        let (verdict, flaky) = match (&case.was, case.seen.need()) {
            (Some(was), _) => (was.verdict, was.flaky),
            (None, Need::Entry { verdict, flaky }) => (verdict, flaky),
            (None, Need::Nothing | Need::TooMuch) => continue,
        };
        let was = case.was.as_ref().map(|was| (was.reason.as_str(), was.link.as_deref()));
        // What had one reason may have several operators.
        let operator = if was.is_some() { "" } else { &case.seen.case.operator };
        let corpus = case.seen.corpus();
        groups.entry(Alike { corpus, operator, verdict, flaky, was }).or_default().push(case);
    }
    let mut ids: Vec<&str> = open.iter().map(|case| case.seen.case.id.as_str()).collect();
    ids.sort_unstable();
    let mut entries = Vec::new();
    for (alike, mut cases) in groups {
        cases.sort_unstable_by_key(|case| &case.seen.case.id);
        let patterns = patterns(&cases, &ids, alike.corpus.len() + 1);
        for (pattern, cases) in merged(patterns, &ids) {
            let (reason, link) = match alike.was {
                Some((reason, link)) => (reason.to_owned(), link.map(str::to_owned)),
                None => (reason(&cases), None),
            };
            let Alike { verdict, flaky, .. } = alike;
            let entry = Known { cases: pattern, verdict, flaky, reason, link, ..Known::default() };
            entries.push((alike.was.is_some(), entry));
        }
    }
    entries
}

/// Patterns for these cases, each of which matches none of the others: `ids` are all of them. Both are in
/// the order of bytes. A pattern says more than the first part of the id, which is so long.
fn patterns<'o>(cases: &[&'o Open<'o>], ids: &[&str], least: usize) -> Vec<Pattern<'o>> {
    let id = |case: &&'o Open<'o>| case.seen.case.id.as_str();
    let (Some(first), Some(last)) = (cases.first().map(id), cases.last().map(id)) else {
        return Vec::new();
    };
    if cases.len() == 1 {
        return vec![(first.to_owned(), cases.to_vec())];
    }
    // In the order of bytes the first and the last have in common what all have.
    let alike = first.chars().zip(last.chars()).take_while(|(a, b)| a == b);
    let common = &first[..alike.map(|(char, _)| char.len_utf8()).sum()];
    let from = ids.partition_point(|id| *id < common);
    let with_it = ids[from..].iter().take_while(|id| id.starts_with(common)).count();
    let is_telling = common.len() > least && !common.ends_with("/test_");
    if is_telling && with_it == cases.len() && !common.contains('*') {
        return vec![(format!("{common}*"), cases.to_vec())];
    }
    let part = |case: &&'o Open<'o>| {
        let rest = id(case).get(common.len()..).unwrap_or_default();
        rest.split_inclusive(SEPARATORS).next().unwrap_or_default()
    };
    cases
        .chunk_by(|a, b| part(a) == part(b))
        .flat_map(|cases| patterns(cases, ids, least))
        .collect()
}

/// Why cases fail, in the words of the first one's message.
fn reason(cases: &[&Open<'_>]) -> String {
    let line = |case: &&Open<'_>| {
        let line = case.seen.message.and_then(|message| message.lines().next());
        line.map(str::trim)
            .filter(|line| !line.is_empty())
            .unwrap_or("no message says why")
            .to_owned()
    };
    let lines: Vec<_> = cases.iter().map(line).collect();
    let first = lines.first().cloned().unwrap_or_default();
    let told = bounded(on_one_line(&first), REASON_KEPT);
    let others = lines.iter().filter(|line| **line != first).count() as u64;
    if others == 0 { told } else { format!("{told} (and {} with other words)", grouped(others)) }
}

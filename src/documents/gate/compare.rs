//! The comparison: baseline and report side by side.

use std::collections::{BTreeMap, BTreeSet};

use super::change::{Change, ChangeKind, Kind, Weight};
use crate::backend::Isolation;
use crate::document::text::{counted, grouped};
use crate::documents::report::baseline::{Baseline, BaselineCase, Measures};
use crate::documents::report::document::{
    Backend, Case, Corpus, Expectation, ExpectationsList, Report,
};
use crate::documents::report::text::expected;
use crate::foundation::text::natural_order;
use crate::judge::verdict::Verdict;

/// Lines of a case's message that are compared and shown.
const MESSAGE_LINES: usize = 8;

/// Cases of a known failure that are shown.
const KNOWN_SHOWN: usize = 5;

/// What is compared with what.
pub(super) fn heading(baseline: &Baseline, report: &Report) -> Vec<String> {
    let cases = counted(report.summary.cases, "case");
    let elements = counted(report.summary.elements_compared, "element");
    let (then, compared) = (&baseline.summary, grouped(baseline.summary.elements_compared));
    let lists = [&report.expectations_list, &baseline.expectations_list];
    let [list, was] =
        lists.map(|list| list.as_ref().map_or("none".to_owned(), ExpectationsList::short));
    let lists = match list == was {
        true => format!("known failures: {list}"),
        false => format!("known failures: {list}; in the baseline {was}"),
    };
    let lines = [
        format!("{} {}, profile {}", report.backend.name, report.backend.version, report.profile),
        format!(
            "{cases}, {elements} compared; in the baseline {}, {compared}",
            grouped(then.cases)
        ),
    ];
    let is_used = report.expectations_list.is_some() || baseline.expectations_list.is_some();
    lines.into_iter().chain(is_used.then_some(lists)).collect()
}

/// Everything that differs, by kind and in natural order of what differs.
pub(super) fn changes(baseline: &Baseline, report: &Report) -> Vec<Change> {
    let mut changes = Vec::new();
    changes.extend(of_backend(&baseline.backend, &report.backend));
    changes.extend(of_profile(&baseline.profile, &report.profile));
    changes.extend(of_isolation(baseline.isolation, report.isolation));
    changes.extend(of_corpora(&baseline.corpora, &report.corpora));
    let then = by_name(&baseline.cases, |case| &case.id);
    let now = by_name(&report.cases, |case| &case.id);
    for id in names(&then, &now) {
        match (then.get(id), now.get(id)) {
            (Some(then), Some(now)) => of_case(then, now, &mut changes),
            (Some(then), None) => {
                changes.push(Change::new(ChangeKind::LostCase, id, described(then), String::new()));
            }
            (None, Some(now)) => changes.push(of_new_case(now)),
            (None, None) => {}
        }
    }
    changes.extend(of_expectations(report));
    changes.sort_by(|a, b| a.kind.cmp(&b.kind).then_with(|| natural_order(&a.what, &b.what)));
    changes
}

fn by_name<T>(items: &[T], name: impl Fn(&T) -> &String) -> BTreeMap<&str, &T> {
    items.iter().map(|item| (name(item).as_str(), item)).collect()
}

fn names<'a, A, B>(a: &BTreeMap<&'a str, A>, b: &BTreeMap<&'a str, B>) -> BTreeSet<&'a str> {
    a.keys().chain(b.keys()).copied().collect()
}

fn of_backend(then: &Backend, now: &Backend) -> Option<Change> {
    let lines = |backend: &Backend| {
        let details = backend.details.iter().map(|(name, text)| format!("{name} {text}\n"));
        format!("version {}\n{}", backend.version, details.collect::<String>())
    };
    (then != now)
        .then(|| Change::new(ChangeKind::ChangedBackend, &now.name, lines(then), lines(now)))
}

fn of_profile(then: &str, now: &str) -> Option<Change> {
    let lines = |profile| format!("{profile}\n");
    (then != now)
        .then(|| Change::new(ChangeKind::ChangedProfile, "profile", lines(then), lines(now)))
}

fn of_isolation(then: Isolation, now: Isolation) -> Option<Change> {
    let lines = |isolation: Isolation| format!("{}\n", isolation.meaning());
    (now < then)
        .then(|| Change::new(ChangeKind::WeakerIsolation, "isolation", lines(then), lines(now)))
}

fn of_corpora(then: &[Corpus], now: &[Corpus]) -> Vec<Change> {
    let then = by_name(then, |corpus| &corpus.name);
    let now = by_name(now, |corpus| &corpus.name);
    let lines = |corpus: Option<&&Corpus>| {
        corpus.map_or_else(String::new, |corpus| {
            format!("{}\nSHA-256 {}\n", counted(corpus.cases, "case"), corpus.digest)
        })
    };
    names(&then, &now)
        .into_iter()
        .map(|name| (name, then.get(name), now.get(name)))
        .filter(|(_, then, now)| then != now)
        .map(|(name, then, now)| {
            Change::new(ChangeKind::ChangedCorpus, name, lines(then), lines(now))
        })
        .collect()
}

/// Surprises of the report's own: the list of known failures is not as it should be, whatever the
/// baseline holds. An entry is one finding, however many cases it has.
fn of_expectations(report: &Report) -> Vec<Change> {
    let mut changes = Vec::new();
    for known in &report.expectations {
        let then = format!("{}: {}\n", expected(known.verdict, known.flaky), known.reason);
        if !known.unexpected_passes.is_empty() {
            let (then, now) = (then.clone(), passing(known));
            changes.push(Change::new(ChangeKind::UnexpectedPass, &known.cases, then, now));
        }
        if known.stale {
            let now = String::new();
            changes.push(Change::new(ChangeKind::StaleExpectation, &known.cases, then, now));
        }
    }
    changes
}

/// How many cases of a known failure pass, and the first of them.
fn passing(known: &Expectation) -> String {
    let passes = &known.unexpected_passes;
    if passes.as_slice() == std::slice::from_ref(&known.cases) {
        return "passes\n".to_owned();
    }
    let (count, all) = (passes.len() as u64, counted(known.matched, "case"));
    let shown = passes.iter().take(KNOWN_SHOWN).map(|id| format!("  {id}\n"));
    let more = passes.len().saturating_sub(KNOWN_SHOWN) as u64;
    let more = if more > 0 { format!("  and {} more\n", grouped(more)) } else { String::new() };
    let pass = if count == 1 { "passes" } else { "pass" };
    format!("{} of {all} {pass}\n{}{more}", grouped(count), shown.collect::<String>())
}

fn of_new_case(now: &Case) -> Change {
    let case = BaselineCase::of(now);
    let kind =
        if case.is_unexpected_failure() { ChangeKind::NewFailure } else { ChangeKind::NewCase };
    Change::new(kind, &now.id, String::new(), described(&case) + &message(now))
}

/// What differs in a case that both have. A verdict that is worse, or a pass that was none, accounts for whatever
/// else differs; another case that is better is better once, in whatever it is.
fn of_case(then: &BaselineCase, now: &Case, changes: &mut Vec<Change>) {
    let case = BaselineCase::of(now);
    let kind = of_verdicts(then, &case);
    if let Some(kind) = kind {
        let lines = described(&case) + &message(now);
        changes.push(Change::new(kind, &now.id, described(then), lines));
    }
    // What a flaky case measures comes and goes with its verdict.
    if !case.is_flaky_as_expected()
        && !matches!(
            kind,
            Some(
                ChangeKind::NewFailure
                    | ChangeKind::LostPass
                    | ChangeKind::KnownFailure
                    | ChangeKind::NewPass
            )
        )
    {
        let (then, now) = (outputs(then), outputs(&case));
        let measured = MEASURED.iter().flat_map(|of| of.changes(&case.id, &then, &now));
        let (better, others): (Vec<_>, Vec<_>) =
            measured.partition(|change| change.kind.weight() == Weight::Improvement);
        changes.extend(others);
        changes.extend(better.into_iter().rev().reduce(|all, other| all.and(&other)));
    }
}

/// What kind of change the verdicts are, each with what was expected.
fn of_verdicts(then: &BaselineCase, now: &BaselineCase) -> Option<ChangeKind> {
    let is_same = then.verdict == now.verdict;
    if now.is_unexpected_failure() {
        return (!is_same || !then.is_unexpected_failure()).then_some(ChangeKind::NewFailure);
    }
    match now.verdict {
        _ if is_same => None,
        _ if now.is_flaky_as_expected() => Some(ChangeKind::FlakyCase),
        verdict if verdict.is_failure() => Some(ChangeKind::KnownFailure),
        Verdict::Pass => Some(ChangeKind::NewPass),
        _ if then.verdict == Verdict::Pass => Some(ChangeKind::LostPass),
        _ => Some(ChangeKind::ChangedVerdict),
    }
}

/// Something measured on outputs.
struct Measured {
    /// What kind of change it is, where it is one.
    kind: fn(then: &Measures, now: &Measures) -> Option<ChangeKind>,
    describe: fn(&Measures) -> String,
}

/// Of an output of which nothing was compared before, nothing got larger: the verdict says how it is.
const MEASURED: [Measured; 3] = [
    Measured {
        kind: |then, now| match () {
            () if is_lost(then, now) => Some(ChangeKind::LostElements),
            () if is_lost(now, then) => Some(ChangeKind::MoreElements),
            () => None,
        },
        describe: |output| {
            let compared = counted(output.elements, "element");
            format!("{compared} compared, {} undecided", grouped(output.undecided))
        },
    },
    Measured {
        kind: |then, now| match (then.max_ulp, now.max_ulp) {
            _ if then.elements == 0 => None,
            (before, Some(now)) if now > before.unwrap_or(0) => Some(ChangeKind::MoreUlp),
            _ if is_lost(then, now) => None,
            (Some(then), Some(now)) if now < then => Some(ChangeKind::LessUlp),
            (Some(1..), None) => Some(ChangeKind::LostUlp),
            _ => None,
        },
        describe: ulp,
    },
    Measured {
        kind: |then, now| match () {
            () if then.elements == 0 => None,
            () if now.mismatches > then.mismatches => Some(ChangeKind::MoreMismatches),
            () if now.mismatches < then.mismatches && !is_lost(then, now) => {
                Some(ChangeKind::FewerMismatches)
            }
            () => None,
        },
        describe: differing,
    },
];

/// Whether fewer elements were compared, or answered at all. Those that are gone can neither differ
/// nor be far off, so that what is left of the output is not better for it.
const fn is_lost(then: &Measures, now: &Measures) -> bool {
    now.elements < then.elements || answered(now) < answered(then)
}

impl Measured {
    /// The outputs that differ, by the kind of change.
    fn changes(
        &self,
        id: &str,
        then: &BTreeMap<&str, Measures>,
        now: &BTreeMap<&str, Measures>,
    ) -> impl Iterator<Item = Change> {
        let none = Measures::default();
        let mut changes = BTreeMap::<ChangeKind, (String, String)>::new();
        for name in names(then, now) {
            let (then, now) = (then.get(name).unwrap_or(&none), now.get(name).unwrap_or(&none));
            let Some(kind) = (self.kind)(then, now) else { continue };
            let (before, after) = changes.entry(kind).or_default();
            *before += &format!("{name}: {}\n", (self.describe)(then));
            *after += &format!("{name}: {}\n", (self.describe)(now));
        }
        changes.into_iter().map(move |(kind, (then, now))| Change::new(kind, id, then, now))
    }
}

/// The outputs by name. Several of one name, which a graph may not have, count as one.
fn outputs(case: &BaselineCase) -> BTreeMap<&str, Measures> {
    let mut outputs = BTreeMap::<&str, Measures>::new();
    for output in &case.outputs {
        let all = outputs.entry(&output.name).or_default();
        all.elements = all.elements.saturating_add(output.elements);
        all.undecided = all.undecided.saturating_add(output.undecided);
        all.mismatches = all.mismatches.saturating_add(output.mismatches);
        all.max_ulp = all.max_ulp.max(output.max_ulp);
    }
    outputs
}

const fn answered(output: &Measures) -> u64 {
    output.elements.saturating_add(output.undecided)
}

fn differing(output: &Measures) -> String {
    format!("{} of {} differ", grouped(output.mismatches), counted(output.elements, "element"))
}

fn ulp(output: &Measures) -> String {
    output.max_ulp.map_or_else(|| "no distance".to_owned(), |ulp| format!("{} ULP", grouped(ulp)))
}

/// The result of a case, in lines.
fn described(case: &BaselineCase) -> String {
    let BaselineCase { verdict, expected, .. } = case;
    let note = match () {
        () if case.is_flaky_as_expected() => format!(", {}", self::expected(*expected, true)),
        () if expected.can_be_known() && verdict == expected => ", as expected".to_owned(),
        () if verdict.is_failure() => ", not expected".to_owned(),
        () if expected.can_be_known() => format!(", {}", self::expected(*expected, false)),
        () => String::new(),
    };
    let outputs = case
        .outputs
        .iter()
        .map(|output| format!("{}: {}, {}\n", output.name, differing(output), ulp(output)));
    format!("{verdict}{note}\n{}", outputs.collect::<String>())
}

fn message(case: &Case) -> String {
    let lines = case.message.as_deref().unwrap_or_default().lines().take(MESSAGE_LINES);
    lines.map(|line| format!("{line}\n")).collect()
}

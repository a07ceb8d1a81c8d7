//! The gate: each kind of finding, what is none, bad input, and what users and CI jobs see of it.

#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic, reason = "tests may panic")]

use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Output};

use onnx_conformance::backend::Isolation;
use onnx_conformance::document::JsonDocument;
use onnx_conformance::document::style::Style;
use onnx_conformance::documents::gate::{
    Change, ChangeKind, Comparison, GateError, Kind, Weight, markdown, text,
};
use onnx_conformance::documents::report::baseline::{self, Baseline};
use onnx_conformance::documents::report::document::{Case, Corpus, Expectation, Report, Summary};
use onnx_conformance::judge::verdict::Verdict;
use tempfile::TempDir;
use unicode_width::UnicodeWidthStr;

use crate::support::reports::{self as synthetic, case, every_verdict, hostile, large, report};

const A: &str = "onnx-1.22.0/node/test_a";
const PLAIN: Style = Style { width: 80, color: false };

/// A report of one case.
fn one(verdict: Verdict) -> Report {
    report(vec![case(A, "Div", verdict)])
}

fn expecting(verdict: Verdict, expected: Verdict) -> Report {
    let mut report = one(verdict);
    report.cases[0].expected = expected;
    report
}

/// One passing case beside the one in question, so that the baseline compared something.
fn beside(mut report: Report) -> Report {
    report.cases.push(case("onnx-1.22.0/node/test_z", "Div", Verdict::Pass));
    report.summary = Summary::of(&report.cases);
    report
}

fn changes(then: &Report, now: &Report) -> Vec<Change> {
    let baseline = Baseline::of(then);
    Comparison::of(&baseline, now).unwrap().changes
}

fn kinds(then: &Report, now: &Report) -> Vec<ChangeKind> {
    changes(then, now).into_iter().map(|change| change.kind).collect()
}

/// The kinds of what differs after an edit of the report's first case.
fn after(verdict: Verdict, edit: impl FnOnce(&mut Case)) -> Vec<ChangeKind> {
    let then = beside(one(verdict));
    let mut now = then.clone();
    edit(&mut now.cases[0]);
    kinds(&then, &now)
}

fn difference(change: &Change) -> Vec<String> {
    change.difference().iter().map(|(sign, line)| format!("{sign} {line}")).collect()
}

#[test]
fn a_report_differs_in_nothing_from_itself() {
    for report in [every_verdict(), hostile(), large()] {
        let report = beside(report);
        assert_eq!(changes(&report, &report), []);
    }
}

#[test]
fn every_change_of_verdict_is_a_finding_a_note_or_an_improvement() {
    use Verdict::{Fail, OutOfDomain, Pass, Skipped, Unsupported};
    for then in Verdict::ALL {
        for now in Verdict::ALL.into_iter().filter(|&now| now != then) {
            let (then_report, now_report) = (beside(one(then)), beside(one(now)));
            let found = kinds(&then_report, &now_report);
            let first = match (then, now) {
                (_, now) if now.is_failure() => ChangeKind::NewFailure,
                (Pass, _) => ChangeKind::LostPass,
                // The failing case was compared, and is not any more.
                (Fail, Unsupported | OutOfDomain | Skipped) => ChangeKind::LostElements,
                (_, Pass) => ChangeKind::NewPass,
                _ => ChangeKind::ChangedVerdict,
            };
            assert_eq!(found[0], first, "{then} -> {now}: {found:?}");
        }
    }
}

#[test]
fn a_new_failure_shows_what_was_and_what_is() {
    let changes = changes(&one(Verdict::Pass), &one(Verdict::Fail));
    assert_eq!(changes.len(), 1);
    assert_eq!((changes[0].kind, changes[0].what.as_str()), (ChangeKind::NewFailure, A));
    assert_eq!(
        difference(&changes[0]),
        [
            "- pass",
            "- z: 0 of 60 elements differ, 0 ULP",
            "+ fail, not expected",
            "+ z: 2 of 60 elements differ, 3 ULP",
            "+ output `z`: 2 of 60 elements differ, by up to 3 ULP",
        ]
    );
}

#[test]
fn an_expected_failure_is_told_and_closes_no_gate() {
    let known = expecting(Verdict::Fail, Verdict::Fail);
    assert_eq!(kinds(&one(Verdict::Pass), &known), [ChangeKind::KnownFailure]);
    assert_eq!(ChangeKind::KnownFailure.weight(), Weight::Note);
}

#[test]
fn a_known_failure_with_another_verdict_is_a_new_failure() {
    let (fails, crashes) =
        [Verdict::Fail, Verdict::Crash].map(|verdict| expecting(verdict, Verdict::Fail)).into();
    assert_eq!(kinds(&fails, &crashes), [ChangeKind::NewFailure]);
}

#[test]
fn a_failure_that_is_not_expected_any_more_is_a_new_failure() {
    assert_eq!(
        kinds(&expecting(Verdict::Fail, Verdict::Fail), &one(Verdict::Fail)),
        [ChangeKind::NewFailure]
    );
    assert_eq!(kinds(&one(Verdict::Fail), &one(Verdict::Fail)), []);
}

#[test]
fn a_known_failure_that_passes_is_an_improvement() {
    assert_eq!(
        kinds(&expecting(Verdict::Fail, Verdict::Fail), &one(Verdict::Pass)),
        [ChangeKind::NewPass]
    );
}

#[test]
fn a_case_that_is_better_is_counted_once_in_whatever_it_is_better() {
    assert_eq!(
        kinds(&beside(one(Verdict::Fail)), &beside(one(Verdict::Pass))),
        [ChangeKind::NewPass]
    );
    let then = beside(one(Verdict::Fail));
    let mut now = then.clone();
    (now.cases[0].outputs[0].mismatches, now.cases[0].outputs[0].max_ulp) = (1, Some(1));
    let found = changes(&then, &now);
    assert_eq!(found.iter().map(|one| one.kind).collect::<Vec<_>>(), [ChangeKind::FewerMismatches]);
    assert_eq!(
        difference(&found[0]),
        [
            "- z: 2 of 60 elements differ",
            "- z: 3 ULP",
            "+ z: 1 of 60 elements differ",
            "+ z: 1 ULP",
        ]
    );
}

#[test]
fn a_new_pass_is_an_improvement_whatever_was_measured_before() {
    for verdict in [Verdict::Fail, Verdict::OutOfDomain, Verdict::Unsupported, Verdict::Crash] {
        let then = beside(one(verdict));
        let mut now = beside(one(Verdict::Pass));
        let output = &mut now.cases[0].outputs[0];
        (output.elements, output.max_ulp, output.mismatches) = (59, Some(1 << 40), 3);
        assert_eq!(kinds(&then, &now), [ChangeKind::NewPass], "{verdict}");
    }
}

#[test]
fn weaker_isolation_is_a_warning_and_stronger_none() {
    let isolated = |isolation| Report { isolation, ..one(Verdict::Pass) };
    let all = [Isolation::Strict, Isolation::Default, Isolation::Partial, Isolation::None];
    for (at, &then) in all.iter().enumerate() {
        for (other, &now) in all.iter().enumerate() {
            let found = changes(&isolated(then), &isolated(now));
            let weaker: &[_] = if other > at { &[ChangeKind::WeakerIsolation] } else { &[] };
            assert_eq!(found.iter().map(|one| one.kind).collect::<Vec<_>>(), weaker);
        }
    }
    assert_eq!(ChangeKind::WeakerIsolation.weight(), Weight::Warning);
}

#[test]
fn known_failures_that_pass_or_are_of_no_case_are_warnings_while_they_are_listed() {
    let mut now = expecting(Verdict::Pass, Verdict::Fail);
    let known = Expectation {
        cases: "onnx-1.22.0/node/test_*".to_owned(),
        verdict: Verdict::Fail,
        reason: "rounds up".to_owned(),
        link: None,
        matched: 1,
        failures: vec![],
        unexpected_passes: vec![A.to_owned()],
        stale: false,
        ..Expectation::default()
    };
    let cases = "onnx-1.22.0/node/gone".to_owned();
    let stale =
        Expectation { cases, matched: 0, unexpected_passes: vec![], stale: true, ..known.clone() };
    now.expectations = vec![known, stale];
    let found = changes(&one(Verdict::Pass), &now);
    let told: Vec<_> = found.iter().map(|one| (one.kind, one.what.as_str())).collect();
    assert_eq!(
        told,
        [
            (ChangeKind::UnexpectedPass, "onnx-1.22.0/node/test_*"),
            (ChangeKind::StaleExpectation, "onnx-1.22.0/node/gone")
        ]
    );
    assert_eq!(
        difference(&found[0]),
        ["- known to fail: rounds up", "+ 1 of 1 case passes", &format!("+   {A}")]
    );
    // The one case of an entry is not named twice.
    now.expectations[0].cases = A.to_owned();
    let found = changes(&one(Verdict::Pass), &now);
    assert_eq!(difference(&found[0]), ["- known to fail: rounds up", "+ passes"]);
}

/// A report of a flaky case.
fn flaky(verdict: Verdict) -> Report {
    let mut report = beside(expecting(verdict, Verdict::Fail));
    report.cases[0].flaky = true;
    report
}

#[test]
fn a_flaky_case_that_comes_out_the_other_way_is_told_and_is_no_finding() {
    for [then, now] in [[Verdict::Pass, Verdict::Fail], [Verdict::Fail, Verdict::Pass]] {
        let found = changes(&flaky(then), &flaky(now));
        assert_eq!(found.iter().map(|one| one.kind).collect::<Vec<_>>(), [ChangeKind::FlakyCase]);
        let told = difference(&found[0]);
        assert!(told[0].ends_with(&format!("{then}, flaky, known to fail or pass")), "{told:?}");
    }
    let mut worse = flaky(Verdict::Fail);
    worse.cases[0].outputs[0].mismatches = 9;
    assert_eq!(kinds(&flaky(Verdict::Fail), &worse), []);
    // Anything else is what it always is.
    let crashes = flaky(Verdict::Crash);
    assert_eq!(kinds(&flaky(Verdict::Pass), &crashes), [ChangeKind::NewFailure]);
    assert_eq!(kinds(&flaky(Verdict::Pass), &flaky(Verdict::Unsupported)), [ChangeKind::LostPass]);
}

#[test]
fn a_case_that_is_skipped_or_unsupported_is_a_lost_pass_even_where_it_is_listed() {
    for verdict in [Verdict::Skipped, Verdict::Unsupported] {
        let found = changes(&beside(one(Verdict::Pass)), &beside(expecting(verdict, verdict)));
        assert_eq!(found[0].kind, ChangeKind::LostPass);
        assert!(difference(&found[0]).contains(&format!("+ {verdict}, as expected")));
    }
}

#[test]
fn a_broad_known_failure_is_one_finding_with_its_cases_below_it() {
    let ids: Vec<_> = (0..88).map(|n| format!("onnx-1.22.0/node/test_{n}")).collect();
    let passing = ids.iter().map(|id| case(id, "Div", Verdict::Pass)).collect();
    let then = report(passing);
    let mut now = then.clone();
    now.cases.iter_mut().for_each(|case| case.expected = Verdict::Fail);
    now.expectations_list = Some(synthetic::list("mine.toml"));
    now.expectations = vec![Expectation {
        cases: "onnx-1.22.0/node/*".to_owned(),
        verdict: Verdict::Fail,
        reason: "rounds up".to_owned(),
        link: None,
        matched: 88,
        failures: vec![],
        unexpected_passes: ids.clone(),
        stale: false,
        ..Expectation::default()
    }];
    let found = changes(&then, &now);
    assert_eq!(found.len(), 1);
    assert_eq!(
        (found[0].kind, found[0].what.as_str()),
        (ChangeKind::UnexpectedPass, "onnx-1.22.0/node/*")
    );
    let told = difference(&found[0]);
    assert_eq!(told[..2], ["- known to fail: rounds up", "+ 88 of 88 cases pass"]);
    assert_eq!(told[2..7], ids[..5].iter().map(|id| format!("+   {id}")).collect::<Vec<_>>());
    assert_eq!(told[7..], ["+   and 83 more"]);
    let baseline = Baseline::of(&then);
    let told = text::render(&Comparison::of(&baseline, &now).unwrap(), PLAIN);
    assert!(told.ends_with("\nno finding, 1 warning\n"), "{told}");
    assert!(
        told.contains(
            "\nknown failures: mine.toml, SHA-256 0000000000000000...; in the baseline none\n"
        ),
        "{told}"
    );
}

#[test]
fn an_operator_that_is_new_is_an_improvement_however_far_its_results_are_off() {
    let then = beside(one(Verdict::Unsupported));
    let mut now = beside(one(Verdict::Pass));
    let output = &mut now.cases[0].outputs[0];
    (output.max_ulp, output.mismatches) = (Some(3), 1);
    assert_eq!(kinds(&then, &now), [ChangeKind::NewPass]);
}

#[test]
fn the_cases_of_an_operator_that_was_removed_are_no_improvement() {
    for (verdict, expected) in [
        (Verdict::Fail, Verdict::Pass),
        (Verdict::Fail, Verdict::Fail),
        (Verdict::Pass, Verdict::Pass),
    ] {
        let mut then = beside(expecting(verdict, expected));
        then.cases[0].outputs[0].max_ulp = Some(2);
        for gone in [Verdict::Unsupported, Verdict::Skipped, Verdict::OutOfDomain] {
            let mut now = beside(expecting(gone, expected));
            let found = changes(&then, &now);
            let improvements =
                found.iter().filter(|change| change.kind.weight() == Weight::Improvement);
            assert_eq!(improvements.collect::<Vec<_>>(), [&found[0]; 0], "{verdict} -> {gone}");
            assert!(found.iter().any(|change| change.kind.weight() == Weight::Finding));
            now.cases.remove(0);
            assert_eq!(kinds(&then, &now), [ChangeKind::LostCase]);
        }
    }
}

#[test]
fn a_distance_that_is_not_measured_any_more_is_told_and_no_improvement() {
    assert_eq!(after(Verdict::Fail, |case| case.outputs[0].max_ulp = None), [ChangeKind::LostUlp]);
    assert_eq!(ChangeKind::LostUlp.weight(), Weight::Note);
    // Half of the elements are gone, and with them half of what differed.
    let halved = |case: &mut Case| {
        let output = &mut case.outputs[0];
        (output.elements, output.mismatches, output.max_ulp) = (30, 1, Some(1));
    };
    assert_eq!(after(Verdict::Fail, halved), [ChangeKind::LostElements]);
}

#[test]
fn a_verdict_is_told_with_what_was_expected() {
    let told = |verdict, expected| {
        let changes =
            changes(&beside(one(Verdict::Skipped)), &beside(expecting(verdict, expected)));
        difference(&changes[0]).into_iter().find(|line| line.starts_with('+')).unwrap()
    };
    assert_eq!(told(Verdict::Fail, Verdict::Fail), "+ fail, as expected");
    assert_eq!(told(Verdict::Fail, Verdict::Crash), "+ fail, not expected");
    assert_eq!(told(Verdict::Pass, Verdict::Fail), "+ pass, known to fail");
    assert_eq!(told(Verdict::Pass, Verdict::Pass), "+ pass");
}

#[test]
fn a_lost_case_is_a_finding_whatever_its_verdict() {
    for verdict in Verdict::ALL {
        let then = beside(one(verdict));
        let mut now = then.clone();
        now.cases.remove(0);
        let found = changes(&then, &now);
        assert_eq!((found[0].kind, found[0].what.as_str()), (ChangeKind::LostCase, A), "{verdict}");
        assert_eq!(found.len(), 1);
    }
}

#[test]
fn a_new_case_is_an_improvement_unless_it_fails() {
    for verdict in Verdict::ALL {
        let now = beside(one(verdict));
        let mut then = now.clone();
        then.cases.remove(0);
        let kind = if verdict.is_failure() { ChangeKind::NewFailure } else { ChangeKind::NewCase };
        assert_eq!(kinds(&then, &now), [kind], "{verdict}");
    }
}

#[test]
fn fewer_elements_are_lost_and_more_are_an_improvement() {
    assert_eq!(
        after(Verdict::Pass, |case| case.outputs[0].elements = 59),
        [ChangeKind::LostElements]
    );
    assert_eq!(
        after(Verdict::Pass, |case| case.outputs[0].elements = 61),
        [ChangeKind::MoreElements]
    );
    assert_eq!(after(Verdict::Pass, |case| case.outputs.clear()), [ChangeKind::LostElements]);
    assert_eq!(
        after(Verdict::Pass, |case| case.outputs[0].name = "y".to_owned()),
        [ChangeKind::LostElements, ChangeKind::MoreElements]
    );
}

#[test]
fn elements_that_are_not_decided_any_more_are_lost() {
    let undecided = |case: &mut Case| {
        case.outputs[0].elements -= 5;
        case.outputs[0].undecided += 5;
    };
    assert_eq!(after(Verdict::Pass, undecided), [ChangeKind::LostElements]);
}

#[test]
fn an_undecided_answer_that_is_not_given_any_more_is_lost() {
    let mut then = beside(one(Verdict::OutOfDomain));
    let mut output = synthetic::output(0);
    (output.elements, output.undecided) = (0, 60);
    then.cases[0].outputs.push(output);
    let now = beside(one(Verdict::Unsupported));
    assert_eq!(kinds(&then, &now), [ChangeKind::LostElements, ChangeKind::ChangedVerdict]);
}

#[test]
fn growth_of_ulp_and_of_mismatches_are_findings_and_their_shrinking_improvements() {
    let ulp = |ulp| move |case: &mut Case| case.outputs[0].max_ulp = ulp;
    assert_eq!(after(Verdict::Pass, ulp(Some(1))), [ChangeKind::MoreUlp]);
    assert_eq!(after(Verdict::Fail, ulp(Some(2))), [ChangeKind::LessUlp]);
    assert_eq!(after(Verdict::Pass, ulp(None)), []);
    let differ = |mismatches| move |case: &mut Case| case.outputs[0].mismatches = mismatches;
    assert_eq!(after(Verdict::Fail, differ(3)), [ChangeKind::MoreMismatches]);
    assert_eq!(after(Verdict::Fail, differ(1)), [ChangeKind::FewerMismatches]);
}

#[test]
fn one_output_that_is_better_does_not_hide_another_that_is_worse() {
    let mut then = one(Verdict::Fail);
    then.cases[0].outputs.push(synthetic::output(0));
    then.cases[0].outputs[1].name = "y".to_owned();
    let mut now = then.clone();
    let [z, y] = &mut now.cases[0].outputs[..] else { panic!("two outputs") };
    (z.mismatches, y.mismatches) = (y.mismatches, z.mismatches);
    (z.max_ulp, y.max_ulp) = (y.max_ulp, z.max_ulp);
    let found = kinds(&then, &now);
    assert_eq!(
        found,
        [ChangeKind::MoreUlp, ChangeKind::MoreMismatches, ChangeKind::FewerMismatches]
    );
}

#[test]
fn outputs_of_one_name_count_as_one() {
    let mut then = beside(one(Verdict::Fail));
    then.cases[0].outputs.push(synthetic::output(0));
    let mut now = then.clone();
    now.cases[0].outputs.reverse();
    assert_eq!(kinds(&then, &now), []);
    now.cases[0].outputs.pop();
    assert_eq!(
        kinds(&then, &now),
        [ChangeKind::LostElements],
        "the one that is gone had the mismatches, so that none is better"
    );
}

#[test]
fn another_digest_and_a_corpus_that_went_or_came_are_findings() {
    let then = one(Verdict::Pass);
    let mut now = then.clone();
    now.corpora[0].digest = "0".repeat(64);
    now.corpora.push(Corpus { name: "new".to_owned(), ..now.corpora[0].clone() });
    for (a, b) in [(&then, &now), (&now, &then)] {
        assert_eq!(kinds(a, b), [ChangeKind::ChangedCorpus, ChangeKind::ChangedCorpus]);
    }
    let found = changes(&then, &now);
    assert_eq!(found[0].what, "new");
    assert_eq!(difference(&found[1])[1], format!("+ SHA-256 {}", "0".repeat(64)));
}

#[test]
fn another_profile_is_a_finding_and_another_version_of_the_backend_is_none() {
    let then = one(Verdict::Pass);
    let mut now = then.clone();
    now.profile = "onnx".to_owned();
    now.backend.version = "0.2.0".to_owned();
    let found = changes(&then, &now);
    assert_eq!(difference(&found[0]), ["- ieee754", "+ onnx"]);
    assert_eq!(difference(&found[1]), ["- version 0.1.0", "+ version 0.2.0"]);
    assert_eq!(kinds(&then, &now), [ChangeKind::ChangedProfile, ChangeKind::ChangedBackend]);
    assert_eq!(ChangeKind::ChangedBackend.weight(), Weight::Note);
}

#[test]
fn another_backend_and_a_baseline_of_nothing_cannot_be_compared() {
    let now = one(Verdict::Pass);
    let mut then = Baseline::of(&now);
    then.backend.name = "other".to_owned();
    let error = Comparison::of(&then, &now).unwrap_err();
    assert!(error.to_string().contains("of the backend `other`, the report of `builtin`"));
    let nothing = Baseline::of(&one(Verdict::Unsupported));
    assert_eq!(Comparison::of(&nothing, &now).unwrap_err(), GateError::NothingCompared);
}

/// Everything there is to tell: two reports that have nothing in common, each full.
fn eventful() -> (Baseline, Report) {
    let (mut then, mut now) = (large(), hostile());
    then.cases.extend(hostile().cases);
    then.cases.last_mut().unwrap().verdict = Verdict::Pass;
    then.summary = Summary::of(&then.cases);
    then.backend = now.backend.clone();
    now.backend.version = "2".to_owned();
    (Baseline::of(&then), now)
}

#[test]
fn no_line_is_wider_than_the_terminal_and_colours_only_repeat_the_words() {
    let (baseline, report) = eventful();
    let comparison = Comparison::of(&baseline, &report).unwrap();
    for width in [40, 57, 80, 120] {
        let told = text::render(&comparison, Style { width, color: false });
        assert!(told.lines().all(|line| line.width() <= width), "{told}");
        assert!(!told.contains(|c: char| c.is_control() && c != '\n'), "{told:?}");
        let coloured = text::render(&comparison, Style { width, color: true });
        assert_ne!(coloured, told);
        assert_eq!(console::strip_ansi_codes(&coloured), told);
    }
}

#[test]
fn nothing_of_the_files_is_markup_in_the_markdown() {
    let (mut baseline, mut report) = eventful();
    for backend in [&mut baseline.backend, &mut report.backend] {
        backend.name = "````".to_owned();
    }
    let comparison = Comparison::of(&baseline, &report).unwrap();
    let page = markdown::render(&comparison, usize::MAX);
    let mut fence = None;
    for line in page.lines() {
        let ticks = line.len() - line.trim_start_matches('`').len();
        match fence {
            None if ticks >= 3 => fence = Some(ticks),
            Some(open) if line.trim_end() == "`".repeat(open) => fence = None,
            None => assert!(!line.contains(['<', '>', '{', '\u{1b}']), "{line}"),
            Some(open) => assert!(!line.contains(&"`".repeat(open)), "{line}"),
        }
    }
    assert_eq!(fence, None);
    let short = markdown::render(&comparison, 5);
    assert!(short.len() < page.len() && short.contains("... and 2,252 more"), "{short}");
}

#[test]
fn the_terminal_and_a_jobs_page_read_as_they_should() {
    let then = beside(one(Verdict::Pass));
    let mut now = beside(one(Verdict::Fail));
    now.cases[1].outputs[0].max_ulp = Some(1);
    now.cases.push(case("onnx-1.22.0/node/test_zz", "Div", Verdict::Pass));
    now.summary = Summary::of(&now.cases);
    let baseline = Baseline::of(&then);
    let comparison = Comparison::of(&baseline, &now).unwrap();
    insta::assert_snapshot!("terminal", text::render(&comparison, PLAIN));
    insta::assert_snapshot!("page", markdown::render(&comparison, 20));
}

/// Both forms of a report that lacks so many of the baseline's cases, and whose backend has lost so
/// many details.
fn lacking(cases: usize, details: usize, most: usize) -> [String; 2] {
    let now = one(Verdict::Pass);
    let mut then = now.clone();
    then.cases.extend((0..cases).map(|n| case(&format!("lost/{n}"), "Div", Verdict::Pass)));
    then.backend.details.extend((0..details).map(|n| (format!("detail {n}"), String::new())));
    let baseline = Baseline::of(&then);
    let comparison = Comparison::of(&baseline, &now).unwrap();
    [text::render(&comparison, PLAIN), markdown::render(&comparison, most)]
}

#[test]
fn what_is_left_out_is_counted_and_nothing_else_is() {
    for (cases, details, [in_text, in_page]) in [
        (10, 12, [None, None]),
        (11, 12, [Some("  ... and 1 more"), Some("... and 1 more")]),
        (10, 14, [Some("    ... and 2 more"), Some("  ... and 2 more")]),
    ] {
        let [text, page] = lacking(cases, details, 10);
        let more = |text: &str| text.lines().find(|line| line.contains(" more")).map(str::to_owned);
        assert_eq!(more(&text).as_deref(), in_text, "{text}");
        assert_eq!(more(&page).as_deref(), in_page, "{page}");
    }
}

#[test]
fn the_conclusion_is_red_with_a_finding_and_green_without_and_tells_of_improvements() {
    const RED: &str = "\u{1b}[31m";
    const GREEN: &str = "\u{1b}[32m";
    let (worse, better) = (one(Verdict::Fail), one(Verdict::Pass));
    let worse_and_less = beside(one(Verdict::Fail));
    let mut more = beside(one(Verdict::Pass));
    more.cases.push(case("onnx-1.22.0/node/test_zz", "Div", Verdict::Pass));
    for (then, now, colour, words) in [
        (&better, &worse, RED, "1 finding"),
        (&better, &better, GREEN, "no finding"),
        (&worse, &better, GREEN, "no finding, 1 improvement: a new baseline would keep them"),
        (
            &worse_and_less,
            &more,
            GREEN,
            "no finding, 2 improvements: a new baseline would keep them",
        ),
    ] {
        let baseline = Baseline::of(then);
        let comparison = Comparison::of(&baseline, now).unwrap();
        let told = text::render(&comparison, Style { width: 80, color: true });
        let last = told.lines().last().unwrap();
        assert!(last.contains(colour), "{last:?}");
        assert_eq!(console::strip_ansi_codes(last), words);
    }
}

#[test]
fn a_warning_closes_a_strict_gate_alone() {
    let isolated = |isolation| Report { isolation, ..one(Verdict::Pass) };
    let baseline = Baseline::of(&isolated(Isolation::Default));
    let comparison = Comparison::of(&baseline, &isolated(Isolation::None)).unwrap();
    assert!(!comparison.is_closed());
    assert!(text::render(&comparison, PLAIN).ends_with("\nno finding, 1 warning\n"));
    let strict = Comparison { is_strict: true, ..comparison };
    assert!(strict.is_closed());
    let told = text::render(&strict, PLAIN);
    assert!(told.ends_with("\nno finding, 1 warning: closed, as it is strict\n"), "{told}");
    let same = Comparison::of(&baseline, &isolated(Isolation::Default)).unwrap();
    assert!(!Comparison { is_strict: true, ..same }.is_closed());
}

#[test]
fn a_terminal_narrower_than_40_columns_gets_40() {
    let (baseline, report) = eventful();
    let comparison = Comparison::of(&baseline, &report).unwrap();
    let [narrow, least] =
        [10, 40].map(|width| text::render(&comparison, Style { width, color: false }));
    assert_eq!(narrow, least);
}

/// A folder with files for the command.
struct Files(TempDir);

impl Files {
    fn new() -> Self {
        let files = Self(tempfile::tempdir().unwrap());
        files.report("pass.json", &beside(one(Verdict::Pass)));
        files.report("fail.json", &beside(one(Verdict::Fail)));
        let baseline = Baseline::of(&beside(one(Verdict::Pass)));
        files.write("baseline.json", baseline.to_bytes().unwrap());
        files
    }

    fn path(&self, name: &str) -> PathBuf {
        self.0.path().join(name)
    }

    fn write(&self, name: &str, contents: impl AsRef<[u8]>) {
        fs::write(self.path(name), contents).unwrap();
    }

    fn report(&self, name: &str, report: &Report) {
        self.write(name, report.to_bytes().unwrap());
    }

    fn read(&self, name: &str) -> String {
        fs::read_to_string(self.path(name)).unwrap()
    }

    /// Exit code and what was printed, standard error included.
    fn gate(&self, baseline: &str, report: &str) -> (Option<i32>, String) {
        let Output { status, stdout, stderr } = self
            .command()
            .args(["--baseline", baseline, "--report", report, "--markdown", "gate.md"])
            .env("GITHUB_STEP_SUMMARY", self.path("step.md"))
            .output()
            .unwrap();
        (status.code(), String::from_utf8([stdout, stderr].concat()).unwrap())
    }

    fn command(&self) -> Command {
        let mut command = Command::new(env!("CARGO_BIN_EXE_onnx-conformance"));
        command.arg("gate").env("NO_COLOR", "1").env_remove("GITHUB_STEP_SUMMARY");
        command.current_dir(self.0.path());
        command
    }

    /// Asserts that a file is refused as report and as baseline, with this exit code and a message
    /// that holds the words, and that nothing was written.
    fn assert_refused(&self, name: &str, exit_code: i32, words: &str) {
        for (baseline, report) in [("pass.json", name), (name, "pass.json")] {
            let (code, told) = self.gate(baseline, report);
            assert_eq!(code, Some(exit_code), "{name}: {told}");
            assert!(told.contains(name) && told.contains(words), "{name}: {told}");
            assert!(!self.path("gate.md").exists() && !self.path("step.md").exists());
        }
    }
}

#[test]
fn the_exit_code_is_0_without_and_1_with_a_finding() {
    let files = Files::new();
    for baseline in ["pass.json", "baseline.json"] {
        let (code, told) = files.gate(baseline, "pass.json");
        assert_eq!(code, Some(0), "{told}");
        assert!(told.ends_with("\nno finding\n"), "{told}");
        let (code, told) = files.gate(baseline, "fail.json");
        assert_eq!(code, Some(1), "{told}");
        assert!(told.contains("new failures: 1") && told.ends_with("\n1 finding\n"), "{told}");
    }
    assert_eq!(files.gate("fail.json", "pass.json").0, Some(0));
}

#[test]
fn a_warning_fails_with_strict_and_passes_without() {
    let files = Files::new();
    files.report(
        "weaker.json",
        &Report { isolation: Isolation::None, ..beside(one(Verdict::Pass)) },
    );
    files.report(
        "strong.json",
        &Report { isolation: Isolation::Strict, ..beside(one(Verdict::Pass)) },
    );
    let (code, told) = files.gate("strong.json", "weaker.json");
    assert_eq!(code, Some(0), "{told}");
    assert!(told.contains("weaker isolation: 1"), "{told}");
    let arguments = ["--strict", "--baseline", "strong.json", "--report", "weaker.json"];
    assert_eq!(files.command().args(arguments).output().unwrap().status.code(), Some(1));
}

#[test]
fn the_markdown_is_written_to_its_file_and_appended_to_the_jobs_page() {
    let files = Files::new();
    files.write("step.md", "before\n");
    files.gate("pass.json", "fail.json");
    files.gate("pass.json", "pass.json");
    assert!(files.read("gate.md").starts_with("## Conformance: no finding\n"));
    let page = files.read("step.md");
    assert!(page.starts_with("before\n## Conformance: 1 finding\n"), "{page}");
    assert!(page.contains("## Conformance: no finding\n"), "{page}");
}

#[test]
fn without_a_jobs_page_none_is_written() {
    let files = Files::new();
    let arguments = ["--baseline", "pass.json", "--report", "fail.json"];
    let output = files.command().args(arguments).output().unwrap();
    assert_eq!(output.status.code(), Some(1));
    let names = fs::read_dir(files.0.path()).unwrap().map(|entry| entry.unwrap().file_name());
    assert_eq!(names.count(), 3);
}

#[test]
fn truncated_foreign_newer_and_missing_files_exit_2() {
    let files = Files::new();
    for source in ["pass.json", "baseline.json"] {
        let whole = files.read(source);
        for end in [0, 1, whole.len() / 2, whole.len() - 3] {
            files.write("cut.json", &whole[..end]);
            files.assert_refused("cut.json", 2, "it is damaged or was not written by this tool");
        }
    }
    files.write("foreign.json", r#"{"name": "x", "version": 3}"#);
    files.assert_refused("foreign.json", 2, "missing field `format_version`");
    files.write("more.json", files.read("pass.json").replacen("\"tool\"", "\"tolo\"", 1));
    files.assert_refused("more.json", 2, "unknown field `tolo`");
    files.write("newer.json", r#"{"format_version": 99, "verdicts": []}"#);
    files.assert_refused("newer.json", 2, "it has format version 99");
    files.write("newer.json", r#"{"format_version": 5, "kind": "baseline", "verdicts": []}"#);
    assert!(files.gate("newer.json", "pass.json").1.contains("this program reads version 4"));
    files.write("other.json", r#"{"format_version": 1, "kind": "campaign"}"#);
    files.assert_refused("other.json", 2, "of the kind `campaign`");
    let (code, told) = files.gate("pass.json", "baseline.json");
    assert_eq!(code, Some(2));
    assert!(told.contains("of the kind `baseline`"), "{told}");
    files.assert_refused("none.json", 2, "failed to read the ");
}

#[test]
fn reports_that_contradict_themselves_exit_4_and_the_member_is_named() {
    let files = Files::new();
    type Edit = fn(&mut Report);
    let edits: [(&str, Edit, &str); 9] = [
        ("fail.json", |report| report.cases[0].verdict = Verdict::Pass, "`verdict` pass, but"),
        ("fail.json", |report| report.cases[0].verdict = Verdict::Skipped, "`summary.fail` is 1"),
        ("pass.json", |report| report.cases.truncate(1), "`summary.cases` is 2"),
        ("pass.json", |report| report.cases.push(report.cases[0].clone()), "twice"),
        ("pass.json", |report| report.corpora.clear(), "is of none of `corpora`"),
        ("pass.json", |report| report.corpora.push(report.corpora[0].clone()), "twice"),
        ("fail.json", |report| report.cases[0].outputs[0].mismatches = 61, "more `mismatches`"),
        (
            "fail.json",
            |report| report.cases[0].expected = Verdict::Fail,
            "which no entry of `expectations` gives",
        ),
        ("pass.json", |report| report.summary.elements_compared = 9, "`summary.elements_compared`"),
    ];
    for (source, edit, words) in edits {
        let mut report = Report::read(&files.path(source)).unwrap();
        edit(&mut report);
        files.report("edited.json", &report);
        files.assert_refused("edited.json", 4, words);
    }
    let mut report = Report::read(&files.path("pass.json")).unwrap();
    report.cases[0].expected = Verdict::Fail;
    report.expectations.push(Expectation {
        cases: A.to_owned(),
        verdict: Verdict::Fail,
        reason: "rounds up".to_owned(),
        link: None,
        matched: 1,
        failures: vec![],
        unexpected_passes: vec![],
        stale: false,
        ..Expectation::default()
    });
    files.report("edited.json", &report);
    files.assert_refused("edited.json", 4, "`expectations_list` is null");
    report.expectations_list = Some(synthetic::list("mine.toml"));
    files.report("edited.json", &report);
    files.assert_refused("edited.json", 4, "`expectations[0].unexpected_passes[0]` is nothing");
    report.expectations[0].unexpected_passes = vec![A.to_owned()];
    report.expectations[0].failures = vec![A.to_owned()];
    files.report("edited.json", &report);
    files.assert_refused("edited.json", 4, "`expectations[0].failures[0]` is");

    let mut report = Report::read(&files.path("pass.json")).unwrap();
    report.cases[0].outputs[0].elements = 9;
    report.summary = Summary::of(&report.cases);
    files.report("edited.json", &report);
    files.assert_refused("edited.json", 4, "are not those of its `type` and `shape`");
}

#[test]
fn a_baseline_that_contradicts_itself_exits_4() {
    let files = Files::new();
    let whole = files.read("baseline.json");
    let edits = [
        ("\"verdict\":\"pass\"", "\"verdict\":\"fail\"", "`summary.fail` is 0"),
        ("\"elements\":60", "\"elements\":59", "`summary.elements_compared` is 120"),
        ("test_z", "test_a", "twice"),
    ];
    for (from, to, words) in edits {
        files.write("edited.json", whole.replacen(from, to, 1));
        let (code, told) = files.gate("edited.json", "pass.json");
        assert_eq!(code, Some(4), "{told}");
        assert!(told.contains("edited.json") && told.contains(words), "{told}");
    }
}

#[test]
fn another_backend_exits_2_and_names_both() {
    let files = Files::new();
    let mut report = one(Verdict::Pass);
    report.backend.name = "mine".to_owned();
    files.report("mine.json", &report);
    let (code, told) = files.gate("pass.json", "mine.json");
    assert_eq!(code, Some(2));
    assert!(told.contains("of the backend `builtin`, the report of `mine`"), "{told}");
    assert!(!files.path("gate.md").exists());
}

#[test]
fn a_baseline_reads_back_as_it_was_written_with_a_case_a_line() {
    let files = Files::new();
    for report in [every_verdict(), large()] {
        let baseline = Baseline::of(&report);
        let text = String::from_utf8(baseline.to_bytes().unwrap()).unwrap();
        files.write("b.json", &text);
        assert_eq!(baseline::read(&files.path("b.json")).unwrap(), baseline);
        let lines = text.lines().filter(|line| line.starts_with("    {\"id\":\""));
        assert_eq!(lines.count(), report.cases.len());
    }
}

#[test]
fn the_committed_baselines_are_without_a_failure() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR"));
    for name in ["onnx", "sonnx"] {
        let path = root.join(format!("reports/baseline/{name}.json"));
        let baseline = baseline::read(&path).unwrap();
        assert!(baseline.summary.elements_compared > 20_000, "{name}");
        assert!(baseline.cases.iter().all(|case| !case.verdict.is_failure()), "{name}");
    }
}

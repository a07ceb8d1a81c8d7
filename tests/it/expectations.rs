//! Lists of known failures brought up to date: by made-up reports, and end to end by runs of an adapter.

mod command;
mod import;

use onnx_conformance::document::style::Style;
use onnx_conformance::documents::expectations::{self, Change, Update};
use onnx_conformance::documents::report::document::{Case, Report};
use onnx_conformance::judge::expect::{Expectations, Known};
use onnx_conformance::judge::verdict::Verdict::{self, *};
use proptest::prelude::*;

use crate::support::reports as synthetic;

const NODE: &str = "onnx-1.22.0/node/test_";

fn case(name: &str, operator: &str, verdict: Verdict) -> Case {
    synthetic::case(&format!("{NODE}{name}"), operator, verdict)
}

/// A report of all cases of its corpus.
fn report(cases: &[(&str, &str, Verdict)]) -> Report {
    let made = cases.iter().map(|(name, operator, verdict)| case(name, operator, *verdict));
    let mut report = synthetic::report(made.collect());
    report.corpora[0].cases = cases.len() as u64;
    report
}

fn updated(list: &str, reports: &[Report]) -> Update {
    Update::of("known.toml", list, reports).unwrap()
}

fn entry(cases: &str, verdict: &str, more: &str) -> String {
    format!("[[known]]\ncases = \"{cases}\"\nverdict = \"{verdict}\"\nreason = \"old\"\n{more}")
}

/// The entries of a list, each as its cases and verdict.
fn entries(text: &str) -> Vec<(String, Verdict, bool)> {
    let known = Expectations::parse("known.toml", text).unwrap();
    let told = |entry: &Known| (entry.cases.replace(NODE, "~"), entry.verdict, entry.flaky);
    known.entries().iter().map(told).collect()
}

fn is(cases: &str, verdict: Verdict) -> (String, Verdict, bool) {
    (cases.to_owned(), verdict, false)
}

fn dropped(update: &Update) -> Vec<&str> {
    fn why(change: &Change) -> Option<&str> {
        match change {
            Change::Dropped { why, .. } => Some(why),
            Change::Narrowed(_) | Change::Added(_) => None,
        }
    }
    update.changes.iter().filter_map(why).collect()
}

#[test]
fn a_list_begins_with_what_failed_by_operator_and_pattern() {
    let report = report(&[
        ("add", "Add", Pass),
        ("div", "Div", Fail),
        ("div_bcast", "Div", Fail),
        ("div_uint8", "Div", Fail),
        ("exp", "Exp", Crash),
        ("mod_int8", "Mod", Fail),
        ("mod_mixed_int8", "Mod", Pass),
        ("mod_mixed_uint8", "Mod", Fail),
        ("mod_mixed_uint16", "Mod", Fail),
        ("pow", "Pow", Unsupported),
    ]);
    let update = updated("", std::slice::from_ref(&report));
    assert_eq!(
        entries(&update.text),
        [is("~div*", Fail), is("~exp", Crash), is("~mod_int8", Fail), is("~mod_mixed_uint*", Fail)]
    );
    assert!(update.text.starts_with("# Known failures of "), "{}", update.text);
    let message = "reason = \"output `z`: 2 of 60 elements differ, by up to 3 ULP\"";
    assert!(update.text.contains(message), "{}", update.text);
    assert!(update.left.is_empty());
    // It says all there is to say.
    let again = updated(&update.text, &[report]);
    assert_eq!((again.text, again.changes, again.kept), (update.text, vec![], 4));
}

#[test]
fn patterns_that_differ_in_one_folder_are_one_unless_it_matches_others() {
    let failing = ["int8", "int16", "int32"];
    let mut cases: Vec<_> = failing
        .iter()
        .flat_map(|folder| ["edge", "corner", "zero"].map(|name| format!("{folder}/{name}")))
        .map(|name| (name.clone(), if name.ends_with("zero") { Pass } else { Fail }))
        .collect();
    let passing = ["uint8/edge", "int64/corner"];
    cases.extend(passing.map(|name| (name.to_owned(), Pass)));
    let cases: Vec<_> =
        cases.iter().map(|(name, verdict)| (name.as_str(), "Div", *verdict)).collect();
    let update = updated("", &[report(&cases)]);
    let corners = ["~int8/corner", "~int16/corner", "~int32/corner"].map(|cases| is(cases, Fail));
    assert_eq!(entries(&update.text), [&[is("~int*/edge", Fail)], &corners[..]].concat());
}

#[test]
fn entries_that_hold_stay_byte_by_byte_and_the_others_go_with_their_comments() {
    let first = "# Mine.\n\n# Section: division\n\n# rounds\n  [[known]] # here\n\
                 cases = 'test_div*'\nverdict='fail'\nreason = \"\"\"\n[[known]]\n# no comment\"\"\"\n";
    let gone = format!("# gone for long\n{}", entry("onnx-1.22.0/node/test_gone", "fail", ""));
    let passes = format!("# passes\n{}", entry("onnx-1.22.0/node/test_add", "fail", ""));
    let elsewhere = entry("mine/*", "crash", "# at the end\n");
    let list = format!("{first}\n{gone}\n# Section: others\n\n{passes}\n{elsewhere}");
    let report = report(&[("add", "Add", Pass), ("div", "Div", Fail), ("neg", "Neg", Fail)]);
    let update = updated(&list, &[report]);
    let neg = "\n[[known]]\ncases = \"onnx-1.22.0/node/test_neg\"\nverdict = \"fail\"\nreason = ";
    let expected = format!("{first}\n# Section: others\n\n{elsewhere}{neg}");
    assert!(update.text.starts_with(&expected), "{}", update.text);
    assert_eq!(dropped(&update), ["it decides no case", "1 of 1 case passed"]);
    assert_eq!(update.kept, 2);
}

#[test]
fn what_is_left_of_an_entry_keeps_its_reason_and_its_link() {
    let list = entry("onnx-1.22.0/*", "fail", "link = \"https://example.org/1\"\n");
    let report = report(&[
        ("add", "Add", Fail),
        ("div_a", "Div", Pass),
        ("div_b", "Div", Fail),
        ("exp", "Exp", Crash),
    ]);
    let update = updated(&list, &[report]);
    assert_eq!(dropped(&update), ["1 of 4 cases passed, 1 of 4 cases failed otherwise"]);
    let known = Expectations::parse("known.toml", &update.text).unwrap();
    let told: Vec<_> = known
        .entries()
        .iter()
        .map(|entry| (entry.cases.replace(NODE, "~"), entry.reason == "old", entry.link.is_some()))
        .collect();
    let is = |cases: &str, is_old| (cases.to_owned(), is_old, is_old);
    assert_eq!(told, [is("~add", true), is("~div_b", true), is("~exp", false)]);
}

#[test]
fn what_is_skipped_unsupported_or_flaky_stays_while_it_may_be_so() {
    let report = report(&[
        ("a", "Add", Pass),
        ("b", "Add", Crash),
        ("c", "Add", Unsupported),
        ("d", "Add", Skipped),
    ]);
    let stays = entry("test_a", "fail", "flaky = true\n")
        + &entry("test_b", "skipped", "")
        + &entry("test_c", "unsupported", "")
        + &entry("test_d", "timeout", "");
    let update = updated(&stays, std::slice::from_ref(&report));
    assert_eq!((update.text, update.kept), (stays, 4));
    let goes = entry("test_a", "unsupported", "")
        + &entry("test_b", "fail", "flaky = true\n")
        + &entry("test_c", "fail", "")
        + &entry("test_e", "skipped", "");
    let update = updated(&goes, &[report]);
    assert_eq!(entries(&update.text), [is("~b", Crash)]);
    assert_eq!(
        dropped(&update),
        [
            "1 of 1 case passed",
            "1 of 1 case failed otherwise",
            "none of 1 case came out as fail",
            "it decides no case"
        ]
    );
}

#[test]
fn what_failed_in_one_report_and_passed_in_another_is_flaky() {
    let one = report(&[("a", "Add", Pass), ("b", "Add", Crash), ("c", "Add", Fail)]);
    let other = report(&[("a", "Add", Timeout), ("b", "Add", Crash), ("c", "Add", Crash)]);
    let update = updated("", &[one, other]);
    assert_eq!(entries(&update.text), [("~a".to_owned(), Timeout, true), is("~b", Crash)]);
    assert_eq!(update.left, [format!("{NODE}c: fail and crash, which no entry can say")]);
}

#[test]
fn what_changes_is_told_in_lines_that_fit_and_are_harmless() {
    let mut report = report(&[("a", "Add", Fail), ("b", "Div", Pass), ("c", "Mul", Crash)]);
    report.cases[0].message = Some("\u{1b}[31mred".to_owned() + &"x".repeat(300));
    let list = entry("test_*", "crash", "flaky = true\n");
    let told = expectations::render(&updated(&list, &[report]), Style { width: 80, color: false });
    let lines: Vec<_> = told.lines().collect();
    assert_eq!(
        lines[..4],
        [
            "0 entries kept, 1 dropped, 2 narrowed, 1 added",
            "dropped   test_*",
            "          1 of 3 cases failed otherwise",
            "added     fail  onnx-1.22.0/node/test_a",
        ]
    );
    assert!(lines[4].starts_with(r"          \u{1b}[31mredxxx"), "{told}");
    let narrowed = ["b", "c"].map(|name| format!("narrowed  crash, flaky  {NODE}{name}"));
    assert_eq!(lines[5..], narrowed);
    assert!(lines.iter().all(|line| line.len() <= 80), "{told}");
}

#[test]
fn of_a_part_of_a_corpus_no_entry_goes_that_may_be_meant_for_the_rest() {
    let mut part = report(&[("a", "Add", Pass)]);
    let list = entry("onnx-1.22.0/node/test_b", "fail", "") + &entry("test_c", "fail", "");
    assert_eq!(dropped(&updated(&list, std::slice::from_ref(&part))).len(), 2);
    part.corpora[0].cases = 9;
    let update = updated(&list, &[part]);
    assert_eq!((update.text, update.kept), (list, 2));
}

#[test]
fn reports_that_do_not_go_together_are_refused() {
    let one = report(&[("a", "Add", Pass)]);
    let refused = |edit: fn(&mut Report), words: &str| {
        let mut other = one.clone();
        edit(&mut other);
        let told = Update::of("known.toml", "", &[one.clone(), other]).unwrap_err().to_string();
        assert!(told.contains(words), "{told}");
    };
    refused(|it| it.backend.name = "other".to_owned(), "a list is of one");
    refused(|it| it.corpora[0].digest = "1".repeat(64), "with two digests");
    refused(|it| it.cases[0].profile = "onnx".to_owned(), "by two profiles");
    refused(|it| it.challenge = Some("x".to_owned()), "one of a challenge");
    let inline = "known = [{ cases = 'a', verdict = 'fail', reason = 'b' }]";
    let told = Update::of("known.toml", inline, &[one]).unwrap_err().to_string();
    assert!(told.contains("elements of an array"), "{told}");
}

/// How a case may come out.
fn verdict() -> impl Strategy<Value = Verdict> {
    prop_oneof![
        4 => Just(Pass), 4 => Just(Fail), 1 => Just(Crash), 1 => Just(Timeout), 1 => Just(Fault),
        1 => Just(Unsupported), 1 => Just(Skipped), 1 => Just(OutOfDomain)
    ]
}

proptest! {
    #[test]
    fn a_list_brought_up_to_date_leaves_nothing_unexpected_and_says_nothing_more(
        cases in proptest::collection::btree_map(
            "[ab]{1,2}([_/][ab]{1,2}){0,3}", ("(Add|Div)", verdict()), 1..20
        ),
        list in proptest::collection::vec(
            ("(\\*/)?test_[ab*_]{0,4}|onnx-1\\.22\\.0/[ab*_]{0,3}\\*", verdict(), any::<bool>()), 0..6
        ),
    ) {
        let cases: Vec<_> = cases
            .iter()
            .map(|(name, (operator, verdict))| (name.as_str(), operator.as_str(), *verdict))
            .collect();
        let report = report(&cases);
        let entry = |(cases, verdict, flaky): &(String, Verdict, bool)| {
            let is_flaky = *flaky && verdict.comes_and_goes();
            let more = if is_flaky { "flaky = true\n" } else { "" };
            verdict.can_be_known().then(|| entry(cases, &verdict.to_string(), more))
        };
        let list: String = list.iter().filter_map(entry).collect();
        let update = updated(&list, std::slice::from_ref(&report));
        prop_assert!(update.left.is_empty(), "{:?}", update.left);
        let known = Expectations::parse("known.toml", &update.text).unwrap();
        let mut used = vec![false; known.entries().len()];
        for case in &report.cases {
            let at = known.position(&case.facts());
            if let Some(at) = at {
                used[at] = true;
            }
            let entry = at.map(|at| &known.entries()[at]);
            let mut case = case.clone();
            if let Some(entry) = entry {
                (case.expected, case.flaky) = (entry.verdict, entry.flaky);
            }
            // What is skipped next time comes out as nothing else.
            if case.expected != Skipped {
                prop_assert!(!case.is_unexpected_failure() && !case.is_unexpected_pass(), "{case:?}");
            }
        }
        prop_assert!(used.iter().all(|used| *used), "an entry of no case: {}", update.text);
        let again = updated(&update.text, &[report]);
        prop_assert_eq!(&again.text, &update.text);
        prop_assert!(again.changes.is_empty());
    }
}

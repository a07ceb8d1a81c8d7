//! The summary for the terminal.

use std::path::Path;

use onnx_conformance::document::style::Style;
use onnx_conformance::documents::report::document::Report;
use onnx_conformance::documents::report::summary;
use onnx_conformance::documents::report::{Written, document::Summary};
use onnx_conformance::judge::verdict::Verdict;
use regex::Regex;
use unicode_width::UnicodeWidthStr;

use super::synthetic;

const PLAIN: Style = Style { width: 80, color: false };

fn render(report: &Report, style: Style) -> String {
    render_with(report, summary::FAILURES_SHOWN, style)
}

fn render_with(report: &Report, failures: usize, style: Style) -> String {
    summary::render(report, &Written::within(Path::new("reports/latest")), failures, style)
}

#[test]
fn every_verdict_is_counted_and_every_failure_told() {
    insta::assert_snapshot!(render(&synthetic::every_verdict(), PLAIN));
}

#[test]
fn many_unsupported_cases_take_one_line() {
    insta::assert_snapshot!(render(&synthetic::large(), PLAIN));
}

#[test]
fn a_run_without_failures_says_where_to_read() {
    let report =
        synthetic::report(vec![synthetic::case("onnx-1.22.0/node/test_div", "Div", Verdict::Pass)]);
    insta::assert_snapshot!(render(&report, PLAIN));
}

#[test]
fn failures_beyond_the_tenth_are_counted() {
    let case = |n| synthetic::case(&format!("c/node/test_{n}"), "Div", Verdict::Timeout);
    let text = render(&synthetic::report((0..13).map(case).collect()), PLAIN);
    assert_eq!(text.matches("timeout c/node/test_").count(), 10);
    assert!(text.contains("... and 3 more, see report.html"), "{text}");
}

#[test]
fn as_many_failures_are_shown_as_are_asked_for() {
    let case = |n| synthetic::case(&format!("c/node/test_{n}"), "Div", Verdict::Timeout);
    let report = synthetic::report((0..13).map(case).collect());
    for (asked, shown, more) in [(0, 0, "... and 13 more,"), (12, 12, "... and 1 more,")] {
        let text = render_with(&report, asked, PLAIN);
        assert_eq!(text.matches("timeout c/node/test_").count(), shown);
        assert!(text.contains(more), "{text}");
    }
    let text = render_with(&report, usize::MAX, PLAIN);
    assert_eq!(text.matches("timeout c/node/test_").count(), 13);
    assert!(!text.contains("more, see"), "{text}");
}

#[test]
fn no_line_but_those_to_copy_is_wider_than_the_terminal() {
    for width in [40, 57, 80, 120] {
        for report in [synthetic::every_verdict(), synthetic::large(), synthetic::hostile()] {
            let text = render(&report, Style { width, color: false });
            let (told, _) = text.rsplit_once("\nreports ").unwrap();
            for line in told.lines() {
                assert!(line.width() <= width, "{} > {width}: {line}", line.width());
            }
        }
    }
}

#[test]
fn colours_only_repeat_the_words() {
    let (plain, coloured) = (PLAIN, Style { color: true, ..PLAIN });
    let report = synthetic::every_verdict();
    let text = render(&report, coloured);
    assert!(text.contains("\u{1b}[1m\u{1b}[31mfail\u{1b}[0m"), "{text:?}");
    let stripped = Regex::new("\u{1b}\\[[0-9;]*m").unwrap().replace_all(&text, "").into_owned();
    assert_eq!(stripped, render(&report, plain));
}

#[test]
fn no_stranger_reaches_the_terminal_or_the_shell() {
    let text = render(&synthetic::hostile(), PLAIN);
    assert!(!text.contains(|c: char| c.is_control() && c != '\n'), "{text:?}");
    assert!(text.contains(r"node/\u{1b}[31mred"), "{text}");
    let next = text.lines().last().unwrap();
    assert_eq!(next, "next     open reports/latest/report.html in a browser");
}

#[test]
fn a_failure_that_was_expected_is_told_as_such() {
    let mut report = synthetic::every_verdict();
    for case in &mut report.cases {
        case.expected = case.verdict;
    }
    let text = render(&report, PLAIN);
    assert!(text.contains("fail onnx-1.22.0/node/test_fail (as expected)"), "{text}");
    report.expectations_list = Some(synthetic::list("mine.toml"));
    let told = render(&report, PLAIN);
    assert!(
        told.contains("\nknown failures of mine.toml, SHA-256 0000000000000000...\n"),
        "{told}"
    );
    assert!(!text.contains("known failures of"), "{text}");
    assert!(text.ends_with("next     open reports/latest/report.html in a browser\n"), "{text}");
}

#[test]
fn what_is_unexpected_comes_before_what_is_known_and_the_result_counts_both() {
    let failed = |at: usize, is_known: bool| {
        let mut case = synthetic::case(&format!("onnx-1.22.0/node/f{at:02}"), "Div", Verdict::Fail);
        case.expected = if is_known { Verdict::Fail } else { Verdict::Pass };
        case
    };
    let cases = (0..24).map(|at| failed(at, at < 12)).collect();
    let mut report = synthetic::report(cases);
    assert!(!render(&report, PLAIN).contains("\nresult "));
    report.expectations_list = Some(synthetic::list("mine.toml"));
    let text = render(&report, PLAIN);
    assert!(text.contains("fail onnx-1.22.0/node/f12\n"), "{text}");
    assert!(!text.contains("(as expected)"), "{text}");
    assert!(text.contains("24  fail, 12 of them unexpected\n"), "{text}");
    assert!(text.contains("\n... and 2 more, and 12 that are known, see report.html\n"), "{text}");
    assert!(text.contains("\nresult   12 unexpected failures, 12 known\n"), "{text}");
}

#[test]
fn a_message_is_wrapped_and_cut_after_some_lines_alone() {
    let mut case = synthetic::case("onnx-1.22.0/node/test_div", "Div", Verdict::Fail);
    case.message = Some(format!("refused: {} the cause", "words of a runtime ".repeat(8)));
    let text = render(&synthetic::report(vec![case.clone()]), PLAIN);
    assert!(text.contains("the cause\n"), "{text}");
    assert!(text.lines().all(|line| line.chars().count() <= 80), "{text}");
    case.message = Some("words of a runtime ".repeat(80));
    let text = render(&synthetic::report(vec![case]), PLAIN);
    assert!(text.contains("\n  ...\n") && text.lines().count() < 40, "{text}");
}

#[test]
fn the_counts_are_those_of_the_document() {
    let report = synthetic::every_verdict();
    let expected = Summary { cases: 8, pass: 1, elements_compared: 120, ..report.summary };
    assert_eq!(report.summary, expected);
    assert_eq!(Verdict::ALL.map(|verdict| report.summary.count(verdict)), [1; 8]);
}

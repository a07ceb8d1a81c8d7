//! `junit.xml`, read back with the library's own reader, and with Python's junitparser.

use std::path::Path;
use std::process::Command;

use onnx_conformance::documents::report::document::Report;
use onnx_conformance::documents::report::junit;
use onnx_conformance::judge::verdict::Verdict;
use quick_junit::{NonSuccessKind, TestCaseStatus};
use serde_json::{Value, json};

use super::synthetic;
use crate::support;

fn xml(report: &Report) -> String {
    String::from_utf8(junit::to_bytes(report).unwrap()).unwrap()
}

fn read(report: &Report) -> quick_junit::Report {
    quick_junit::Report::deserialize_from_str(&xml(report)).unwrap()
}

#[test]
fn every_verdict_has_its_place() {
    insta::assert_snapshot!(xml(&synthetic::every_verdict()));
}

#[test]
fn cases_are_grouped_by_corpus_and_folder() {
    let case = |id| synthetic::case(id, "Div", Verdict::Pass);
    let report = read(&synthetic::report(vec![
        case("onnx-1.2.1/node/test_div"),
        case("onnx-1.22.0/node/test_div"),
        case("onnx-1.22.0/node/test_sqrt"),
        case("sonnx/div/float32/corner_0007"),
        case("lonely"),
    ]));
    let names: Vec<_> = report
        .test_suites
        .iter()
        .flat_map(|suite| suite.test_cases.iter().map(move |case| (suite, case)))
        .map(|(suite, case)| {
            format!("{} | {} | {}", &*suite.name, case.classname.as_deref().unwrap(), &*case.name)
        })
        .collect();
    assert_eq!(
        names,
        [
            "onnx-1.2.1 | onnx-1.2.1.node | test_div",
            "onnx-1.22.0 | onnx-1.22.0.node | test_div",
            "onnx-1.22.0 | onnx-1.22.0.node | test_sqrt",
            "sonnx | sonnx.div.float32 | corner_0007",
            "onnx | onnx | lonely",
        ]
    );
    assert_eq!(report.test_suites.len(), 4);
}

#[test]
fn the_counts_are_those_of_the_summary() {
    let report = synthetic::large();
    let (junit, summary) = (read(&report), &report.summary);
    assert_eq!(junit.tests as u64, summary.cases);
    assert_eq!(junit.failures as u64, summary.fail);
    assert_eq!(junit.errors as u64, summary.crash + summary.timeout + summary.fault);
    let skipped = summary.unsupported + summary.out_of_domain + summary.skipped;
    assert_eq!(junit.skipped as u64, skipped);
}

/// What junitparser makes of it; none where no Python is named that should have it.
fn read_by_junitparser(report: &Report) -> Option<Value> {
    let python = support::python("junitparser")?;
    let consumers = Path::new(env!("CARGO_MANIFEST_DIR")).join("testdata/consumers");
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("junit.xml");
    std::fs::write(&file, xml(report)).unwrap();
    let output = Command::new(python).arg(consumers.join("junit.py")).arg(file).output().unwrap();
    let stderr = String::from_utf8_lossy(&output.stderr);
    assert!(
        output.status.success(),
        "{stderr}; does the Python have testdata/consumers/requirements.txt?"
    );
    Some(serde_json::from_slice(&output.stdout).unwrap())
}

#[test]
fn junitparser_counts_what_the_summary_counts() {
    for report in [synthetic::every_verdict(), synthetic::hostile(), synthetic::large()] {
        let Some(read) = read_by_junitparser(&report) else {
            return;
        };
        let summary = &report.summary;
        let counts = json!({
            "tests": summary.cases,
            "failures": summary.fail,
            "errors": summary.crash + summary.timeout + summary.fault,
            "skipped": summary.unsupported + summary.out_of_domain + summary.skipped,
        });
        assert_eq!(read, json!({ "whole": counts, "stated": counts, "counted": counts }));
    }
}

#[test]
fn what_was_expected_does_not_turn_a_build_red() {
    let mut report = synthetic::every_verdict();
    for case in &mut report.cases {
        case.expected = case.verdict;
    }
    let junit = read(&report);
    assert_eq!((junit.failures, junit.errors, junit.skipped), (0, 0, 7));
    let says = |name: &str, value: &str| format!(r#"<property name="{name}" value="{value}"/>"#);
    assert!(xml(&report).contains(&says("known failures", "none")));
    report.expectations_list = Some(synthetic::list("mine.toml"));
    let list = format!("mine.toml (SHA-256 {})", "0".repeat(64));
    assert!(xml(&report).contains(&says("known failures", &list)));
}

#[test]
fn hostile_strings_are_text_and_nothing_else() {
    let hostile = synthetic::hostile();
    let text = xml(&hostile);
    let forbidden = |c: char| {
        c.is_control() && !matches!(c, '\n' | '\t') || matches!(c, '\u{fffe}' | '\u{ffff}')
    };
    assert!(!text.contains(forbidden));
    let report = read(&hostile);
    assert_eq!((report.test_suites.len(), report.tests), (1, hostile.cases.len()));
    let escape = report.test_suites[0].test_cases.iter().find(|case| case.name.contains("red"));
    let TestCaseStatus::NonSuccess { kind, ty, message, description, .. } = &escape.unwrap().status
    else {
        panic!("the case failed");
    };
    assert_eq!(*kind, NonSuccessKind::Failure);
    assert_eq!(ty.as_deref(), Some("fail"));
    let shown = r"\u{1b}[31mred\u{1b}[0m\u{0}\u{8}\u{b}\u{fffe}\u{9b}2J";
    assert_eq!(message.as_deref(), Some(shown));
    assert!(description.as_deref().unwrap().starts_with(shown));
}

//! The schemas of reports and baselines.

use std::fs;

use onnx_conformance::document::JsonDocument;
use onnx_conformance::documents::report::baseline::Baseline;
use onnx_conformance::documents::report::document::Report;
use serde_json::{Value, json};

use crate::reports::{every_verdict, hostile, large};
use crate::{assert_committed, file};

fn errors(report: &Value) -> Vec<String> {
    crate::errors::<Report>(report)
}

fn valid() -> Value {
    serde_json::from_slice(&every_verdict().to_bytes().unwrap()).unwrap()
}

#[test]
fn the_committed_schema_is_the_one_of_the_types() {
    assert_committed::<Report>();
    assert_committed::<Baseline>();
}

#[test]
fn every_report_that_is_written_is_valid() {
    for report in [every_verdict(), hostile(), large()] {
        let bytes = report.to_bytes().unwrap();
        assert_eq!(errors(&serde_json::from_slice(&bytes).unwrap()), Vec::<String>::new());
    }
}

#[test]
fn an_unknown_verdict_is_refused() {
    let mut report = valid();
    report["cases"][0]["verdict"] = json!("passed");
    assert_eq!(errors(&report).len(), 1);
}

#[test]
fn a_missing_member_is_refused_even_where_null_would_do() {
    for member in ["verdict", "message"] {
        let mut report = valid();
        report["cases"][0].as_object_mut().unwrap().remove(member).unwrap();
        assert_eq!(errors(&report), [format!("{member:?} is a required property")]);
    }
}

#[test]
fn the_share_of_a_bound_is_a_text_that_may_be_missing() {
    let mut report = valid();
    let output = report.pointer_mut("/cases/1/outputs/0").unwrap();
    assert_eq!(output.get("share_of_bound"), None);
    output["share_of_bound"] = json!("0.312500");
    assert_eq!(errors(&report), Vec::<String>::new());
    report.pointer_mut("/cases/1/outputs/0").unwrap()["share_of_bound"] = json!(0.3125);
    assert_eq!(errors(&report).len(), 1);
}

#[test]
fn a_member_too_many_is_refused_at_every_level() {
    let paths = ["", "/tool", "/summary", "/cases/0", "/cases/1/outputs/0/worst/0", "/provenance"];
    for path in paths {
        let mut report = valid();
        report.pointer_mut(path).unwrap()["surplus"] = json!(1);
        assert_eq!(errors(&report).len(), 1, "{path}");
    }
}

#[test]
fn another_format_version_is_refused() {
    let mut report = valid();
    report["format_version"] = json!(1);
    assert_eq!(
        errors(&report),
        [format!("{} was expected", onnx_conformance::documents::report::document::FORMAT_VERSION)]
    );
}

#[test]
fn negative_counts_are_refused() {
    let mut report = valid();
    report["summary"]["pass"] = json!(-1);
    assert_eq!(errors(&report).len(), 1);
}

#[test]
fn the_committed_baselines_are_valid() {
    for name in ["onnx", "sonnx"] {
        let bytes = fs::read(file(&format!("reports/baseline/{name}.json"))).unwrap();
        let baseline = serde_json::from_slice(&bytes).unwrap();
        assert_eq!(crate::errors::<Baseline>(&baseline), Vec::<String>::new(), "{name}");
    }
}

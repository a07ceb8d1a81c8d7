//! The committed schema, and what it accepts.

use std::fs;
use std::path::Path;

use onnx_conformance::report::{json, schema};
use serde_json::{Value, json};

use super::synthetic;

fn errors(report: &Value) -> Vec<String> {
    let schema = serde_json::from_str(&schema::to_text().unwrap()).unwrap();
    let validator = jsonschema::draft202012::new(&schema).unwrap();
    validator.iter_errors(report).map(|error| error.to_string()).collect()
}

fn valid() -> Value {
    serde_json::from_slice(&json::to_bytes(&synthetic::every_verdict()).unwrap()).unwrap()
}

#[test]
fn the_committed_schema_is_the_one_of_the_types() {
    for (path, generated) in schema::files().unwrap() {
        let committed = fs::read_to_string(Path::new(env!("CARGO_MANIFEST_DIR")).join(path));
        assert!(
            committed.is_ok_and(|committed| committed == generated),
            "{path} is not what the types of the report say; renew it with `cargo xtask codegen`"
        );
    }
}

#[test]
fn every_report_that_is_written_is_valid() {
    for report in [synthetic::every_verdict(), synthetic::hostile(), synthetic::large()] {
        let bytes = json::to_bytes(&report).unwrap();
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
    assert_eq!(errors(&report), ["3 was expected"]);
}

#[test]
fn negative_counts_are_refused() {
    let mut report = valid();
    report["summary"]["pass"] = json!(-1);
    assert_eq!(errors(&report).len(), 1);
}

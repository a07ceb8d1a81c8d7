//! `report.json`, written and read again.

use std::fs::{self, File};
use std::path::PathBuf;

use onnx_conformance::document::{Flaw, JsonDocument};
use onnx_conformance::documents::report::document::{FORMAT_VERSION, Report};

use super::synthetic;

fn read(bytes: &[u8]) -> Result<onnx_conformance::documents::report::document::Report, String> {
    let dir = tempfile::tempdir().unwrap();
    let path = dir.path().join("report.json");
    fs::write(&path, bytes).unwrap();
    Report::read(&path).map_err(|error| error.to_string().replace(path.to_str().unwrap(), "FILE"))
}

#[test]
fn a_report_reads_back_as_it_was_written() {
    let consistent = synthetic::every_verdict();
    assert!(read(&consistent.to_bytes().unwrap()).unwrap() == consistent);
    for report in [consistent, synthetic::hostile(), synthetic::large()] {
        let bytes = report.to_bytes().unwrap();
        assert!(bytes.ends_with(b"}\n"));
        assert!(serde_json::from_slice::<Report>(&bytes).unwrap() == report);
    }
}

#[test]
fn a_case_is_written_member_by_member_in_the_order_of_the_contract() {
    let report = synthetic::report(vec![synthetic::case(
        "onnx-1.22.0/node/test_div",
        "Div",
        onnx_conformance::judge::verdict::Verdict::Fail,
    )]);
    insta::assert_snapshot!(String::from_utf8(report.to_bytes().unwrap()).unwrap());
}

#[test]
fn a_report_without_errors_against_the_exact_results_is_read_too() {
    let report = synthetic::every_verdict();
    let mut document = serde_json::to_value(&report).unwrap();
    let mut removed = 0;
    for case in document["cases"].as_array_mut().unwrap() {
        for output in case["outputs"].as_array_mut().unwrap() {
            for member in ["max_error_ulp", "expected_max_error_ulp"] {
                removed += usize::from(output.as_object_mut().unwrap().remove(member).is_some());
            }
        }
    }
    assert!(removed > 0 && removed % 2 == 0);
    let mut expected = report;
    for output in expected.cases.iter_mut().flat_map(|case| &mut case.outputs) {
        (output.max_error_ulp, output.expected_max_error_ulp) = (None, None);
    }
    assert!(read(document.to_string().as_bytes()).unwrap() == expected);
}

#[test]
fn another_version_is_refused_whatever_else_the_file_holds() {
    let error = read(br#"{"format_version": 1, "unknown": []}"#).unwrap_err();
    assert_eq!(
        error,
        format!(
            "failed to read the report `FILE`: it has format version 1, and this program reads \
             version {FORMAT_VERSION}; write it anew, or read it with the program that wrote it"
        )
    );
}

#[test]
fn a_damaged_file_is_refused() {
    let whole = synthetic::every_verdict().to_bytes().unwrap();
    let own_version = format!("{{\"format_version\": {FORMAT_VERSION}}}");
    for bytes in [&whole[..whole.len() / 2], b"", b"[2]", own_version.as_bytes(), b"\xff\xfe"] {
        let error = read(bytes).unwrap_err();
        assert!(error.starts_with("failed to read the report `FILE`: it is damaged"), "{error}");
    }
}

#[test]
fn nesting_without_end_is_refused_before_the_stack_is() {
    assert!(read("[".repeat(1 << 20).as_bytes()).is_err());
    assert!(read(format!("{{\"a\":{}", "[".repeat(1 << 20)).as_bytes()).is_err());
}

#[test]
fn a_file_beyond_the_limit_is_refused() {
    let dir = tempfile::tempdir().unwrap();
    let path = dir.path().join("report.json");
    File::create(&path).unwrap().set_len(Report::SIZE_LIMIT + 1).unwrap();
    assert!(
        matches!(Report::read(&path), Err(error) if matches!(error.flaw, Flaw::TooLarge { .. }))
    );
}

#[test]
fn a_missing_file_is_named() {
    let error = Report::read(&PathBuf::from("none/report.json")).unwrap_err();
    assert_eq!(
        error.to_string(),
        "failed to read the report `none/report.json`; is this the path of a `report.json`?"
    );
}

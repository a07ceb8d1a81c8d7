//! Real runtimes behind their adapters, as `cargo xtask adapters setup` makes them ready: each
//! gives every case a verdict, and what is known of its failures is all there is.
//!
//! A backend that is not set up is skipped, unless `ONNX_CONFORMANCE_BACKENDS` names it.

#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic, reason = "tests may panic")]

use std::path::Path;
use std::process::Command;

use onnx_conformance::backend::catalogue::Catalogue;
use onnx_conformance::report::document::Report;
use onnx_conformance::report::json;
use onnx_conformance::verdict::Verdict;

const ROOT: &str = env!("CARGO_MANIFEST_DIR");

/// Whether the backend can be asked; that it cannot is told, or fails the test where it must be.
fn is_ready(name: &str) -> bool {
    let root = Path::new(ROOT);
    let ready = Catalogue::read(root).unwrap().get(name).unwrap().home(root).is_dir();
    let required = std::env::var("ONNX_CONFORMANCE_BACKENDS").unwrap_or_default();
    assert!(ready || !required.split(',').any(|one| one == name), "{name} is not set up");
    if !ready {
        eprintln!("SKIPPED: {name} is not set up; `cargo xtask adapters setup {name}` does that");
    }
    ready
}

/// Runs a backend on cases; gives the exit code and the report.
fn run(name: &str, cases: &[&str]) -> (Option<i32>, Report) {
    let out = tempfile::tempdir().unwrap();
    let output = Command::new(env!("CARGO_BIN_EXE_onnx-conformance"))
        .args(["run", "--backend", name, "--out"])
        .arg(out.path())
        .args(cases)
        .current_dir(ROOT)
        .output()
        .unwrap();
    let code = output.status.code();
    let stderr = String::from_utf8_lossy(&output.stderr);
    assert!(matches!(code, Some(0 | 1)), "{name} {cases:?}: {code:?}: {stderr}");
    (code, json::read(&out.path().join("report.json")).unwrap())
}

/// Asks a backend its suites, and that every case has a verdict and none is the harness' doing.
fn asked(name: &str, cases: &[&str], promised: u64) -> (Option<i32>, Report) {
    let (code, report) = run(name, cases);
    assert_eq!(report.summary.cases, promised, "{name}");
    for case in &report.cases {
        let is_harness = matches!(case.verdict, Verdict::Fault | Verdict::Skipped);
        assert!(!is_harness, "{name} {}: {:?}", case.id, case.message);
    }
    (code, report)
}

const OWN: &[&str] = &["--corpus", "testdata/suites/onnx"];

#[test]
fn onnx_runtime_fails_at_nothing_but_what_is_known() {
    if !is_ready("onnxruntime") {
        return;
    }
    assert_eq!(asked("onnxruntime", &["--corpus", "onnx-1.22.0"], 1765).0, Some(0));
    assert_eq!(asked("onnxruntime", OWN, 275).0, Some(0));
    let (code, report) = asked("onnxruntime", &["--suite", "sonnx"], 317);
    assert_eq!(code, Some(0));
    let crashed = report.cases.iter().filter(|case| case.verdict == Verdict::Crash);
    let ids: Vec<_> = crashed.map(|case| case.id.as_str()).collect();
    assert_eq!(
        ids,
        ["sonnx/div/int32/minimum_by_minus_one", "sonnx/div/int64/minimum_by_minus_one"]
    );
}

#[test]
fn the_reference_evaluator_fails_at_nothing_but_what_is_known() {
    if !is_ready("onnx-reference") {
        return;
    }
    assert_eq!(asked("onnx-reference", &["--corpus", "onnx-1.22.0"], 1765).0, Some(0));
    assert_eq!(asked("onnx-reference", OWN, 275).0, Some(0));
    assert_eq!(asked("onnx-reference", &["--suite", "sonnx"], 317).0, Some(0));
}

#[test]
fn numpy_fails_at_nothing_but_what_is_known() {
    if !is_ready("numpy") {
        return;
    }
    assert_eq!(asked("numpy", &["--corpus", "onnx-1.22.0", "--strict"], 1765).0, Some(0));
    assert_eq!(asked("numpy", &["--suite", "sonnx", "--strict"], 317).0, Some(0));
}

#[test]
fn the_sample_of_c_kernels_fails_nowhere() {
    if !is_ready("c-sample") {
        return;
    }
    assert_eq!(asked("c-sample", &["--corpus", "onnx-1.22.0"], 1765).0, Some(0));
    assert_eq!(asked("c-sample", OWN, 275).0, Some(0));
    assert_eq!(asked("c-sample", &["--suite", "sonnx"], 317).0, Some(0));
}

#[test]
fn openvino_is_asked_its_own_suite_in_its_own_format() {
    if !is_ready("openvino") {
        return;
    }
    let (_, report) = asked("openvino", &["--suite", "openvino"], 146);
    assert_eq!(report.summary.unsupported, 0);
    assert!(report.summary.pass > 0 && report.summary.elements_compared > 20_000);
    asked("openvino", &["--suite", "sonnx"], 317);
}

#[test]
fn tract_and_rten_give_every_case_a_verdict() {
    for name in ["tract", "rten"].into_iter().filter(|name| is_ready(name)) {
        asked(name, &["--corpus", "onnx-1.22.0"], 1765);
        asked(name, &["--suite", "sonnx"], 317);
    }
}

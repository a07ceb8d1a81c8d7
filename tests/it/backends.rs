//! Real runtimes behind their adapters, as `cargo xtask adapters setup` makes them ready: each
//! gives every case a verdict, and what is known of its failures is all there is.
//!
//! A backend that is not set up is skipped, unless `ONNX_CONFORMANCE_BACKENDS` names it. Every change has them run one
//! of so many cases, always the same; all cases are for `cargo xtask ci --full`.

#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic, reason = "tests may panic")]

use std::path::{Path, PathBuf};
use std::process::Command;

use onnx_conformance::backend::catalogue::Catalogue;
use onnx_conformance::corpus::shard::Shard;
use onnx_conformance::document::JsonDocument;
use onnx_conformance::documents::report::document::Report;
use onnx_conformance::judge::verdict::Verdict;
use onnx_conformance::run::CaseResult;

use crate::support::extent::{is_full, report_sample, size};

const ROOT: &str = env!("CARGO_MANIFEST_DIR");

/// Whether the backend can be asked; that it cannot is told, or fails the test where it must be.
pub(crate) fn is_ready(name: &str) -> bool {
    let root = Path::new(ROOT);
    let ready = Catalogue::read(root).unwrap().get(name).unwrap().home(root).is_dir();
    let required = std::env::var("ONNX_CONFORMANCE_BACKENDS").unwrap_or_default();
    assert!(ready || !required.split(',').any(|one| one == name), "{name} is not set up");
    if !ready {
        eprintln!("SKIPPED: {name} is not set up; `cargo xtask adapters setup {name}` does that");
    }
    ready
}

/// The Python of ONNX's evaluator, which has the newest release of the package `onnx` that is known here.
pub(crate) fn newest_onnx() -> Option<PathBuf> {
    let name = "onnx-reference";
    let home =
        || Catalogue::read(Path::new(ROOT)).unwrap().get(name).unwrap().home(Path::new(ROOT));
    is_ready(name).then(|| home().join("bin/python"))
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
    (code, Report::read(&out.path().join("report.json")).unwrap())
}

/// Of so many cases in their order every change has one run.
const ONE_OF: u64 = 16;

/// Runs a backend on a suite or a corpus, or on the sample of it: every case has a verdict, and none is the harness'
/// doing.
fn asked(name: &str, (cases, all): (&[&str], u64)) -> (Option<i32>, Report) {
    let sample = Shard::new(1, ONE_OF).unwrap();
    let planned = size(sample.share(all), all);
    let text = sample.to_string();
    let sampled = [cases, &["--shard", &text]].concat();
    let (code, report) = run(name, size(&sampled, cases));
    if !is_full() {
        report_sample(planned, all, format_args!("cases of {} by {name}", cases.join(" ")));
    }
    assert_eq!(report.summary.cases, planned, "{name}");
    for case in &report.cases {
        let is_harness = matches!(case.verdict, Verdict::Fault | Verdict::Skipped);
        assert!(!is_harness, "{name} {}: {:?}", case.id, case.message);
    }
    for case in &report.cases {
        if case.is_unexpected_failure() || case.is_unexpected_pass() {
            println!("{name} {}: {}, not {}", case.id, case.verdict, case.expected);
        }
    }
    (code, report)
}

/// The official node cases, of which there are so many.
const OFFICIAL: (&[&str], u64) = (&["--corpus", "onnx-1.22.0"], 1765);

/// The number of cases of a suite.
fn models(suite: &str) -> u64 {
    let suite = onnx_conformance::corpus::suite::named(suite).unwrap();
    crate::support::suites::corpus(suite).cases().len() as u64
}

/// A suite of this project's.
fn own<'a>(arguments: &'a [&'a str]) -> (&'a [&'a str], u64) {
    (arguments, models(arguments[1].rsplit('/').next().unwrap()))
}

const ONNX: &[&str] = &["--corpus", "testdata/suites/onnx"];
const SONNX: &[&str] = &["--suite", "sonnx"];

#[test]
fn onnx_runtime_fails_at_nothing_but_what_is_known() {
    if !is_ready("onnxruntime") {
        return;
    }
    assert_eq!(asked("onnxruntime", OFFICIAL).0, Some(0));
    // It gives memory as it finds it where these sums have no terms, and that is 0 now and then.
    let steady: Vec<_> = [ONNX, &["--exclude", "/uint8/form_no_terms$"]].concat();
    assert_eq!(asked("onnxruntime", (&steady, own(ONNX).1 - 2)).0, Some(0));
    let (code, report) = asked("onnxruntime", own(SONNX));
    assert_eq!(code, Some(0));
    let crashed = report.cases.iter().filter(|case| case.verdict == Verdict::Crash);
    let ids: Vec<_> = crashed.map(|case| case.id.as_str()).collect();
    let known = ["sonnx/div/int32/minimum_by_minus_one", "sonnx/div/int64/minimum_by_minus_one"];
    let (_, report) =
        run("onnxruntime", &["--suite", "sonnx", "--filter", "/minimum_by_minus_one$"]);
    let crashed: Vec<_> =
        report.cases.iter().filter(|case| case.verdict == Verdict::Crash).collect();
    let crashing: Vec<_> = crashed.iter().map(|case| case.id.as_str()).collect();
    assert_eq!(crashing, known);
    assert!(ids.iter().all(|id| known.contains(id)), "{ids:?}");
}

#[test]
fn the_reference_evaluator_fails_at_nothing_but_what_is_known() {
    if !is_ready("onnx-reference") {
        return;
    }
    assert_eq!(asked("onnx-reference", OFFICIAL).0, Some(0));
    // It searches two cases for an index that there is not, and does not end: it need not have the usual minute.
    let impatient: Vec<_> = [ONNX, &["--timeout", "20"]].concat();
    assert_eq!(asked("onnx-reference", (&impatient, own(ONNX).1)).0, Some(0));
    assert_eq!(asked("onnx-reference", own(SONNX)).0, Some(0));
}

#[test]
fn numpy_fails_at_nothing_but_what_is_known() {
    if !is_ready("numpy") {
        return;
    }
    assert_eq!(asked("numpy", (&["--corpus", "onnx-1.22.0", "--strict"], 1765)).0, Some(0));
    assert_eq!(asked("numpy", own(&["--suite", "sonnx", "--strict"])).0, Some(0));
}

#[test]
fn the_sample_of_c_kernels_fails_nowhere() {
    if !is_ready("c-sample") {
        return;
    }
    assert_eq!(asked("c-sample", OFFICIAL).0, Some(0));
    assert_eq!(asked("c-sample", own(ONNX)).0, Some(0));
    assert_eq!(asked("c-sample", own(SONNX)).0, Some(0));
}

#[test]
fn openvino_is_asked_its_own_suite_in_its_own_format() {
    if !is_ready("openvino") {
        return;
    }
    let (code, report) = asked("openvino", own(&["--suite", "openvino"]));
    assert_eq!(code, Some(0));
    assert_eq!(report.summary.unsupported, 0);
    let compared = report.summary.elements_compared;
    assert!(report.summary.pass > 0 && compared > size(20_000 / ONE_OF / 4, 20_000));
    let (_, report) = asked("openvino", own(SONNX));
    // In which cases of these its process is ended by a violation of memory, or gives what lies in memory, differs from
    // run to run; what they have written over may end it in one of the cases that come next.
    let is_violent = |case: &CaseResult| ["Reshape", "Shape", "Slice"].contains(&&*case.operator);
    let is_known = |at: usize| {
        let case = &report.cases[at];
        let comes_next = report.cases[at.saturating_sub(4)..at].iter().any(is_violent);
        case.expected == case.verdict
            || is_violent(case)
            || (case.verdict == Verdict::Crash && comes_next)
    };
    let cases = report.cases.iter().enumerate();
    let unexpected = cases.filter(|(at, case)| case.verdict.is_failure() && !is_known(*at));
    let unexpected = unexpected.map(|(_, case)| case);
    let ids: Vec<_> = unexpected.map(|case| case.id.as_str()).collect();
    assert_eq!(ids, [""; 0]);
    // What happens to 8-bit floats differs from run to run: some abort its process. It is asked two operators
    // only, as each process that ends is one more to start.
    let two = ["--corpus", "testdata/suites/onnx", "--filter", "^onnx/(div|sqrt)_"];
    let (_, report) = run("openvino", &two);
    assert!(report.summary.cases > 100 && report.summary.fault == 0);
}

#[test]
fn tract_and_rten_give_every_case_a_verdict() {
    for name in ["tract", "rten"].into_iter().filter(|name| is_ready(name)) {
        asked(name, OFFICIAL);
        asked(name, own(SONNX));
    }
}

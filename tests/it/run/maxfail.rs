//! A run that ends with so many unexpected results, whatever its jobs.

#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic, reason = "tests may panic")]

use std::num::NonZeroUsize;
use std::path::Path;
use std::time::Duration;

use onnx_conformance::judge::expect::Expectations;
use onnx_conformance::judge::verdict::Verdict::{Crash, Pass, Skipped, Timeout};
use onnx_conformance::run::{CaseResult, Options};

use super::{Misbehaving, float32, options, run_in, write_case};

/// Writes cases `case_0`, `case_1` and so on, of these operators.
fn write_cases(folder: &Path, op_types: &[&str]) {
    let values = [float32(&[1.0])];
    for (k, op_type) in op_types.iter().enumerate() {
        write_case(&folder.join(format!("case_{k}")), op_type, &values, &values);
    }
}

/// What cases of these operators come to in a run that ends with so many unexpected results.
fn cases(op_types: &[&str], most: usize, jobs: usize, known: &str) -> Vec<CaseResult> {
    let folder = tempfile::tempdir().unwrap();
    let corpus = folder.path().join("cases");
    write_cases(&corpus, op_types);
    let options = Options {
        max_failures: NonZeroUsize::new(most),
        jobs: NonZeroUsize::new(jobs).unwrap(),
        timeout: Duration::from_millis(500),
        expectations: Expectations::parse("known.toml", known).unwrap().into(),
        ..options()
    };
    run_in(&corpus, Misbehaving, &options).cases
}

fn verdicts(cases: &[CaseResult]) -> Vec<onnx_conformance::judge::verdict::Verdict> {
    cases.iter().map(|case| case.verdict).collect()
}

#[test]
fn it_ends_with_the_last_of_them_in_natural_order_though_others_are_found_before() {
    // The first one takes half a second, and the other workers crash on all that follow meanwhile.
    let op_types = ["Identity", "Hang", "Panic", "Identity", "Panic", "Panic", "Identity"];
    for jobs in [1, 4, 16] {
        let one = cases(&op_types, 1, jobs, "");
        let skipped = [Skipped; 5];
        assert_eq!(verdicts(&one), [&[Pass, Timeout][..], &skipped].concat(), "{jobs} jobs");
        let two = verdicts(&cases(&op_types, 2, jobs, ""));
        assert_eq!(two, [&[Pass, Timeout, Crash][..], &skipped[1..]].concat(), "{jobs} jobs");
        let message = one[2].message.as_deref().unwrap();
        assert_eq!(message, "not run: the run ends with 1 unexpected result (--maxfail)");
        assert!(one[2..].iter().all(|case| case.outputs.is_empty() && case.stderr.is_empty()));
        assert_eq!(one[3].operator, "Identity");
    }
}

#[test]
fn known_failures_do_not_count_and_fewer_unexpected_ones_end_nothing() {
    let op_types = ["Panic", "Identity", "Panic", "Identity"];
    let known = "[[known]]\ncases = 'cases/case_0'\nverdict = 'crash'\nreason = 'x'\n";
    assert_eq!(verdicts(&cases(&op_types, 2, 3, known)), [Crash, Pass, Crash, Pass]);
    assert_eq!(verdicts(&cases(&op_types, 1, 3, known)), [Crash, Pass, Crash, Skipped]);
}

#[test]
fn a_case_that_cannot_be_decoded_counts_and_behind_the_last_is_skipped_too() {
    let folder = tempfile::tempdir().unwrap();
    write_cases(folder.path(), &["Identity", "Identity", "Identity"]);
    for k in [1, 2] {
        let model = folder.path().join(format!("case_{k}/model.onnx"));
        std::fs::write(model, [0xff; 3]).unwrap();
    }
    let options = Options { max_failures: NonZeroUsize::new(1), ..options() };
    let run = run_in(folder.path(), Misbehaving, &options);
    let fault = onnx_conformance::judge::verdict::Verdict::Fault;
    assert_eq!(verdicts(&run.cases), [Pass, fault, Skipped]);
    assert_eq!(run.corpora[0].cases, 3, "what is not run is verified all the same");
}

//! Runs with backends that misbehave: each gets its verdict, and the run goes on.

#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic, reason = "tests may panic")]

mod maxfail;

use std::collections::BTreeMap;
use std::num::NonZeroUsize;
use std::path::Path;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};

use onnx_conformance::backend::builtin::Builtin;
use onnx_conformance::backend::{
    Answer, Backend, Identity, Outcome, Refusal, RefusalKind, Stage, Task,
};
use onnx_conformance::corpus::Corpus;
use onnx_conformance::corpus::selection::Selection;
use onnx_conformance::corpus::suite::Suite;
use onnx_conformance::documents::report::document::Report;
use onnx_conformance::judge::profile::Profile;
use onnx_conformance::judge::requirements::Catalogue;
use onnx_conformance::judge::verdict::Verdict;
use onnx_conformance::onnx::proto::{ModelProto, NodeProto};
use onnx_conformance::run::{Options, Profiles, Run, RunError, run};
use onnx_conformance::tensor::Value;
use prost::Message;

use crate::support::{float32, int32, write_case};

/// A backend that does to each operator what its name says.
struct Misbehaving;

impl Backend for Misbehaving {
    fn identity(&self) -> Identity {
        Identity { name: "misbehaving".into(), version: "1".into(), details: BTreeMap::new() }
    }

    fn run(&self, task: &Task<'_>) -> Answer {
        let refuse = |kind| {
            let message = "not today".to_owned();
            Outcome::Refused(Refusal { stage: Stage::Run, kind, message })
        };
        match task.model.operators()[0].as_str() {
            "Identity" | "Tanh" => Outcome::Outputs(task.inputs.to_vec()),
            "Panic" => panic!("out of cheese"),
            "Hang" => {
                std::thread::sleep(Duration::from_secs(3600));
                unreachable!()
            }
            "Nothing" => Outcome::Outputs(Vec::new()),
            "WrongShape" => Outcome::Outputs(vec![float32(&[1.0])]),
            "WrongType" => Outcome::Outputs(vec![int32(&[1, 2])]),
            "Unsupported" => refuse(RefusalKind::Unsupported),
            "Invalid" => refuse(RefusalKind::Invalid),
            _ => refuse(RefusalKind::Error),
        }
        .into()
    }
}

fn options() -> Options {
    Options {
        profiles: Profiles::all(Profile::named("ieee754").unwrap()),
        selection: Selection::default(),
        catalogue: Some(Arc::new(Catalogue::embedded().unwrap())),
        expectations: Arc::default(),
        challenge: None,
        jobs: NonZeroUsize::new(2).unwrap(),
        timeout: Duration::from_secs(60),
        shard: None,
        max_failures: None,
        interrupted: Arc::default(),
    }
}

fn case(folder: &Path, op_type: &str) {
    let values = [float32(&[1.0, 2.0])];
    write_case(&folder.join("node").join(op_type.to_lowercase()), op_type, &values, &values);
}

fn run_in(folder: &Path, backend: impl Backend + 'static, options: &Options) -> Run {
    let corpus = Corpus::open_dir(folder).unwrap();
    let backend: Arc<dyn Backend> = Arc::new(backend);
    run(&[(Suite::Onnx, corpus)], &backend, options, &mut |_| ()).unwrap()
}

fn verdict_of(op_type: &str) -> (Verdict, String) {
    let folder = tempfile::tempdir().unwrap();
    case(folder.path(), op_type);
    case(folder.path(), "Identity");
    // Only what never answers has to be waited for.
    let timeout = Duration::from_millis(if op_type == "Hang" { 200 } else { 60_000 });
    let options = Options { timeout, ..options() };
    let mut cases = run_in(folder.path(), Misbehaving, &options).cases;
    cases.retain(|case| case.operator == op_type);
    let case = cases.remove(0);
    (case.verdict, case.message.unwrap_or_default())
}

#[test]
fn a_backend_that_returns_the_expected_bits_passes() {
    assert_eq!(verdict_of("Identity"), (Verdict::Pass, String::new()));
}

#[test]
fn a_backend_that_panics_has_crashed() {
    assert_eq!(verdict_of("Panic"), (Verdict::Crash, "panicked: out of cheese".to_owned()));
}

#[test]
fn a_backend_that_does_not_answer_in_time_has_timed_out() {
    assert_eq!(verdict_of("Hang"), (Verdict::Timeout, "no answer within 0.2 s".to_owned()));
}

#[test]
fn what_judging_takes_is_not_the_time_of_a_backend() {
    let folder = tempfile::tempdir().unwrap();
    let values: Vec<f32> = (0..300_000_u32).map(|k| f32::from_bits(0x3f00_0000 + 8 * k)).collect();
    let values = [float32(&values)];
    write_case(&folder.path().join("tanh"), "Tanh", &values, &values);
    let timeout = Duration::from_millis(200);
    let profiles = Profiles::all(Profile::named("exact").unwrap());
    let begun = Instant::now();
    let run = run_in(folder.path(), Misbehaving, &Options { timeout, profiles, ..options() });
    assert!(begun.elapsed() > timeout, "judging has to take longer than the backend may");
    assert_eq!(run.cases[0].verdict, Verdict::Fail, "{:?}", run.cases[0].message);
    assert!(run.cases[0].duration < timeout);
}

#[test]
fn too_few_outputs_or_others_than_expected_fail() {
    for op_type in ["Nothing", "WrongShape", "WrongType"] {
        let (verdict, message) = verdict_of(op_type);
        assert_eq!(verdict, Verdict::Fail, "{op_type}: {message}");
    }
}

#[test]
fn only_a_missing_implementation_is_unsupported() {
    assert_eq!(verdict_of("Unsupported"), (Verdict::Unsupported, "not today".to_owned()));
    assert_eq!(verdict_of("Invalid").0, Verdict::Fail);
    assert_eq!(
        verdict_of("Error"),
        (Verdict::Fail, "refused on run (error): not today".to_owned())
    );
}

#[test]
fn more_hanging_cases_than_jobs_do_not_stop_the_others() {
    let folder = tempfile::tempdir().unwrap();
    let values = [float32(&[1.0])];
    for k in 0..6 {
        let op_type = if k < 4 { "Hang" } else { "Identity" };
        write_case(&folder.path().join(format!("case_{k}")), op_type, &values, &values);
    }
    let options = Options { timeout: Duration::from_secs(1), ..options() };
    let run = run_in(folder.path(), Misbehaving, &options);
    let verdicts: Vec<_> = run.cases.iter().map(|case| case.verdict).collect();
    assert_eq!(verdicts[..4], [Verdict::Timeout; 4]);
    assert_eq!(verdicts[4..], [Verdict::Pass; 2]);
}

#[test]
fn results_come_in_natural_order_whatever_the_jobs() {
    let folder = tempfile::tempdir().unwrap();
    let values = [float32(&[1.0])];
    for k in 0..40 {
        write_case(&folder.path().join(format!("case_{k}")), "Identity", &values, &values);
    }
    let expected: Vec<_> = (0..40).map(|k| format!("case_{k}")).collect();
    for jobs in [1, 3, 16] {
        let options = Options { jobs: NonZeroUsize::new(jobs).unwrap(), ..options() };
        let run = run_in(folder.path(), Misbehaving, &options);
        let names = run.cases.iter().map(|case| case.id.rsplit('/').next().unwrap().to_owned());
        assert_eq!(names.collect::<Vec<_>>(), expected);
    }
}

#[test]
fn a_mismatch_shows_operands_and_bits() {
    let folder = tempfile::tempdir().unwrap();
    let (a, b) = (float32(&[1.0, 1.0]), float32(&[3.0, 2.0]));
    let wrong = float32(&[f32::from_bits(0x3eaa_aaaa), 0.5]);
    write_case(&folder.path().join("thirds"), "Div", &[a, b], &[wrong]);
    let run = run_in(folder.path(), Builtin, &options());
    let case = &run.cases[0];
    assert_eq!(case.verdict, Verdict::Fail);
    assert_eq!(
        case.message.as_deref(),
        Some(
            "output `y0`: 1 of 2 elements differ, by up to 1 ULP, 0.333334 ULP from the exact result; \
             the specification allows what was returned, and not the recorded output"
        )
    );
    let worst = &case.outputs[0].worst[0];
    assert_eq!(worst.index, [0]);
    assert_eq!(worst.inputs, ["1 (0x3f800000)", "3 (0x40400000)"]);
    assert_eq!(worst.actual.to_string(), "0.33333334 (0x3eaaaaab)");
}

#[test]
fn a_report_has_the_errors_of_what_was_returned_and_of_what_was_expected_whatever_the_profile() {
    let folder = tempfile::tempdir().unwrap();
    let below = float32(&[f32::from_bits(0x3eaa_aaaa)]);
    write_case(&folder.path().join("third"), "Div", &[float32(&[1.0]), float32(&[3.0])], &[below]);
    write_case(&folder.path().join("other"), "Zeta", &[float32(&[1.0])], &[float32(&[0.5])]);
    for (profile, verdict) in [("onnx", Verdict::Pass), ("ieee754", Verdict::Fail)] {
        let profiles = Profiles::all(Profile::named(profile).unwrap());
        let run = run_in(folder.path(), Builtin, &Options { profiles, ..options() });
        let catalogue = Catalogue::embedded().unwrap();
        let report = Report::of(run, &catalogue).unwrap();
        let [other, third] = &report.cases[..] else { panic!("two cases") };
        assert_eq!((third.verdict, other.verdict), (verdict, Verdict::Unsupported), "{profile}");
        let output = &third.outputs[0];
        assert_eq!(output.max_error_ulp.as_deref(), Some("0.333334 (<349526/2^20)"));
        assert_eq!(output.expected_max_error_ulp.as_deref(), Some("0.666667 (<699051/2^20)"));
    }
}

#[test]
fn a_case_that_cannot_be_decoded_is_a_fault_that_names_the_file() {
    let folder = tempfile::tempdir().unwrap();
    case(folder.path(), "Div");
    std::fs::write(folder.path().join("node/div/test_data_set_0/input_0.pb"), [0xff; 3]).unwrap();
    let run = run_in(folder.path(), Builtin, &options());
    assert_eq!(run.cases[0].verdict, Verdict::Fault);
    let message = run.cases[0].message.as_deref().unwrap();
    assert!(message.contains("node/div/test_data_set_0/input_0.pb"), "{message}");
}

#[test]
fn a_case_without_data_sets_is_a_fault_and_no_pass() {
    let folder = tempfile::tempdir().unwrap();
    case(folder.path(), "Div");
    std::fs::remove_dir_all(folder.path().join("node/div/test_data_set_0")).unwrap();
    let run = run_in(folder.path(), Builtin, &options());
    assert_eq!(run.cases[0].verdict, Verdict::Fault);
}

#[test]
fn the_worst_data_set_decides() {
    let folder = tempfile::tempdir().unwrap();
    let div = folder.path().join("div");
    write_case(&div, "Div", &[float32(&[1.0]), float32(&[2.0])], &[float32(&[0.5])]);
    std::fs::rename(div.join("test_data_set_0"), div.join("test_data_set_1")).unwrap();
    write_case(&div, "Div", &[float32(&[1.0]), float32(&[2.0])], &[float32(&[0.75])]);
    let run = run_in(folder.path(), Builtin, &options());
    let case = &run.cases[0];
    assert_eq!(case.verdict, Verdict::Fail);
    assert!(case.message.as_deref().unwrap().starts_with("test_data_set_0: "));
    let names: Vec<_> = case.outputs.iter().map(|output| output.name.as_str()).collect();
    assert_eq!(names, ["y0", "test_data_set_1:y0"]);
}

#[test]
fn a_data_set_is_named_by_its_folder_whatever_its_place() {
    let folder = tempfile::tempdir().unwrap();
    let div = folder.path().join("div");
    for (name, expected) in [("10", 0.75), ("3", 0.5), ("2", 0.5)] {
        write_case(&div, "Div", &[float32(&[1.0]), float32(&[2.0])], &[float32(&[expected])]);
        let set = div.join(format!("test_data_set_{name}"));
        std::fs::rename(div.join("test_data_set_0"), set).unwrap();
    }
    let run = run_in(folder.path(), Builtin, &options());
    let case = &run.cases[0];
    assert_eq!(case.verdict, Verdict::Fail);
    let message = case.message.as_deref().unwrap();
    assert!(message.starts_with("test_data_set_10: output `y0`"), "{message}");
    let names: Vec<_> = case.outputs.iter().map(|output| output.name.as_str()).collect();
    assert_eq!(names, ["y0", "test_data_set_3:y0", "test_data_set_10:y0"]);
}

/// The result of a case that expects this with a backend that does what `op_type` says.
fn verdict_expecting(expect: &str, op_type: &str) -> Verdict {
    let folder = tempfile::tempdir().unwrap();
    case(folder.path(), op_type);
    let manifest =
        format!(r#"{{"requirements": ["GR1"], "class": "c", "expect": "{expect}", "note": "n"}}"#);
    let path = folder.path().join("node").join(op_type.to_lowercase()).join("case.json");
    std::fs::write(path, manifest).unwrap();
    run_in(folder.path(), Misbehaving, &options()).cases[0].verdict
}

#[test]
fn a_refusal_passes_only_where_it_is_expected_or_allowed() {
    assert_eq!(verdict_expecting("values", "Invalid"), Verdict::Fail);
    assert_eq!(verdict_expecting("refusal", "Invalid"), Verdict::Pass);
    assert_eq!(verdict_expecting("values_or_refusal", "Invalid"), Verdict::Pass);
    assert_eq!(verdict_expecting("undecided", "Invalid"), Verdict::OutOfDomain);
    for expect in ["values", "refusal", "values_or_refusal", "undecided"] {
        assert_eq!(verdict_expecting(expect, "Unsupported"), Verdict::Unsupported, "{expect}");
    }
}

/// The verdict on two numbers of which a backend refuses the sum; with a node behind it where `is_graph`.
fn verdict_of_refused_sum(second: &Value, is_graph: bool) -> Verdict {
    let folder = tempfile::tempdir().unwrap();
    let case = folder.path().join("add");
    write_case(&case, "Add", &[float32(&[1.0]), second.clone()], &[float32(&[3.0])]);
    if is_graph {
        let path = case.join("model.onnx");
        let mut model = ModelProto::decode(&*std::fs::read(&path).unwrap()).unwrap();
        let graph = model.graph.as_mut().unwrap();
        graph.node.push(NodeProto {
            op_type: Some("Relu".to_owned()),
            input: graph.node[0].output.clone(),
            output: vec!["z".to_owned()],
            ..NodeProto::default()
        });
        graph.output[0].name = Some("z".to_owned());
        std::fs::write(&path, model.encode_to_vec()).unwrap();
    }
    run_in(folder.path(), Misbehaving, &options()).cases[0].verdict
}

#[test]
fn a_case_of_others_that_makes_an_invalid_call_decides_nothing_of_who_refuses_it() {
    for is_graph in [false, true] {
        assert_eq!(verdict_of_refused_sum(&float32(&[2.0]), is_graph), Verdict::Fail);
        assert_eq!(verdict_of_refused_sum(&int32(&[2]), is_graph), Verdict::OutOfDomain);
    }
}

#[test]
fn values_beyond_a_specification_are_recorded_and_judged_nowhere() {
    assert_eq!(verdict_expecting("refusal", "WrongShape"), Verdict::OutOfDomain);
    assert_eq!(verdict_expecting("undecided", "WrongShape"), Verdict::OutOfDomain);
    assert_eq!(verdict_expecting("values_or_refusal", "WrongShape"), Verdict::Fail);
}

#[test]
fn a_crash_is_a_crash_whatever_is_expected() {
    for expect in ["refusal", "values_or_refusal", "undecided"] {
        assert_eq!(verdict_expecting(expect, "Panic"), Verdict::Crash, "{expect}");
    }
}

#[test]
fn an_interruption_ends_the_run_without_a_result() {
    let folder = tempfile::tempdir().unwrap();
    case(folder.path(), "Hang");
    let options = options();
    let corpus = Corpus::open_dir(folder.path()).unwrap();
    let flag: Arc<AtomicBool> = Arc::clone(&options.interrupted);
    std::thread::spawn(move || {
        std::thread::sleep(Duration::from_millis(50));
        flag.store(true, Ordering::Relaxed);
    });
    let backend: Arc<dyn Backend> = Arc::new(Misbehaving);
    let error = run(&[(Suite::Onnx, corpus)], &backend, &options, &mut |_| ()).unwrap_err();
    assert!(matches!(error, RunError::Interrupted { done: 0, cases: 1 }));
}

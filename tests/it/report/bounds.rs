//! However much a backend says, its report stays one that every reader takes.

use std::collections::BTreeMap;
use std::num::NonZeroUsize;
use std::path::Path;
use std::sync::Arc;
use std::time::Duration;

use onnx_conformance::backend::{
    Answer, Backend, Identity, Outcome, Refusal, RefusalKind, Stage, Task,
};
use onnx_conformance::corpus::Corpus;
use onnx_conformance::corpus::selection::Selection;
use onnx_conformance::corpus::suite::Suite;
use onnx_conformance::document::JsonDocument;
use onnx_conformance::documents::report::document::Report;
use onnx_conformance::dtype::DType;
use onnx_conformance::judge::profile::Profile;
use onnx_conformance::judge::requirements::Catalogue;
use onnx_conformance::judge::verdict::Verdict;
use onnx_conformance::onnx::encode_value;
use onnx_conformance::run::{CaseResult, Options, Profiles, run};
use onnx_conformance::tensor::{MAX_RANK, Tensor, Value};

use crate::support::{float32, strings, write_case};

/// A backend that says the most that it can, of the worst that JSON has to escape.
struct Talkative;

impl Backend for Talkative {
    fn identity(&self) -> Identity {
        Identity { name: "talkative".into(), version: "1".into(), details: BTreeMap::new() }
    }

    fn run(&self, task: &Task<'_>) -> Answer {
        let noise = "\u{1}".repeat(100_000);
        let outcome = match task.model.operators()[0].as_str() {
            "Crash" => Outcome::Crashed { message: noise.clone() },
            "Strings" => Outcome::Outputs(vec![strings(&[noise.as_bytes(); 20])]),
            _ => {
                let (stage, kind) = (Stage::Run, RefusalKind::Error);
                Outcome::Refused(Refusal { stage, kind, message: noise.clone() })
            }
        };
        Answer { outcome, stderr: "\u{1}".repeat(8 << 10) }
    }
}

fn report(folder: &Path) -> Report {
    let catalogue = Arc::new(Catalogue::embedded().unwrap());
    let options = Options {
        profiles: Profiles::all(Profile::named("ieee754").unwrap()),
        selection: Selection::default(),
        catalogue: Some(Arc::clone(&catalogue)),
        expectations: Arc::default(),
        challenge: None,
        jobs: NonZeroUsize::MIN,
        timeout: Duration::from_secs(60),
        shard: None,
        max_failures: None,
        interrupted: Arc::default(),
    };
    let corpora = [(Suite::Onnx, Corpus::open_dir(folder).unwrap())];
    let backend: Arc<dyn Backend> = Arc::new(Talkative);
    let run = run(&corpora, &backend, &options, &mut |_| ()).unwrap();
    Report::of(run, &catalogue).unwrap()
}

#[test]
fn the_report_of_a_thousand_endless_messages_is_read_again() {
    let folder = tempfile::tempdir().unwrap();
    for k in 0..1000 {
        let operator = ["Crash", "Refusal"][k % 2];
        let values = [float32(&[1.0])];
        write_case(&folder.path().join(format!("case_{k}")), operator, &values, &values);
    }
    let report = report(folder.path());
    let message = |k: usize| report.cases[k].message.as_deref().unwrap();
    assert!(message(0).ends_with(" ... and 94880 more bytes"), "{}", &message(0)[5110..]);
    assert!(message(999).len() < 250 && message(999).contains(" more bytes"), "{}", message(999));
    let kept: usize = report.provenance.stderr.values().map(String::len).sum();
    assert!((1 << 20..2 << 20).contains(&kept), "{kept} bytes of standard error");
    let bytes = report.to_bytes().unwrap();
    assert!(Report::from_bytes("report.json".as_ref(), &bytes).is_ok());
}

#[test]
fn long_strings_are_cut_wherever_elements_are_told() {
    let folder = tempfile::tempdir().unwrap();
    let expected = [strings(&[b"x".as_slice(); 20])];
    write_case(&folder.path().join("strings"), "Strings", &expected, &expected);
    let report = report(folder.path());
    assert_eq!(report.cases[0].verdict, Verdict::Fail);
    assert!(report.to_bytes().unwrap().len() < 100_000);
}

#[test]
fn a_report_that_no_reader_would_take_is_not_made() {
    let folder = tempfile::tempdir().unwrap();
    let values = [float32(&[1.0])];
    write_case(&folder.path().join("case"), "Refusal", &values, &values);
    let mut report = report(folder.path());
    let case = CaseResult { id: "x".repeat(1 << 20), ..report.cases[0].clone() };
    report.cases = vec![case; 33];
    let error = report.to_bytes().unwrap_err().to_string();
    assert!(error.contains("larger than 33554 kB") && error.contains("--filter"), "{error}");
}

#[test]
fn a_case_that_expects_thousands_of_tensors_is_a_fault_that_counts_them() {
    let folder = tempfile::tempdir().unwrap();
    let case = folder.path().join("case");
    let values = vec![float32(&[]); 1025];
    write_case(&case, "Many", &values[..1], &values);
    let report = report(folder.path());
    let (verdict, message) = (report.cases[0].verdict, report.cases[0].message.clone().unwrap());
    assert_eq!(verdict, Verdict::Fault);
    assert!(message.contains("expect 1025 tensors as outputs"), "{message}");
}

#[test]
fn a_tensor_has_as_many_dimensions_as_can_be_shown() {
    let folder = tempfile::tempdir().unwrap();
    let case = folder.path().join("case");
    let scalar = |rank| Tensor::from_values(DType::Float32, vec![1; rank], vec![1.0_f32]);
    let widest = Value::Tensor(scalar(MAX_RANK).unwrap());
    let values = [float32(&[1.0])];
    write_case(&case, "Refusal", &values, std::slice::from_ref(&widest));
    assert_eq!(report(folder.path()).cases[0].verdict, Verdict::Fail);

    assert!(scalar(MAX_RANK + 1).is_err());
    // A dimension takes two bytes of protobuf: the field's number, and 1.
    let mut endless = encode_value("y", &float32(&[1.0])).to_vec();
    endless.extend([0x08, 1].repeat(2_000_000));
    std::fs::write(case.join("test_data_set_0/output_0.pb"), endless).unwrap();
    let report = report(folder.path());
    let message = report.cases[0].message.as_deref().unwrap();
    assert_eq!(report.cases[0].verdict, Verdict::Fault);
    assert!(message.contains("it has 2000001 dimensions"), "{message}");
    assert!(report.to_bytes().unwrap().len() < 10_000);
}

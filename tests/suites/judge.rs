//! A suite run through a backend and judged by exact bits, without the harness' own judgement.

use std::panic::{AssertUnwindSafe, catch_unwind};
use std::path::{Path, PathBuf};

use onnx_conformance::backend::{Backend, Outcome};
use onnx_conformance::case::{Case, DataSet, Expect};
use onnx_conformance::corpus::Corpus;
use onnx_conformance::dtype::Kind;
use onnx_conformance::float::Class;
use onnx_conformance::suite::Suite;
use onnx_conformance::tensor::{Tensor, Value};

/// A case of a suite, by its name in it.
pub(crate) struct Loaded {
    pub(crate) suite: Suite,
    pub(crate) name: String,
    pub(crate) path: PathBuf,
    pub(crate) case: Case,
}

/// What a case came to.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Judgement {
    Pass,
    OutOfDomain,
    Fail(String),
}

/// The cases of a suite.
pub(crate) fn cases_of(suite: Suite) -> Vec<Loaded> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("testdata/suites").join(suite.name());
    let corpus = Corpus::open_dir(&folder).unwrap();
    let load = |dir: &onnx_conformance::corpus::CaseDir| {
        let files = dir.load().unwrap();
        Loaded {
            suite,
            name: dir.name().to_owned(),
            path: dir.path().to_owned(),
            case: Case::decode(dir.name(), files.files()).unwrap(),
        }
    };
    corpus.cases().iter().map(load).collect()
}

/// Runs a case and judges it.
pub(crate) fn judge(backend: &dyn Backend, loaded: &Loaded) -> Judgement {
    let [set] = loaded.case.data_sets.as_slice() else { panic!("one data set: {}", loaded.name) };
    let run = AssertUnwindSafe(|| backend.run(&loaded.case.model, &set.inputs, loaded.suite));
    let outcome = catch_unwind(run).unwrap_or(Outcome::Crashed { message: "a panic".to_owned() });
    match (loaded.case.manifest.expect, outcome) {
        (_, Outcome::Crashed { message }) => Judgement::Fail(message),
        (Expect::Undecided, _) | (Expect::Refusal, Outcome::Outputs(_)) => Judgement::OutOfDomain,
        (Expect::Refusal | Expect::ValuesOrRefusal, Outcome::Refused(_)) => Judgement::Pass,
        (Expect::Values, Outcome::Refused(refusal)) => Judgement::Fail(refusal.to_string()),
        (Expect::Values | Expect::ValuesOrRefusal, Outcome::Outputs(outputs)) => {
            difference(set, &outputs).map_or(Judgement::Pass, Judgement::Fail)
        }
    }
}

fn difference(set: &DataSet, actual: &[Value]) -> Option<String> {
    let ([Value::Tensor(expected)], [Value::Tensor(actual)]) = (&set.outputs[..], actual) else {
        return Some("not one tensor".to_owned());
    };
    if expected.dtype() != actual.dtype() || expected.shape() != actual.shape() {
        return Some("another type or shape".to_owned());
    }
    let differs = |&k: &usize| !conforms(expected, actual, k);
    let first = (0..expected.elements()).find(differs)?;
    let bits = |tensor: &Tensor| tensor.element(first).unwrap();
    Some(format!("element {first}: {:#x}, not {:#x}", bits(actual), bits(expected)))
}

fn conforms(expected: &Tensor, actual: &Tensor, k: usize) -> bool {
    let [expected_bits, actual_bits] = [expected, actual].map(|tensor| tensor.element(k).unwrap());
    match expected.dtype().kind() {
        Kind::Float(format) if format.class(expected_bits as u64) == Class::Nan => {
            format.class(actual_bits as u64) == Class::Nan
        }
        _ => expected_bits == actual_bits,
    }
}

//! What wrong kernels leave verified: nothing that states what is wrong, and all else.

use onnx_conformance::document::JsonDocument;
use std::num::NonZeroUsize;
use std::sync::Arc;
use std::time::Duration;

use onnx_conformance::backend::builtin::Builtin;
use onnx_conformance::backend::{Answer, Backend, Identity, Outcome, Task};
use onnx_conformance::corpus::selection::Selection;
use onnx_conformance::corpus::suite::Suite;
use onnx_conformance::documents::matrix;
use onnx_conformance::documents::report::document::{Case, Report, Suite as Judged};
use onnx_conformance::dtype::DType;
use onnx_conformance::judge::profile::{Profile, Strictness};
use onnx_conformance::judge::requirements::Catalogue;
use onnx_conformance::judge::verdict::Verdict;
use onnx_conformance::run::{Options, Profiles, run};
use onnx_conformance::tensor::{Tensor, Value};

use crate::support::suites::corpus;

/// The built-in kernels, but what they return is off by some ULP wherever that stays a number.
#[derive(Debug)]
struct Inexact {
    operator: &'static str,
    ulp: u32,
}

impl Backend for Inexact {
    fn identity(&self) -> Identity {
        Identity { name: "inexact".to_owned(), ..Builtin.identity() }
    }

    fn run(&self, task: &Task<'_>) -> Answer {
        let answer = Builtin.run(task);
        if task.model.operators() != [self.operator] {
            return answer;
        }
        let Outcome::Outputs(outputs) = answer.outcome else { return answer };
        let moved = outputs.into_iter().map(|output| match output {
            Value::Tensor(tensor) if tensor.dtype() == DType::Float32 => self.moved(&tensor),
            other => other,
        });
        Outcome::Outputs(moved.collect()).into()
    }
}

impl Inexact {
    fn moved(&self, tensor: &Tensor) -> Value {
        let words = tensor.bits().unwrap().chunks_exact(4);
        let words = words.map(|word| u32::from_le_bytes(word.try_into().unwrap()));
        let is_ordinary = |value: f32| value.is_normal() && (value.abs() < f32::MAX / 2.0);
        let moved: Vec<f32> = words
            .map(|word| match f32::from_bits(word) {
                value if is_ordinary(value) => f32::from_bits(word + self.ulp),
                value => value,
            })
            .collect();
        Tensor::from_values(DType::Float32, tensor.shape().to_vec(), moved).unwrap().into()
    }
}

/// The report of a backend on the suites' cases of its operator, each under its own profile or all under one, which has to
/// agree with itself.
fn report(backend: Inexact, suites: &[Suite], named: Option<&str>) -> Report {
    let open = |suite: &Suite| (*suite, corpus(*suite).clone());
    let corpora: Vec<_> = suites.iter().map(open).collect();
    let named = named.map(|name| Profile::named(name).unwrap());
    let catalogue = Arc::new(Catalogue::embedded().unwrap());
    let options = Options {
        profiles: Profiles::of(&corpora, named.as_ref()).unwrap(),
        selection: Selection::matching(
            format!("/{}", backend.operator.to_lowercase()).parse().unwrap(),
        ),
        catalogue: Some(Arc::clone(&catalogue)),
        expectations: Arc::default(),
        challenge: None,
        jobs: NonZeroUsize::new(2).unwrap(),
        timeout: Duration::from_secs(60),
        shard: None,
        max_failures: None,
        interrupted: Arc::default(),
    };
    let backend: Arc<dyn Backend> = Arc::new(backend);
    let run = run(&corpora, &backend, &options, &mut |_| ()).unwrap();
    let report = Report::of(run, &catalogue).unwrap();
    report.consistent().unwrap();
    report
}

/// The status of a requirement, which report and matrix have to say alike, and the reason.
fn status(report: &Report, id: &str) -> (String, Option<String>) {
    let catalogue = Catalogue::embedded().unwrap();
    let source = matrix::Source { document: report, page: None };
    let matrix = matrix::document::Matrix::of(&catalogue, &[source], &[]).unwrap();
    let derived = matrix.requirements.iter().find(|one| one.id == id).unwrap();
    let listed = report.requirements.iter().find(|one| one.id == id).unwrap();
    assert_eq!(listed.status, derived.status.to_string(), "{id}");
    assert_eq!(listed.reason, derived.reason, "{id}");
    (listed.status.clone(), listed.reason.clone())
}

const ROOTS: Inexact = Inexact { operator: "Sqrt", ulp: 3 };
const QUOTIENTS: Inexact = Inexact { operator: "Div", ulp: 3 };

#[test]
fn wrong_square_roots_are_found_whatever_suites_run_with_theirs() {
    for suites in [&[Suite::Sonnx][..], &[Suite::Onnx, Suite::Sonnx]] {
        let report = report(ROOTS, suites, None);
        for id in ["P_SQRT_FLOAT_ACC_0010", "P_SQRT_FLOAT_FUNC_0050"] {
            assert_eq!(status(&report, id).0, "failed", "{id}");
        }
        let judged = |case: &&Case| case.suite == "sonnx";
        assert!(report.cases.iter().filter(judged).all(|case| case.profile == "sonnx"));
    }
}

#[test]
fn own_cases_of_onnx_are_judged_exactly_where_no_profile_is_named() {
    let report = report(Inexact { operator: "Sqrt", ulp: 1 }, &[Suite::Onnx], None);
    let roots = |case: &&Case| case.id.ends_with("sqrt_13/float32/elements");
    let case = report.cases.iter().find(roots).unwrap();
    assert_eq!(case.verdict, Verdict::Fail);
    assert_eq!((case.profile.as_str(), case.strictness), ("onnx-exact", Some(Strictness::Exact)));
    assert_eq!(Judged::described(&report.suites), "onnx for onnx, onnx-exact for its own cases");
}

#[test]
fn a_laxer_profile_verifies_no_accuracy_and_says_why() {
    let report = report(ROOTS, &[Suite::Onnx, Suite::Sonnx], Some("onnx"));
    assert!(report.cases.iter().all(|case| case.profile == "onnx"));
    let (status_of_roots, reason) = status(&report, "P_SQRT_FLOAT_ACC_0010");
    assert_eq!(status_of_roots, "partly");
    assert_eq!(reason.unwrap(), "judged by `onnx`, which is laxer than the requirement (exact)");
    assert_eq!(status(&report, "P_SQRT_FLOAT_CONSTR_Y_0010").0, "verified", "a shape is a shape");
    assert_eq!(status(&report, "P_ONNX_SQRT13_FUNC_0010").0, "verified", "ONNX asks for no more");
    let laxer: Vec<_> = report.suites.iter().filter_map(Judged::laxer).collect();
    assert_eq!(
        laxer,
        [
            "The suite onnx's own cases are judged by `onnx`, which is laxer than their default \
             profile `onnx-exact`.",
            "The suite sonnx is judged by `onnx`, which is laxer than its default profile `sonnx`.",
        ]
    );
}

#[test]
fn wrong_values_fail_no_requirement_on_shapes_or_types() {
    let report = report(QUOTIENTS, &[Suite::Sonnx], None);
    for (id, expected) in [
        ("E_DIV_FLOAT_FUNC_0010", "failed"),
        ("P_DIV_FLOAT_ACC_0010", "failed"),
        ("E_DIV_FLOAT_CONSTR_C_0010", "verified"),
        ("E_DIV_FLOAT_CONSTR_C_0020", "verified"),
        ("P_DIV_FLOAT_TYPES_0010", "verified"),
        ("E_DIV_INT_FUNC_0010", "verified"),
    ] {
        assert_eq!(status(&report, id).0, expected, "{id}");
    }
}

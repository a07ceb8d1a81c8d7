//! Reports of wrong kernels against the committed baselines, which none of them gets past.

use std::num::NonZeroUsize;
use std::path::Path;
use std::sync::Arc;
use std::time::Duration;

use onnx_conformance::backend::Backend;
use onnx_conformance::corpus::Corpus;
use onnx_conformance::gate::{Change, Comparison, Kind, Weight};
use onnx_conformance::profile::Profile;
use onnx_conformance::report::baseline::{self, Baseline};
use onnx_conformance::report::document::{Report, Summary};
use onnx_conformance::requirements::Catalogue;
use onnx_conformance::run::{Options, run};
use onnx_conformance::suite::Suite;

use crate::kernels::{Kernels, RIGHT};
use crate::mutants::{Mutant, ONNX, SONNX};

/// What the committed baseline of this name holds of a suite's own cases.
fn baseline(name: &str, suite: Suite) -> Baseline {
    let root = Path::new(env!("CARGO_MANIFEST_DIR"));
    let path = root.join(format!("reports/baseline/{name}.json"));
    let mut baseline = baseline::read(&path).unwrap();
    let corpus = suite.name();
    baseline.corpora.retain(|known| known.name == corpus);
    baseline.cases.retain(|case| case.id.split('/').next() == Some(corpus));
    let results = baseline.cases.iter().map(|case| (case.verdict, case.elements_compared()));
    baseline.summary = Summary::of_results(results);
    baseline
}

/// The report of a backend that gives itself out as the one of the baseline.
fn report(kernels: Kernels, suite: Suite, baseline: &Baseline) -> Report {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("testdata/suites").join(suite.name());
    let catalogue = Arc::new(Catalogue::embedded().unwrap());
    let options = Options {
        profile: Profile::named(&baseline.profile).unwrap(),
        filter: None,
        catalogue: Arc::clone(&catalogue),
        expectations: Arc::default(),
        jobs: std::thread::available_parallelism().unwrap_or(NonZeroUsize::MIN),
        timeout: Duration::from_secs(60),
        interrupted: Arc::default(),
    };
    let backend: Arc<dyn Backend> = Arc::new(kernels);
    let corpora = [(suite, Corpus::open_dir(&folder).unwrap())];
    let run = run(&corpora, &backend, &options, &mut |_| ()).unwrap();
    let mut report = Report::of(&run, &run.matrix(&catalogue).unwrap());
    report.backend.clone_from(&baseline.backend);
    report
}

/// The findings in the report of these kernels, but for refusals: the kernels for tests do not keep
/// to SONNX's restrictions, so they answer where the built-in backend passes by refusing.
fn findings(kernels: Kernels, suite: Suite, baseline: &Baseline) -> Vec<Kind> {
    let report = report(kernels, suite, baseline);
    let comparison = Comparison::of(baseline, &report).unwrap();
    let is_of_refusal = |change: &Change| {
        let case = baseline.cases.iter().find(|case| case.id == change.subject);
        change.kind == Kind::LostPass && case.is_some_and(|case| case.outputs.is_empty())
    };
    let found = comparison.changes.iter().filter(|change| !is_of_refusal(change));
    found.map(|change| change.kind).filter(|kind| kind.weight() == Weight::Finding).collect()
}

fn assert_none_passes(mutants: &[Mutant], suite: Suite, baseline: &Baseline) {
    assert_eq!(findings(RIGHT, suite, baseline), [], "right kernels do not pass");
    for mutant in mutants {
        let found = findings(mutant.kernels, suite, baseline);
        assert!(found.contains(&Kind::NewFailure), "{}: {found:?}", mutant.says);
    }
}

#[test]
fn no_wrong_kernel_gets_past_the_baseline_of_sonnx() {
    assert_none_passes(&SONNX, Suite::Sonnx, &baseline("sonnx", Suite::Sonnx));
}

#[test]
fn no_wrong_broadcasting_gets_past_the_baseline_of_onnx() {
    assert_none_passes(&ONNX, Suite::Onnx, &baseline("onnx", Suite::Onnx));
}

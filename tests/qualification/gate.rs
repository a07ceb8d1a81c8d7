//! Reports of kernels with a defect against the committed baselines, which none of them gets past.

use std::collections::BTreeMap;
use std::num::NonZeroUsize;
use std::path::Path;
use std::sync::{Arc, LazyLock};

use libtest_mimic::{Failed, Trial};
use onnx_conformance::backend::Backend;
use onnx_conformance::corpus::selection::Selection;
use onnx_conformance::corpus::suite::Suite;
use onnx_conformance::corpus::{CaseDir, Corpus, Home};
use onnx_conformance::documents::gate::{ChangeKind, Comparison, Kind, Weight};
use onnx_conformance::documents::report::baseline::{self, Baseline};
use onnx_conformance::documents::report::document::{Report, Summary};
use onnx_conformance::judge::profile::Profile;
use onnx_conformance::judge::requirements::Catalogue;
use onnx_conformance::run::{Options, Profiles, run};

use crate::defect::{Clean, Defect, PATIENCE, Wrong};

/// The suites that are asked, first to last: a defect is put to the first that finds it.
const ORDER: [Suite; 3] = [Suite::Sonnx, Suite::Onnx, Suite::OpenVino];

/// What the reports are held against.
static CATALOGUE: LazyLock<Arc<Catalogue>> =
    LazyLock::new(|| Arc::new(Catalogue::embedded().unwrap()));

/// A trial for each suite that a baseline speaks of.
pub(crate) fn trials() -> Vec<Trial> {
    let trial = |suite: Suite, name: &'static str| {
        let says = format!("no defect that {suite} finds gets past its baseline");
        Trial::test(says, move || none_passes(suite, &baseline(name, suite)))
    };
    vec![trial(Suite::Sonnx, "sonnx"), trial(Suite::OpenVino, "sonnx"), trial(Suite::Onnx, "onnx")]
}

/// What the committed baseline of this name holds of a suite's own cases.
fn baseline(name: &str, suite: Suite) -> Baseline {
    let root = Path::new(env!("CARGO_MANIFEST_DIR"));
    let path = root.join(format!("reports/baseline/{name}.json"));
    let mut baseline = baseline::read(&path).unwrap();
    let corpus = suite.name();
    baseline.corpora.retain(|known| known.name == corpus);
    of_cases(baseline, |id| id.split('/').next() == Some(corpus))
}

/// What a baseline holds of some of its cases.
fn of_cases(mut baseline: Baseline, is_meant: impl Fn(&str) -> bool) -> Baseline {
    baseline.cases.retain(|case| is_meant(&case.id));
    assert!(!baseline.cases.is_empty());
    let results = baseline.cases.iter().map(|case| (case.verdict, case.elements_compared()));
    baseline.summary = Summary::of_results(results);
    baseline
}

/// Whether a folder of a suite has the cases of one of these operators, such as `div_14`.
fn is_of(operators: &[&str], folder: &str) -> bool {
    let name = folder.split('_').next();
    operators.iter().any(|operator| Some(operator.to_lowercase().as_str()) == name)
}

/// A suite with the folders of some operators alone: a run reads all that there is to read of a corpus.
fn of_operators(suite: Suite, operators: &[&str]) -> [(Suite, Corpus); 1] {
    let all = whole(suite);
    let is_meant = |case: &&CaseDir| is_of(operators, case.name().split('/').next().unwrap());
    let files = all.cases().iter().filter(is_meant).flat_map(|case| {
        let loaded = case.load().unwrap();
        let files = loaded.files().iter();
        let named = files.map(|(path, it)| (format!("{}/{path}", case.name()), it.clone()));
        named.collect::<Vec<_>>()
    });
    [(suite, Corpus::made(suite.name().to_owned(), &files.collect()))]
}

/// A suite's own cases.
fn whole(suite: Suite) -> Corpus {
    Home::at(Path::new(env!("CARGO_MANIFEST_DIR")).join("testdata")).suite(suite).unwrap()
}

/// The findings in the report of a backend on a baseline's cases, which gives itself out as the one of the baseline, and
/// the corpora for whole ones.
fn findings(
    backend: &Arc<dyn Backend>,
    corpora: &[(Suite, Corpus)],
    baseline: &Baseline,
) -> Vec<ChangeKind> {
    let named = Profile::named(&baseline.profile).ok();
    let ids = baseline.cases.iter().map(|case| case.id.clone()).collect();
    let options = Options {
        profiles: Profiles::of(corpora, named.as_ref()).unwrap(),
        selection: Selection { ids: Some(ids), ..Selection::default() },
        catalogue: Some(Arc::clone(&CATALOGUE)),
        expectations: Arc::default(),
        challenge: None,
        jobs: std::thread::available_parallelism().unwrap_or(NonZeroUsize::MIN),
        timeout: PATIENCE,
        shard: None,
        max_failures: None,
        interrupted: Arc::default(),
    };
    let run = run(corpora, backend, &options, &mut |_| ()).unwrap();
    let mut report = Report::of(run, &CATALOGUE).unwrap();
    report.backend.clone_from(&baseline.backend);
    report.corpora.clone_from(&baseline.corpora);
    let comparison = Comparison::of(baseline, &report).unwrap();
    let kinds = comparison.changes.iter().map(|change| change.kind);
    kinds.filter(|kind| kind.weight() == Weight::Finding).collect()
}

/// Runs the suite for the defects of kernels that it is the first to find.
fn none_passes(suite: Suite, baseline: &Baseline) -> Result<(), Failed> {
    let whole = [(suite, whole(suite))];
    let is_found = findings(&Clean::Elements.backend(), &whole, baseline);
    if !is_found.is_empty() {
        return Err(format!("what has no defect does not pass: {is_found:?}").into());
    }
    let is_of_suite = |defect: &Defect| {
        let first = ORDER.into_iter().find(|suite| defect.is_promised_by(suite.name()));
        first == Some(suite) && !matches!(defect.wrong, Wrong::Process(_))
    };
    let mut defects: BTreeMap<Vec<&str>, Vec<Defect>> = BTreeMap::new();
    for defect in Defect::all().into_iter().filter(is_of_suite) {
        let of_operators = defects.entry(defect.operators.to_vec()).or_default();
        // The gate goes by verdicts, whatever they come of: of the derived ones of an operator one does.
        if !defect.is_derived() || !of_operators.iter().any(Defect::is_derived) {
            of_operators.push(defect);
        }
    }
    if defects.is_empty() {
        return Err("no defect is found first by this suite".into());
    }
    for (operators, defects) in defects {
        let corpora = of_operators(suite, &operators);
        let baseline = of_cases(baseline.clone(), |id| {
            is_of(&operators, id.split('/').nth(1).unwrap_or_default())
        });
        let passes = |defect: &&Defect| findings(&defect.backend(), &corpora, &baseline).is_empty();
        if let Some(defect) = defects.iter().find(passes) {
            return Err(format!("{} gets past the baseline", defect.id).into());
        }
    }
    Ok(())
}

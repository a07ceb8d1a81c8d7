//! Reports of kernels with a defect against the committed baselines, which none of them gets past.

use std::collections::BTreeMap;
use std::num::NonZeroUsize;
use std::path::Path;
use std::sync::{Arc, LazyLock};

use libtest_mimic::Failed;
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
use crate::matrix::Kit;

/// The suites that are asked, first to last: a defect is put to the first that finds it.
const ORDER: [Suite; 3] = [Suite::Sonnx, Suite::Onnx, Suite::OpenVino];

/// What the reports are held against.
static CATALOGUE: LazyLock<Arc<Catalogue>> =
    LazyLock::new(|| Arc::new(Catalogue::embedded().unwrap()));

/// The suites that a baseline speaks of, with its name.
pub(crate) const BASELINES: [(Suite, &str); 3] =
    [(Suite::Sonnx, "sonnx"), (Suite::OpenVino, "sonnx"), (Suite::Onnx, "onnx")];

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

/// The folder of an operator's version that a case of a suite is in, such as `div_14` of `sonnx/div_14/..`.
fn folder(id: &str) -> &str {
    id.split('/').nth(1).unwrap_or_default()
}

/// A folder of a suite alone: a run reads all that there is to read of a corpus.
fn of_folder((suite, whole): &(Suite, Corpus), folder: &str) -> [(Suite, Corpus); 1] {
    let is_meant = |case: &&CaseDir| case.name().split('/').next() == Some(folder);
    let files = whole.cases().iter().filter(is_meant).flat_map(|case| {
        let loaded = case.load().unwrap();
        let files = loaded.files().iter();
        let named = files.map(|(path, it)| (format!("{}/{path}", case.name()), it.clone()));
        named.collect::<Vec<_>>()
    });
    [(*suite, Corpus::made(suite.name().to_owned(), &files.collect()))]
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

/// Runs a suite without a defect, and with each one that it is the first to find what is in the folder where it first does.
pub(crate) fn none_passes(kit: &Kit, at: usize) -> Result<(), Failed> {
    let (suite, name) = BASELINES[at];
    let baseline = baseline(name, suite);
    let whole = [(suite, whole(suite))];
    let is_found = findings(&Clean::Elements.backend(), &whole, &baseline);
    if !is_found.is_empty() {
        return Err(format!("what has no defect does not pass: {is_found:?}").into());
    }
    let mut defects: BTreeMap<String, Vec<&Defect>> = BTreeMap::new();
    for (at, defect) in kit.defects.iter().enumerate() {
        let first = ORDER.into_iter().find_map(|suite| Some((suite, kit.first(at, suite)?)));
        let Some((_, case)) = first.filter(|(first, _)| *first == suite) else { continue };
        if matches!(defect.wrong, Wrong::Process(_)) {
            continue;
        }
        let of_folder = defects.entry(folder(case).to_owned()).or_default();
        // The gate goes by verdicts, whatever they come of: of the derived ones of a folder one does.
        if !defect.is_derived() || !of_folder.iter().any(|known| known.is_derived()) {
            of_folder.push(defect);
        }
    }
    if defects.is_empty() {
        return Err("no defect is found first by this suite".into());
    }
    for (name, defects) in defects {
        let corpora = of_folder(&whole[0], &name);
        let baseline = of_cases(baseline.clone(), |id| folder(id) == name);
        let passes =
            |defect: &&&Defect| findings(&defect.backend(), &corpora, &baseline).is_empty();
        if let Some(defect) = defects.iter().find(passes) {
            return Err(format!("{} gets past the baseline", defect.id).into());
        }
    }
    Ok(())
}

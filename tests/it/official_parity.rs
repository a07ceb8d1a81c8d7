//! The official runner and this one give the same verdict on every case of each kind, with ONNX Runtime and
//! with the ReferenceEvaluator, but for the cases that `docs/official-runner.md` explains.
//!
//! Needs a Python with the packages of `testdata/numpy/requirements.txt`, named by
//! `ONNX_CONFORMANCE_PYTHON`; skipped where there is none.

#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic, reason = "tests may panic")]

use std::collections::{BTreeMap, BTreeSet};
use std::num::NonZeroUsize;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::sync::Arc;
use std::time::Duration;

use onnx_conformance::backend::Backend;
use onnx_conformance::backend::adapter::{Adapter, Program, Sandbox};
use onnx_conformance::corpus::selection::Selection;
use onnx_conformance::corpus::suite::Suite;
use onnx_conformance::corpus::{CaseKind, Corpus, Home};
use onnx_conformance::judge::profile::Profile;
use onnx_conformance::judge::requirements::Catalogue;
use onnx_conformance::judge::verdict::Verdict;
use onnx_conformance::run::{Options, Profiles, run};

use crate::support;

const ROOT: &str = env!("CARGO_MANIFEST_DIR");

/// A case that is left out: to sum up its half a million elements exactly takes a debug build minutes.
const LARGE: &str = "test_operator_conv";

/// The official runner of a release, and its cases of a kind.
struct Official {
    python: PathBuf,
    release: String,
    kind: CaseKind,
    corpus: Corpus,
    profile: Arc<Profile>,
}

/// The runner of the Python that the environment names, for a kind of cases, where these were fetched: those of
/// nodes have to be.
fn official(kind: CaseKind) -> Option<Official> {
    let python = PathBuf::from(support::python("onnx and onnxruntime")?);
    let ask = ["-c", "import onnx; print(onnx.__version__)"];
    let output = Command::new(&python).args(ask).output().unwrap();
    let release = String::from_utf8(output.stdout).unwrap().trim().to_owned();
    let profile = match release.as_str() {
        "1.22.0" => "onnx",
        "1.23.2" => "onnx-1.23",
        _ => panic!("nothing is known of the runner of onnx {release}"),
    };
    let home = Home::at(Path::new(ROOT).join("testdata"));
    let name = kind.corpus_of(&release);
    if kind != CaseKind::Node && !home.corpus_path(&name).is_dir() {
        eprintln!("SKIPPED: {name} was not fetched");
        return None;
    }
    let corpus = home.corpus(&name).unwrap();
    Some(Official { python, release, kind, corpus, profile: Profile::named(profile).unwrap() })
}

/// Names of the cases that pass, of all.
impl Official {
    fn passed(&self, backend: &str) -> BTreeSet<String> {
        let script = Path::new(ROOT).join("tests/it/official_parity/official_runner.py");
        let output = Command::new(&self.python)
            .arg(script)
            .args([backend, self.kind.name()])
            .output()
            .unwrap();
        assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
        let text = String::from_utf8(output.stdout).unwrap();
        let verdicts: BTreeMap<_, _> =
            text.lines().map(|line| line.split_once(' ').unwrap()).collect();
        assert_eq!(verdicts.len(), self.corpus.cases().len());
        let passed =
            verdicts.into_iter().filter(|(name, verdict)| *name != LARGE && *verdict == "pass");
        passed.map(|(name, _)| name.to_owned()).collect()
    }

    /// How many of the cases are too large.
    fn large(&self) -> usize {
        self.corpus
            .cases()
            .iter()
            .filter(|case| case.name().ends_with(&format!("/{LARGE}")))
            .count()
    }

    /// Names of the cases that pass here.
    fn passed_here(&self, script: &str, arguments: &[&str]) -> BTreeSet<String> {
        let script = Path::new(ROOT).join("adapters/python").join(script);
        let mut words = vec![script.into_os_string()];
        words.extend(arguments.iter().map(Into::into));
        let program = Program {
            path: self.python.clone(),
            arguments: words,
            folder: None,
            memory_limit: None,
            sandbox: Sandbox::default(),
        };
        let adapter = Adapter::start(program, 2, Duration::from_secs(120)).unwrap();
        let backend: Arc<dyn Backend> = Arc::new(adapter);
        let large = format!("/{LARGE}$").parse().unwrap();
        let options = Options {
            profiles: Profiles::all(Arc::clone(&self.profile)),
            selection: Selection { excludes: vec![large], ..Selection::default() },
            catalogue: Some(Arc::new(Catalogue::embedded().unwrap())),
            expectations: Arc::default(),
            challenge: None,
            jobs: NonZeroUsize::new(2).unwrap(),
            timeout: Duration::from_secs(120),
            shard: None,
            max_failures: None,
            interrupted: Arc::default(),
        };
        let corpora = [(Suite::Onnx, self.corpus.clone())];
        let run = run(&corpora, &backend, &options, &mut |_| ()).unwrap();
        assert_eq!(run.cases.len(), self.corpus.cases().len() - self.large());
        let passed = run.cases.into_iter().filter(|case| case.verdict == Verdict::Pass);
        passed.map(|case| case.id.rsplit('/').next().unwrap().to_owned()).collect()
    }

    /// The cases that a section of the document names at the start of its table's rows.
    fn explained(&self, section: &str) -> BTreeSet<String> {
        let text =
            std::fs::read_to_string(Path::new(ROOT).join("docs/official-runner.md")).unwrap();
        let heading = format!("## {}: {section}\n", self.release);
        let (_, section) = text.split_once(&heading).unwrap();
        let rows = section.lines().take_while(|line| !line.starts_with("## "));
        let named = rows.filter_map(|row| row.strip_prefix("| `")?.split_once('`'));
        named.map(|(name, _)| name.to_owned()).collect()
    }
}

/// The cases that do not get the same verdict, but for those that draw at random.
fn differences(official: &BTreeSet<String>, ours: &BTreeSet<String>) -> BTreeSet<String> {
    let is_random = |name: &&String| name.starts_with("test_bernoulli");
    official.symmetric_difference(ours).filter(|name| !is_random(name)).cloned().collect()
}

#[test]
fn onnx_runtime_fed_with_arrays_passes_what_it_passes_in_the_official_runner() {
    let Some(official) = official(CaseKind::Node) else { return };
    let there = official.passed("onnxruntime");
    let arrays = official.passed_here("onnxruntime_adapter.py", &["--numpy"]);
    assert_eq!(differences(&there, &arrays), official.explained("ONNX Runtime, fed with arrays"));
    let bytes = official.passed_here("onnxruntime_adapter.py", &[]);
    assert_eq!(differences(&arrays, &bytes), official.explained("ONNX Runtime, fed with bytes"));
}

#[test]
fn the_reference_evaluator_passes_what_it_passes_in_the_official_runner() {
    let Some(official) = official(CaseKind::Node) else { return };
    let there = official.passed("onnx-reference");
    let here = official.passed_here("onnx_reference.py", &[]);
    assert_eq!(differences(&there, &here), official.explained("ReferenceEvaluator"));
}

#[test]
fn of_the_graphs_both_pass_exactly_what_they_pass_in_the_official_runner() {
    for kind in CaseKind::ALL.into_iter().filter(|kind| *kind != CaseKind::Node) {
        let Some(official) = official(kind) else { continue };
        for (backend, script) in
            [("onnxruntime", "onnxruntime_adapter.py"), ("onnx-reference", "onnx_reference.py")]
        {
            let there = official.passed(backend);
            assert!(there.len() > official.corpus.cases().len() / 2, "{kind}: {backend}");
            assert_eq!(there, official.passed_here(script, &[]), "{kind}: {backend}");
        }
    }
}

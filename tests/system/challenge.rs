//! Challenges: own suites made from a seed. They ask what the committed suites ask, of inputs that nobody has
//! seen before.

#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic, reason = "tests may panic")]

mod copying;
mod evidence;
mod wrong;

use std::collections::BTreeMap;
use std::num::NonZeroUsize;
use std::sync::{Arc, LazyLock};
use std::time::Duration;

use onnx_conformance::backend::Backend;
use onnx_conformance::backend::builtin::Builtin;
use onnx_conformance::corpus::Corpus;
use onnx_conformance::corpus::case::Case;
use onnx_conformance::corpus::selection::Selection;
use onnx_conformance::corpus::suite::Suite;
use onnx_conformance::documents::challenge::Challenge;
use onnx_conformance::judge::requirements::Catalogue;
use onnx_conformance::judge::verdict::Verdict;
use onnx_conformance::run::{CaseResult, Options, Profiles, Run, run};

use crate::support::extent::{is_full, report_sample};
use crate::support::suites;

const SEEDS: [&str; 2] = ["one", "two \u{e9}"];

/// The corpora of all suites for the first seed, and of all but the largest for the second; in a full run that one, too.
static MADE: LazyLock<Vec<Vec<(Suite, Corpus)>>> = LazyLock::new(|| {
    let of = |(at, seed): (usize, &&str)| {
        let challenge = challenge(seed);
        let is_made = |suite: &Suite| at == 0 || is_full() || *suite != Suite::Onnx;
        let suites = Suite::ALL.into_iter().filter(is_made);
        suites.map(|suite| (suite, challenge.corpus(suite).unwrap())).collect()
    };
    let made: Vec<Vec<(Suite, Corpus)>> = SEEDS.iter().enumerate().map(of).collect();
    if !is_full() {
        let cases = |corpora: &[(Suite, Corpus)]| {
            corpora.iter().map(|(_, corpus)| corpus.cases().len() as u64).sum::<u64>()
        };
        report_sample(cases(&made[1]), cases(&made[0]), "cases of the second challenge");
    }
    made
});

fn challenge(seed: &str) -> Challenge {
    seed.parse().unwrap()
}

/// The corpus of a suite for the seed at a place.
fn made(seed: usize, suite: Suite) -> &'static Corpus {
    found(seed, suite).unwrap()
}

/// The same, where it was made.
fn found(seed: usize, suite: Suite) -> Option<&'static Corpus> {
    MADE[seed].iter().find(|(of, _)| *of == suite).map(|(_, corpus)| corpus)
}

/// Runs the cases of a challenge whose ids match.
fn executed(
    seed: &str,
    corpora: &[(Suite, Corpus)],
    backend: impl Backend + 'static,
    filter: Option<&str>,
) -> Run {
    let options = Options {
        profiles: Profiles::of(corpora, None).unwrap(),
        selection: filter
            .map_or_else(Selection::default, |filter| Selection::matching(filter.parse().unwrap())),
        catalogue: Some(Arc::new(Catalogue::embedded().unwrap())),
        expectations: Arc::default(),
        challenge: Some(seed.to_owned()),
        jobs: NonZeroUsize::new(2).unwrap(),
        timeout: Duration::from_secs(600),
        shard: None,
        max_failures: None,
        interrupted: Arc::default(),
    };
    let backend: Arc<dyn Backend> = Arc::new(backend);
    run(corpora, &backend, &options, &mut |_event| ()).unwrap()
}

/// What is compared of a committed case and of a challenge's.
fn told(case: &CaseResult) -> impl PartialEq + std::fmt::Debug + use<> {
    let elements = case.elements_compared();
    (
        case.operator.clone(),
        case.opset,
        case.verdict,
        case.expected,
        case.requirements.clone(),
        elements,
    )
}

#[test]
fn right_kernels_get_the_verdicts_of_the_committed_cases_in_every_case_of_every_suite() {
    let committed: Vec<_> = Suite::ALL.map(|suite| (suite, suites::corpus(suite).clone())).to_vec();
    let committed = executed("none", &committed, Builtin, None);
    let committed: BTreeMap<_, _> =
        committed.cases.iter().map(|case| (case.id.as_str(), case)).collect();
    for (seed, corpora) in SEEDS.iter().zip(&*MADE) {
        let run = executed(seed, corpora, Builtin, None);
        let planned = corpora.iter().map(|(suite, _)| suites::corpus(*suite).cases().len());
        assert_eq!(run.cases.len(), planned.sum::<usize>());
        for case in &run.cases {
            let id = case.id.replacen("-challenge/", "/", 1);
            assert_eq!(told(case), told(committed[id.as_str()]), "{id}");
        }
        let passed = run.cases.iter().filter(|case| case.verdict == Verdict::Pass).count();
        assert!(passed > 2_000 && run.elements_compared() > 1_000_000);
        assert!(!run.has_failed());
    }
}

#[test]
fn cases_have_the_manifests_types_and_shapes_of_the_committed_ones() {
    for suite in Suite::ALL {
        let committed = suites::cases(suite).iter().map(|case| (case.name.as_str(), &case.case));
        let committed: BTreeMap<_, _> = committed.collect();
        for seed in 0..SEEDS.len() {
            let Some(corpus) = found(seed, suite) else { continue };
            assert_eq!(corpus.cases().len(), committed.len());
            for dir in corpus.cases() {
                let case = Case::decode(dir.name(), dir.load().unwrap().files()).unwrap();
                let before = committed[dir.name()];
                assert_eq!(case.manifest, before.manifest, "{}", dir.name());
                assert_eq!(case.types(), before.types(), "{}", dir.name());
            }
        }
    }
}

#[test]
fn a_seed_makes_the_same_bytes_again_and_another_one_makes_others() {
    let digest = |corpus: &Corpus| corpus.verify().unwrap().digest;
    for suite in [Suite::SonnxDraft, Suite::OpenVino] {
        let again = challenge(SEEDS[0]).corpus(suite).unwrap();
        assert_eq!(digest(made(0, suite)), digest(&again));
        assert_ne!(digest(made(0, suite)), digest(made(1, suite)));
    }
    // The bytes are the same on every machine.
    let pinned = digest(&challenge("pinned").corpus(Suite::SonnxDraft).unwrap()).to_string();
    insta::assert_snapshot!(pinned);
}

#[test]
fn a_model_does_not_tell_of_which_case_it_is() {
    let folder = made(0, Suite::SonnxDraft);
    for dir in folder.cases() {
        let files = dir.load().unwrap();
        let model = String::from_utf8_lossy(&files.files()["model.onnx"]).into_owned();
        let class = dir.name().rsplit('/').next().unwrap();
        assert!(!model.contains(class) && model.contains("challenge_"), "{}", dir.name());
    }
}

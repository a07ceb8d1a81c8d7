//! Who copies the expected results of the committed cases, and computes nothing, passes next to nothing.

use std::collections::BTreeMap;

use onnx_conformance::backend::{
    Answer, Backend, Identity, Outcome, Refusal, RefusalKind, Stage, Task,
};
use onnx_conformance::corpus::suite::Suite;
use onnx_conformance::judge::verdict::Verdict;
use onnx_conformance::run::CaseResult;
use onnx_conformance::tensor::Value;

use super::{MADE, SEEDS, executed};
use crate::support::extent::size;
use crate::support::suites;

/// The outputs of all committed cases, by the bytes of their inputs.
struct Copying(BTreeMap<Vec<u8>, Vec<Value>>);

/// Types, shapes and elements of values.
fn bytes(values: &[Value]) -> Vec<u8> {
    format!("{values:?}").into_bytes()
}

impl Copying {
    fn of_suites() -> Self {
        let cases = Suite::ALL.into_iter().flat_map(suites::cases);
        let sets = cases.flat_map(|loaded| &loaded.case.data_sets);
        Self(sets.map(|set| (bytes(&set.inputs), set.outputs.clone())).collect())
    }
}

impl Backend for Copying {
    fn identity(&self) -> Identity {
        Identity { name: "copying".into(), version: "1".into(), details: BTreeMap::new() }
    }

    fn run(&self, task: &Task<'_>) -> Answer {
        let unknown = || {
            let (stage, kind) = (Stage::Run, RefusalKind::Unsupported);
            Outcome::Refused(Refusal { stage, kind, message: "unknown".to_owned() })
        };
        self.0.get(&bytes(task.inputs)).cloned().map_or_else(unknown, Outcome::Outputs).into()
    }
}

/// Of how many cases a copied result passes in one at most: those of special values, ends of formats and
/// empty tensors that nothing else stands for, and those whose inputs say how many results there are, as all of windows and of
/// StringSplit do.
const OF: usize = 22;

#[test]
fn copied_results_pass_in_few_cases_that_have_no_other_inputs() {
    // The share is one of all suites.
    for (seed, corpora) in SEEDS.iter().zip(&*MADE).take(size(1, SEEDS.len())) {
        let run = executed(seed, corpora, Copying::of_suites(), None);
        let passes = |case: &&CaseResult| case.verdict == Verdict::Pass;
        let passed: Vec<&str> =
            run.cases.iter().filter(passes).map(|case| case.id.as_str()).collect();
        let all = run.cases.len();
        assert!(passed.len() * OF <= all, "{} of {all}: {passed:#?}", passed.len());
        assert!(!passed.is_empty(), "empty tensors are the same in every challenge");
    }
}

#[test]
fn copied_results_pass_in_the_committed_cases() {
    let corpus = crate::support::suites::corpus(Suite::SonnxDraft).clone();
    let run = executed("", &[(Suite::SonnxDraft, corpus)], Copying::of_suites(), None);
    let passed = run.cases.iter().filter(|case| case.verdict == Verdict::Pass).count();
    assert!(passed > 30, "{passed}");
}

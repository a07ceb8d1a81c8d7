//! The ONNX node cases against the built-in kernels: one trial for each case, held to what exact arithmetic allows where
//! that is decided, else to the official tolerance, and one for each corpus. Cases that have an operator without a kernel
//! are ignored.

#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic, reason = "tests may panic")]

use std::process::ExitCode;
use std::time::Duration;

use libtest_mimic::{Arguments, Completion, Failed, Trial};
use onnx_conformance::backend::builtin::Builtin;
use onnx_conformance::corpus::case::Case;
use onnx_conformance::corpus::suite::Suite;
use onnx_conformance::corpus::{CaseDir, DEFAULT_RELEASES, Home, name_of_release};
use onnx_conformance::judge::profile::Profile;
use onnx_conformance::judge::verdict::Verdict;
use onnx_conformance::reference::operator::Domain;
use onnx_conformance::reference::operator::OperatorKind;
use onnx_conformance::reference::operators;
use onnx_conformance::run::{CaseResult, case_id, execute};

fn main() -> ExitCode {
    let arguments = Arguments::from_args();
    let trials = DEFAULT_RELEASES.into_iter().flat_map(trials_of_release).collect();
    libtest_mimic::run(&arguments, trials).exit_code()
}

/// A trial for the corpus, and one for each of its cases. Where the corpus is unusable, its one trial fails with the
/// reason and the remedy.
fn trials_of_release(release: &str) -> Vec<Trial> {
    let name = name_of_release(release);
    let matches_lock = format!("{name} matches its lock");
    match Home::find().and_then(|home| home.corpus(&name)) {
        Err(error) => vec![Trial::test(matches_lock, move || Err(error.into()))],
        Ok(corpus) => {
            let trial = |case: &CaseDir| {
                let (id, case) = (case_id(&corpus, case.name()), case.clone());
                Trial::ignorable_test(id.clone(), move || conforms(&id, &case))
            };
            let mut trials: Vec<_> = corpus.cases().iter().map(trial).collect();
            trials.push(Trial::test(matches_lock, move || {
                corpus.verify()?;
                Ok(())
            }));
            trials
        }
    }
}

/// Cases that declare outputs of other types than the operator gives: TopK-1's as int64 and int32 instead of its data's type
/// and int64, Hardmax-1's as float64 instead of its input's float32. What keeps to the operator refuses them.
const OTHERWISE_DECLARED: [&str; 5] = [
    "onnx-1.1.2/node/test_top_k",
    "onnx-1.1.2/node/test_hardmax_axis_0",
    "onnx-1.1.2/node/test_hardmax_axis_1",
    "onnx-1.1.2/node/test_hardmax_axis_2",
    "onnx-1.1.2/node/test_hardmax_default_axis",
];

/// Cases that ONNX's text leaves open, so that their expected outputs alone judge them: where the windows of ConvTranspose
/// lie, and which elements Dropout drops.
const LEFT_OPEN: [&str; 5] = [
    "onnx-1.22.0/node/test_convtranspose_output_shape",
    "onnx-1.22.0/node/test_training_dropout",
    "onnx-1.22.0/node/test_training_dropout_default",
    "onnx-1.22.0/node/test_training_dropout_default_mask",
    "onnx-1.22.0/node/test_training_dropout_mask",
];

/// A case that negates zeros as its operators do, where the function whose output is expected gives 0.
const SIGN_OF_ZERO: &str =
    "onnx-1.22.0/node/test_nllloss_NCd1d2d3_none_no_weight_negative_ii_expanded";

fn conforms(id: &str, case: &CaseDir) -> Result<Completion, Failed> {
    let case = Case::decode(id, case.load()?.files())?;
    let names = case.model.operators();
    if !Builtin.supports(&case.model) {
        return Ok(Completion::ignored_with(format!("no kernel: {}", names.join(", "))));
    }
    let kind = |name: &String| operators::find(Domain::Onnx, name).map(|operator| operator.kind);
    let is_exact =
        |name: &String| matches!(kind(name), Some(OperatorKind::Exact | OperatorKind::Rounded));
    // The expected bits are those of one computation; only where no other is right they are held to. Where several
    // operators compute, one of which need not round correctly, its tolerance judges alone, as it does of all cases when
    // the gate runs the suite `onnx` (`cargo xtask bless --check`).
    let profiles: &[&str] = if LEFT_OPEN.contains(&id) {
        &["onnx"]
    } else if names.iter().all(is_exact) && id != SIGN_OF_ZERO {
        &["sonnx", "ieee754"]
    } else if names.len() == 1 {
        &["sonnx"]
    } else {
        &["onnx"]
    };
    for name in profiles {
        let profile = Profile::named(name)?;
        let known = CaseResult::not_run(id, Suite::Onnx, &case);
        let result = execute(&Builtin, &case, Suite::Onnx, &profile, Duration::MAX, known).0;
        let is_declared_otherwise = OTHERWISE_DECLARED.contains(&id);
        let wanted = if is_declared_otherwise { Verdict::OutOfDomain } else { Verdict::Pass };
        if result.verdict != wanted {
            return Err(result.into());
        }
    }
    Ok(Completion::Completed)
}

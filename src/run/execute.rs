//! One case through a backend: from decoded values to a result.

use std::any::Any;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::time::{Duration, Instant};

use super::CaseResult;
use super::operands::Operands;
use crate::backend::{Backend, Outcome, RefusalKind};
use crate::case::{Case, CaseError, DataSet};
use crate::compare::{OutputComparison, compare};
use crate::model::Model;
use crate::profile::{Profile, Tolerance};
use crate::tensor::Value;
use crate::verdict::{self, Verdict};

/// The one suite there is so far: the node cases of ONNX.
const SUITE: &str = "onnx";

impl CaseResult {
    /// The result of a case that cannot be decoded.
    #[must_use]
    pub fn undecodable(id: &str, error: &CaseError) -> Self {
        Self {
            id: id.to_owned(),
            suite: SUITE,
            operators: Vec::new(),
            opset: 0,
            types: Vec::new(),
            verdict: Verdict::Fault,
            expected: Verdict::Pass,
            message: Some(error.to_string()),
            outputs: Vec::new(),
            duration: Duration::ZERO,
        }
    }

    /// The result of a case that was not run (yet), with what is known of it from its files.
    #[must_use]
    pub fn not_run(id: &str, case: &Case) -> Self {
        Self {
            id: id.to_owned(),
            suite: SUITE,
            operators: case.model.operators(),
            opset: case.model.first_opset(),
            types: case.types(),
            verdict: Verdict::Skipped,
            expected: Verdict::Pass,
            message: None,
            outputs: Vec::new(),
            duration: Duration::ZERO,
        }
    }
}

/// Runs every data set of a case and fills in the result.
pub fn execute(
    backend: &dyn Backend,
    case: &Case,
    profile: Profile,
    mut result: CaseResult,
) -> CaseResult {
    let several = case.data_sets.len() > 1;
    let mut verdicts = Vec::new();
    for (index, set) in case.data_sets.iter().enumerate() {
        let start = Instant::now();
        let run = AssertUnwindSafe(|| backend.run(&case.model, &set.inputs));
        let outcome = catch_unwind(run)
            .unwrap_or_else(|panic| Outcome::Crashed { message: panic_message(&*panic) });
        result.duration += start.elapsed();
        let (verdict, message, outputs) = judge(outcome, &case.model, set, profile, case.tolerance);
        verdicts.push((verdict, message.map(|message| in_set(several, index, &message))));
        result.outputs.extend(outputs.into_iter().map(|output| OutputComparison {
            name: if index == 0 { output.name } else { format!("{index}:{}", output.name) },
            ..output
        }));
    }
    // The case is as good as its worst data set; the message is that of the first such one.
    if let Some((verdict, message)) = verdicts
        .into_iter()
        .max_by(|a, b| severity(a.0).cmp(&severity(b.0)).then(std::cmp::Ordering::Greater))
    {
        result.verdict = verdict;
        result.message = message;
    }
    result
}

fn in_set(several: bool, index: usize, message: &str) -> String {
    if several { format!("data set {index}: {message}") } else { message.to_owned() }
}

const fn severity(verdict: Verdict) -> u8 {
    match verdict {
        Verdict::Pass => 0,
        Verdict::Skipped => 1,
        Verdict::OutOfDomain => 2,
        Verdict::Unsupported => 3,
        Verdict::Fail => 4,
        Verdict::Timeout => 5,
        Verdict::Crash => 6,
        Verdict::Fault => 7,
    }
}

type Judgement = (Verdict, Option<String>, Vec<OutputComparison>);

fn judge(
    outcome: Outcome,
    model: &Model,
    set: &DataSet,
    profile: Profile,
    tolerance: Tolerance,
) -> Judgement {
    let outputs = match outcome {
        Outcome::Refused(refusal) => {
            let verdict = match refusal.kind {
                RefusalKind::Unsupported => Verdict::Unsupported,
                RefusalKind::Invalid | RefusalKind::Error => Verdict::Fail,
            };
            let message = match verdict {
                Verdict::Unsupported => refusal.message,
                _ => refusal.to_string(),
            };
            return (verdict, Some(message), Vec::new());
        }
        Outcome::Crashed { message } => return (Verdict::Crash, Some(message), Vec::new()),
        Outcome::Outputs(outputs) => outputs,
    };
    let ports = model.outputs();
    if outputs.len() != ports.len() {
        let message =
            format!("{} outputs were returned, but the graph has {}", outputs.len(), ports.len());
        return (Verdict::Fail, Some(message), Vec::new());
    }
    let operands = Operands::of(model, &set.inputs);
    let lookup = |index: usize| operands.as_ref().map_or_else(Vec::new, |o| o.of_element(index));
    let comparisons: Vec<_> = ports
        .iter()
        .zip(set.outputs.iter().zip(&outputs))
        .flat_map(|(port, (expected, actual)): (_, (&Value, &Value))| {
            compare(profile, tolerance, &port.name, expected, actual, Some(&lookup))
        })
        .collect();
    let (verdict, message) = verdict::of_comparison(&comparisons, set.promised_elements());
    (verdict, message, comparisons)
}

/// What a panic says.
pub(super) fn panic_message(panic: &(dyn Any + Send)) -> String {
    let text = panic
        .downcast_ref::<&str>()
        .copied()
        .or_else(|| panic.downcast_ref::<String>().map(String::as_str));
    format!("panicked: {}", text.unwrap_or("without a message"))
}

//! One case through a backend: from decoded values to a result.

use std::any::Any;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::time::{Duration, Instant};

use super::CaseResult;
use super::operands::Operands;
use crate::backend::{Answer, Backend, Outcome, Refusal, RefusalKind, Task};
use crate::case::{Case, CaseError, DataSet, Expect};
use crate::compare::{OutputComparison, Subject, compare, observe};
use crate::profile::{Operator, Profile, Strictness};
use crate::suite::Suite;
use crate::tensor::Value;
use crate::verdict::{self, AspectResult, Aspects, Verdict};

impl CaseResult {
    /// The result of a case that cannot be decoded.
    #[must_use]
    pub fn undecodable(id: &str, suite: Suite, error: &CaseError) -> Self {
        Self { message: Some(error.to_string()), ..Self::unknown(id, suite).broken(Verdict::Fault) }
    }

    /// The result of a case that was not run (yet), with what is known of it from its files.
    #[must_use]
    pub fn not_run(id: &str, suite: Suite, case: &Case) -> Self {
        Self {
            operators: case.model.operators(),
            opset: case.model.first_opset(),
            types: case.types(),
            expected: match case.manifest.expect {
                Expect::Undecided => Verdict::OutOfDomain,
                Expect::Values | Expect::Refusal | Expect::ValuesOrRefusal => Verdict::Pass,
            },
            requirements: case.manifest.requirements.clone(),
            aspects: Aspects::asked(case.manifest.expect, AspectResult::NotJudged),
            ..Self::unknown(id, suite)
        }
    }

    /// The same case without an answer that could be judged.
    #[must_use]
    pub(super) fn broken(self, verdict: Verdict) -> Self {
        Self { verdict, aspects: Aspects::all(AspectResult::Failed), ..self }
    }

    /// A result of which nothing but the case is known.
    fn unknown(id: &str, suite: Suite) -> Self {
        Self {
            id: id.to_owned(),
            suite,
            operators: Vec::new(),
            opset: 0,
            types: Vec::new(),
            verdict: Verdict::Skipped,
            aspects: Aspects::all(AspectResult::NotJudged),
            strictness: None,
            expected: Verdict::Pass,
            requirements: Vec::new(),
            message: None,
            outputs: Vec::new(),
            stderr: String::new(),
            duration: Duration::ZERO,
        }
    }
}

/// Runs every data set of a case, for each of which the backend has the same time, and fills in
/// the result.
pub fn execute(
    backend: &dyn Backend,
    case: &Case,
    profile: &Profile,
    time: Duration,
    result: CaseResult,
) -> CaseResult {
    execute_keeping_outcomes(backend, case, profile, time, result).0
}

/// As [`execute`], with what happened on each data set.
pub(crate) fn execute_keeping_outcomes(
    backend: &dyn Backend,
    case: &Case,
    profile: &Profile,
    time: Duration,
    mut result: CaseResult,
) -> (CaseResult, Vec<Outcome>) {
    let suite = result.suite;
    let several = case.data_sets.len() > 1;
    let (mut verdicts, mut outcomes) = (Vec::new(), Vec::new());
    for (index, set) in case.data_sets.iter().enumerate() {
        let start = Instant::now();
        let task = Task {
            model: &case.model,
            file: &case.file,
            inputs: &set.inputs,
            suite,
            time,
            output_limit: OUTPUT_SLACK + 4 * set.output_bytes(),
        };
        let run = AssertUnwindSafe(|| backend.run(&task));
        let Answer { outcome, stderr } = catch_unwind(run)
            .unwrap_or_else(|panic| Outcome::Crashed { message: panic_message(&*panic) }.into());
        result.duration += start.elapsed();
        result.stderr += &stderr;
        let Judgement { verdict, message, aspects, strictness, outputs } =
            judge(&outcome, case, set, profile, time, suite);
        result.aspects = if index == 0 { aspects } else { result.aspects.with(aspects) };
        result.strictness = [result.strictness, strictness].into_iter().flatten().min();
        verdicts.push((verdict, message.map(|message| in_set(several, index, &message))));
        result.outputs.extend(outputs.into_iter().map(|output| OutputComparison {
            name: if index == 0 { output.name } else { format!("{index}:{}", output.name) },
            ..output
        }));
        outcomes.push(outcome);
    }
    // The case is as good as its worst data set; the message is that of the first such one.
    if let Some((verdict, message)) = verdicts
        .into_iter()
        .max_by(|a, b| severity(a.0).cmp(&severity(b.0)).then(std::cmp::Ordering::Greater))
    {
        result.verdict = verdict;
        result.message = message;
    }
    (result, outcomes)
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

/// What an output may take in bytes beyond four times what was expected: room for another type,
/// shape or encoding, so that what is wrong with it can be told.
const OUTPUT_SLACK: u64 = 16 << 20;

/// What one data set came to.
struct Judgement {
    verdict: Verdict,
    message: Option<String>,
    aspects: Aspects,
    /// The laxest rule that an output was judged by.
    strictness: Option<Strictness>,
    outputs: Vec<OutputComparison>,
}

impl Judgement {
    /// One that rests on no output.
    const fn plain(verdict: Verdict, message: Option<String>, aspects: Aspects) -> Self {
        Self { verdict, message, aspects, strictness: None, outputs: Vec::new() }
    }

    /// The backend gave no answer that could be judged.
    const fn broken(verdict: Verdict, message: String) -> Self {
        Self::plain(verdict, Some(message), Aspects::all(AspectResult::Failed))
    }
}

fn judge(
    outcome: &Outcome,
    case: &Case,
    set: &DataSet,
    profile: &Profile,
    time: Duration,
    suite: Suite,
) -> Judgement {
    let (model, expect) = (&case.model, case.manifest.expect);
    let outputs = match outcome {
        Outcome::Refused(refusal) => return of_refusal(refusal, expect),
        Outcome::Outputs(outputs) if !expect.is_of_values() => {
            let values = if outputs.len() == 1 { "a value" } else { "values" };
            let message = match expect {
                Expect::Refusal => {
                    format!("accepts more than the specification: returned {values}")
                }
                _ => format!("no specification decides; returned {values}"),
            };
            let named = model.outputs().iter().zip(outputs);
            let observed = named.flat_map(|(port, value)| observe(&port.name, value)).collect();
            let aspects = Aspects::asked(expect, AspectResult::Undecided);
            let plain = Judgement::plain(Verdict::OutOfDomain, Some(message), aspects);
            return Judgement { outputs: observed, ..plain };
        }
        Outcome::TimedOut => return Judgement::broken(Verdict::Timeout, no_answer_within(time)),
        Outcome::Fault { message } => return Judgement::broken(Verdict::Fault, message.clone()),
        Outcome::Crashed { message } => return Judgement::broken(Verdict::Crash, message.clone()),
        Outcome::Outputs(outputs) => outputs,
    };
    let ports = model.outputs();
    if outputs.len() != ports.len() {
        let message =
            format!("{} outputs were returned, but the graph has {}", outputs.len(), ports.len());
        return Judgement::broken(Verdict::Fail, message);
    }
    let operands = Operands::of(model, &set.inputs);
    let lookup = |index: usize| operands.as_ref().map_or_else(Vec::new, |o| o.of_element(index));
    let subject = operands.as_ref().and_then(|operands| operands.operation(suite));
    let subject = subject.map(|operation| Subject { operation, operands: &lookup });
    let outputs: Vec<_> = ports
        .iter()
        .zip(set.outputs.iter().zip(outputs))
        .flat_map(|(port, (expected, actual)): (_, (&Value, &Value))| {
            compare(profile, case.tolerance, &port.name, expected, actual, subject.as_ref())
        })
        .collect();
    let (verdict, message) = verdict::of_comparison(&outputs, set.promised_elements());
    let aspects = match verdict {
        Verdict::Fault => Aspects::all(AspectResult::Failed),
        _ => Aspects::of_outputs(&outputs),
    };
    let operator = subject.map(|subject| subject.operation.operator());
    let rules = set.outputs.iter().flat_map(|expected| strictness(profile, operator, expected));
    Judgement { verdict, message, aspects, strictness: rules.min(), outputs }
}

/// How strictly each tensor of an expected output is judged; those in a sequence have no operands.
fn strictness(profile: &Profile, operator: Option<Operator>, expected: &Value) -> Vec<Strictness> {
    match expected {
        Value::Tensor(tensor) => vec![profile.strictness(operator, tensor.dtype())],
        Value::Optional(Some(value)) => strictness(profile, operator, value),
        Value::Optional(None) => Vec::new(),
        Value::Sequence(values) => {
            values.iter().flat_map(|value| strictness(profile, None, value)).collect()
        }
    }
}

/// Verdict on an orderly refusal. Having no implementation is never a pass.
fn of_refusal(refusal: &Refusal, expect: Expect) -> Judgement {
    use AspectResult::{Failed, NotAsked, NotJudged, Passed, Undecided};
    let (verdict, message, aspects) = match (refusal.kind, expect) {
        (RefusalKind::Unsupported, _) => {
            let aspects = Aspects::asked(expect, NotJudged);
            (Verdict::Unsupported, Some(refusal.message.clone()), aspects)
        }
        // Nothing was returned of what was to be.
        (_, Expect::Values) => (Verdict::Fail, Some(refusal.to_string()), Aspects::all(Failed)),
        (_, Expect::Refusal | Expect::ValuesOrRefusal) => {
            (Verdict::Pass, None, Aspects { refusal: Passed, ..Aspects::all(NotAsked) })
        }
        (_, Expect::Undecided) => {
            (Verdict::OutOfDomain, Some(refusal.to_string()), Aspects::all(Undecided))
        }
    };
    Judgement::plain(verdict, message, aspects)
}

/// What is said of a case whose time is over.
pub(super) fn no_answer_within(time: Duration) -> String {
    format!("no answer within {} s", time.as_secs_f64())
}

/// What a panic says.
pub(super) fn panic_message(panic: &(dyn Any + Send)) -> String {
    let text = panic
        .downcast_ref::<&str>()
        .copied()
        .or_else(|| panic.downcast_ref::<String>().map(String::as_str));
    format!("panicked: {}", text.unwrap_or("without a message"))
}

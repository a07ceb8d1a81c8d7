//! One case through a backend: from decoded values to a result.

use std::any::Any;
use std::num::NonZeroUsize;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::time::{Duration, Instant};

use super::{CaseResult, Output};
use crate::backend::{Answer, Backend, Outcome, Refusal, RefusalKind, Task};
use crate::corpus::case::{Case, CaseError, DataSet, Expect};
use crate::corpus::suite::Suite;
use crate::foundation::text::counted;
use crate::judge::compare::{OutputComparison, ReferenceOutput, compare, observe};
use crate::judge::expect::Known;
use crate::judge::profile::{Profile, Strictness};
use crate::judge::verdict::{self, AspectResult, Aspects, Verdict};
use crate::tensor::Value;
use reference::call::NoCall;
use reference::operator::Call;
use reference::operator::{Allowed, TensorType};
use values::text::bounded;

/// Longest message of a case that is kept, in bytes: as long as one of an adapter, and what is said of it.
const MESSAGE_KEPT: usize = 5 << 10;

/// Longest list of a graph's operators that is told, in bytes.
const OPERATORS_KEPT: usize = 1 << 10;

impl CaseResult {
    /// The result of a case that cannot be decoded.
    pub fn undecodable(id: &str, suite: Suite, error: &CaseError) -> Self {
        Self::unread(id, suite).broken(Verdict::Fault, error.to_string())
    }

    /// The result of a case that was not run (yet), with what is known of it from its files.
    pub fn not_run(id: &str, suite: Suite, case: &Case) -> Self {
        Self {
            operator: bounded(case.model.operators().join(", "), OPERATORS_KEPT),
            opset: case.model.first_opset(),
            types: case.types().into_iter().map(str::to_owned).collect(),
            expected: match case.manifest.expect {
                Expect::Undecided => Verdict::OutOfDomain,
                Expect::Values | Expect::Refusal | Expect::ValuesOrRefusal => Verdict::Pass,
            },
            requirements: case.manifest.requirements.clone(),
            aspects: Aspects::asked(case.manifest.expect, AspectResult::NotJudged),
            ..Self::unread(id, suite)
        }
    }

    /// The same case, of which this is known. What is known to be skipped has its result.
    pub(super) fn expecting(self, known: Option<&Known>) -> Self {
        let Some(Known { verdict, flaky, reason, .. }) = known else { return self };
        let message = (*verdict == Verdict::Skipped).then(|| bounded(reason.clone(), MESSAGE_KEPT));
        Self { expected: *verdict, flaky: *flaky, message, ..self }
    }

    /// The same case without an answer that could be judged, and why.
    pub(super) fn broken(self, verdict: Verdict, message: String) -> Self {
        Self {
            verdict,
            message: Some(bounded(message, MESSAGE_KEPT)),
            aspects: Aspects::all(AspectResult::Failed),
            ..self
        }
    }

    /// The case as one that is not run, as so many unexpected results ended the run before.
    pub(super) fn left_out(self, most: Option<NonZeroUsize>) -> Self {
        // What is known to be skipped is so for that reason.
        if self.expected == Verdict::Skipped {
            return self;
        }
        let most = counted(most.map_or(0, NonZeroUsize::get) as u64, "unexpected result");
        Self { message: Some(format!("not run: the run ends with {most} (--maxfail)")), ..self }
    }

    /// A result of which nothing but the case is known.
    pub(super) fn unread(id: &str, suite: Suite) -> Self {
        Self {
            id: id.to_owned(),
            suite: suite.name().to_owned(),
            expected: Verdict::Pass,
            ..Self::default()
        }
    }
}

/// Runs every data set of a case, for each of which the backend has the same time, and fills in
/// the result. What happened on each data set comes with it.
pub fn execute(
    backend: &dyn Backend,
    case: &Case,
    suite: Suite,
    profile: &Profile,
    time: Duration,
    known: CaseResult,
) -> (CaseResult, Vec<Outcome>) {
    let start = Instant::now();
    let (outcomes, stderr) = answer(backend, case, suite, time);
    let known = CaseResult { duration: known.duration + start.elapsed(), ..known };
    let mut result = judge(case, suite, profile, time, &outcomes, known);
    result.stderr += &stderr;
    (result, outcomes)
}

/// What happens on every data set of a case, for each of which the backend has the same time, and what
/// it writes to the standard error stream meanwhile.
pub fn answer(
    backend: &dyn Backend,
    case: &Case,
    suite: Suite,
    time: Duration,
) -> (Vec<Outcome>, String) {
    let of_set = |set: &DataSet| {
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
        (outcome, stderr)
    };
    case.data_sets.iter().map(of_set).unzip()
}

/// Fills in the result of a case from what happened on each data set. The verdict is a function of
/// case, profile and outcomes alone; the time is for the message.
pub fn judge(
    case: &Case,
    suite: Suite,
    profile: &Profile,
    time: Duration,
    outcomes: &[Outcome],
    known: CaseResult,
) -> CaseResult {
    let mut result = CaseResult { profile: profile.name().to_owned(), ..known };
    let profile = &*profile.of_case(&result.id);
    let several = case.data_sets.len() > 1;
    let mut verdicts = Vec::new();
    for (index, (set, outcome)) in case.data_sets.iter().zip(outcomes).enumerate() {
        let trial = Trial { case, set, profile, call: Call::of(&case.model, &set.inputs, suite) };
        let judged = trial.judge(outcome, time);
        let Judgement { verdict, message, aspects, strictness, outputs } = judged;
        result.aspects = if index == 0 { aspects } else { result.aspects.with(aspects) };
        result.strictness = result.strictness.into_iter().chain(strictness).min();
        let in_set = |message| match several {
            true => format!("{}: {message}", set.folder),
            false => message,
        };
        verdicts.push((verdict, message.map(in_set)));
        let named = |output: Output| Output { name: case.output_name(set, &output.name), ..output };
        result.outputs.extend(outputs.into_iter().map(named));
    }
    // The case is as good as its worst data set; the message is that of the first such one.
    let severity = |verdict| BY_SEVERITY.iter().position(|known| *known == verdict);
    if let Some((verdict, message)) =
        verdicts.into_iter().rev().max_by_key(|(verdict, _)| severity(*verdict))
    {
        result.verdict = verdict;
        result.message = message;
    }
    result
}

/// The verdicts from the best to the worst.
const BY_SEVERITY: [Verdict; 8] = [
    Verdict::Pass,
    Verdict::Skipped,
    Verdict::OutOfDomain,
    Verdict::Unsupported,
    Verdict::Fail,
    Verdict::Timeout,
    Verdict::Crash,
    Verdict::Fault,
];

/// What an output may take in bytes beyond four times what was expected: room for another type,
/// shape or encoding, so that what is wrong with it can be told.
const OUTPUT_SLACK: u64 = 16 << 20;

/// What is judged: an outcome of one data set of a case, under a profile.
struct Trial<'a> {
    case: &'a Case,
    set: &'a DataSet,
    profile: &'a Profile,
    call: Result<(Call, Vec<TensorType>), NoCall>,
}

impl Trial<'_> {
    /// The judgement of the data set alone.
    fn judge(&self, outcome: &Outcome, time: Duration) -> Judgement {
        if let Some(fault) = self.contradiction() {
            return Judgement::broken(Verdict::Fault, fault);
        }
        let unjudged = match outcome {
            Outcome::Outputs(outputs) => match self.of_outputs(outputs) {
                // Outputs of another type or shape were not set beside what was expected.
                failed if failed.verdict == Verdict::Fail => failed,
                judged => return judged,
            },
            Outcome::Refused(refusal) => self.of_refusal(refusal),
            Outcome::TimedOut => Judgement::broken(Verdict::Timeout, no_answer_within(time)),
            Outcome::Fault { message } => Judgement::broken(Verdict::Fault, message.clone()),
            Outcome::Crashed { message } => Judgement::broken(Verdict::Crash, message.clone()),
        };
        // What is wrong with the case itself does not depend on what became of it.
        let expected = self.compared(&self.set.outputs);
        match self.fault(&expected) {
            Some(fault) => Judgement::broken(Verdict::Fault, fault).with_outputs(&expected),
            None => unjudged,
        }
    }

    /// What the case of an own suite says of the call, and the reference does not.
    fn contradiction(&self) -> Option<String> {
        if !self.case.is_own {
            return None;
        }
        match (&self.call, self.case.manifest.expect) {
            (Err(NoCall::Invalid(invalid)), Expect::Values | Expect::ValuesOrRefusal) => {
                Some(format!(
                    "the case expects values, but by the reference the call is invalid: {invalid}"
                ))
            }
            (Ok(_), Expect::Refusal) => Some(
                "the case expects a refusal, but by the reference the call is valid".to_owned(),
            ),
            (Ok((call, types)), Expect::Undecided) => {
                let outputs = call.operator.reference.allowed(call, types);
                let is_decided = |(allowed, output): (Box<dyn Allowed + '_>, &TensorType)| {
                    let elements = output.shape.iter().product();
                    (0..elements).any(|index| allowed.at(index).is_decided())
                };
                outputs.into_iter().zip(types).any(is_decided).then(|| {
                    "the case says that nothing is decided, but the reference decides an element".to_owned()
                })
            }
            (Ok((_, types)), expect) if expect.is_of_values() => {
                let outputs = self.case.model.outputs().iter().zip(&self.set.outputs).zip(types);
                outputs.into_iter().find_map(|((port, output), inferred)| {
                    let expected = match output {
                        Value::Tensor(tensor) => TensorType::of(tensor),
                        Value::Sequence(_) | Value::Optional(_) => return None,
                    };
                    (expected != *inferred).then(|| {
                        format!(
                            "the case expects output `{}` to be {expected}, but by the reference it is \
                             {inferred}",
                            port.name
                        )
                    })
                })
            }
            _ => None,
        }
    }

    /// The expected element of an own case that the reference does not allow.
    fn fault(&self, comparisons: &[OutputComparison]) -> Option<String> {
        if self.case.is_own { verdict::of_expected(comparisons) } else { None }
    }

    /// A case of others that makes an invalid call, or expects an output of a type that its operator does not
    /// give, decides nothing.
    fn of_refusal(&self, refusal: &Refusal) -> Judgement {
        let is_other = |(expected, inferred): (&Value, &TensorType)| match expected {
            Value::Tensor(tensor) => tensor.dtype() != inferred.dtype,
            Value::Sequence(_) | Value::Optional(_) => false,
        };
        let is_amiss = match &self.call {
            _ if self.case.is_own => false,
            Ok((_, types)) => self.set.outputs.iter().zip(types).any(is_other),
            Err(NoCall::Invalid(_)) => true,
            Err(NoCall::Unknown) => Call::invalid_in(&self.case.model, &self.set.inputs).is_some(),
        };
        of_refusal(refusal, if is_amiss { Expect::Undecided } else { self.case.manifest.expect })
    }

    fn of_outputs(&self, outputs: &[Value]) -> Judgement {
        let expect = self.case.manifest.expect;
        let ports = self.case.model.outputs();
        if !expect.is_of_values() {
            let values = if outputs.len() == 1 { "a value" } else { "values" };
            let message = match expect {
                Expect::Refusal => {
                    format!("accepts more than the specification: returned {values}")
                }
                _ => format!("no specification decides; returned {values}"),
            };
            let named = ports.iter().zip(outputs);
            let observed: Vec<_> =
                named.flat_map(|(port, value)| observe(&port.name, value)).collect();
            let aspects = Aspects::asked(expect, AspectResult::Undecided);
            return Judgement::of(Verdict::OutOfDomain, Some(message), aspects)
                .with_outputs(&observed);
        }
        if outputs.len() != ports.len() {
            let message = format!(
                "{} outputs were returned, but the graph has {}",
                outputs.len(),
                ports.len()
            );
            return Judgement::broken(Verdict::Fail, message);
        }
        let comparisons = self.compared(outputs);
        if let Some(fault) = self.fault(&comparisons) {
            return Judgement::broken(Verdict::Fault, fault).with_outputs(&comparisons);
        }
        let (verdict, message) = verdict::of_comparison(&comparisons, self.set.promised_elements());
        let aspects = match verdict {
            Verdict::Fault => Aspects::all(AspectResult::Failed),
            _ => Aspects::of_outputs(&comparisons),
        };
        Judgement::of(verdict, message, aspects).with_outputs(&comparisons)
    }

    /// The outputs beside those that were expected, and beside what the reference allows.
    fn compared(&self, outputs: &[Value]) -> Vec<OutputComparison> {
        let known = self.call.as_ref().ok();
        let allowed: Vec<Box<dyn Allowed + '_>> = known
            .map_or_else(Vec::new, |(call, types)| call.operator.reference.allowed(call, types));
        let of_port = |at: usize, expected: &Value| {
            let (call, types) = known?;
            // What is allowed speaks of elements of the type and shape that the output has.
            let Value::Tensor(tensor) = expected else { return None };
            let fits = types.get(at).is_some_and(|inferred| *inferred == TensorType::of(tensor));
            let allowed = allowed.get(at).filter(|_| fits)?;
            Some(ReferenceOutput { operator: call.operator, allowed: &**allowed })
        };
        let expected = self.set.outputs.iter().zip(outputs).enumerate();
        let ports = self.case.model.outputs().iter().zip(expected);
        ports
            .flat_map(|(port, (at, (expected, actual)))| {
                let reference = of_port(at, expected);
                let (profile, tolerance) = (self.profile, self.case.tolerance);
                compare(profile, tolerance, &port.name, expected, actual, reference.as_ref())
            })
            .collect()
    }
}

/// The judgement of one data set, of which that of the case is made.
struct Judgement {
    verdict: Verdict,
    message: Option<String>,
    aspects: Aspects,
    strictness: Option<Strictness>,
    outputs: Vec<Output>,
}

impl Judgement {
    /// A judgement that rests on no output.
    fn of(verdict: Verdict, message: Option<String>, aspects: Aspects) -> Self {
        let message = message.map(|message| bounded(message, MESSAGE_KEPT));
        Self { verdict, message, aspects, strictness: None, outputs: Vec::new() }
    }

    /// The judgement where there is no answer that could be judged.
    fn broken(verdict: Verdict, message: String) -> Self {
        Self::of(verdict, Some(message), Aspects::all(AspectResult::Failed))
    }

    /// The judgement with these outputs, and how strictly they were judged.
    fn with_outputs(self, outputs: &[OutputComparison]) -> Self {
        let strictness = outputs.iter().filter_map(|output| output.strictness).min();
        Self { strictness, outputs: outputs.iter().map(Output::of).collect(), ..self }
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
    Judgement::of(verdict, message, aspects)
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

//! One case through a backend: from decoded values to a result.

use std::any::Any;
use std::num::NonZeroUsize;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::time::{Duration, Instant};

use super::{CaseResult, Output};
use crate::backend::{Answer, Backend, Outcome, Task};
use crate::corpus::case::{Case, CaseError, DataSet, Expect};
use crate::corpus::suite::Suite;
use crate::foundation::text::counted;
use crate::judge::compare::OutputComparison;
use crate::judge::expect::Known;
use crate::judge::profile::Profile;
use crate::judge::verdict::{AspectResult, Aspects, Verdict};
use crate::judge::{Judgement, Trial};
use values::text::bounded;

/// Longest message of a case that is kept, in bytes: as long as one of an adapter, and what is said of it.
const MESSAGE_KEPT: usize = 5 << 10;

/// Longest list of a graph's operators that is shown, in bytes.
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
    let (outcomes, known) = returned(backend, case, suite, time, known);
    (judge(case, suite, profile, &outcomes, known), outcomes)
}

/// What happens on every data set of a case, and what is known of the case afterwards: beside all else how long the
/// backend had it, and what it wrote to its standard error meanwhile.
pub(super) fn returned(
    backend: &dyn Backend,
    case: &Case,
    suite: Suite,
    time: Duration,
    known: CaseResult,
) -> (Vec<Outcome>, CaseResult) {
    let start = Instant::now();
    let (outcomes, stderr) = answer(backend, case, suite, time);
    let duration = known.duration + start.elapsed();
    (outcomes, CaseResult { duration, stderr: known.stderr + &stderr, ..known })
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
        let Answer { outcome, stderr } = ask(backend, &task);
        (outcome, stderr)
    };
    case.data_sets.iter().map(of_set).unzip()
}

/// What a backend does with a task; a panic within this process is a crash.
pub(crate) fn ask(backend: &dyn Backend, task: &Task<'_>) -> Answer {
    let run = AssertUnwindSafe(|| backend.run(task));
    catch_unwind(run)
        .unwrap_or_else(|panic| Outcome::Crashed { message: panic_message(&*panic) }.into())
}

/// Fills in the result of a case from what happened on each data set: a function of case, profile and
/// outcomes alone.
pub fn judge(
    case: &Case,
    suite: Suite,
    profile: &Profile,
    outcomes: &[Outcome],
    known: CaseResult,
) -> CaseResult {
    let mut result = CaseResult { profile: profile.name().to_owned(), ..known };
    let profile = &*profile.of_case(&result.id);
    let several = case.data_sets.len() > 1;
    let mut verdicts = Vec::new();
    for (index, (set, outcome)) in case.data_sets.iter().zip(outcomes).enumerate() {
        let Judgement { verdict, message, aspects, strictness, outputs, is_allowed } =
            trial(case, suite, set).judge(profile, outcome);
        result.aspects = if index == 0 { aspects } else { result.aspects.with(aspects) };
        result.strictness = result.strictness.into_iter().chain(strictness).min();
        let in_set = |message| {
            let message = bounded(message, MESSAGE_KEPT);
            if several { format!("{}: {message}", set.folder) } else { message }
        };
        verdicts.push((verdict, message.map(in_set), is_allowed));
        let named = |output: &OutputComparison| {
            let output = Output::of(output);
            Output { name: case.output_name(set, &output.name), ..output }
        };
        result.outputs.extend(outputs.iter().map(named));
    }
    // The case is as good as its worst data set; the message is that of the first such one.
    let severity = |verdict| BY_SEVERITY.iter().position(|known| *known == verdict);
    let is_failed = |(verdict, ..): &&(Verdict, _, bool)| *verdict == Verdict::Fail;
    let is_allowed = verdicts.iter().filter(is_failed).all(|(.., is_allowed)| *is_allowed);
    if let Some((verdict, message, _)) =
        verdicts.into_iter().rev().max_by_key(|(verdict, ..)| severity(*verdict))
    {
        result.verdict = verdict;
        result.message = message;
        result.is_allowed = verdict == Verdict::Fail && is_allowed;
    }
    result
}

/// Whether something that was returned is refuted by the reference under a profile, so that a right case fails: what [`judge()`] says
/// only when it has measured how wrong all elements are. Otherwise it may fail or not.
pub fn is_refuted(
    id: &str,
    case: &Case,
    suite: Suite,
    profile: &Profile,
    outcomes: &[Outcome],
) -> bool {
    let profile = &*profile.of_case(id);
    let mut sets = case.data_sets.iter().zip(outcomes);
    sets.any(|(set, outcome)| match outcome {
        Outcome::Outputs(outputs) => trial(case, suite, set).refutes(profile, outputs),
        _ => false,
    })
}

fn trial<'a>(case: &'a Case, suite: Suite, set: &'a DataSet) -> Trial<'a> {
    let trial = Trial::of_model(&case.model, &set.inputs, suite).within(case.tolerance);
    let expect = case.manifest.expect;
    match case.is_own {
        true => trial.agreeing_on(expect, &set.outputs),
        false => trial.expecting(expect, &set.outputs),
    }
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
pub(crate) const OUTPUT_SLACK: u64 = 16 << 20;

/// What a panic says.
pub(super) fn panic_message(panic: &(dyn Any + Send)) -> String {
    let text = panic
        .downcast_ref::<&str>()
        .copied()
        .or_else(|| panic.downcast_ref::<String>().map(String::as_str));
    format!("panicked: {}", text.unwrap_or("without a message"))
}

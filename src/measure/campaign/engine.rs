//! The engine: a plan's inputs in chunks, on all cores, with findings that depend on neither.

use std::num::NonZeroUsize;
use std::ops::{ControlFlow, Range};
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::mpsc::{self, RecvTimeoutError};
use std::sync::{Mutex, MutexGuard, PoisonError};
use std::thread;
use std::time::Duration;

use super::Column;
use super::findings::Findings;
use super::implementation::{Failure, Implementation};
use super::judge::Judge;
use super::notation;
use super::plan::Plan;
use super::ranges::Ranges;
use values::text::bounded;

/// How often the observer is asked.
const TICK: Duration = Duration::from_millis(100);

/// What is to be done with the inputs of a plan.
pub trait Work: Sync {
    /// What is found out.
    type Findings: Clone + Send;

    /// Which inputs.
    fn plan(&self) -> &Plan;

    /// What computes their results.
    fn implementation(&self) -> &dyn Implementation;

    /// Inputs before each batch that are given beside its own, for comparison.
    fn lead(&self) -> u64 {
        0
    }

    /// The findings of nothing. What a thread found earlier in other parts may spare it work.
    fn begin(&self, earlier: Option<&Self::Findings>) -> Self::Findings;

    /// Adds the results of consecutive inputs, the first at an index, which those of the lead come before.
    fn add(
        &self,
        findings: &mut Self::Findings,
        index: u64,
        lead: usize,
        operands: &[Column],
        results: &Column,
    );

    /// Adds the findings of another part.
    fn merge(&self, findings: &mut Self::Findings, other: &Self::Findings);
}

/// A campaign about to be executed.
pub struct Task<'a> {
    /// What is to be executed.
    pub plan: &'a Plan,
    /// What computes the results.
    pub implementation: &'a dyn Implementation,
    /// What judges them.
    pub judge: &'a Judge,
}

/// How far a campaign has come.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct State<F = Findings> {
    /// What was executed.
    pub done: Ranges,
    /// Its result.
    pub findings: F,
}

/// Why a campaign ended before its end.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum Ended {
    /// The observer asked for it.
    #[error("interrupted")]
    Stopped,
    /// The implementation did not give results.
    #[error("from input {first} on{}: {failure}", named(.input))]
    Failed {
        /// The first of the inputs that it was given.
        first: u64,
        /// The operands of the first, where it gives no results of it alone either.
        input: Vec<String>,
        /// Why it gave none.
        failure: Failure,
    },
    /// A thread of this program panicked.
    #[error("a thread of the harness panicked")]
    Panicked,
}

/// Operands of an input, if they are known, as a part of a sentence.
fn named(input: &[String]) -> String {
    let shown = |operand: &String| bounded(operand.clone(), SHOWN);
    let shown: Vec<_> = input.iter().map(shown).collect();
    if shown.is_empty() { String::new() } else { format!(", which is {}", shown.join(", ")) }
}

/// Bytes of an operand that are shown.
const SHOWN: usize = 80;

impl State {
    /// Nothing is done.
    pub fn begin(judge: &Judge) -> Self {
        Self { done: Ranges::default(), findings: Findings::none(judge) }
    }
}

/// Executes what the state leaves to do, on so many threads, or as many as can be started. The
/// observer sees how far the campaign has come, at the beginning and then ten times a second, and may
/// stop it.
pub fn execute<W: Work>(
    task: &W,
    state: State<W::Findings>,
    threads: NonZeroUsize,
    observer: &mut dyn FnMut(&State<W::Findings>) -> ControlFlow<()>,
) -> (State<W::Findings>, Result<(), Ended>) {
    let missing = state.done.missing_from(&task.plan().part());
    let chunks = Mutex::new(chunks(missing, task.implementation().chunk()));
    // Beside the state the failure of the first inputs among those that failed.
    let shared = Mutex::new((state, None::<Failed>));
    let (stop, mut stopped) = (AtomicBool::new(false), false);
    // Takes chunk after chunk, until there is none left or the campaign is to end.
    let work = || {
        let check = &task.plan().check;
        let mut columns = check.columns();
        columns.push(Column::new(check.result()));
        let mut earlier = None;
        while !stop.load(Ordering::Relaxed) {
            let Some(chunk) = lock(&chunks).next() else { return };
            let found = run(task, &chunk, &mut columns, earlier.as_ref());
            let (state, failed) = &mut *lock(&shared);
            match found {
                Ok(findings) => {
                    if state.done.insert(chunk) {
                        task.merge(&mut state.findings, &findings);
                    }
                    earlier = Some(findings);
                }
                Err(of_chunk) => {
                    stop.store(true, Ordering::Relaxed);
                    if failed.as_ref().is_none_or(|known| of_chunk.first < known.first) {
                        *failed = Some(of_chunk);
                    }
                }
            }
        }
    };
    // Nothing is sent: the channel closes when the last thread has ended, whichever way.
    let (alive, all_ended) = mpsc::channel::<()>();
    let panicked = thread::scope(|scope| {
        let start = |alive| {
            let work = || {
                let _alive: mpsc::Sender<()> = alive;
                work();
            };
            thread::Builder::new().spawn_scoped(scope, work).ok()
        };
        let workers: Vec<_> = std::iter::repeat_n(alive, threads.get()).map_while(start).collect();
        loop {
            let now = lock(&shared).0.clone();
            if observer(&now).is_break() {
                stopped = true;
                stop.store(true, Ordering::Relaxed);
            }
            if all_ended.recv_timeout(TICK) != Err(RecvTimeoutError::Timeout) {
                break;
            }
        }
        workers.into_iter().map(thread::ScopedJoinHandle::join).filter(Result::is_err).count() > 0
    });
    let (state, failed) = shared.into_inner().unwrap_or_else(PoisonError::into_inner);
    let whole = state.done.len() == task.plan().promised();
    let ended = match failed {
        Some(Failed { first, input, failure }) => Err(Ended::Failed { first, input, failure }),
        None if panicked => Err(Ended::Panicked),
        None if stopped && !whole => Err(Ended::Stopped),
        None => Ok(()),
    };
    (state, ended)
}

impl Work for Task<'_> {
    type Findings = Findings;

    fn plan(&self) -> &Plan {
        self.plan
    }

    fn implementation(&self) -> &dyn Implementation {
        self.implementation
    }

    /// To know the largest error of other parts spares the check from measuring all that are smaller.
    fn begin(&self, earlier: Option<&Findings>) -> Findings {
        let mut findings = Findings::none(self.judge);
        findings.tally.largest = earlier.and_then(|earlier| earlier.tally.largest);
        findings
    }

    fn add(
        &self,
        findings: &mut Findings,
        index: u64,
        _: usize,
        operands: &[Column],
        results: &Column,
    ) {
        findings.add(self.plan, Some(self.judge), index, operands, results);
    }

    fn merge(&self, findings: &mut Findings, other: &Findings) {
        findings.merge(other);
    }
}

/// How an implementation failed, as [`Ended::Failed`] has it.
struct Failed {
    first: u64,
    input: Vec<String>,
    failure: Failure,
}

/// Executes a part, batch by batch; the last of the columns takes the results.
fn run<W: Work>(
    work: &W,
    part: &Range<u64>,
    columns: &mut [Column],
    earlier: Option<&W::Findings>,
) -> Result<W::Findings, Failed> {
    let mut findings = work.begin(earlier);
    let mut at = part.start;
    while at < part.end {
        let lead = work.lead().min(at);
        let left = usize::try_from(part.end - at).unwrap_or(usize::MAX);
        let len = left.min(work.implementation().batch());
        columns.iter_mut().for_each(|column| column.resize(lead as usize + len));
        if let Some((results, operands)) = columns.split_last_mut() {
            work.plan().space.fill(at - lead, operands);
            if let Err(failure) = work.implementation().compute(operands, results) {
                let batch = at - lead..at + len as u64;
                return Err(narrowed(work, batch, columns, &failure).unwrap_or_else(|| Failed {
                    first: at,
                    input: Vec::new(),
                    failure,
                }));
            }
            work.add(&mut findings, at, lead as usize, operands, results);
        }
        at += len as u64;
    }
    Ok(findings)
}

/// The first input of a batch that an implementation refuses, or dies of, by itself: found by halves. `None` where it takes both halves of
/// what it did not take together, or fails in another way.
fn narrowed<W: Work>(
    work: &W,
    batch: Range<u64>,
    columns: &mut [Column],
    failure: &Failure,
) -> Option<Failed> {
    if !matches!(failure, Failure::Refused(_) | Failure::Crashed(_)) {
        return None;
    }
    let mut failure_of = |part: &Range<u64>| {
        let len = usize::try_from(part.end - part.start).unwrap_or(usize::MAX);
        columns.iter_mut().for_each(|column| column.resize(len));
        let (results, operands) = columns.split_last_mut()?;
        work.plan().space.fill(part.start, operands);
        work.implementation().compute(operands, results).err()
    };
    let mut failed = (batch, failure.clone());
    while failed.0.end - failed.0.start > 1 {
        let (first, end) = (failed.0.start, failed.0.end);
        let middle = first + (end - first) / 2;
        let half = |part: Range<u64>| failure_of(&part).map(|failure| (part, failure));
        failed = [first..middle, middle..end].into_iter().find_map(half)?;
    }
    let (part, failure) = failed;
    columns.iter_mut().for_each(|column| column.resize(1));
    let (_, operands) = columns.split_last_mut()?;
    work.plan().space.fill(part.start, operands);
    let input = operands.iter().map(|column| notation::element(&column.get(0))).collect();
    Some(Failed { first: part.start, input, failure })
}

/// Ranges cut at the multiples of a size.
fn chunks(ranges: Vec<Range<u64>>, size: u64) -> impl Iterator<Item = Range<u64>> + Send {
    ranges.into_iter().flat_map(move |range| {
        let numbers = range.start / size..range.end.div_ceil(size);
        let cut = move |number: u64| number.saturating_mul(size).clamp(range.start, range.end);
        numbers.map(move |number| cut(number)..cut(number + 1))
    })
}

/// The data, also where a thread panicked that held it: every change of it is whole.
fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn chunks_cover_their_ranges_and_end_at_the_same_places_wherever_these_begin() {
        let cut = |ranges: &[Range<u64>]| chunks(ranges.to_vec(), 8).collect::<Vec<_>>();
        assert!(cut(&[]).is_empty());
        assert_eq!(cut(&[1..3, 7..19]), [1..3, 7..8, 8..16, 16..19]);
        assert_eq!(cut(&[0..8, u64::MAX - 9..u64::MAX]).len(), 1 + 2);
    }
}

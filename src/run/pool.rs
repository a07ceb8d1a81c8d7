//! The workers of a run, and the supervisor that replaces those a backend does not return to.
//!
//! Each worker takes the next case until none is left. While the backend has a case, what is known of it is
//! kept where the supervisor finds it, so that a case which exceeds its time still gets its result; the
//! worker is left behind (a thread cannot be ended) and another takes its place. The time of a backend ends when
//! it has returned, whatever judging takes. The supervisor wakes for many results at a time: to wake it for each
//! takes longer than many a case.
//!
//! A run that ends with so many unexpected results ends with the case that, in the order of the jobs, is the
//! last of them. Workers take jobs in that order, so all before it are run; what is found behind it, as by
//! workers that were ahead, is given up. So what ends a run does not depend on which worker is the fastest.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::mpsc::{Receiver, RecvTimeoutError, Sender, channel};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::thread;
use std::time::{Duration, Instant};

use super::read::Read;
use super::{CaseResult, Event, Options, RunError};
use crate::backend::Backend;
use crate::corpus::case::Case;
use crate::corpus::suite::Suite;
use crate::corpus::{CaseDir, Digest};
use crate::judge::expect::Expectations;
use crate::judge::outcome::no_answer_within;
use crate::judge::verdict::Verdict;

/// A case to be verified and, if selected, run.
pub(super) struct Job {
    /// Index of its corpus.
    pub(super) corpus: usize,
    /// Its suite.
    pub(super) suite: Suite,
    /// Where it lies.
    pub(super) case: CaseDir,
    /// Its id.
    pub(super) id: String,
    /// Whether it is to be run, as far as its id tells.
    pub(super) selected: bool,
    /// Whether another shard takes it.
    pub(super) elsewhere: bool,
}

impl Job {
    /// Places of the entries of a list that decide, or may, what is expected of a case that is not taken. Of one that
    /// another shard takes that is known, so that all shards say the same.
    pub(super) fn decided_by(&self, expectations: &Expectations) -> Vec<usize> {
        let possible = expectations.possible(&self.id);
        if possible.is_empty() || !self.elsewhere {
            return possible;
        }
        let files = self.case.load().ok();
        let case = files.and_then(|files| Case::decode(&self.id, files.files()).ok());
        let known = match &case {
            Some(case) => CaseResult::not_run(&self.id, self.suite, case),
            None => CaseResult::unread(&self.id, self.suite),
        };
        expectations.position(&known.facts()).into_iter().collect()
    }
}

/// What a worker tells the supervisor: a job is done.
struct Message {
    job: usize,
    done: Result<Done, RunError>,
}

/// What a job found.
struct Done {
    digest: Digest,
    /// The case; none where it is not selected.
    case: Option<Tried>,
}

/// A case, before and after it was run.
struct Tried {
    known: Arc<CaseResult>,
    /// None where the run ended before.
    result: Option<Box<CaseResult>>,
}

impl Done {
    const fn not_selected(digest: Digest) -> Self {
        Self { digest, case: None }
    }

    fn run(digest: Digest, known: Arc<CaseResult>, result: CaseResult) -> Self {
        Self { digest, case: Some(Tried { known, result: Some(Box::new(result)) }) }
    }

    const fn left_out(digest: Digest, known: Arc<CaseResult>) -> Self {
        Self { digest, case: Some(Tried { known, result: None }) }
    }

    fn result(&self) -> Option<&CaseResult> {
        self.case.as_ref()?.result.as_deref()
    }
}

/// What the workers share.
struct Shared {
    jobs: Arc<[Job]>,
    next: AtomicUsize,
    /// The last job whose case is run; those behind it are verified alone.
    last: AtomicUsize,
    backend: Arc<dyn Backend>,
    options: Options,
    /// The cases that the backend has, by their jobs.
    running: Mutex<BTreeMap<usize, Running>>,
}

impl Shared {
    fn running(&self) -> MutexGuard<'_, BTreeMap<usize, Running>> {
        // What panics holds no lock.
        self.running.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// A case that the backend has, and what is known of it.
struct Running {
    since: Instant,
    /// How many data sets it has; the backend has the same time for each.
    data_sets: u32,
    digest: Digest,
    known: Arc<CaseResult>,
}

/// Interval at which the supervisor looks for an interruption.
const POLL_INTERVAL: Duration = Duration::from_millis(100);

/// Time for which it leaves further results to themselves when it has taken some.
const REST: Duration = Duration::from_millis(1);

/// Does all jobs and returns the digests of their cases, with the results of those that are selected, in their
/// order.
pub(super) fn run(
    jobs: Arc<[Job]>,
    backend: Arc<dyn Backend>,
    options: &Options,
    on_event: &mut dyn FnMut(Event<'_>),
) -> Result<Vec<Finished>, RunError> {
    let grace = backend.grace().unwrap_or_default();
    let (next, last) = (AtomicUsize::new(0), AtomicUsize::new(usize::MAX));
    let (options, running) = (options.clone(), Mutex::default());
    let shared = Arc::new(Shared { jobs, next, last, backend, options, running });
    let (sender, receiver) = channel();
    let mut supervisor = Supervisor {
        patience: shared.options.timeout.saturating_add(grace),
        shared,
        sender,
        workers: 0,
        done: BTreeMap::new(),
        failed: BTreeSet::new(),
        settled: Vec::new(),
    };
    let shared = &supervisor.shared;
    for _ in 0..shared.options.jobs.get().min(shared.jobs.len()) {
        supervisor.start_worker().map_err(RunError::Thread)?;
    }
    supervisor.supervise(&receiver, on_event)
}

struct Supervisor {
    shared: Arc<Shared>,
    /// Time after which a worker is given up, for each data set of its case.
    patience: Duration,
    sender: Sender<Message>,
    workers: usize,
    /// What is done and has jobs before it that are not.
    done: BTreeMap<usize, Result<Done, RunError>>,
    /// The jobs with unexpected results.
    failed: BTreeSet<usize>,
    /// What is done and has none, in the order of the jobs.
    settled: Vec<Result<Finished, RunError>>,
}

/// The digest of a case and, where it is selected, the result that the run has of it.
pub(super) type Finished = (Digest, Option<Box<CaseResult>>);

impl Supervisor {
    fn start_worker(&mut self) -> std::io::Result<()> {
        let (worker, shared, sender) =
            (self.workers, Arc::clone(&self.shared), self.sender.clone());
        self.workers += 1;
        thread::Builder::new()
            .name(format!("worker-{worker}"))
            .spawn(move || work(&shared, &sender))?;
        Ok(())
    }

    fn supervise(
        mut self,
        receiver: &Receiver<Message>,
        on_event: &mut dyn FnMut(Event<'_>),
    ) -> Result<Vec<Finished>, RunError> {
        while self.settled.len() < self.shared.jobs.len() {
            if self.shared.options.interrupted.load(Ordering::Relaxed) {
                let done = self.settled.len() + self.done.len();
                let cases = self.shared.jobs.len();
                return Err(RunError::Interrupted { done, cases });
            }
            match receiver.recv_timeout(self.wait()) {
                Ok(message) => {
                    self.receive(message, on_event);
                    receiver.try_iter().for_each(|message| self.receive(message, on_event));
                }
                Err(RecvTimeoutError::Timeout | RecvTimeoutError::Disconnected) => {}
            }
            self.expire(on_event)?;
            if self.settled.len() < self.shared.jobs.len() {
                thread::sleep(REST);
            }
        }
        // In the order of the jobs, or the first error in that order.
        self.settled.into_iter().collect()
    }

    /// Time until the next deadline or look.
    fn wait(&self) -> Duration {
        // A case that the backend gets while this waits has its time from then on.
        let most = self.patience.min(POLL_INTERVAL);
        let running = self.shared.running();
        let deadlines = running.values().filter_map(|running| self.deadline(running));
        deadlines.min().map_or(most, |at| at.saturating_duration_since(Instant::now()).min(most))
    }

    fn deadline(&self, running: &Running) -> Option<Instant> {
        running.since.checked_add(self.patience.saturating_mul(running.data_sets))
    }

    fn receive(&mut self, Message { job, done }: Message, on_event: &mut dyn FnMut(Event<'_>)) {
        // A worker that was left behind and came back has nothing to say any more.
        if job >= self.settled.len() && !self.done.contains_key(&job) {
            self.finish(job, done, on_event);
        }
    }

    fn finish(
        &mut self,
        job: usize,
        done: Result<Done, RunError>,
        on_event: &mut dyn FnMut(Event<'_>),
    ) {
        let result = done.as_ref().ok().and_then(Done::result);
        on_event(result.map_or(Event::Verified, Event::Finished));
        if result.is_some_and(CaseResult::is_unexpected_failure) {
            self.failed.insert(job);
            let most = self.shared.options.max_failures;
            let last = most.and_then(|most| self.failed.iter().nth(most.get() - 1));
            if let Some(last) = last {
                self.shared.last.store(*last, Ordering::Relaxed);
            }
        }
        self.done.insert(job, done);
        self.settle(on_event);
    }

    /// Settles what has no job before it that is not done: no other result can change whether it is run.
    fn settle(&mut self, on_event: &mut dyn FnMut(Event<'_>)) {
        while let Some(done) = self.done.remove(&self.settled.len()) {
            let is_run = self.settled.len() <= self.shared.last.load(Ordering::Relaxed);
            let most = self.shared.options.max_failures;
            let settled = done.map(|Done { digest, case }| {
                let result = case.map(|Tried { known, result }| match result {
                    Some(result) if is_run => result,
                    _ => Box::new(Arc::unwrap_or_clone(known).left_out(most)),
                });
                (digest, result)
            });
            if let Ok((_, Some(result))) = &settled {
                on_event(Event::Settled(result));
            }
            self.settled.push(settled);
        }
    }

    /// Gives up on the cases that exceeded their time.
    fn expire(&mut self, on_event: &mut dyn FnMut(Event<'_>)) -> Result<(), RunError> {
        let now = Instant::now();
        let is_late = |running: &Running| self.deadline(running).is_some_and(|at| at <= now);
        let mut running = self.shared.running();
        let late = running.iter().filter(|(_, running)| is_late(running)).map(|(job, _)| *job);
        let late: Vec<usize> = late.collect();
        let late: Vec<_> = late.into_iter().filter_map(|job| running.remove_entry(&job)).collect();
        drop(running);
        for (job, Running { digest, known, .. }) in late {
            let timeout = self.shared.options.timeout;
            let timed = CaseResult { duration: timeout, ..CaseResult::clone(&known) };
            let result = timed.broken(Verdict::Timeout, no_answer_within(timeout));
            self.finish(job, Ok(Done::run(digest, known, result)), on_event);
            self.start_worker().map_err(RunError::Thread)?;
        }
        Ok(())
    }
}

fn work(shared: &Shared, sender: &Sender<Message>) {
    loop {
        let index = shared.next.fetch_add(1, Ordering::Relaxed);
        let Some(job) = shared.jobs.get(index) else { return };
        if shared.options.interrupted.load(Ordering::Relaxed) {
            return;
        }
        let running = |digest, data_sets, known| {
            let running = Running { since: Instant::now(), data_sets, digest, known };
            shared.running().insert(index, running);
        };
        let is_run = || index <= shared.last.load(Ordering::Relaxed);
        let returned = || drop(shared.running().remove(&index));
        let done = do_job(job, shared, is_run, running, returned);
        // Where the harness itself failed meanwhile, it is there still.
        shared.running().remove(&index);
        // The supervisor outlives its interest in messages only at the end of the run.
        if sender.send(Message { job: index, done }).is_err() {
            return;
        }
    }
}

fn do_job(
    job: &Job,
    shared: &Shared,
    is_run: impl FnOnce() -> bool,
    running: impl FnOnce(Digest, u32, Arc<CaseResult>),
    returned: impl FnOnce(),
) -> Result<Done, RunError> {
    let files = job.case.load()?;
    let digest = files.digest();
    if !job.selected {
        return Ok(Done::not_selected(digest));
    }
    let options = &shared.options;
    let read = Read::of(&job.id, job.suite, &files, options)?;
    if read.is_left_out(options) {
        return Ok(Done::not_selected(digest));
    }
    match read.to_run() {
        Err(result) => Ok(Done::run(digest, Arc::clone(&read.known), *result)),
        Ok(_) if !is_run() => Ok(Done::left_out(digest, read.known)),
        Ok(case) => {
            let data_sets = u32::try_from(case.data_sets.len().max(1)).unwrap_or(u32::MAX);
            running(digest, data_sets, Arc::clone(&read.known));
            let result = read.run(case, &*shared.backend, options, returned);
            job.case.check_pinned()?;
            Ok(Done::run(digest, read.known, result))
        }
    }
}

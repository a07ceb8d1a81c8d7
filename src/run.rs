//! Runs: the selected cases of corpora through a backend, each to its result.
//!
//! Cases are read, verified, decoded, run and compared in parallel; results come back in natural
//! order of the ids whatever order they finished in. A case that has a lock is compared with it
//! before anything else is made of its bytes, and cases that are not selected are verified too: a
//! report's corpus digest speaks of the whole corpus.

mod execute;
#[cfg(feature = "harness")]
pub mod harness;
mod pool;
mod profiles;
mod read;
mod result;
mod text;
mod unmatched;

use std::collections::{BTreeMap, BTreeSet};
use std::num::NonZeroUsize;
use std::sync::Arc;
use std::sync::atomic::AtomicBool;
use std::thread;
use std::time::{Duration, Instant};

use rayon::prelude::*;

use crate::backend::{Backend, Identity, Isolation};
use crate::corpus::case::{Case, CaseError};
use crate::corpus::selection::Selection;
use crate::corpus::shard::Shard;
use crate::corpus::suite::Suite;
use crate::corpus::{Corpus, CorpusError, Digest, natural_order};
use crate::foundation::text::grouped;
use crate::judge::expect::{Expectations, List};
use crate::judge::requirements::Catalogue;

pub(crate) use execute::{OUTPUT_SLACK, ask};
pub use execute::{answer, execute, is_refuted, judge};
pub(crate) use profiles::has_newer_rule;
pub use profiles::{Profiles, SuiteProfile};
pub use read::run_case;
pub(crate) use result::widen;
pub use result::{
    CaseResult, CorpusResult, ExpectationResult, Output, ShardResult, Summary, Worst,
};
pub use unmatched::NoCase;

/// How a run is to be made. By default every case is run, on all processors, by the profile of its suite and within
/// a minute each.
#[derive(Clone, Debug)]
pub struct Options {
    /// The accuracy profiles that outputs are compared under.
    pub profiles: Profiles,
    /// The cases that are run.
    pub selection: Selection,
    /// The part of them that is run; none where all are.
    pub shard: Option<Shard>,
    /// The requirements that cases may name; none where they may name any.
    pub catalogue: Option<Arc<Catalogue>>,
    /// The known failures of the backend.
    pub expectations: Arc<Expectations>,
    /// The seed that the corpora's cases were made from at run time, for the report.
    pub challenge: Option<String>,
    /// Cases in flight at once.
    pub jobs: NonZeroUsize,
    /// Time that the backend has for a case.
    pub timeout: Duration,
    /// Unexpected results with which the run ends; none where it goes to its end whatever it finds. Cases
    /// behind the last of them, in natural order, are skipped.
    pub max_failures: Option<NonZeroUsize>,
    /// Ends the run early when set, with [`RunError::Interrupted`].
    pub interrupted: Arc<AtomicBool>,
}

impl Default for Options {
    fn default() -> Self {
        Self {
            profiles: Profiles::default(),
            selection: Selection::default(),
            shard: None,
            catalogue: None,
            expectations: Arc::default(),
            challenge: None,
            jobs: thread::available_parallelism().unwrap_or(NonZeroUsize::MIN),
            timeout: Duration::from_secs(60),
            max_failures: None,
            interrupted: Arc::default(),
        }
    }
}

/// Everything that a run found.
#[derive(Clone, Debug)]
pub struct Run {
    /// The backend.
    pub backend: Identity,
    /// What kept the backend from what it is judged by.
    pub isolation: Isolation,
    /// What that leaves open, where it is partial.
    pub isolation_gaps: Vec<String>,
    /// The seed that the suites' cases were made from at run time; none where they are the committed ones.
    pub challenge: Option<String>,
    /// The suites of the corpora with the accuracy profiles of their other and own cases.
    pub profiles: BTreeMap<Suite, [SuiteProfile; 2]>,
    /// The corpora, in the order given.
    pub corpora: Vec<CorpusResult>,
    /// Which part of the selected cases was run; none where all were.
    pub shard: Option<ShardResult>,
    /// Every selected case, in natural order; of a shard, its own.
    pub cases: Vec<CaseResult>,
    /// The list of known failures that the run was given; none where it was given none.
    pub expectations_list: Option<List>,
    /// The known failures of the corpora's cases, and what became of them.
    pub expectations: Vec<ExpectationResult>,
    /// Time the whole run took.
    pub duration: Duration,
}

/// The run has no result.
#[derive(Debug, thiserror::Error)]
#[expect(missing_docs, reason = "each variant's message says what it is")]
pub enum RunError {
    #[error(transparent)]
    Corpus(#[from] CorpusError),
    #[error(transparent)]
    Manifest(CaseError),
    #[error(transparent)]
    NoCase(#[from] NoCase),
    #[error("{0} has more shards than the {1} selected cases")]
    EmptyShard(Shard, u64),
    #[error("two corpora are named `{0}`, which would give two cases one id; rename a folder")]
    SameName(String),
    #[error("interrupted after {} of {} cases; no report was written", grouped(*.done as u64), grouped(*.cases as u64))]
    Interrupted { done: usize, cases: usize },
    #[error("failed to start a worker thread")]
    Thread(#[source] std::io::Error),
}

impl Run {
    /// Whether a case failed that was not expected to.
    pub fn has_failed(&self) -> bool {
        self.cases.iter().any(CaseResult::is_unexpected_failure)
    }

    /// Output elements that were compared in all cases.
    pub fn elements_compared(&self) -> u64 {
        self.cases.iter().map(CaseResult::elements_compared).sum()
    }
}

/// What a run tells while it goes on.
#[derive(Clone, Copy, Debug)]
pub enum Event<'a> {
    /// So many cases will be read, selected or not.
    Started {
        /// The backend that the selected ones are run on; none where they are only looked at.
        backend: Option<&'a Identity>,
        /// Number of cases.
        cases: usize,
    },
    /// A case was run, though a run that ends early may give up its result.
    Finished(&'a CaseResult),
    /// A case was verified, and not run.
    Verified,
    /// A selected case has the result that the run will have; these come in natural order of the ids.
    Settled(&'a CaseResult),
}

/// Runs the selected cases of the corpora through the backend. The error is the first in natural order of
/// the cases; a case that cannot be decoded is none: its verdict is `fault`.
pub fn run(
    corpora: &[(Suite, Corpus)],
    backend: &Arc<dyn Backend>,
    options: &Options,
    on_event: &mut dyn FnMut(Event<'_>),
) -> Result<Run, RunError> {
    let start = Instant::now();
    let identity = backend.identity();
    let mut jobs = jobs(corpora, options)?;
    let shard = options.shard.map(|shard| share(corpora, &mut jobs, shard, options)).transpose()?;
    let jobs: Arc<[_]> = jobs.into();
    on_event(Event::Started { backend: Some(&identity), cases: jobs.len() });
    let finished = pool::run(Arc::clone(&jobs), Arc::clone(backend), options, on_event);
    backend.close();

    let finished = finished?;
    let mut digests: BTreeMap<usize, Vec<(&str, Digest)>> = BTreeMap::new();
    let taken = finished.iter().filter(|(_, result)| result.is_some()).count();
    let (mut cases, mut not_taken) = (Vec::with_capacity(taken), Vec::new());
    for (job, (digest, result)) in jobs.iter().zip(finished) {
        digests.entry(job.corpus).or_default().push((job.case.name(), digest));
        match result {
            Some(result) => cases.push(*result),
            None => not_taken.push(job),
        }
    }
    if cases.is_empty() && options.selection.asks_models() {
        return Err(NoCase::among(corpora, &options.selection).into());
    }
    let suites =
        corpora.iter().map(|(suite, _)| (*suite, options.profiles.suite(*suite).map(Clone::clone)));
    let profiles = suites.collect();
    let corpora = corpora
        .iter()
        .enumerate()
        .map(|(index, (_, corpus))| {
            let digests = digests.remove(&index).unwrap_or_default();
            let digest = corpus.digest(digests.iter().copied())?;
            Ok(CorpusResult {
                name: corpus.name().to_owned(),
                digest: digest.to_string(),
                cases: digests.len() as u64,
            })
        })
        .collect::<Result<Vec<_>, CorpusError>>()?;
    let expectations = kept(&options.expectations, &corpora, &cases, &not_taken);
    Ok(Run {
        backend: identity,
        isolation: backend.isolation(),
        isolation_gaps: backend.isolation_gaps().to_vec(),
        challenge: options.challenge.clone(),
        profiles,
        corpora,
        shard,
        cases,
        expectations_list: options.expectations.list().cloned(),
        expectations,
        duration: start.elapsed(),
    })
}

/// Id of a case in reports.
pub fn case_id(corpus: &Corpus, case: &str) -> String {
    format!("{}/{case}", corpus.name())
}

fn jobs(corpora: &[(Suite, Corpus)], options: &Options) -> Result<Vec<pool::Job>, RunError> {
    let selection = &options.selection;
    let mut jobs = Vec::new();
    let mut names = BTreeSet::new();
    for (index, (suite, corpus)) in corpora.iter().enumerate() {
        if !names.insert(corpus.name()) {
            return Err(RunError::SameName(corpus.name().to_owned()));
        }
        for case in corpus.cases() {
            let id = case_id(corpus, case.name());
            let selected = selection.takes_id(&id);
            let (suite, case) = (*suite, case.clone());
            jobs.push(pool::Job { corpus: index, suite, case, id, selected, elsewhere: false });
        }
    }
    jobs.sort_by(|a, b| natural_order(&a.id, &b.id));
    if !selection.is_everything() && !jobs.iter().any(|job| job.selected) {
        return Err(NoCase::among(corpora, selection).into());
    }
    Ok(jobs)
}

/// Leaves of the selected jobs those of a shard, and gives what a report says of it.
fn share(
    corpora: &[(Suite, Corpus)],
    jobs: &mut [pool::Job],
    shard: Shard,
    options: &Options,
) -> Result<ShardResult, RunError> {
    let Options { selection, .. } = options;
    if selection.asks_models() {
        let is_taken = |job: &pool::Job| {
            // What cannot be read or decoded is taken: the run tells of it.
            let files = job.case.load().ok();
            let case = files.and_then(|files| Case::decode(&job.id, files.files()).ok());
            case.is_none_or(|case| selection.takes_model(&case.model))
        };
        jobs.par_iter_mut().for_each(|job| job.selected = job.selected && is_taken(job));
    }
    let ids = jobs.iter().filter(|job| job.selected).map(|job| job.id.as_str());
    let result = ShardResult::of(shard, ids);
    if result.selected == 0 && selection.asks_models() {
        return Err(NoCase::among(corpora, selection).into());
    }
    if result.selected < shard.count {
        return Err(RunError::EmptyShard(shard, result.selected));
    }
    for (place, job) in (0..).zip(jobs.iter_mut().filter(|job| job.selected)) {
        job.selected = shard.takes(place);
        job.elsewhere = !job.selected;
    }
    Ok(result)
}

/// What became of what is known of these corpora: of their cases, and of those that were not taken.
fn kept(
    expectations: &Expectations,
    corpora: &[CorpusResult],
    cases: &[CaseResult],
    not_taken: &[&pool::Job],
) -> Vec<ExpectationResult> {
    let mut results = ExpectationResult::all(expectations.entries(), cases);
    for at in not_taken.iter().flat_map(|job| job.decided_by(expectations)) {
        if let Some(result) = results.get_mut(at) {
            result.stale = false;
        }
    }
    let is_there = |name: &str| corpora.iter().any(|corpus| corpus.name == name);
    results.retain(|result| result.entry().corpus().is_none_or(is_there));
    results
}

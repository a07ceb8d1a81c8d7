//! Cases run on a backend, and the exit code that follows: what `run` and `matrix` have in common.

use std::num::NonZeroUsize;
use std::path::Path;
use std::sync::Arc;

use onnx_conformance::corpus::shard::{Shard, ShardError};
use onnx_conformance::corpus::suite::Suite;
use onnx_conformance::documents::challenge::Challenge;
use onnx_conformance::documents::report::document::Report;
use onnx_conformance::judge::requirements::Catalogue;
use onnx_conformance::run::{self, Event, Options, Profiles, Run};

use super::backend::{self, Chosen};
use super::{CommandError, corpora, cpus, exit, interrupt, profile, sandbox, selection};
use crate::cli::{RunArgs, TestArgs};
use crate::terminal::{self, Progress};

/// What an adapter finds out of a seed that is given as an option.
const SEED_IS_SHOWN: &str =
    "the challenge's seed is on the tool's command line, which every process can read";

/// How much of what is chosen is run; all of it by default.
#[derive(Clone, Copy, Default)]
pub(super) struct Extent {
    shard: Option<Shard>,
    max_failures: Option<NonZeroUsize>,
}

impl Extent {
    pub(super) fn of(args: &RunArgs) -> Result<Self, ShardError> {
        let shard = shard(args.shard.as_deref())?;
        Ok(Self { shard, max_failures: args.max_failures() })
    }
}

/// The shard that is asked for.
pub(super) fn shard(text: Option<&str>) -> Result<Option<Shard>, ShardError> {
    let variable = |name: &str| std::env::var(name).ok();
    text.map(|text| Shard::parse(text, variable)).transpose()
}

/// Runs what the arguments choose, or all of these suites where they choose nothing. What is found goes into
/// this folder.
pub(super) fn test(
    args: &TestArgs,
    default: &[Suite],
    catalogue: &Arc<Catalogue>,
    out: Option<&Path>,
    extent: Extent,
    on_event: &mut dyn FnMut(Event<'_>),
) -> Result<Run, CommandError> {
    let chosen = args.profile.as_deref().map(profile).transpose()?;
    let mut corpora = corpora(&args.select, default)?;
    if args.backend.given().is_adapter() {
        corpora.iter_mut().try_for_each(|(_, corpus)| corpus.pin())?;
    }
    let jobs = args.jobs.unwrap_or_else(cpus);
    let interrupted = interrupt::flag();
    let mut denied = sandbox::denied(&corpora, out);
    match &args.select.challenge_from {
        Some(file) => denied.paths.push(file.clone()),
        None if args.select.challenge.is_some() => denied.gaps.push(SEED_IS_SHOWN.to_owned()),
        None => {}
    }
    let Chosen { backend, name } =
        backend::choose(args.backend.given(), &args.backend.process, jobs, denied)?;
    let mut expectations = backend::expectations(args.expectations.as_deref(), name.as_deref())?;
    if args.select.challenge.is_some() {
        expectations = Arc::new(Challenge::expectations(&expectations));
    }
    if let Some(variant) = args.select.variant {
        expectations = Arc::new(expectations.of_corpora(|corpus| Some(variant.name_of(corpus))));
    }
    let options = Options {
        profiles: Profiles::of(&corpora, chosen.as_ref())?,
        selection: selection(&args.select)?,
        catalogue: Some(Arc::clone(catalogue)),
        expectations,
        challenge: args.select.challenge.as_ref().map(|challenge| challenge.seed().to_owned()),
        jobs,
        timeout: args.backend.process.timeout,
        shard: extent.shard,
        max_failures: extent.max_failures,
        interrupted,
    };
    let mut progress = Progress::new();
    let run = run::run(&corpora, &backend, &options, &mut |event| {
        progress.on(event);
        on_event(event);
    });
    drop(progress);
    Ok(run?)
}

/// The exit code that tells what a run found; with `strict` also that an expectation does not hold.
pub(super) fn verdict_of(report: &Report, strict: bool) -> u8 {
    if report.has_failed() {
        exit::FAILED
    } else if report.summary.elements_compared == 0 {
        terminal::eprint("error: nothing was compared; choose cases that the backend supports");
        exit::NOTHING_COMPARED
    } else if strict && report.has_surprises() {
        exit::FAILED
    } else {
        0
    }
}

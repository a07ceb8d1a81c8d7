//! The command `run`, and what else runs cases.

use std::num::NonZeroUsize;
use std::path::Path;
use std::process::ExitCode;
use std::sync::Arc;

use onnx_conformance::corpus::shard::{Shard, ShardError};
use onnx_conformance::corpus::suite::Suite;
use onnx_conformance::document::provenance;
use onnx_conformance::documents::challenge::Challenge;
use onnx_conformance::documents::matrix::write_with;
use onnx_conformance::documents::report::document::Report;
use onnx_conformance::documents::report::messages::Message;
use onnx_conformance::documents::report::{Written, summary};
use onnx_conformance::foundation::cleanup::FolderLock;
use onnx_conformance::judge::requirements::Catalogue;
use onnx_conformance::run::{self, Event, Options, Profiles, Run};

use super::backend::{self, Chosen};
use super::{CommandError, corpora, cpus, exit, interrupt, matrix, profile, sandbox, selection};
use crate::cli::{MessageFormat, RunArgs, TestArgs};
use crate::terminal::{self, Progress};

pub(super) fn run(args: &RunArgs) -> Result<ExitCode, CommandError> {
    if let Some(taken) = &args.config {
        terminal::eprint(&format!("options {taken}"));
    }
    let _lock = FolderLock::within(&args.out)?;
    provenance::prepare();
    let catalogue = Arc::new(Catalogue::embedded()?);
    let (out, extent) = (Some(args.out.as_path()), Extent::of(args)?);
    let mut messages = Messages::new(args.message_format);
    let mut on_event = |event: Event<'_>| messages.on(event);
    let tested = test(&args.test, &[Suite::Onnx], &catalogue, out, extent, &mut on_event);
    let Tested { run, handshake_failed } = tested?;
    let report = Report::of(run, &catalogue)?;
    let written = write(&report, &catalogue, &args.out)?;
    let text = |style| summary::render(&report, &written, args.failures, style);
    match args.message_format {
        MessageFormat::Human => terminal::print(&text(terminal::style()))?,
        MessageFormat::Json => terminal::eprint(text(terminal::style_stderr()).trim_end()),
    }
    let code = match handshake_failed {
        true => exit::HARNESS,
        false => verdict_of(&report, args.strict),
    };
    messages.send(|| Message::finished(&report, &written, code));
    messages.written?;
    // The process ends, and with it goes at once what takes long to give back piece by piece.
    std::mem::forget(report);
    Ok(ExitCode::from(code))
}

/// The messages of a run on standard output, where they are asked for.
struct Messages {
    format: MessageFormat,
    /// Whether all could be written up to now.
    written: Result<(), CommandError>,
}

impl Messages {
    const fn new(format: MessageFormat) -> Self {
        Self { format, written: Ok(()) }
    }

    fn on(&mut self, event: Event<'_>) {
        match event {
            Event::Started { backend: Some(backend), cases } => {
                self.send(|| Message::started(backend, cases));
            }
            Event::Settled(case) => self.send(|| Message::of(case)),
            Event::Started { .. } | Event::Finished(_) | Event::Verified => {}
        }
    }

    fn send(&mut self, message: impl FnOnce() -> Message) {
        if self.format == MessageFormat::Json && self.written.is_ok() {
            self.written = line(&message());
        }
    }
}

fn line(message: &Message) -> Result<(), CommandError> {
    Ok(terminal::print_json(&serde_json::to_string(message)?)?)
}

/// Writes a report with its matrix.
pub(super) fn write(
    report: &Report,
    catalogue: &Catalogue,
    out: &Path,
) -> Result<Written, CommandError> {
    Ok(write_with(report, &matrix::of_report(report, catalogue)?, out)?)
}

/// How much of what is chosen is run; all of it by default.
#[derive(Clone, Copy, Default)]
pub(super) struct Extent {
    shard: Option<Shard>,
    max_failures: Option<NonZeroUsize>,
}

impl Extent {
    fn of(args: &RunArgs) -> Result<Self, ShardError> {
        let shard = shard(args.shard.as_deref())?;
        Ok(Self { shard, max_failures: args.max_failures() })
    }
}

/// The shard that is asked for.
pub(super) fn shard(text: Option<&str>) -> Result<Option<Shard>, ShardError> {
    let variable = |name: &str| std::env::var(name).ok();
    text.map(|text| Shard::parse(text, variable)).transpose()
}

pub(super) struct Tested {
    pub(super) run: Run,
    /// Whether the backend never introduced itself.
    pub(super) handshake_failed: bool,
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
) -> Result<Tested, CommandError> {
    let chosen = args.profile.as_deref().map(profile).transpose()?;
    let mut corpora = corpora(&args.select, default)?;
    if args.backend.given().is_adapter() {
        corpora.iter_mut().try_for_each(|(_, corpus)| corpus.pin())?;
    }
    let jobs = args.jobs.unwrap_or_else(cpus);
    let interrupted = interrupt::flag();
    let denied = sandbox::denied(&corpora, out);
    let Chosen { backend, name, handshake_failed } =
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
    Ok(Tested { run: run?, handshake_failed })
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

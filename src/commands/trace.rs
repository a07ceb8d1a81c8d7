//! The commands `trace`, and `judge`, which traces what was computed elsewhere.

use std::io;
use std::num::NonZeroUsize;
use std::path::{Path, PathBuf};
use std::process::ExitCode;
use std::sync::Arc;
use std::time::Duration;

use onnx_conformance::backend::Backend;
use onnx_conformance::document::write::write_file;
use onnx_conformance::documents::expectations;
use onnx_conformance::foundation::cleanup::FolderLock;
use onnx_conformance::foundation::printable::on_one_line;
use onnx_conformance::judge::expect::{Expectations, Known};
use onnx_conformance::judge::profile::{Limit, Profile};
use onnx_conformance::judge::{Extent, Sample};
use onnx_conformance::models::file::ModelFile;
use onnx_conformance::models::inputs::{self, Given, Input};
use onnx_conformance::models::trace::document::Trace;
use onnx_conformance::models::trace::dumps::Dumps;
use onnx_conformance::models::trace::{self, CHECKPOINT, Options, text};
use onnx_conformance::reference::operator::Domain;
use onnx_conformance::reference::operators;

use super::backend::{self, Chosen};
use super::{CommandError, exit, expect, interrupt, profile, sandbox};
use crate::cli::{JudgeArgs, JudgingArgs, ModelArgs, TraceArgs};
use crate::terminal::{self, TraceProgress};

pub(super) fn trace(args: &TraceArgs) -> Result<ExitCode, CommandError> {
    let profile = judged_by(&args.judging)?;
    let file = ModelFile::read(&args.model.model)?;
    let given = inputs::find(&file.ports(), &of(&args.model, &args.judging))?;
    let list = args.expectations.as_deref();
    let mut list = list.map(|path| KnownNodes::read(path, args.accept.is_some())).transpose()?;
    let _lock = FolderLock::within(&args.out)?;
    let chosen = args.backends.given();
    let mut codes = Vec::new();
    for &one in &chosen {
        let denied = sandbox::denied(&[], Some(&args.out));
        let process = &args.backends.process;
        let Chosen { backend, .. } = backend::choose(one, process, NonZeroUsize::MIN, denied)?;
        // Each of several has a folder of its own.
        let out = match chosen.len() {
            1 => args.out.clone(),
            _ => args.out.join(backend.identity().name),
        };
        let checkpoint = out.join(CHECKPOINT);
        let flag = interrupt::flag();
        let options = Options {
            substitutes: true,
            fusions: args.fusions,
            effects: args.effects,
            cases: args.cases,
            expectations: list.as_ref().map(|list| &list.entries),
            checkpoint: Some(&checkpoint),
            resume: args.resume,
            ..options(&args.judging, &profile, process.timeout, &flag)
        };
        let traced = run(&file, &given, &*backend, &options, &out);
        backend.close();
        let traced = traced?;
        codes.push(match (&mut list, &args.accept) {
            (Some(list), Some(reason)) => list.accept(&traced, reason),
            _ => verdict_of(&traced),
        });
    }
    if let Some(list) = list.filter(|_| args.accept.is_some()) {
        list.write()?;
    }
    // What is wrong goes before what was not judged.
    let is_wrong = codes.contains(&exit::FAILED);
    let code = if is_wrong { exit::FAILED } else { codes.into_iter().max().unwrap_or(0) };
    Ok(ExitCode::from(code))
}

/// The nodes that are known to be wrong.
struct KnownNodes {
    path: PathBuf,
    /// The text of the list; empty where there is none yet.
    text: String,
    entries: Expectations,
    accepted: Vec<Known>,
}

impl KnownNodes {
    /// Reads a list, which may be missing where entries will be added to it.
    fn read(path: &Path, may_be_new: bool) -> Result<Self, CommandError> {
        let text = match expect::list(path)? {
            Some(text) => text,
            None if may_be_new => String::new(),
            None => {
                let action = format!("read the expectations `{}`", path.display());
                return Err(CommandError::io(action, exit::USAGE)(io::ErrorKind::NotFound.into()));
            }
        };
        let entries = Expectations::parse(&path.display().to_string(), &text)?;
        Ok(Self { path: path.to_owned(), text, entries, accepted: Vec::new() })
    }

    /// Takes the nodes of a trace that are wrong among the known ones. Gives the exit code.
    fn accept(&mut self, trace: &Trace, reason: &str) -> u8 {
        for entry in trace::entries(trace, reason) {
            if !self.accepted.contains(&entry) {
                self.accepted.push(entry);
            }
        }
        // Nothing unexpected is left.
        without_failure(trace)
    }

    /// Writes the list with what was accepted.
    fn write(self) -> Result<(), CommandError> {
        let file = self.path.display().to_string();
        let heading = "# Nodes of models that are known to be wrong.\n";
        let text = expectations::added(&file, &self.text, &self.accepted, heading)?;
        if text != self.text {
            write_file(&self.path, text.into_bytes())?;
        }
        let nodes = self.accepted.len();
        terminal::print(&format!("accepted {nodes}, in {}\n", on_one_line(&file)))?;
        Ok(())
    }
}

pub(super) fn judge(args: &JudgeArgs) -> Result<ExitCode, CommandError> {
    let profile = judged_by(&args.judging)?;
    let file = ModelFile::read(&args.model)?;
    let folder = Some(args.inputs.clone());
    let given = Given { folder, is_complete: true, ..Given::default() };
    let given = inputs::find(&file.ports(), &given)?;
    let dumps = Dumps::of(&args.outputs, &file)?;
    let _lock = FolderLock::within(&args.out)?;
    let flag = interrupt::flag();
    let options = options(&args.judging, &profile, Duration::MAX, &flag);
    let trace = run(&file, &given, &dumps, &options, &args.out)?;
    Ok(ExitCode::from(verdict_of(&trace)))
}

/// The profile that is asked for, with the limits that are given for this.
fn judged_by(args: &JudgingArgs) -> Result<Arc<Profile>, CommandError> {
    let mut chosen = profile(&args.profile)?;
    for (name, limit) in &args.limits {
        let operator = operators::find(Domain::Onnx, name).ok_or_else(|| {
            CommandError::misuse(format!("--limit: there is no operator `{name}`"))
        })?;
        let limit = Limit::try_from(limit.clone())
            .map_err(|problem| CommandError::misuse(format!("--limit {name}: {problem}")))?;
        let limited = chosen.with_limit(operator, limit).ok_or_else(|| {
            CommandError::misuse(format!(
                "--limit: no limit in ULP can be set for {name}, whose elements are not computed one by one from \
                 floats; give --profile a file instead"
            ))
        })?;
        chosen = Arc::new(limited);
    }
    Ok(chosen)
}

fn of(model: &ModelArgs, judging: &JudgingArgs) -> Given {
    Given {
        folder: model.inputs.clone(),
        single: model.input.iter().cloned().collect(),
        dimensions: model.dim.iter().cloned().collect(),
        shapes: model.shape.iter().cloned().collect(),
        seed: judging.seed,
        is_complete: false,
    }
}

fn options<'a>(
    args: &JudgingArgs,
    profile: &'a Profile,
    timeout: Duration,
    interrupted: &'a std::sync::atomic::AtomicBool,
) -> Options<'a> {
    let extent = args
        .sample
        .map_or(Extent::Operands(trace::OPERANDS), |elements| Extent::Elements(elements.get()));
    Options {
        profile,
        sample: Sample { extent, seed: args.seed },
        timeout,
        threshold: args.threshold,
        substitutes: false,
        fusions: 0,
        effects: 0,
        cases: trace::CASES,
        expectations: None,
        checkpoint: None,
        resume: false,
        interrupted,
    }
}

/// Traces the model and writes what was found.
fn run(
    file: &ModelFile,
    given: &[Input],
    backend: &dyn Backend,
    options: &Options<'_>,
    out: &Path,
) -> Result<Trace, CommandError> {
    let mut progress = TraceProgress::new();
    let traced = trace::trace(file, given, backend, options, &mut |event| progress.on(event));
    drop(progress);
    let traced = traced?;
    let written = trace::write(&traced, out)?;
    terminal::print(&text::render(&traced.trace, &written, terminal::style()))?;
    Ok(traced.trace)
}

/// The exit code that tells whether every node conforms.
fn verdict_of(trace: &Trace) -> u8 {
    if trace.first().is_some() { exit::FAILED } else { without_failure(trace) }
}

/// The exit code where no node is wrong.
fn without_failure(trace: &Trace) -> u8 {
    if trace.judged() == 0 { exit::NOTHING_COMPARED } else { 0 }
}

//! The commands `trace`, and `judge`, which traces what was computed elsewhere.

use std::num::NonZeroUsize;
use std::path::Path;
use std::process::ExitCode;
use std::sync::Arc;
use std::time::Duration;

use onnx_conformance::backend::Backend;
use onnx_conformance::foundation::cleanup::FolderLock;
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
use super::{CommandError, exit, interrupt, profile, sandbox};
use crate::cli::{JudgeArgs, JudgingArgs, ModelArgs, TraceArgs};
use crate::terminal::{self, TraceProgress};

pub(super) fn trace(args: &TraceArgs) -> Result<ExitCode, CommandError> {
    let profile = judged_by(&args.judging)?;
    let file = ModelFile::read(&args.model.model)?;
    let given = inputs::find(&file.ports(), &of(&args.model, &args.judging))?;
    let _lock = FolderLock::within(&args.out)?;
    let chosen = args.backends.given();
    let mut codes = Vec::new();
    for &one in &chosen {
        let denied = sandbox::denied(&[], Some(&args.out));
        let process = &args.backends.process;
        let Chosen { backend, handshake_failed, .. } =
            backend::choose(one, process, NonZeroUsize::MIN, denied)?;
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
            checkpoint: Some(&checkpoint),
            resume: args.resume,
            ..options(&args.judging, &profile, process.timeout, &flag)
        };
        let traced = run(&file, &given, &*backend, &options, &out);
        backend.close();
        let code = if handshake_failed { exit::HARNESS } else { verdict_of(&traced?) };
        codes.push(code);
    }
    // What is wrong goes before what was not judged.
    let is_wrong = codes.contains(&exit::FAILED) && !codes.contains(&exit::HARNESS);
    let code = if is_wrong { exit::FAILED } else { codes.into_iter().max().unwrap_or(0) };
    Ok(ExitCode::from(code))
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
    if trace.first().is_some() {
        exit::FAILED
    } else if trace.judged() == 0 {
        exit::NOTHING_COMPARED
    } else {
        0
    }
}

//! The command `sums`.

use std::collections::BTreeSet;
use std::ops::ControlFlow;
use std::process::ExitCode;
use std::sync::Arc;
use std::sync::atomic::Ordering;

use onnx_conformance::backend::Backend;
use onnx_conformance::dtype::DType;
use onnx_conformance::foundation::cleanup::FolderLock;
use onnx_conformance::measure::sums::{
    Choice, Conducted, Row, Subject, Summation, Sums, asked, drive, summations, text,
};

use super::campaign::known_operators;
use super::{CommandError, backend, cpus, exit, interrupt, sandbox};
use crate::cli::SumsArgs;
use crate::terminal::{self, SumsProgress};

pub(super) fn sums(args: &SumsArgs) -> Result<ExitCode, CommandError> {
    let choice = Choice { operators: args.operators.clone(), types: args.types.clone() };
    let chosen = chosen(&choice)?;
    let jobs = args.jobs.unwrap_or_else(cpus);
    let _lock = FolderLock::within(&args.out)?;
    let stop = interrupt::flag();
    let denied = sandbox::denied(&[], Some(&args.out));
    let process = &args.backends.process;
    let mut backends = Vec::new();
    for given in args.backends.given() {
        backends.push(backend::choose(given, process, jobs, denied.clone())?.backend);
    }
    let subject = |backend: &Arc<dyn Backend>| Subject {
        identity: backend.identity(),
        ask: asked(backend, process.timeout),
    };
    let subjects: Vec<_> = backends.iter().map(subject).collect();
    let progress = SumsProgress::new(chosen.len() * subjects.len());
    let observer = &mut |number: usize, row: &Row| {
        progress.at(number, row);
        if stop.load(Ordering::Relaxed) {
            ControlFlow::Break(())
        } else {
            ControlFlow::Continue(())
        }
    };
    let conducted = drive(&chosen, &subjects, args.seed, &args.out, jobs, observer);
    drop(progress);
    backends.iter().for_each(|backend| backend.close());
    let Conducted { document, written } = conducted?;
    terminal::print(&text::render(&document, &written))?;
    Ok(ExitCode::from(verdict_of(&document)))
}

/// The operators and types that were chosen, of which there has to be one.
fn chosen(choice: &Choice) -> Result<Vec<(Summation, DType)>, CommandError> {
    let all: BTreeSet<&str> = Summation::all().map(|it| it.operator.name).collect();
    known_operators(&choice.operators, &all)?;
    let chosen = summations(choice);
    if chosen.is_empty() {
        return Err(CommandError::misuse("none of these operators has sums of any of these types"));
    }
    Ok(chosen)
}

/// The exit code that tells whether everything that was planned was executed, and conforms.
fn verdict_of(document: &Sums) -> u8 {
    let is_well = |row: &Row| {
        row.not_conforming == 0 && (row.is_complete() || row.failure.is_some() && row.executed == 0)
    };
    if document.rows.iter().all(|row| row.executed == 0) {
        exit::NOTHING_COMPARED
    } else if document.rows.iter().all(is_well) {
        0
    } else {
        exit::FAILED
    }
}

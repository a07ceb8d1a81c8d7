//! The command `atlas`, and the merging of atlases.

use std::collections::BTreeMap;
use std::ops::ControlFlow;
use std::path::PathBuf;
use std::process::ExitCode;
use std::sync::Arc;
use std::sync::atomic::Ordering;
use std::time::Duration;

use onnx_conformance::backend::builtin;
use onnx_conformance::check::Check;
use onnx_conformance::document::JsonDocument;
use onnx_conformance::foundation::cleanup::FolderLock;
use onnx_conformance::measure::atlas::{
    self, Atlas, Charted, Choice, Extent, Row, Sheet, Subject, sheets, text,
};
use onnx_conformance::measure::campaign::{Implementation, Kernels, Tensors, read_attributes};
use onnx_conformance::reference::operators;

use super::backend::{self, Chosen};
use super::campaign::known_operators;
use super::testing::shard;
use super::{CommandError, cpus, exit, interrupt, sandbox};
use crate::cli::{AtlasArgs, MergeArgs};
use crate::terminal::{self, AtlasProgress};

pub(super) fn atlas(args: &AtlasArgs) -> Result<ExitCode, CommandError> {
    let choice = Choice {
        operators: args.operators.clone(),
        types: args.types.clone(),
        attributes: args.attributes.iter().cloned().collect(),
        extent: match (args.exhaustive, args.sample) {
            (true, _) => Extent::All,
            (_, true) => Extent::Sample,
            _ => Extent::Decidable,
        },
        count: args.count,
        shard: shard(args.shard.as_deref())?,
    };
    let chosen = chosen(&choice)?;
    let jobs = args.jobs.unwrap_or_else(cpus);
    let _lock = FolderLock::within(&args.out)?;
    let stop = interrupt::flag();
    let denied = sandbox::denied(&[], Some(&args.out));
    let process = &args.backends.process;
    let mut backends = Vec::new();
    for given in args.backends.given() {
        backends.push(backend::choose(given, process, jobs, denied.clone())?);
    }
    let subjects: Vec<_> = backends.iter().map(|chosen| subject(chosen, process.timeout)).collect();
    let progress = AtlasProgress::new(chosen.len() * subjects.len());
    let sheets = chosen.iter().map(|check| Sheet::all(check, &choice));
    let charted = atlas::chart(sheets, &subjects, &args.out, jobs, &mut |number, row: &Row| {
        progress.at(number, row);
        if stop.load(Ordering::Relaxed) {
            ControlFlow::Break(())
        } else {
            ControlFlow::Continue(())
        }
    });
    drop(progress);
    backends.iter().for_each(|chosen| chosen.backend.close());
    let Charted { document, written } = charted?;
    terminal::print(&text::render(&document, &written))?;
    Ok(ExitCode::from(verdict_of(&document)))
}

/// The backend as one that is charted, with the time that it has for a batch.
fn subject(chosen: &Chosen, timeout: Duration) -> Subject<'_> {
    let is_builtin = chosen.name.as_deref() == Some(builtin::NAME);
    let implementation = move |sheet: &Sheet| -> Box<dyn Implementation> {
        let check = &sheet.plan.check;
        if let Some(kernels) = Kernels::of(check).filter(|_| is_builtin) {
            Box::new(kernels)
        } else {
            Box::new(Tensors::new(Arc::clone(&chosen.backend), check.clone(), timeout))
        }
    };
    Subject { identity: chosen.backend.identity(), implementation: Box::new(implementation) }
}

/// Merges atlases.
pub(super) fn merge(args: &MergeArgs) -> Result<ExitCode, CommandError> {
    let read =
        |path: &PathBuf| Atlas::read(path).map(|document| (path.display().to_string(), document));
    let parts = args.shards.iter().map(read).collect::<Result<Vec<_>, _>>()?;
    let mut whole = atlas::merge(&parts)?;
    if args.summary {
        whole = whole.summary()?;
    }
    let _lock = FolderLock::within(&args.out)?;
    let written = atlas::write(&whole, &args.out)?;
    terminal::print(&text::render(&whole, &written))?;
    Ok(ExitCode::from(verdict_of(&whole)))
}

/// What was chosen, of which there has to be something.
fn chosen(choice: &Choice) -> Result<Vec<Check>, CommandError> {
    let names = operators::onnx().map(|operator| operator.name.to_owned()).collect();
    let all = sheets(&Choice { operators: names, ..Choice::default() });
    let all: BTreeMap<&str, _> =
        all.iter().map(|check| (check.operator().name, check.operator())).collect();
    known_operators(&choice.operators, &all.keys().copied().collect())?;
    for name in &choice.operators {
        if let Some(operator) = all.get(name.as_str()) {
            read_attributes(operator, &choice.attributes)?;
        }
    }
    let chosen = sheets(choice);
    if chosen.is_empty() {
        let problem = "none of these operators has any of these types, with these attributes";
        return Err(CommandError::misuse(problem));
    }
    Ok(chosen)
}

/// The exit code that tells whether everything that was planned was executed.
fn verdict_of(document: &Atlas) -> u8 {
    let is_whole = |row: &Row| row.is_complete() || row.failure.is_some() && row.executed == 0;
    if document.rows.iter().all(|row| row.executed == 0) {
        exit::NOTHING_COMPARED
    } else if document.rows.iter().all(is_whole) {
        0
    } else {
        exit::FAILED
    }
}

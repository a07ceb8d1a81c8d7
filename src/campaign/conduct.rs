//! A campaign from its checkpoint, if there is one, to its files.

use std::collections::BTreeMap;
use std::fs;
use std::num::NonZeroUsize;
use std::ops::ControlFlow;
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

use super::checkpoint::{Checkpoint, CheckpointError};
use super::document::Document;
use super::engine::{Ended, State, Task, execute};
use super::file::{DOCUMENT, PAGE};
use super::html;
use crate::document::JsonDocument;
use crate::report::document::Provenance;
use crate::report::{WriteError, provenance, write_file};

/// How often a checkpoint is written. Together with the chunks under way, less than a second's work
/// is lost when the process is killed.
const CHECKPOINT_EVERY: Duration = Duration::from_millis(400);

/// Name of the duration of a campaign in its provenance.
const DURATION: &str = "campaign";

/// The result of a campaign.
#[derive(Debug)]
pub struct Conducted {
    /// Its document, as written.
    pub document: Document,
    /// Why it did not finish.
    pub ended: Result<(), Ended>,
    /// Where the document and the page lie.
    pub written: [PathBuf; 2],
}

/// A campaign could not be conducted, or its files not be written.
#[derive(Debug, thiserror::Error)]
pub enum ConductError {
    /// The checkpoint is in the way, or cannot be written.
    #[error(transparent)]
    Checkpoint(#[from] CheckpointError),
    /// The files cannot be written.
    #[error(transparent)]
    Write(#[from] WriteError),
    /// Serialisation failed.
    #[error("failed to serialise the campaign")]
    Serialise(#[from] serde_json::Error),
    /// The page cannot be made.
    #[error("failed to render the campaign's page")]
    Render(#[from] askama::Error),
    /// It was stopped, which is no error; the same command goes on with it.
    #[error(
        "interrupted after {executed} of {promised} inputs; the same command goes on from there"
    )]
    Interrupted {
        /// Inputs executed.
        executed: u64,
        /// Inputs promised.
        promised: u64,
    },
}

/// Executes a campaign on so many threads and writes its files into a folder. Where the folder holds
/// the checkpoint of the same campaign, only what is left is executed. The observer is told the number
/// of inputs executed, and may stop the campaign, which leaves a checkpoint.
///
/// # Errors
///
/// When there is the checkpoint of another campaign, a file cannot be read or written, or the
/// observer stopped the campaign.
pub fn conduct(
    task: &Task<'_>,
    dir: &Path,
    threads: NonZeroUsize,
    observer: &mut dyn FnMut(u64) -> ControlFlow<()>,
) -> Result<Conducted, ConductError> {
    let started = Instant::now();
    let check = task.plan.check();
    let empty = Document::of(task.plan, task.subject.identity(), task.judge);
    let checkpoint = Checkpoint::within(dir);
    let (state, spent, earlier) = match checkpoint.load(&empty)? {
        Some((state, spent, earlier)) => (state, spent, Some(earlier)),
        None => (State::begin(task.judge), Duration::ZERO, None),
    };
    fs::create_dir_all(dir).map_err(|source| WriteError::Folder { dir: dir.to_owned(), source })?;

    let document = |state: &State| {
        let mut document = empty.clone();
        document.record(state, check);
        document.spent(spent + started.elapsed(), earlier.as_ref());
        document
    };
    let mut saved = Ok(Instant::now());
    let (state, ended) = execute(task, state, threads, &mut |state| {
        let due = matches!(&saved, Ok(last) if last.elapsed() >= CHECKPOINT_EVERY);
        if due && !state.done.is_empty() {
            saved = checkpoint.save(document(state)).map(|()| Instant::now());
        }
        if saved.is_err() { ControlFlow::Break(()) } else { observer(state.done.len()) }
    });
    saved?;
    let mut document = document(&state);
    if ended == Err(Ended::Stopped) {
        let (executed, promised) = (document.executed, document.promised);
        checkpoint.save(document)?;
        return Err(ConductError::Interrupted { executed, promised });
    }
    document.failure = ended.as_ref().err().map(ToString::to_string);
    let document = document.sealed()?;
    let written = write(&document, dir)?;
    if document.is_complete() {
        checkpoint.remove()?;
    }
    Ok(Conducted { document, ended, written })
}

/// Writes the document and the page into a folder, which is created where it is missing. Gives their
/// paths.
///
/// # Errors
///
/// When the page cannot be made or the file system refuses.
pub fn write(document: &Document, dir: &Path) -> Result<[PathBuf; 2], ConductError> {
    let (page, bytes) = (html::page(document, None)?, document.to_bytes()?);
    fs::create_dir_all(dir).map_err(|source| WriteError::Folder { dir: dir.to_owned(), source })?;
    let paths = [dir.join(DOCUMENT), dir.join(PAGE)];
    // The document comes last: where it is new, so is what was derived from it.
    write_file(&paths[1], page.into_bytes())?;
    write_file(&paths[0], bytes)?;
    Ok(paths)
}

impl Document {
    /// Says in the provenance how long the campaign took up to now, and where it was executed, as far as
    /// that is the same as for what was executed earlier.
    fn spent(&mut self, duration: Duration, earlier: Option<&Provenance>) {
        let durations = [(DURATION.to_owned(), provenance::seconds(duration))];
        let now = provenance::since(duration, durations.into());
        self.provenance = provenance::agreed(now, earlier);
        self.provenance.seeds = self.seeds();
    }

    /// What the inputs were drawn from, by its provenance.
    pub(super) fn seeds(&self) -> BTreeMap<String, u64> {
        let seed = self.parameters.get_key_value("seed");
        seed.and_then(|(name, seed)| Some((name.clone(), seed.parse().ok()?))).into_iter().collect()
    }

    /// How long the campaign took, by its provenance: seconds of the machines that executed it.
    #[must_use]
    pub fn duration(&self) -> Duration {
        let durations = self.provenance.durations.values();
        let seconds: f64 = durations.filter_map(|text| text.parse::<f64>().ok()).sum();
        Duration::try_from_secs_f64(seconds).unwrap_or_default()
    }
}

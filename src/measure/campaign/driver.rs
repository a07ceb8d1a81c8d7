//! A campaign from its checkpoint, if there is one, to its files. A checkpoint is the document of a
//! campaign under way, from which the same command goes on.

use std::collections::BTreeMap;
use std::fs;
use std::io;
use std::num::NonZeroUsize;
use std::ops::ControlFlow;
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

use super::document::{Campaign, FORMAT_VERSION};
use super::engine::{Ended, State, Task, execute};
use super::html;
use super::identity::{Differs, part};
use crate::document::provenance;
use crate::document::provenance::Provenance;
use crate::document::write::{WriteError, create_folder, write_file};
use crate::document::{Contradiction, JsonDocument, ReadError, Sealed, agrees};
use crate::foundation::text::grouped;

/// Name of the document's file within a folder.
pub const DOCUMENT: &str = "campaign.json";
/// Name of the page for readers.
pub const PAGE: &str = "campaign.html";
/// Name of the document of a campaign that is under way.
pub const CHECKPOINT: &str = "campaign.partial.json";

/// Largest document that is read, in bytes: twice the largest that is written.
pub const SIZE_LIMIT: u64 = 1_500_000;

/// How often a checkpoint is written. Together with the chunks under way, less than a second's work
/// is lost when the process is killed.
const CHECKPOINT_EVERY: Duration = Duration::from_millis(400);

/// Name of the duration of a campaign in its provenance.
const DURATION: &str = "campaign";

/// The result of a campaign.
#[derive(Debug)]
pub struct Conducted {
    /// Its document, as written.
    pub document: Campaign,
    /// Why it did not finish.
    pub ended: Result<(), Ended>,
    /// Where the document and the page lie.
    pub written: [PathBuf; 2],
}

/// A campaign could not be conducted, or its files not be written.
#[derive(Debug, thiserror::Error)]
pub enum ConductError {
    /// The checkpoint cannot be read, or is not as it was written.
    #[error("there is a checkpoint that cannot be used; remove it or choose another --out")]
    Checkpoint(#[source] ReadError),
    /// The checkpoint is of another campaign.
    #[error("`{0}` is of another campaign; go on with that one, remove it or choose another --out")]
    Other(PathBuf, #[source] Differs),
    /// The checkpoint contradicts itself.
    #[error(transparent)]
    Inconsistent(#[from] Contradiction),
    /// The checkpoint cannot be removed.
    #[error("failed to remove the checkpoint `{0}`; remove it by hand")]
    Remove(PathBuf, #[source] io::Error),
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
        "interrupted after {} of {} inputs; run the same command again to resume", grouped(*.executed),
        grouped(*.promised)
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
pub fn drive(
    task: &Task<'_>,
    dir: &Path,
    threads: NonZeroUsize,
    observer: &mut dyn FnMut(u64) -> ControlFlow<()>,
) -> Result<Conducted, ConductError> {
    let started = Instant::now();
    let empty = Campaign::of(task.plan, task.implementation.identity(), task.judge);
    let path = dir.join(CHECKPOINT);
    let earlier = checkpoint(&path, &empty)?;
    let state = match &earlier {
        Some(earlier) => earlier.state()?,
        None => State::begin(task.judge),
    };
    let spent = earlier.as_ref().map_or(Duration::ZERO, Campaign::duration);
    create_folder(dir)?;

    let document = |state: &State| {
        let mut document = empty.clone();
        document.record(state, &task.plan.check);
        let earlier = earlier.as_ref().map(|earlier| &earlier.provenance);
        document.spent(spent + started.elapsed(), earlier);
        document
    };
    let save = |document: Campaign| -> Result<(), ConductError> {
        Ok(write_file(&path, document.sealed()?.to_bytes()?)?)
    };
    let mut saved = Ok(Instant::now());
    let (state, ended) = execute(task, state, threads, &mut |state| {
        let due = matches!(&saved, Ok(last) if last.elapsed() >= CHECKPOINT_EVERY);
        if due && !state.done.is_empty() {
            saved = save(document(state)).map(|()| Instant::now());
        }
        if saved.is_err() { ControlFlow::Break(()) } else { observer(state.done.len()) }
    });
    saved?;
    let mut document = document(&state);
    if ended == Err(Ended::Stopped) {
        let (executed, promised) = (document.executed, document.promised);
        save(document)?;
        return Err(ConductError::Interrupted { executed, promised });
    }
    document.failure = ended.as_ref().err().map(ToString::to_string);
    let document = document.sealed()?;
    let written = write(&document, dir)?;
    if document.is_complete() {
        match fs::remove_file(&path) {
            Err(source) if source.kind() != io::ErrorKind::NotFound => {
                return Err(ConductError::Remove(path, source));
            }
            _ => {}
        }
    }
    Ok(Conducted { document, ended, written })
}

/// The checkpoint at a path, if there is one, which has to be of the same part of the same campaign.
fn checkpoint(path: &Path, document: &Campaign) -> Result<Option<Campaign>, ConductError> {
    if !path.exists() {
        return Ok(None);
    }
    let found = Campaign::read(path).map_err(ConductError::Checkpoint)?;
    let other = |source| ConductError::Other(path.to_owned(), source);
    document.same(&found, part).map_err(other)?;
    Ok(Some(found))
}

/// Writes the document and the page into a folder, which is created where it is missing. Gives their
/// paths.
pub fn write(document: &Campaign, dir: &Path) -> Result<[PathBuf; 2], ConductError> {
    let (page, bytes) = (html::page(document, None)?, document.to_bytes()?);
    create_folder(dir)?;
    let paths = [dir.join(DOCUMENT), dir.join(PAGE)];
    // The document comes last: where it is new, so is what was derived from it.
    write_file(&paths[1], page.into_bytes())?;
    write_file(&paths[0], bytes)?;
    Ok(paths)
}

impl JsonDocument for Campaign {
    const NAME: &'static str = "campaign";
    const FILE: &'static str = "`campaign.json`, or of a folder with one";
    const IN_FOLDER: Option<&'static str> = Some(DOCUMENT);
    const FORMAT_VERSION: u32 = FORMAT_VERSION;
    const SEALED: bool = true;
    const SIZE_LIMIT: u64 = SIZE_LIMIT;
    const REMEDY: &'static str = "execute it anew";
    const SCHEMA: &'static str = "reports/schema/campaign.schema.json";

    fn consistent(&self) -> Result<(), Contradiction> {
        agrees("digest", &self.digest, &self.contents_digest()?)?;
        self.state().map(drop)
    }
}

impl Campaign {
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
    pub fn duration(&self) -> Duration {
        let durations = self.provenance.durations.values();
        let seconds: f64 = durations.filter_map(|text| text.parse::<f64>().ok()).sum();
        Duration::try_from_secs_f64(seconds).unwrap_or_default()
    }
    /// Inputs a second, in millions; no number where the time is not known.
    pub(super) fn rate(&self) -> f64 {
        #[expect(clippy::cast_precision_loss, reason = "a rate for readers")]
        let executed = self.executed as f64;
        executed / self.duration().as_secs_f64() / 1e6
    }
}

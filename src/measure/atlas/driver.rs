//! An atlas from its checkpoint, if there is one, to its files: row by row. A checkpoint is the document of an
//! atlas under way, from which the same command goes on.

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::io;
use std::num::NonZeroUsize;
use std::ops::ControlFlow;
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

use super::document::{Atlas, FORMAT_VERSION, Row};
use super::html;
use super::repeatability::Repeatability;
use super::sheet::{Sheet, Task};
use crate::backend::Identity;
use crate::corpus::Digest;
use crate::document::provenance;
use crate::document::provenance::Provenance;
use crate::document::write::{WriteError, create_folder, write_file};
use crate::document::{JsonDocument, ReadError, Sealed};
use crate::measure::campaign::{Ended, Failure, Implementation, PlanError, Ranges, State, execute};
use crate::reference::survey::Record;

/// Name of the document's file within a folder.
pub const DOCUMENT: &str = "atlas.json";
/// Name of the page for readers.
pub const PAGE: &str = "atlas.html";
/// Name of the document of an atlas that is under way.
pub const CHECKPOINT: &str = "atlas.partial.json";

/// Largest document that is read, in bytes.
pub const SIZE_LIMIT: u64 = 256 << 20;

/// How often a checkpoint is written, beside after every row.
const CHECKPOINT_EVERY: Duration = Duration::from_secs(2);

/// An atlas that was filled.
#[derive(Debug)]
pub struct Charted {
    /// Its document, as written.
    pub document: Atlas,
    /// Where the document and the page lie.
    pub written: [PathBuf; 2],
}

/// An atlas could not be filled, or its files not be written.
#[derive(Debug, thiserror::Error)]
pub enum ConductError {
    /// The checkpoint cannot be read, or is not as it was written.
    #[error("there is a checkpoint that cannot be used; remove it or choose another --out")]
    Checkpoint(#[source] ReadError),
    /// The checkpoint is of another tool.
    #[error(
        "`{0}` is of another build of this tool; go on with that one, remove it or choose another --out"
    )]
    Other(PathBuf),
    /// The inputs of a row cannot be planned.
    #[error(transparent)]
    Plan(#[from] PlanError),
    /// The checkpoint cannot be removed.
    #[error("failed to remove the checkpoint `{0}`; remove it by hand")]
    Remove(PathBuf, #[source] io::Error),
    /// Rows of two backends could not be told apart.
    #[error(
        "two backends have the name `{0}` and the version {1}; write each to a folder of its own"
    )]
    Same(String, String),
    /// The files cannot be written.
    #[error(transparent)]
    Write(#[from] WriteError),
    /// Serialisation failed.
    #[error("failed to serialise the atlas")]
    Serialise(#[from] serde_json::Error),
    /// The page cannot be made.
    #[error("failed to render the page of the atlas")]
    Render(#[from] askama::Error),
    /// A thread panicked.
    #[error("a thread of the harness panicked at {0}")]
    Panicked(String),
    /// It was stopped, which is no error; the same command goes on with it.
    #[error("interrupted at {0} of {1} operators and types; run the same command again to resume")]
    Interrupted(usize, usize),
}

/// A backend that is charted.
pub struct Subject<'a> {
    /// What it says that it is.
    pub identity: Identity,
    /// What computes the results of a sheet.
    pub implementation: ForSheet<'a>,
}

/// What makes the implementation of a sheet.
pub type ForSheet<'a> = Box<dyn Fn(&Sheet) -> Box<dyn Implementation + 'a> + 'a>;

/// Has every backend fill all sheets, those of an operator and a type together, which are made as they are needed, on so many
/// threads, and writes the files into a folder. What its checkpoint holds is not executed again. The observer is told how
/// many operators and types backends are done with, and the row that is under way; it may stop the atlas, which leaves a
/// checkpoint.
pub fn chart(
    sheets: impl ExactSizeIterator<Item = Result<Vec<Sheet>, PlanError>>,
    subjects: &[Subject<'_>],
    dir: &Path,
    threads: NonZeroUsize,
    observer: &mut dyn FnMut(usize, &Row) -> ControlFlow<()>,
) -> Result<Charted, ConductError> {
    let mut names = BTreeSet::new();
    for Subject { identity: Identity { name, version, .. }, .. } in subjects {
        if !names.insert((name, version)) {
            return Err(ConductError::Same(name.clone(), version.clone()));
        }
    }
    let mut chart = Chart::begin(dir, sheets.len() * subjects.len())?;
    for sheets in sheets {
        let sheets = sheets?;
        for subject in subjects {
            for sheet in &sheets {
                chart.fill(sheet, subject, threads, observer)?;
            }
            chart.done += 1;
        }
    }
    chart.end(dir)
}

/// An atlas under way.
struct Chart {
    checkpoint: PathBuf,
    started: Instant,
    /// How many operators and types backends will be done with, and are.
    planned: usize,
    done: usize,
    rows: Vec<Row>,
    durations: Durations,
    /// The rows of the checkpoint that it goes on from, and where they were made.
    known: Vec<Row>,
    before: Option<Provenance>,
}

impl Chart {
    fn begin(dir: &Path, planned: usize) -> Result<Self, ConductError> {
        let started = Instant::now();
        let path = dir.join(CHECKPOINT);
        let earlier = checkpoint(&path)?;
        create_folder(dir)?;
        let before = earlier.as_ref().map(|earlier| earlier.provenance.clone());
        let durations =
            before.as_ref().map_or_else(Durations::new, |before| before.durations.clone());
        let known = earlier.map_or_else(Vec::new, |earlier| earlier.rows);
        let rows = Vec::new();
        Ok(Self { checkpoint: path, started, planned, done: 0, rows, durations, known, before })
    }

    /// The document of these rows.
    fn document(&self, rows: Vec<Row>) -> Result<Atlas, serde_json::Error> {
        sealed(rows, self.started.elapsed(), self.durations.clone(), self.before.as_ref())
    }

    /// Writes the checkpoint, with what is known of rows that are still to come.
    fn save(&self) -> Result<(), ConductError> {
        let is_to_come = |row: &&Row| self.rows.iter().all(|one| one.key() != row.key());
        let all = self.rows.iter().chain(self.known.iter().filter(is_to_come)).cloned();
        Ok(write_file(&self.checkpoint, self.document(all.collect())?.to_bytes()?)?)
    }

    /// Adds the row of a sheet that a backend fills.
    fn fill(
        &mut self,
        sheet: &Sheet,
        subject: &Subject<'_>,
        threads: NonZeroUsize,
        observer: &mut dyn FnMut(usize, &Row) -> ControlFlow<()>,
    ) -> Result<(), ConductError> {
        let empty = Row::of(sheet, &subject.identity);
        let found = self.known.iter().find(|row| row.is_of(&empty, &sheet.plan)).cloned();
        let implementation = (subject.implementation)(sheet);
        let task = Task { survey: sheet.survey(), sheet, implementation: &*implementation };
        let state = found.as_ref().and_then(|row| row.state().ok());
        let nothing = || State { done: Ranges::default(), findings: Record::default() };
        let state = state.unwrap_or_else(nothing);
        let (number, check) = (self.rows.len(), &sheet.plan.check);
        self.rows.push(empty);
        self.rows[number].record(&state, check);
        let interrupted = ConductError::Interrupted(self.done + 1, self.planned);
        if observer(self.done, &self.rows[number]).is_break() {
            self.save()?;
            return Err(interrupted);
        }
        let (begun, before) = (Instant::now(), self.rows[number].executed);
        let mut saved = Ok(begun);
        let (state, ended) = execute(&task, state, threads, &mut |state| {
            self.rows[number].record(state, check);
            if matches!(&saved, Ok(last) if last.elapsed() >= CHECKPOINT_EVERY) {
                saved = self.save().map(|()| Instant::now());
            }
            if saved.is_err() {
                ControlFlow::Break(())
            } else {
                observer(self.done, &self.rows[number])
            }
        });
        saved?;
        let row = &mut self.rows[number];
        row.record(&state, check);
        if row.executed > before {
            let (backend, operator, of) = (&row.backend, &row.operator, row.applied_to());
            let name = format!("{backend}/{operator}/{of}/{}", row.strategy);
            self.durations.insert(name, provenance::seconds(begun.elapsed()));
        }
        match &ended {
            Ok(()) => {
                let known = found.as_ref().and_then(Repeatability::of);
                known.unwrap_or_else(|| Repeatability::measured(&*implementation, sheet)).put(row);
            }
            Err(Ended::Stopped) => {
                self.save()?;
                return Err(interrupted);
            }
            Err(Ended::Failed { failure: Failure::Unsupported(reason), .. }) => {
                row.failure = Some(format!("the backend does not support it: {reason}"));
            }
            Err(Ended::Failed { .. }) => {
                row.failure = ended.as_ref().err().map(ToString::to_string);
            }
            Err(Ended::Panicked) => return Err(ConductError::Panicked(row.operator.clone())),
        }
        self.save()
    }

    /// Writes the files, which take the place of the checkpoint.
    fn end(mut self, dir: &Path) -> Result<Charted, ConductError> {
        let rows = std::mem::take(&mut self.rows);
        let document = self.document(rows)?;
        let written = write(&document, dir)?;
        match fs::remove_file(&self.checkpoint) {
            Err(source) if source.kind() != io::ErrorKind::NotFound => {
                Err(ConductError::Remove(self.checkpoint, source))
            }
            _ => Ok(Charted { document, written }),
        }
    }
}

/// How long the atlas, and each row that was executed, took: names, and seconds. Those of a row are backend, operator, type and
/// strategy.
pub(super) type Durations = BTreeMap<String, String>;

/// The document of rows, which is in the order of their names.
fn sealed(
    mut rows: Vec<Row>,
    elapsed: Duration,
    mut durations: Durations,
    earlier: Option<&Provenance>,
) -> Result<Atlas, serde_json::Error> {
    rows.sort_by(|a, b| a.key().cmp(&b.key()));
    durations.insert("atlas".to_owned(), provenance::seconds(elapsed));
    let now = provenance::since(elapsed, durations);
    let document = Atlas {
        format_version: FORMAT_VERSION,
        tool: provenance::tool(),
        rows,
        digest: Digest::of(&[]),
        provenance: provenance::agreed(now, earlier),
    };
    document.sealed()
}

/// The checkpoint at a path, if there is one, which has to be of this build of the tool.
fn checkpoint(path: &Path) -> Result<Option<Atlas>, ConductError> {
    if !path.exists() {
        return Ok(None);
    }
    let found = Atlas::read(path).map_err(ConductError::Checkpoint)?;
    if found.tool != provenance::tool() {
        return Err(ConductError::Other(path.to_owned()));
    }
    Ok(Some(found))
}

/// Writes the document and the page into a folder, which is created where it is missing. Gives their
/// paths.
pub fn write(document: &Atlas, dir: &Path) -> Result<[PathBuf; 2], ConductError> {
    let (page, bytes) = (html::page(document)?, document.to_bytes()?);
    create_folder(dir)?;
    let paths = [dir.join(DOCUMENT), dir.join(PAGE)];
    // The document comes last: where it is new, so is what was derived from it.
    write_file(&paths[1], page.into_bytes())?;
    write_file(&paths[0], bytes)?;
    Ok(paths)
}

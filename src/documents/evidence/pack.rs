//! Writing a pack: the whole folder, or nothing.

use std::collections::BTreeSet;
use std::fs;
use std::io;
use std::path::{Path, PathBuf};
use std::time::Duration;

use super::contents::{self, ContentsError, Files};
use super::document::{Manifest, OWN_LIMIT, Provenance};
use super::gather::Gathered;
use super::listing::{OWN, PROVENANCE_PATH};
use super::outcome::Outcome;
use super::redact::Redactor;
use super::statement::{self, ENVELOPE, MANIFEST, STATEMENT};
use crate::corpus::Digest;
use crate::document::provenance;
use crate::document::{JsonDocument, Sealed};
use crate::foundation::files;
use crate::limits;

/// What was written.
#[derive(Clone, Debug)]
pub struct Packed {
    /// The folder.
    pub dir: PathBuf,
    /// The result of its tests.
    pub outcome: Outcome,
    /// What it is about, by name and digest.
    pub subject: (String, Digest),
    /// The profiles by which it was judged, separated by `, `.
    pub profiles: String,
    /// Number of its files.
    pub files: usize,
    /// Bytes in them.
    pub bytes: u64,
    /// Number of things that it says it does not show.
    pub limitations: usize,
}

/// Why no pack could be written. What was in its place is as it was.
#[derive(Debug, thiserror::Error)]
#[expect(missing_docs, reason = "each variant's message says what it is")]
pub enum PackError {
    #[error("failed to make the files of the pack")]
    Contents(#[from] ContentsError),
    #[error(
        "failed to write the pack `{dir}`: {problem}; name a folder that does not exist or is empty, or \
         remove what is there"
    )]
    Occupied { dir: PathBuf, problem: String },
    #[error("failed to write the pack below `{dir}`; choose another folder with --out")]
    Write { dir: PathBuf, source: io::Error },
}

/// Writes a pack. The folder must be new, empty, or hold an earlier pack and nothing else, which is
/// replaced. Everything is complete on disk under another name before it takes its place.
pub fn pack(gathered: &Gathered, dir: &Path, redactor: &Redactor) -> Result<Packed, PackError> {
    check_free(dir)?;
    let (packed_files, limitations) = files_of(gathered, redactor)?;
    let parent = dir.parent().filter(|parent| !parent.as_os_str().is_empty());
    let parent = parent.unwrap_or(Path::new("."));
    let failed = |source| PackError::Write { dir: parent.to_owned(), source };
    files::replace_folder(dir, ".evidence-", &packed_files, true).map_err(failed)?;

    let sources = &gathered.sources;
    let subject = sources.subject().map_err(ContentsError::from)?;
    Ok(Packed {
        dir: dir.to_owned(),
        outcome: Outcome::of(sources),
        subject,
        profiles: sources.profiles().into_iter().collect::<Vec<_>>().join(", "),
        files: packed_files.len(),
        bytes: packed_files.values().map(|bytes| bytes.len() as u64).sum(),
        limitations,
    })
}

/// Every file of the pack, and the number of its limitations.
fn files_of(
    Gathered { sources, origins }: &Gathered,
    redactor: &Redactor,
) -> Result<(Files, usize), ContentsError> {
    let (mut files, limitations) = contents::of(sources)?;
    let manifest = contents::manifest(&files);
    let manifest_bytes = manifest.to_bytes()?;
    let digest = Digest::of(&manifest_bytes);
    let claim = statement::statement(sources, &manifest, digest)?;
    let packed = redactor.provenance(provenance::since(Duration::ZERO, [].into()))?;
    let provenance = Provenance::new(digest, packed, origins.clone(), digest).sealed()?;
    files.insert(PROVENANCE_PATH.to_owned(), provenance.to_bytes()?);
    files.insert(ENVELOPE.to_owned(), statement::envelope(&claim)?);
    files.insert(STATEMENT.to_owned(), claim);
    files.insert(MANIFEST.to_owned(), manifest_bytes);
    Ok((files, limitations))
}

/// Whether nothing is lost with what has the name: an earlier pack, an empty folder, or nothing.
fn check_free(dir: &Path) -> Result<(), PackError> {
    let occupied = |problem: String| PackError::Occupied { dir: dir.to_owned(), problem };
    let metadata = match fs::symlink_metadata(dir) {
        Ok(metadata) => metadata,
        Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(()),
        Err(source) => return Err(PackError::Write { dir: dir.to_owned(), source }),
    };
    if !metadata.is_dir() {
        return Err(occupied("something other than a folder has that name".to_owned()));
    }
    let failed = |source| PackError::Write { dir: dir.to_owned(), source };
    if fs::read_dir(dir).map_err(failed)?.next().is_none() {
        return Ok(());
    }
    let no_pack = || occupied("it contains something other than a pack".to_owned());
    let bytes = limits::read(&dir.join(MANIFEST), OWN_LIMIT).map_err(|_| no_pack())?;
    let manifest: Manifest = limits::from_json(&bytes).map_err(|_| no_pack())?;
    let own = OWN.into_iter().map(str::to_owned);
    let known: BTreeSet<_> = manifest.files.into_iter().map(|file| file.path).chain(own).collect();
    match files::stranger(dir, &known).map_err(failed)? {
        None => Ok(()),
        Some(path) => Err(occupied(format!("it holds `{path}`, which does not belong to a pack"))),
    }
}

//! The check of a pack, offline: that nothing was changed, added or taken away, that every document agrees
//! with itself, and that what the pack claims follows from its documents.

mod claims;
mod files;

use std::io;
use std::path::{Path, PathBuf};

use serde::de::DeserializeOwned;
use serde::{Deserialize, Serialize};

use super::contents::ContentsError;
use super::document::{FORMAT_VERSION, MANIFEST as KIND, Manifest};
use super::listing::{ListError, Listing, MOST_ENTRIES};
use super::outcome::Outcome;
use super::statement::MANIFEST;
use super::{canonical, document};
use crate::corpus::Digest;
use crate::limits;
use crate::requirements::CatalogueError;

/// Largest document of a pack's own that is read.
pub(super) const OWN_LIMIT: u64 = 64 << 20;

/// What the check of a pack found.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Verification {
    /// What was verified, a sentence each.
    pub verified: Vec<String>,
    /// What could not be, and why.
    pub not_verified: Vec<String>,
    /// What is not as it has to be.
    pub problems: Vec<Problem>,
    /// The result of the tests, where all of it was verified.
    pub outcome: Option<Outcome>,
    /// What it is about, by name and digest, where that was verified.
    pub subject: Option<(String, Digest)>,
}

/// Something that is not as it has to be.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Problem {
    /// The file.
    pub file: String,
    /// What of it, and how.
    pub what: String,
}

/// Why a folder cannot be checked as a pack.
#[derive(Debug, thiserror::Error)]
#[expect(missing_docs, reason = "each variant's message says what it is")]
pub enum VerifyError {
    #[error(transparent)]
    List(#[from] ListError),
    #[error("failed to read `{path}`")]
    Read { path: PathBuf, source: io::Error },
    #[error("`{path}` is the manifest of no evidence pack: its `kind` is `{found}`")]
    Kind { path: PathBuf, found: String },
    #[error(
        "failed to read the pack: `{path}` has `format_version` {found}, and this program reads version \
         {FORMAT_VERSION}; verify it with the program that wrote it, or a newer one"
    )]
    Version { path: PathBuf, found: u64 },
    #[error("failed to make the pack's files again, to compare them")]
    Contents(#[from] ContentsError),
    #[error(transparent)]
    Catalogue(#[from] CatalogueError),
    #[error("failed to serialise a document")]
    Serialise(#[from] serde_json::Error),
}

/// Checks the pack in a folder. Nothing outside the folder is read, and nothing written.
///
/// # Errors
///
/// When the folder is no pack of this format, or cannot be read; what is off in a pack is no error,
/// but a [`Problem`].
pub fn verify(dir: &Path) -> Result<Verification, VerifyError> {
    let listing = Listing::of(dir)?;
    let mut found = Verification::default();
    let Some((manifest, digest)) = manifest(dir, &mut found)? else {
        found
            .not_verified
            .push("anything else, as the manifest says what the pack holds".to_owned());
        return Ok(found);
    };
    let intact = files::check(dir, &listing, &manifest, &mut found)?;
    claims::check(dir, &listing, &manifest, digest, &intact, &mut found)?;
    Ok(found)
}

/// The manifest and its digest, where it is one.
fn manifest(
    dir: &Path,
    found: &mut Verification,
) -> Result<Option<(Manifest, Digest)>, VerifyError> {
    #[derive(Deserialize)]
    struct Head {
        format_version: u64,
        kind: String,
    }
    let path = dir.join(MANIFEST);
    let Some(bytes) = found.read(dir, MANIFEST, OWN_LIMIT)? else { return Ok(None) };
    if let Ok(Head { format_version, kind }) = limits::from_json(&bytes) {
        if kind != KIND {
            return Err(VerifyError::Kind { path, found: kind });
        }
        if format_version != u64::from(FORMAT_VERSION) {
            return Err(VerifyError::Version { path, found: format_version });
        }
    }
    let Some(manifest) = found.parse::<Manifest>(MANIFEST, &bytes) else { return Ok(None) };
    if manifest.files.len() > MOST_ENTRIES {
        found.problem(
            MANIFEST,
            format!("it lists more than {MOST_ENTRIES} files, so none of a pack"),
        );
        return Ok(None);
    }
    Ok(Some((manifest, Digest::of(&bytes))))
}

impl Verification {
    /// Whether nothing is off.
    #[must_use]
    pub const fn is_whole(&self) -> bool {
        self.problems.is_empty()
    }

    fn problem(&mut self, file: impl Into<String>, what: impl Into<String>) {
        self.problems.push(Problem { file: file.into(), what: what.into() });
    }

    /// The bytes of a plain file, where it is not too large.
    fn read(&mut self, dir: &Path, file: &str, limit: u64) -> Result<Option<Vec<u8>>, VerifyError> {
        let path = dir.join(file);
        match limits::read(&path, limit) {
            Ok(bytes) => Ok(Some(bytes)),
            Err(error) if error.kind() == io::ErrorKind::FileTooLarge => {
                self.problem(file, format!("it is larger than {limit} bytes, so none of a pack"));
                Ok(None)
            }
            Err(source) => Err(VerifyError::Read { path, source }),
        }
    }

    /// The document in bytes, which have to be the very ones that it is written as.
    fn parse<T: DeserializeOwned + Serialize>(&mut self, file: &str, bytes: &[u8]) -> Option<T> {
        let document: T = match limits::from_json(bytes) {
            Ok(document) => document,
            Err(error) => {
                self.problem(file, format!("it is damaged: {error}"));
                return None;
            }
        };
        self.is_written_so(file, &document, bytes).then_some(document)
    }

    /// Whether bytes are the very ones that their document is written as.
    fn is_written_so<T: Serialize>(&mut self, file: &str, document: &T, bytes: &[u8]) -> bool {
        let line = canonical::differing_line(document, bytes);
        if let Some(line) = line {
            let what = format!("it was edited: line {line} is not written as the tool writes it");
            self.problem(file, what);
        }
        line.is_none()
    }
}

/// Largest document whose members are compared, in bytes: a tree of them takes up to fifty times as
/// much.
const MEMBERS_LIMIT: usize = 1 << 20;

/// Where a file differs from what it should be, in words.
fn difference(path: &str, expected: &[u8], found: &[u8]) -> String {
    if path.ends_with(".json") && found.len() <= MEMBERS_LIMIT {
        let [expected, found] = [expected, found].map(serde_json::from_slice);
        if let (Ok(expected), Ok(found)) = (expected, found)
            && let Some((member, expected, found)) = canonical::difference(&expected, &found)
        {
            return format!("`{member}` is {found}, but has to be {expected}");
        }
    }
    let (_, lines) = canonical::common(expected, found);
    format!("line {} is not what has to be there", lines + 1)
}

/// The kind that a document of a pack's own has to have.
trait Kind {
    const KIND: &'static str;
    fn head(&self) -> (u32, &str);
}

macro_rules! kinds {
    ($($document:ident $kind:ident),*) => {$(
        impl Kind for document::$document {
            const KIND: &'static str = document::$kind;
            fn head(&self) -> (u32, &str) {
                (self.format_version, &self.kind)
            }
        }
    )*};
}

kinds!(Platforms PLATFORM, Provenance PROVENANCE, Subject SUBJECT, Tool TOOL);

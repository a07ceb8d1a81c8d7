//! The check of a pack, offline: that nothing was changed, added or taken away, that every document agrees
//! with itself, and that what the pack claims follows from its documents.

mod claims;
mod files;
mod places;

use std::collections::BTreeMap;
use std::io;
use std::path::{Path, PathBuf};

use serde::Serialize;

use super::contents::ContentsError;
use super::document::{Manifest, OWN_LIMIT};
use super::listing::{ListError, Listing, MOST_ENTRIES};
use super::outcome::Outcome;
use super::statement::MANIFEST;
use super::{canonical, document};
use crate::corpus::Digest;
use crate::document::{Flaw, JsonDocument, ReadError, difference as difference_of};
use crate::documents::challenge::ChallengeError;
use crate::foundation::text::with_causes;
use crate::judge::requirements::CatalogueError;
use crate::limits;

/// What the check of a pack found.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Verification {
    /// What was verified, a sentence each.
    pub verified: Vec<String>,
    /// What could not be, and why.
    pub not_verified: Vec<String>,
    /// What is not as it has to be.
    pub problems: Vec<Problem>,
    /// The program that made the pack, where that is not this one: the files that only it makes again
    /// have the digests that the manifest says, and that is all that is known of them.
    pub digests_only: Option<String>,
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
    #[error(transparent)]
    Manifest(ReadError),
    #[error("failed to regenerate the pack's files for comparison")]
    Contents(#[from] ContentsError),
    #[error(transparent)]
    Catalogue(#[from] CatalogueError),
    #[error(transparent)]
    Challenge(#[from] ChallengeError),
    #[error("failed to serialise a document")]
    Serialise(#[from] serde_json::Error),
}

/// Why something of a pack cannot be used.
enum Off {
    /// What is not as it has to be.
    Problem(Problem),
    /// What is told already.
    Told,
    Error(VerifyError),
}

impl<E: Into<VerifyError>> From<E> for Off {
    fn from(error: E) -> Self {
        Self::Error(error.into())
    }
}

impl Off {
    fn of(file: &str, what: impl Into<String>) -> Self {
        Self::Problem(Problem { file: file.to_owned(), what: what.into() })
    }
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
    let Some((manifest, digest)) = found.unless_off(manifest(dir))? else {
        found
            .not_verified
            .push("anything else, as the manifest says what the pack holds".to_owned());
        return Ok(found);
    };
    let intact = files::check(dir, &listing, &manifest, &mut found)?;
    let (listing, manifest) = (&listing, &manifest);
    claims::check(&Pack { dir, listing, manifest, digest, intact }, &mut found)?;
    Ok(found)
}

struct Pack<'a> {
    dir: &'a Path,
    listing: &'a Listing,
    manifest: &'a Manifest,
    digest: Digest,
    /// The files that are as the manifest says, by path.
    intact: BTreeMap<&'a str, &'a document::File>,
}

/// The manifest and its digest, where it is one.
fn manifest(dir: &Path) -> Result<(Manifest, Digest), Off> {
    let bytes = read(dir, MANIFEST, OWN_LIMIT)?;
    let manifest = match Manifest::from_bytes(&dir.join(MANIFEST), &bytes) {
        Err(error) if matches!(error.flaw, Flaw::Kind(Some(_)) | Flaw::Version { .. }) => {
            return Err(Off::Error(VerifyError::Manifest(error)));
        }
        read => written(MANIFEST, read, &bytes)?,
    };
    if manifest.files.len() > MOST_ENTRIES {
        let what = format!("it lists more than {MOST_ENTRIES} files, so none of a pack");
        return Err(Off::of(MANIFEST, what));
    }
    Ok((manifest, Digest::of(&bytes)))
}

/// The bytes of a plain file, where it is not too large.
fn read(dir: &Path, file: &str, limit: u64) -> Result<Vec<u8>, Off> {
    let path = dir.join(file);
    limits::read(&path, limit).map_err(|source| match source.kind() {
        io::ErrorKind::FileTooLarge => {
            Off::of(file, format!("it is larger than {limit} bytes, so none of a pack"))
        }
        _ => VerifyError::Read { path, source }.into(),
    })
}

/// The document that was read in bytes, which have to be the very ones that it is written as.
fn written<D: Serialize>(file: &str, read: Result<D, ReadError>, bytes: &[u8]) -> Result<D, Off> {
    let document = read.map_err(|error| unreadable(file, &error))?;
    is_written_so(file, &document, bytes)?;
    Ok(document)
}

fn unreadable(file: &str, error: &ReadError) -> Off {
    Off::of(file, with_causes(error.to_string(), error))
}

/// Whether bytes are the very ones that their document is written as.
fn is_written_so<T: Serialize>(file: &str, document: &T, bytes: &[u8]) -> Result<(), Off> {
    let Some(line) = canonical::differing_line(document, bytes) else { return Ok(()) };
    let what = format!("it was edited: line {line} is not written as the tool writes it");
    Err(Off::of(file, what))
}

impl Verification {
    /// Whether everything was verified and nothing is off.
    pub const fn is_whole(&self) -> bool {
        self.problems.is_empty() && self.digests_only.is_none()
    }

    fn problem(&mut self, file: impl Into<String>, what: impl Into<String>) {
        self.problems.push(Problem { file: file.into(), what: what.into() });
    }

    fn tells_of(&self, file: &str) -> bool {
        self.problems.iter().any(|problem| problem.file == file)
    }

    /// Notes what is off, if anything is.
    fn unless_off<T>(&mut self, result: Result<T, Off>) -> Result<Option<T>, VerifyError> {
        match result {
            Ok(value) => return Ok(Some(value)),
            Err(Off::Problem(problem)) => self.problems.push(problem),
            Err(Off::Told) => {}
            Err(Off::Error(error)) => return Err(error),
        }
        Ok(None)
    }
}

/// Largest document whose members are compared, in bytes: a tree of them takes up to fifty times as
/// much.
const MEMBERS_LIMIT: usize = 4 << 20;

/// Where a file differs from what it should be, in words.
fn difference(path: &str, expected: &[u8], found: &[u8]) -> String {
    if path.ends_with(".json") && found.len() <= MEMBERS_LIMIT {
        let [expected, found] = [expected, found].map(limits::from_json);
        if let (Ok(expected), Ok(found)) = (expected, found)
            && let Some((member, expected, found)) = difference_of(&expected, &found)
        {
            return format!("`{member}` is {found}, but has to be {expected}");
        }
    }
    let (_, lines) = canonical::common(expected, found);
    format!("line {} is not what has to be there", lines + 1)
}

//! `report.json`: the report document itself.

use std::io;
use std::path::{Path, PathBuf};

use serde::Deserialize;
use serde::de::DeserializeOwned;

use super::contradiction::{self, Contradiction};
use crate::limits;

use super::document::{FORMAT_VERSION, Report};

/// Largest report that is read, in bytes: more than ten times that of the largest corpus.
pub const SIZE_LIMIT: u64 = 32 << 20;

/// Why a report could not be read.
#[derive(Debug, thiserror::Error)]
#[expect(missing_docs, reason = "each variant's message says what it is")]
pub enum ReadError {
    #[error("failed to read the report `{path}`; is this the path of a `report.json`?")]
    Io { path: PathBuf, source: io::Error },
    #[error(
        "failed to read the report `{path}`: it is larger than {} MiB, so no report of this tool",
        SIZE_LIMIT >> 20
    )]
    TooLarge { path: PathBuf },
    #[error(
        "failed to read the report `{path}`: it has format version {found}, and this program \
         reads version {known}; write it anew, or read it with the program that wrote it"
    )]
    Version { path: PathBuf, found: u64, known: u32 },
    #[error("failed to read `{path}` as a report: it is a document of the kind `{found}`")]
    Kind { path: PathBuf, found: String },
    #[error(
        "failed to read `{path}` as a report: it is damaged or was not written by this tool; \
         write it anew"
    )]
    Malformed { path: PathBuf, source: serde_json::Error },
    #[error(
        "failed to use `{path}`: it contradicts itself, so it was edited or is damaged; write it \
         anew"
    )]
    Contradiction { path: PathBuf, source: Box<Contradiction> },
}

impl ReadError {
    /// What makes an error of a contradiction in the file at `path`.
    pub(super) fn contradiction(path: &Path) -> impl FnOnce(Contradiction) -> Self {
        let path = path.to_owned();
        move |source| Self::Contradiction { path, source: source.into() }
    }
}

/// The bytes of `report.json`: indented, members in the order of the document, and a line feed at
/// the end. The same report gives the same bytes.
///
/// # Errors
///
/// Never for a report as such; serialisation as a whole may fail.
pub fn to_bytes(report: &Report) -> Result<Vec<u8>, serde_json::Error> {
    let mut bytes = serde_json::to_vec_pretty(report)?;
    bytes.push(b'\n');
    Ok(bytes)
}

/// Reads a `report.json` of at most [`SIZE_LIMIT`] bytes and of this [`FORMAT_VERSION`].
///
/// # Errors
///
/// When the file cannot be read, is too large, has another version or is no report.
pub fn read(path: &Path) -> Result<Report, ReadError> {
    let bytes = read_bytes(path)?;
    from_bytes(path, &bytes)
}

/// The report in the bytes of a file; `path` names it in errors.
///
/// # Errors
///
/// When the bytes are of another version or no report.
pub fn from_bytes(path: &Path, bytes: &[u8]) -> Result<Report, ReadError> {
    let document = Document::of(path, bytes)?;
    match &document.kind {
        None => document.parse(FORMAT_VERSION),
        Some(found) => Err(ReadError::Kind { path: path.to_owned(), found: found.clone() }),
    }
}

/// Reads a report as [`read`] does, and refuses one that contradicts itself.
///
/// # Errors
///
/// As [`read`], and when the report contradicts itself.
pub fn read_consistent(path: &Path) -> Result<Report, ReadError> {
    let bytes = read_bytes(path)?;
    consistent_from_bytes(path, &bytes)
}

/// As [`from_bytes`], and refuses a report that contradicts itself.
///
/// # Errors
///
/// As [`from_bytes`], and when the report contradicts itself.
pub fn consistent_from_bytes(path: &Path, bytes: &[u8]) -> Result<Report, ReadError> {
    let report = from_bytes(path, bytes)?;
    contradiction::of_report(&report).map_err(ReadError::contradiction(path))?;
    Ok(report)
}

/// The bytes of a document's file.
pub(crate) fn read_bytes(path: &Path) -> Result<Vec<u8>, ReadError> {
    limits::read(path, SIZE_LIMIT).map_err(|source| {
        let path = path.to_owned();
        match source.kind() {
            io::ErrorKind::FileTooLarge => ReadError::TooLarge { path },
            _ => ReadError::Io { path, source },
        }
    })
}

/// A document in a file, and what it says of itself. The version comes first: what else a document
/// of another version holds is not known here.
pub(super) struct Document<'p> {
    path: &'p Path,
    bytes: &'p [u8],
    format_version: u64,
    /// What it is, where it is no report.
    pub(super) kind: Option<String>,
}

impl<'p> Document<'p> {
    pub(super) fn of(path: &'p Path, bytes: &'p [u8]) -> Result<Self, ReadError> {
        #[derive(Deserialize)]
        struct Head {
            format_version: u64,
            kind: Option<String>,
        }
        let Head { format_version, kind } = limits::from_json(bytes)
            .map_err(|source| ReadError::Malformed { path: path.to_owned(), source })?;
        Ok(Self { path, bytes, format_version, kind })
    }

    /// The document, where it is of the version that this program knows.
    pub(super) fn parse<T: DeserializeOwned>(&self, known: u32) -> Result<T, ReadError> {
        let path = || self.path.to_owned();
        if self.format_version != u64::from(known) {
            return Err(ReadError::Version { path: path(), found: self.format_version, known });
        }
        limits::from_json(self.bytes)
            .map_err(|source| ReadError::Malformed { path: path(), source })
    }
}

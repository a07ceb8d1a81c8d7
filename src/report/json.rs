//! `report.json`: the report document itself.

use std::fs::File;
use std::io::{self, Read};
use std::path::{Path, PathBuf};

use serde::Deserialize;

use super::document::{FORMAT_VERSION, Report};

/// Largest report that is read, in bytes: some hundred times that of the largest corpus.
pub const SIZE_LIMIT: u64 = 256 << 20;

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
         reads version {FORMAT_VERSION}; write it anew, or read it with the program that wrote it"
    )]
    Version { path: PathBuf, found: u64 },
    #[error(
        "failed to read `{path}` as a report: it is damaged or was not written by this tool; \
         write it anew"
    )]
    Malformed { path: PathBuf, source: serde_json::Error },
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
    let io = |source| ReadError::Io { path: path.to_owned(), source };
    let mut bytes = Vec::new();
    File::open(path).map_err(io)?.take(SIZE_LIMIT + 1).read_to_end(&mut bytes).map_err(io)?;
    if bytes.len() as u64 > SIZE_LIMIT {
        return Err(ReadError::TooLarge { path: path.to_owned() });
    }

    // The version first: what else a report of another version holds is not known here.
    #[derive(Deserialize)]
    struct Versioned {
        format_version: u64,
    }
    let malformed = |source| ReadError::Malformed { path: path.to_owned(), source };
    let Versioned { format_version: found } = serde_json::from_slice(&bytes).map_err(malformed)?;
    if found != u64::from(FORMAT_VERSION) {
        return Err(ReadError::Version { path: path.to_owned(), found });
    }
    serde_json::from_slice(&bytes).map_err(malformed)
}

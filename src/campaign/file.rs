//! Campaign documents as files.

use std::io;
use std::path::{Path, PathBuf};

use serde::Deserialize;

use crate::limits;

use super::document::{Document, FORMAT_VERSION};
use super::record::Inconsistent;

/// Name of the document's file within a folder.
pub const DOCUMENT: &str = "campaign.json";
/// Name of the page for readers.
pub const PAGE: &str = "campaign.html";
/// Name of the document of a campaign that is under way.
pub const CHECKPOINT: &str = "campaign.partial.json";

/// Largest document that is read, in bytes: twice the largest that is written.
pub const SIZE_LIMIT: u64 = 1_500_000;

/// Why a document could not be read.
#[derive(Debug, thiserror::Error)]
pub enum ReadError {
    /// The file system refuses.
    #[error("failed to read `{path}`; is this a {DOCUMENT}, or a folder with one?")]
    Io {
        /// Its path.
        path: PathBuf,
        /// What the system says.
        source: io::Error,
    },
    /// The document has another format.
    #[error(
        "failed to read the campaign `{path}`: it has format version {found}, and this program \
         reads version {FORMAT_VERSION}; execute it anew"
    )]
    Version {
        /// Its path.
        path: PathBuf,
        /// Its version.
        found: u64,
    },
    /// It is no campaign document, or only a part of one.
    #[error(
        "failed to read `{path}` as a campaign: it is truncated, edited or none of this tool's; \
         execute it anew"
    )]
    Malformed {
        /// Its path.
        path: PathBuf,
        /// Where.
        source: Option<serde_json::Error>,
    },
    /// Its digest is that of other contents.
    #[error(
        "failed to read the campaign `{path}`: its contents do not match its digest, so it was \
         edited or damaged; execute it anew"
    )]
    Digest {
        /// Its path.
        path: PathBuf,
    },
    /// It contradicts itself.
    #[error("failed to read the campaign `{path}`; execute it anew")]
    Inconsistent {
        /// Its path.
        path: PathBuf,
        /// How.
        source: Inconsistent,
    },
}

impl ReadError {
    /// Whether the file is not as it was written.
    #[must_use]
    pub const fn is_of_integrity(&self) -> bool {
        match self {
            Self::Io { .. } | Self::Version { .. } => false,
            Self::Malformed { .. } | Self::Digest { .. } | Self::Inconsistent { .. } => true,
        }
    }
}

impl Document {
    /// The bytes of `campaign.json`: indented, members in the order of the document, and a line feed
    /// at the end.
    ///
    /// # Errors
    ///
    /// Never for a document as such; serialisation as a whole may fail.
    pub fn to_bytes(&self) -> Result<Vec<u8>, serde_json::Error> {
        let mut bytes = serde_json::to_vec_pretty(self)?;
        bytes.push(b'\n');
        Ok(bytes)
    }

    /// Reads a document, or that within a folder, and verifies its digest.
    ///
    /// # Errors
    ///
    /// When the file cannot be read, has another version, or is not as it was written.
    pub fn read(path: &Path) -> Result<Self, ReadError> {
        let path = if path.is_dir() { path.join(DOCUMENT) } else { path.to_owned() };
        Self::from_bytes(&path, &Self::read_bytes(&path)?)
    }

    /// The bytes of a file that may hold a document.
    pub(crate) fn read_bytes(path: &Path) -> Result<Vec<u8>, ReadError> {
        limits::read(path, SIZE_LIMIT).map_err(|source| match source.kind() {
            io::ErrorKind::FileTooLarge => {
                ReadError::Malformed { path: path.to_owned(), source: None }
            }
            _ => ReadError::Io { path: path.to_owned(), source },
        })
    }

    /// The document in the bytes of a file; `path` names it in errors.
    ///
    /// # Errors
    ///
    /// When the bytes are of another version, or not as they were written.
    pub fn from_bytes(path: &Path, bytes: &[u8]) -> Result<Self, ReadError> {
        // The version first: what else a document of another version holds is not known here.
        #[derive(Deserialize)]
        struct Versioned {
            format_version: u64,
        }
        let path = || path.to_owned();
        let malformed = |source| ReadError::Malformed { path: path(), source: Some(source) };
        let Versioned { format_version: found } = limits::from_json(bytes).map_err(malformed)?;
        if found != u64::from(FORMAT_VERSION) {
            return Err(ReadError::Version { path: path(), found });
        }
        let document: Self = limits::from_json(bytes).map_err(malformed)?;
        if document.contents_digest().map_err(malformed)? != document.digest {
            return Err(ReadError::Digest { path: path() });
        }
        match document.state() {
            Ok(_) => Ok(document),
            Err(source) => Err(ReadError::Inconsistent { path: path(), source }),
        }
    }
}

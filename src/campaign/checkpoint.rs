//! Checkpoints: the document of a campaign under way, from which the same command goes on.

use std::fs;
use std::io;
use std::path::{Path, PathBuf};
use std::time::Duration;

use super::document::Document;
use super::engine::State;
use super::file::CHECKPOINT;
use super::identity::Differs;
use super::record::Inconsistent;
use crate::document::{JsonDocument, ReadError};
use crate::report::WriteError;
use crate::report::document::Provenance;

/// A checkpoint is in the way, or cannot be written.
#[derive(Debug, thiserror::Error)]
pub enum CheckpointError {
    /// It cannot be read, or is not as it was written.
    #[error("there is a checkpoint that cannot be used; remove it or choose another --out")]
    Read(#[source] ReadError),
    /// It is of another campaign.
    #[error(
        "`{path}` is of another campaign; go on with that one, remove it or choose another --out"
    )]
    Other {
        /// Its path.
        path: PathBuf,
        /// What differs.
        source: Differs,
    },
    /// It contradicts itself.
    #[error(transparent)]
    Inconsistent(#[from] Inconsistent),
    /// It cannot be written.
    #[error(transparent)]
    Write(#[from] WriteError),
    /// Serialisation failed.
    #[error("failed to serialise a checkpoint")]
    Serialise(#[from] serde_json::Error),
    /// It cannot be removed.
    #[error("failed to remove the checkpoint `{path}`; remove it by hand")]
    Remove {
        /// Its path.
        path: PathBuf,
        /// What the system says.
        source: io::Error,
    },
}

/// Where a campaign's checkpoint lies.
pub(super) struct Checkpoint {
    path: PathBuf,
}

impl Checkpoint {
    /// That of a campaign whose files go into this folder.
    pub(super) fn within(dir: &Path) -> Self {
        Self { path: dir.join(CHECKPOINT) }
    }

    /// How far the campaign of this document has come, how long that took, and where it was, if there
    /// is a checkpoint.
    pub(super) fn load(
        &self,
        document: &Document,
    ) -> Result<Option<(State, Duration, Provenance)>, CheckpointError> {
        if !self.path.exists() {
            return Ok(None);
        }
        let found = Document::read(&self.path).map_err(CheckpointError::Read)?;
        document
            .same_part(&found)
            .map_err(|source| CheckpointError::Other { path: self.path.clone(), source })?;
        Ok(Some((found.state()?, found.duration(), found.provenance)))
    }

    /// Writes a document that is not complete.
    pub(super) fn save(&self, document: Document) -> Result<(), CheckpointError> {
        let bytes = document.sealed()?.to_bytes()?;
        Ok(crate::report::write_file(&self.path, bytes)?)
    }

    /// Removes what was written, if anything was.
    pub(super) fn remove(&self) -> Result<(), CheckpointError> {
        match fs::remove_file(&self.path) {
            Err(source) if source.kind() != io::ErrorKind::NotFound => {
                Err(CheckpointError::Remove { path: self.path.clone(), source })
            }
            _ => Ok(()),
        }
    }
}

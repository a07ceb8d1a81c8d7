//! Why a source did not give a corpus, and why none did.

use std::fmt;
use std::io;
use std::path::{Path, PathBuf};

use super::super::reference::ReferenceError;
use super::super::{CorpusError, Discrepancy};
use super::{ArchiveError, DownloadError, MaterialiseError, PipError, Source};

/// Why a source did not give the corpus.
#[derive(Debug, thiserror::Error)]
pub enum SourceError {
    /// pip did not deliver.
    #[error(transparent)]
    Pip(#[from] PipError),
    /// The release's package did not give its cases.
    #[error(transparent)]
    Materialise(#[from] MaterialiseError),
    /// The download failed.
    #[error(transparent)]
    Download(#[from] DownloadError),
    /// The archive is unreadable, hostile or of something else.
    #[error(transparent)]
    Archive(#[from] ArchiveError),
    /// What was unpacked is not what the lock says.
    #[error("its content does not match the lock: {0}")]
    Mismatch(Box<Discrepancy>),
    /// What was unpacked is no corpus.
    #[error(transparent)]
    Corpus(CorpusError),
    /// The outputs cannot be held against the reference.
    #[error(transparent)]
    Reference(ReferenceError),
    /// The corpora's folder cannot be written to.
    #[error("failed to {action} `{}`", path.display())]
    Io {
        /// What was tried.
        action: &'static str,
        /// File or folder.
        path: PathBuf,
        /// The operating system's reason.
        source: io::Error,
    },
}

impl SourceError {
    /// The reason with the whole chain of its causes, on one line.
    #[must_use]
    pub fn with_causes(&self) -> String {
        let mut line = self.to_string();
        let mut cause = std::error::Error::source(self);
        while let Some(error) = cause {
            line = format!("{line}: {error}");
            cause = error.source();
        }
        line
    }

    pub(super) fn io(action: &'static str, path: &Path) -> impl FnOnce(io::Error) -> Self + use<> {
        let path = path.to_owned();
        move |source| Self::Io { action, path, source }
    }
}

impl From<CorpusError> for SourceError {
    fn from(error: CorpusError) -> Self {
        match error {
            CorpusError::Integrity { discrepancy, .. } => Self::Mismatch(discrepancy),
            other => Self::Corpus(other),
        }
    }
}

impl From<ReferenceError> for SourceError {
    fn from(error: ReferenceError) -> Self {
        match error {
            ReferenceError::Corpus(error) => error.into(),
            other => Self::Reference(other),
        }
    }
}

/// Why a corpus could not be fetched.
#[derive(Debug, thiserror::Error)]
pub enum FetchError {
    /// The release is not written as one.
    #[error("`{0}` is not a release of ONNX; write it like `1.22.0`")]
    BadRelease(String),
    /// There is no lock to verify the release with.
    #[error(
        "there is no lock for `{name}`, only for {known}; make one with `{command} --write-lock`"
    )]
    NoLock {
        /// Name of the corpus.
        name: String,
        /// Names of the locks there are, separated by commas.
        known: String,
        /// The command that fetches.
        command: &'static str,
    },
    /// The lock, or the folder of the locks, is unusable.
    #[error(transparent)]
    Corpus(#[from] CorpusError),
    /// The corpora's folder cannot be prepared.
    #[error(transparent)]
    Prepare(SourceError),
    /// [`super::Request::interrupted`] was set.
    #[error("interrupted; nothing of `{name}` was installed")]
    Interrupted {
        /// Name of the corpus.
        name: String,
    },
    /// No source gave the corpus.
    #[error("failed to fetch `{name}`{}\n{remedy}", Attempts(attempts))]
    Failed {
        /// Name of the corpus.
        name: String,
        /// Each source with its reason, in the order tried.
        attempts: Vec<(Source, SourceError)>,
        /// What to do.
        remedy: String,
    },
}

impl FetchError {
    /// Exit code of a command that ends with this error: 2 usage, 4 integrity, 130 interrupted, 5
    /// any other.
    #[must_use]
    pub fn exit_code(&self) -> u8 {
        match self {
            Self::BadRelease(_) | Self::NoLock { .. } => 2,
            Self::Corpus(error) => error.exit_code(),
            Self::Prepare(_) => 5,
            Self::Interrupted { .. } => 130,
            Self::Failed { attempts, .. } => {
                if attempts.iter().any(|(_, error)| matches!(error, SourceError::Mismatch(_))) {
                    4
                } else {
                    5
                }
            }
        }
    }
}

/// The attempts, one to a line.
struct Attempts<'a>(&'a [(Source, SourceError)]);

impl fmt::Display for Attempts<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0
            .iter()
            .try_for_each(|(source, error)| write!(f, "\n  from {source}: {}", error.with_causes()))
    }
}

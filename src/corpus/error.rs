//! What can be wrong with a corpus on disk, each with its remedy.

use std::io;
use std::path::PathBuf;

use super::{Digest, HOME_VARIABLE};

/// Where a corpus and its lock differ first, in natural order of the cases.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum Discrepancy {
    /// The corpus was not fetched.
    #[error("there is no folder `{}`", .0.display())]
    NoFolder(PathBuf),
    /// The lock has a case that the folder lacks.
    #[error("case `{case}` is missing ({found} of {locked} cases are there)")]
    MissingCase {
        /// The case.
        case: String,
        /// How many cases of the lock the folder has.
        found: usize,
        /// How many cases the lock has.
        locked: usize,
    },
    /// The folder has a case that the lock lacks.
    #[error("case `{0}` is not in the lock")]
    ExtraCase(String),
    /// The files of a case are others than the lock's.
    #[error("case `{case}` has SHA-256 {actual} instead of {expected}")]
    Case {
        /// The case.
        case: String,
        /// Digest in the lock.
        expected: Digest,
        /// Digest of the files.
        actual: Digest,
    },
    /// The cases together are others than the lock's.
    #[error("its cases have SHA-256 {actual} instead of {expected}")]
    Cases {
        /// Digest in the lock.
        expected: Digest,
        /// Digest over the cases.
        actual: Digest,
    },
    /// An output that was computed is not what the reference is, not even nearly.
    #[error("`{file}` is not within the bound of its reference: {problem}")]
    Output {
        /// The file, or the case where that does not decode.
        file: String,
        /// What is wrong with it.
        problem: String,
    },
    /// A schema file is missing, not in the lock, or another than the lock's.
    #[error("schema file `{file}` {problem}")]
    Schema {
        /// The file.
        file: String,
        /// What is wrong with it.
        problem: &'static str,
    },
}

/// A corpus, its lock or one of its files cannot be used.
#[derive(Debug, thiserror::Error)]
pub enum CorpusError {
    /// Outside a checkout, and there is no place for a user's caches.
    #[error(
        "failed to find a folder for what is fetched: there is no home folder; set {HOME_VARIABLE}"
    )]
    NoHome,
    /// No lock has the name.
    #[error("unknown corpus `{name}`; there are: {known}")]
    UnknownCorpus {
        /// Name that was asked for.
        name: String,
        /// The names there are, separated by commas.
        known: String,
    },
    /// The lock file is not what a lock has to be.
    #[error("failed to read the lock `{path}`: {reason}; restore it from version control", path = path.display())]
    BadLock {
        /// The lock file.
        path: PathBuf,
        /// What is wrong with it.
        reason: String,
    },
    /// The corpus is not what its lock says.
    #[error(
        "corpus `{corpus}` does not match its lock: {discrepancy}; \
         run `{command} --release {release}`"
    )]
    Integrity {
        /// Name of the corpus.
        corpus: String,
        /// Release it comes from.
        release: String,
        /// The command that fetches it.
        command: &'static str,
        /// Where they differ first.
        discrepancy: Box<Discrepancy>,
    },
    /// A folder without any case.
    #[error("failed to find a case in `{path}`: no folder in it holds a `model.onnx`", path = path.display())]
    NoCases {
        /// The folder.
        path: PathBuf,
    },
    /// A file, link or device where another kind of thing belongs.
    #[error("`{path}` is not a plain {wanted}; remove it", path = path.display())]
    NotPlain {
        /// The thing.
        path: PathBuf,
        /// What has to be there: `file`, `folder`, or either.
        wanted: &'static str,
    },
    /// A name that is not UTF-8 or holds a control character or a backslash.
    #[error("the name of `{path}` is not usable in a corpus; rename it", path = path.display())]
    BadName {
        /// The file or folder.
        path: PathBuf,
    },
    /// More than a case may hold.
    #[error("`{path}` exceeds the limit of {limit}", path = path.display())]
    TooLarge {
        /// The file or folder.
        path: PathBuf,
        /// The limit, with its unit.
        limit: String,
    },
    /// The case has no such file.
    #[error("failed to find `{file}` in `{path}`; is it a case in ONNX's layout?", path = path.display())]
    NoSuchFile {
        /// The case's folder.
        path: PathBuf,
        /// Path of the file in it.
        file: String,
    },
    /// The operating system refused.
    #[error("failed to read `{path}`", path = path.display())]
    Read {
        /// File or folder.
        path: PathBuf,
        /// Its reason.
        source: io::Error,
    },
}

impl CorpusError {
    pub(super) fn read(path: PathBuf, source: io::Error) -> Self {
        Self::Read { path, source }
    }

    /// Exit code of a command that ends with this error: 2 usage, 4 integrity, 5 any other.
    #[must_use]
    pub const fn exit_code(&self) -> u8 {
        match self {
            Self::NoHome
            | Self::UnknownCorpus { .. }
            | Self::NoCases { .. }
            | Self::NoSuchFile { .. }
            | Self::BadName { .. }
            | Self::TooLarge { .. } => 2,
            Self::BadLock { .. } | Self::Integrity { .. } | Self::NotPlain { .. } => 4,
            Self::Read { .. } => 5,
        }
    }
}

//! What can be wrong with a corpus, its lock, or what it is fetched from, each with its remedy.

use std::error::Error;
use std::fmt;
use std::io;
use std::path::{Path, PathBuf};

use suites::archive::ArchiveError;

use super::{CaseKind, Digest, HOME_VARIABLE};
use crate::corpus::case::CaseError;
use crate::foundation::text;
use crate::foundation::trust::Untrusted;

/// Where a corpus and its lock differ first, in natural order of the cases.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum Discrepancy {
    /// The corpus was not fetched.
    #[error("there is no folder `{}`", .0.display())]
    NoFolder(PathBuf),
    /// The lock has a case that the folder lacks, which has so many of so many cases.
    #[error("case `{0}` is missing ({1} of {2} cases are there)")]
    MissingCase(String, usize, usize),
    /// The folder has a case that the lock lacks.
    #[error("case `{0}` is not in the lock")]
    ExtraCase(String),
    /// The files of a case have this digest instead of the lock's.
    #[error("case `{0}` has SHA-256 {1} instead of {2}")]
    Case(String, Digest, Digest),
    /// The cases together have this digest instead of the lock's.
    #[error("its cases have SHA-256 {0} instead of {1}")]
    Cases(Digest, Digest),
    /// An output that was computed is not what the reference is, not even nearly: its file, or the
    /// case where that does not decode, and the problem.
    #[error("`{0}` is not within the bound of its reference: {1}")]
    Output(String, String),
    /// A schema file is missing, not in the lock, or another than the lock's.
    #[error("schema file `{0}` {1}")]
    Schema(String, &'static str),
}

/// Where the cases of a release come from.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Source {
    /// The release's wheel, downloaded by pip with the user's mirror and proxy settings.
    Pip,
    /// The release's Python package, in an environment of its own that this Python makes, or the
    /// first one there is.
    Package(Option<PathBuf>),
    /// The source archive of the release's git tag, over HTTPS from GitHub.
    Tag,
    /// An archive at an `http` or `https` address.
    Url(String),
    /// A wheel, zip, tar or tar.gz file, or a folder that such an archive was unpacked to.
    Archive(PathBuf),
}

impl fmt::Display for Source {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Pip => f.write_str("pip"),
            Self::Package(_) => f.write_str("the release's Python package, computed here"),
            Self::Tag => f.write_str("source archive of the git tag"),
            Self::Url(url) => f.write_str(url),
            Self::Archive(path) => path.display().fmt(f),
        }
    }
}

/// A corpus, its lock, one of its files or what it is fetched from cannot be used.
#[derive(Debug, thiserror::Error)]
pub enum CorpusError {
    /// Outside a checkout, and there is no place for a user's caches.
    #[error(
        "failed to find a folder for what is fetched: there is no home folder; set {HOME_VARIABLE}"
    )]
    NoHome,
    /// The checkout is another user's.
    #[error(transparent)]
    Untrusted(#[from] Untrusted),
    /// No lock has the name, but these have theirs.
    #[error("unknown corpus `{0}`; there are: {1}")]
    UnknownCorpus(String, String),
    /// The lock file is not what a lock has to be, for this reason.
    #[error("failed to read the lock `{path}`: {1}; restore it from version control", path = .0.display())]
    BadLock(PathBuf, String),
    /// The corpus is not what its lock says.
    #[error(
        "corpus `{corpus}` does not match its lock: {discrepancy}; \
         run `{command}`"
    )]
    Integrity {
        /// Name of the corpus.
        corpus: String,
        /// The command that fetches it.
        command: String,
        /// Where they differ first.
        discrepancy: Box<Discrepancy>,
    },
    /// A folder has the name of a corpus that is known, and is not that one.
    #[error(
        "the folder `{path}` has the name of the corpus `{name}`, but its cases have SHA-256 {} instead of {}; \
         rename it, because reports would confuse the two", digests[0], digests[1], path = path.display()
    )]
    NotThat {
        /// The folder.
        path: PathBuf,
        /// Name of the corpus.
        name: String,
        /// That of the folder's cases, and that of the corpus.
        digests: Box<[Digest; 2]>,
    },
    /// A case without a lock has this digest instead of the one that it began with.
    #[error(
        "the case in `{path}` was changed during the run: it has SHA-256 {1} instead of {2}; restore it, \
         and find out who writes there", path = .0.display()
    )]
    Changed(PathBuf, Digest, Digest),
    /// A folder or archive without any case.
    #[error("failed to find a case in `{}`: no folder in it holds a `model.onnx`", .0.display())]
    NoCases(PathBuf),
    /// Two cases of a folder have one name, as a folder and an archive in it do.
    #[error("`{path}` has two cases `{1}`; remove one", path = .0.display())]
    SameCase(PathBuf, String),
    /// A file, link or device where a file, a folder, or either belongs.
    #[error("`{path}` is not a plain {1}; remove it", path = .0.display())]
    NotPlain(PathBuf, &'static str),
    /// A name that is not UTF-8 or holds a control character or a backslash.
    #[error("the name of `{}` is not usable in a corpus; rename it", .0.display())]
    BadName(PathBuf),
    /// More than a case may hold: the limit, with its unit.
    #[error("`{path}` exceeds the limit of {1}", path = .0.display())]
    TooLarge(PathBuf, String),
    /// A case is none.
    #[error(transparent)]
    Case(#[from] CaseError),
    /// The operating system refused to do this with a file or folder.
    #[error("failed to {0} `{path}`", path = .1.display())]
    Io(&'static str, PathBuf, #[source] io::Error),
    /// The operating system refused to do this.
    #[error("failed to {0}")]
    Step(&'static str, #[source] io::Error),

    /// A corpus without a lock to go with it.
    #[error("`{0}` has no lock; only a corpus that was fetched can be exported")]
    Unlocked(String),
    /// There is something in a folder that cases are to be written into.
    #[error("the folder `{path}` is not empty; name a new one, or remove it", path = .0.display())]
    Occupied(PathBuf),
    /// The lock is not expressible in TOML.
    #[error("failed to write the lock")]
    WriteLock(#[from] toml::ser::Error),

    /// The release is not written as one.
    #[error("`{0}` is not a release of ONNX; write it like `1.22.0`")]
    BadRelease(String),
    /// There is no lock to verify the release with, only these; and the command that makes one.
    #[error("there is no lock for `{0}`, only for {1}; make one with `{2} --write-lock`")]
    NoLock(String, String, &'static str),
    /// [`super::fetch::Request::interrupted`] was set.
    #[error("interrupted; nothing of `{0}` was installed")]
    Interrupted(String),
    /// No source gave the corpus.
    #[error("failed to fetch `{name}`{}\n{remedy}", Attempts(attempts))]
    Failed {
        /// Name of the corpus.
        name: String,
        /// Each source with its reason, in the order tried.
        attempts: Vec<(Source, CorpusError)>,
        /// What to do.
        remedy: String,
    },

    /// A source is of no use, for this reason.
    #[error("{0}")]
    Source(String),
    /// The server of this address cannot be reached, or refuses.
    #[error("failed to request `{0}`")]
    Request(String, #[source] Box<dyn Error + Send + Sync>),
    /// The connection broke after so many bytes, or the body exceeds
    /// [`super::fetch::MAX_DOWNLOAD_BYTES`].
    #[error("failed to receive `{0}` beyond byte {1}")]
    Receive(String, u64, #[source] io::Error),

    /// What a corpus is fetched from is no archive that can be unpacked.
    #[error(transparent)]
    Archive(#[from] ArchiveError),
    /// A file that was given for a corpus is no archive of cases that can be read.
    #[error(
        "failed to read `{path}` as an archive of cases; give a folder, or a zip or tar.gz file of one",
        path = .0.display()
    )]
    Unreadable(PathBuf, #[source] ArchiveError),
    /// Nothing in it is a case of this kind.
    #[error(
        "the archive has neither `onnx/backend/test/data/{0}` nor `{0}`; is it a release of onnx{before}, \
         or an export of these cases?", before = if *.0 == CaseKind::Node { " before 1.23" } else { "" }
    )]
    NoCasesOf(CaseKind),
}

impl CorpusError {
    /// The error for the operating system's refusal to do this with a file or folder.
    pub(super) fn io(action: &'static str, path: &Path) -> impl Fn(io::Error) -> Self + Copy {
        move |source| Self::Io(action, path.to_owned(), source)
    }

    /// Why a source did not give the corpus, with the whole chain of causes, on one line.
    pub fn with_causes(&self) -> String {
        let line = match self {
            Self::Integrity { discrepancy, .. } => {
                format!("its content does not match the lock: {discrepancy}")
            }
            other => other.to_string(),
        };
        text::with_causes(line, self)
    }

    /// Exit code of a command that ends with this error: 2 usage, 4 integrity, 130 interrupted, 5
    /// any other.
    pub fn exit_code(&self) -> u8 {
        let is_integrity = |(_, error): &(_, Self)| matches!(error, Self::Integrity { .. });
        match self {
            Self::NoHome
            | Self::Untrusted(_)
            | Self::UnknownCorpus(..)
            | Self::NoCases(_)
            | Self::SameCase(..)
            | Self::Occupied(_)
            | Self::BadName(_)
            | Self::TooLarge(..)
            | Self::Unlocked(_)
            | Self::BadRelease(_)
            | Self::NoLock(..) => 2,
            Self::BadLock(..)
            | Self::Integrity { .. }
            | Self::NotThat { .. }
            | Self::Changed(..)
            | Self::NotPlain(..) => 4,
            Self::Unreadable(_, ArchiveError::Unknown | ArchiveError::Limit(_)) => 2,
            Self::Unreadable(..) => 4,
            Self::Failed { attempts, .. } if attempts.iter().any(is_integrity) => 4,
            Self::Interrupted(_) => 130,
            _ => 5,
        }
    }
}

/// The attempts, one to a line.
struct Attempts<'a>(&'a [(Source, CorpusError)]);

impl fmt::Display for Attempts<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let mut attempts = self.0.iter();
        attempts
            .try_for_each(|(source, error)| write!(f, "\n  from {source}: {}", error.with_causes()))
    }
}

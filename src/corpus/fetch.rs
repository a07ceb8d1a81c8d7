//! Bringing corpora onto the disk: from pip, a git tag's source archive, a URL, an archive or a folder.
//!
//! Whatever the source, what it gave is unpacked into a private folder beside its destination,
//! verified there against the lock, and only then moved into place. A fetch that is killed leaves
//! nothing but such a folder (`testdata/corpora/.NAME~*`), which the next fetch of that corpus
//! removes. A power failure may leave files without content; verification finds them.

mod archive;
mod download;
mod pip;
mod staging;
mod unpack;

pub use archive::ArchiveError;
pub use download::DownloadError;
pub use pip::PipError;

use std::fmt;
use std::io;
use std::path::{Path, PathBuf};

use self::staging::Workplace;
use super::{Corpus, CorpusError, Discrepancy, Home, Lock, Verified, name_of_release};

/// Largest archive that is downloaded, in bytes. The wheel of 1.22.0 has 19 million.
pub const MAX_DOWNLOAD_BYTES: u64 = 512 << 20;

/// Where the node data of a release comes from.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Source {
    /// The release's wheel, downloaded by pip with the user's mirror and proxy settings.
    Pip,
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
            Self::Tag => f.write_str("source archive of the git tag"),
            Self::Url(url) => f.write_str(url),
            Self::Archive(path) => path.display().fmt(f),
        }
    }
}

/// What to fetch.
#[derive(Clone, Debug)]
pub struct Request {
    /// Release of ONNX, such as `1.22.0`.
    pub release: String,
    /// Sources to try, in order.
    pub sources: Vec<Source>,
    /// Whether a copy that is already there and matches the lock will do.
    pub reuse: bool,
    /// Whether to make the lock of a release that has none.
    pub write_lock: bool,
}

impl Request {
    /// A release, from where it can be had: a copy that is there, pip, the git tag.
    #[must_use]
    pub fn new(release: &str) -> Self {
        Self {
            release: release.to_owned(),
            sources: vec![Source::Pip, Source::Tag],
            reuse: true,
            write_lock: false,
        }
    }

    /// A release, from this source alone.
    #[must_use]
    pub fn from_source(release: &str, source: Source) -> Self {
        Self { sources: vec![source], reuse: false, ..Self::new(release) }
    }
}

/// A corpus that is in place, and verified.
#[derive(Debug)]
pub struct Fetched {
    /// Its name.
    pub name: String,
    /// Its folder.
    pub path: PathBuf,
    /// Where it came from; `None` where it was there already.
    pub source: Option<Source>,
    /// The sources that failed before, each with its reason.
    pub failed: Vec<(Source, SourceError)>,
    /// What it holds.
    pub verified: Verified,
    /// The lock, where this fetch made it.
    pub new_lock: Option<PathBuf>,
}

/// What a fetch is doing, for who watches.
#[derive(Debug)]
pub enum Event<'a> {
    /// Another process is fetching the corpus of this name.
    Waiting(&'a str),
    /// The copy that is there cannot be used.
    Unusable(&'a CorpusError),
    /// A source is tried for the corpus of this name.
    Trying(&'a str, &'a Source),
    /// So many bytes were downloaded, of a total where the server says it.
    Downloaded(u64, Option<u64>),
    /// So many files were unpacked, of a total where a lock says it.
    Unpacked(u64, Option<u64>),
}

/// Who watches a fetch.
pub type Progress<'a> = &'a dyn Fn(Event<'_>);

/// Why a source did not give the corpus.
#[derive(Debug, thiserror::Error)]
pub enum SourceError {
    /// pip did not deliver.
    #[error(transparent)]
    Pip(#[from] PipError),
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

    fn io(action: &'static str, path: &Path) -> impl FnOnce(io::Error) -> Self + use<> {
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

/// Why a corpus could not be fetched.
#[derive(Debug, thiserror::Error)]
pub enum FetchError {
    /// The release is not written as one.
    #[error("`{0}` is not a release of ONNX; write it like `1.22.0`")]
    BadRelease(String),
    /// There is no lock to verify the release with.
    #[error("there is no lock for `{name}`, only for {known}; make one with `--write-lock`")]
    NoLock {
        /// Name of the corpus.
        name: String,
        /// Names of the locks there are, separated by commas.
        known: String,
    },
    /// The lock, or the folder of the locks, is unusable.
    #[error(transparent)]
    Corpus(#[from] CorpusError),
    /// The corpora's folder cannot be prepared.
    #[error(transparent)]
    Prepare(SourceError),
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
    /// Exit code of a command that ends with this error: 2 usage, 4 integrity, 5 any other.
    #[must_use]
    pub fn exit_code(&self) -> u8 {
        match self {
            Self::BadRelease(_) | Self::NoLock { .. } => 2,
            Self::Corpus(error) => error.exit_code(),
            Self::Prepare(_) => 5,
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

/// Brings the corpus of a release into `home`, verified against its lock.
///
/// # Errors
/// The release has no lock and none is to be written, or no source gave what the lock says.
pub fn fetch(
    home: &Home,
    request: &Request,
    progress: Progress<'_>,
) -> Result<Fetched, FetchError> {
    let release = &request.release;
    if !is_release(release) {
        return Err(FetchError::BadRelease(release.clone()));
    }
    let name = name_of_release(release);
    let lock = match home.lock(&name) {
        Ok(lock) => Some(lock),
        Err(CorpusError::UnknownCorpus { .. }) if request.write_lock => None,
        Err(CorpusError::UnknownCorpus { name, known }) => {
            return Err(FetchError::NoLock { name, known });
        }
        Err(error) => return Err(error.into()),
    };
    let fetch = Fetch { home, release, name: &name, lock, progress };
    let workplace = Workplace::enter(home, &name, progress).map_err(FetchError::Prepare)?;
    if request.reuse
        && let Some(fetched) = fetch.existing()
    {
        return Ok(fetched);
    }
    let mut attempts = Vec::new();
    for source in &request.sources {
        progress(Event::Trying(&name, source));
        match fetch.attempt(source, &workplace) {
            Ok(fetched) => return Ok(Fetched { failed: attempts, ..fetched }),
            Err(error) => attempts.push((source.clone(), error)),
        }
    }
    Err(FetchError::Failed { attempts, remedy: fetch.remedy(request), name })
}

/// Whether the text is fit for a folder's name and a command's argument.
fn is_release(text: &str) -> bool {
    text.starts_with(|first: char| first.is_ascii_digit())
        && text.len() <= 32
        && text.chars().all(|char| char.is_ascii_alphanumeric() || char == '.')
}

/// A fetch under way.
struct Fetch<'a> {
    home: &'a Home,
    release: &'a str,
    name: &'a str,
    lock: Option<Lock>,
    progress: Progress<'a>,
}

impl Fetch<'_> {
    /// The copy that is there, where it matches the lock.
    fn existing(&self) -> Option<Fetched> {
        let path = self.home.corpus_path(self.name);
        let lock = self.lock.clone().filter(|_| path.exists())?;
        match Corpus::open_locked(&path, lock).and_then(|corpus| corpus.verify()) {
            Ok(verified) => Some(self.fetched(None, verified, None)),
            Err(error) => {
                (self.progress)(Event::Unusable(&error));
                None
            }
        }
    }

    fn attempt(&self, source: &Source, workplace: &Workplace) -> Result<Fetched, SourceError> {
        let staging = workplace.stage()?;
        let download = staging.folder("download")?;
        let archive = match source {
            Source::Pip => pip::download(self.release, &download)?,
            Source::Tag => download::download(&tag_url(self.release), &download, self.progress)?,
            Source::Url(url) => download::download(url, &download, self.progress)?,
            Source::Archive(path) => path.clone(),
        };
        let unpacked = staging.folder("corpus")?;
        let total = self.lock.as_ref().map(|lock| lock.files + lock.schema.len() as u64);
        let progress = |files| (self.progress)(Event::Unpacked(files, total));
        archive::unpack(&archive, &unpacked, &progress)?;
        let (verified, new_lock) = match &self.lock {
            Some(lock) => (Corpus::open_locked(&unpacked, lock.clone())?.verify()?, None),
            None => {
                let lock = Lock::of_folder(&unpacked, self.name, self.release)?;
                (lock.totals(), Some(lock))
            }
        };
        staging.install(&unpacked, &self.home.corpus_path(self.name))?;
        let new_lock = new_lock.map(|lock| staging::write_lock(self.home, &lock)).transpose()?;
        Ok(self.fetched(Some(source.clone()), verified, new_lock))
    }

    fn fetched(
        &self,
        source: Option<Source>,
        verified: Verified,
        new_lock: Option<PathBuf>,
    ) -> Fetched {
        let path = self.home.corpus_path(self.name);
        Fetched { name: self.name.to_owned(), path, source, failed: Vec::new(), verified, new_lock }
    }

    fn remedy(&self, request: &Request) -> String {
        if request.write_lock && self.lock.is_some() {
            let lock = self.home.lock_path(self.name);
            return format!("to lock other content, remove `{}` first", lock.display());
        }
        format!(
            "download the wheel or source archive of onnx {release} elsewhere, then run\n\
             `cargo xtask fetch --release {release} --archive FILE`",
            release = self.release
        )
    }
}

/// Address of the source archive of a release's git tag.
fn tag_url(release: &str) -> String {
    format!("https://github.com/onnx/onnx/archive/refs/tags/v{release}.tar.gz")
}

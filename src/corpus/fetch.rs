//! Bringing corpora onto the disk: from pip, a git tag's source archive, a URL, an archive or a folder,
//! or computed by the release's own Python package.
//!
//! Whatever the source, what it gave is unpacked into a private folder beside its destination,
//! verified there against the lock, and only then moved into place. A fetch that is killed leaves
//! nothing but such a folder (`corpora/.NAME~*`), which the next fetch of that corpus
//! removes. A power failure may leave files without content; verification finds them.

mod archive;
mod download;
mod python;
mod staging;
mod unpack;

use std::fs;
use std::io;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

use self::staging::{Staging, Workplace};
pub use super::error::Source;
use super::reference::Reference;
use super::{CaseKind, Computed, Corpus, CorpusError, Digest, Home, Lock, Verified, write_whole};

/// Largest archive that is downloaded, in bytes. The wheel of 1.22.0 has 19 million.
pub const MAX_DOWNLOAD_BYTES: u64 = 512 << 20;

/// Most that is read of what pins a release's packages, in bytes.
const MAX_REQUIREMENTS_BYTES: u64 = 1 << 20;

/// What to fetch.
#[derive(Clone, Debug)]
pub struct Request {
    /// Release of ONNX, such as `1.22.0`.
    pub release: String,
    /// Which of its cases.
    pub kind: CaseKind,
    /// Sources to try, in order.
    pub sources: Vec<Source>,
    /// Whether a copy that is already there and matches the lock will do.
    pub reuse: bool,
    /// Whether to make the lock of a release that has none.
    pub write_lock: bool,
    /// Ends the fetch early when set, with [`CorpusError::Interrupted`].
    pub interrupted: Arc<AtomicBool>,
}

impl Request {
    /// The node cases of a release.
    pub fn new(release: &str) -> Self {
        Self::of_kind(release, CaseKind::Node)
    }

    /// Cases of a release, from where they can be had: a copy that is there, then pip or the git tag, or
    /// where they are computed the release's Python package.
    pub fn of_kind(release: &str, kind: CaseKind) -> Self {
        let sources = match kind.is_computed(release) {
            true => vec![Source::Package(None)],
            false => vec![Source::Pip, Source::Tag],
        };
        Self {
            release: release.to_owned(),
            kind,
            sources,
            reuse: true,
            write_lock: false,
            interrupted: Arc::default(),
        }
    }

    /// With this Python for the releases that are computed.
    pub fn with_python(mut self, python: Option<&Path>) -> Self {
        for source in &mut self.sources {
            if let Source::Package(given) = source {
                *given = python.map(Path::to_owned);
            }
        }
        self
    }

    /// From this source alone, whatever is there.
    pub fn from(self, source: Source) -> Self {
        Self { sources: vec![source], reuse: false, ..self }
    }

    /// The node cases of a release, from this source alone.
    pub fn from_source(release: &str, source: Source) -> Self {
        Self::new(release).from(source)
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
    pub failed: Vec<(Source, CorpusError)>,
    /// What it holds.
    pub verified: Verified,
    /// Outputs that the source had otherwise than the reference, within the bound.
    pub replaced: u64,
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
    /// The next step of a source that has several.
    Step(&'static str),
    /// So many bytes were downloaded, of a total where the server says it.
    Downloaded(u64, Option<u64>),
    /// So many files were unpacked, of a total where a lock says it.
    Unpacked(u64, Option<u64>),
}

/// Who watches a fetch.
pub type Progress<'a> = &'a dyn Fn(Event<'_>);

/// Brings a corpus of a release into `home`, verified against its lock.
pub fn fetch(
    home: &Home,
    request: &Request,
    progress: Progress<'_>,
) -> Result<Fetched, CorpusError> {
    let (release, kind, interrupted) = (&request.release, request.kind, &*request.interrupted);
    if !is_release(release) {
        return Err(CorpusError::BadRelease(release.clone()));
    }
    let name = kind.corpus_of(release);
    if interrupted.load(Ordering::Relaxed) {
        return Err(CorpusError::Interrupted(name));
    }
    let lock = match home.lock(&name) {
        Ok(lock) => Some(lock),
        Err(CorpusError::UnknownCorpus(..)) if request.write_lock => None,
        Err(CorpusError::UnknownCorpus(name, known)) => {
            return Err(CorpusError::NoLock(name, known, home.fetch_command()));
        }
        Err(error) => return Err(error),
    };
    let mut fetch =
        Fetch { home, release, kind, name: &name, lock, reference: None, progress, interrupted };
    let workplace = Workplace::enter(home, &name, progress)?;
    if request.reuse
        && let Some(fetched) = fetch.existing()
    {
        return Ok(fetched);
    }
    if let Some(lock) = &fetch.lock {
        fetch.reference = Reference::of_lock(home, lock)?;
    }
    let mut attempts = Vec::new();
    for source in &request.sources {
        progress(Event::Trying(&name, source));
        match fetch.attempt(source, &workplace) {
            Ok(fetched) => return Ok(Fetched { failed: attempts, ..fetched }),
            Err(error) => attempts.push((source.clone(), error)),
        }
        // A Python that was interrupted too has failed for that reason.
        if interrupted.load(Ordering::Relaxed) {
            return Err(CorpusError::Interrupted(name));
        }
    }
    Err(CorpusError::Failed { attempts, remedy: fetch.remedy(request), name })
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
    kind: CaseKind,
    name: &'a str,
    lock: Option<Lock>,
    reference: Option<Reference>,
    progress: Progress<'a>,
    interrupted: &'a AtomicBool,
}

impl Fetch<'_> {
    /// The copy that is there, where it matches the lock.
    fn existing(&self) -> Option<Fetched> {
        let path = self.home.corpus_path(self.name);
        let lock = self.lock.clone().filter(|_| path.exists())?;
        match Corpus::open_locked(&path, lock).and_then(|corpus| corpus.verify()) {
            Ok(verified) => Some(self.fetched(None, verified)),
            Err(error) => {
                (self.progress)(Event::Unusable(&error));
                None
            }
        }
    }

    /// Tells who watches what is done, and whether to go on with it.
    fn tell(&self, event: Event<'_>) -> Result<(), CorpusError> {
        (self.progress)(event);
        match self.interrupted.load(Ordering::Relaxed) {
            true => Err(CorpusError::Interrupted(self.name.to_owned())),
            false => Ok(()),
        }
    }

    fn attempt(&self, source: &Source, workplace: &Workplace) -> Result<Fetched, CorpusError> {
        let staging = workplace.stage()?;
        let corpus = staging.folder("corpus")?;
        self.bring(source, &staging, &corpus)?;
        let installed = self.home.corpus_path(self.name);
        let Some(lock) = &self.lock else {
            let (lock, reference) = self.new_lock(&corpus)?;
            staging.install(&corpus, &installed)?;
            if let Some(reference) = reference {
                write_whole(&self.home.reference_path(self.name), &reference)?;
            }
            let new_lock = self.home.lock_path(self.name);
            let text = lock.to_toml().map_err(io::Error::other);
            let text = text.map_err(CorpusError::io("write", &new_lock))?;
            write_whole(&new_lock, text.as_bytes())?;
            let new_lock = Some(new_lock);
            let fetched = self.fetched(Some(source.clone()), lock.totals());
            return Ok(Fetched { new_lock, ..fetched });
        };
        let opened = Corpus::open_locked(&corpus, lock.clone())?;
        let replaced = match &self.reference {
            Some(reference) => reference.replace(lock, opened.cases())?,
            None => 0,
        };
        let verified = opened.verify()?;
        staging.install(&corpus, &installed)?;
        Ok(Fetched { replaced, ..self.fetched(Some(source.clone()), verified) })
    }

    /// Has a source give its cases and schema into a folder.
    fn bring(&self, source: &Source, staging: &Staging, corpus: &Path) -> Result<(), CorpusError> {
        let download = staging.folder("download")?;
        let archive = match source {
            Source::Pip => python::download(self.release, &download)?,
            Source::Package(python) => {
                let requirements = self.requirements(&download)?;
                let environment = staging.folder("python")?;
                let python = python.as_deref();
                return python::materialise(
                    python,
                    &requirements,
                    &environment,
                    corpus,
                    self.progress,
                );
            }
            Source::Tag => {
                download::download(&tag_url(self.release), &download, &|event| self.tell(event))?
            }
            Source::Url(url) => download::download(url, &download, &|event| self.tell(event))?,
            Source::Archive(path) => path.clone(),
        };
        let total = self.lock.as_ref().map(|lock| lock.files + lock.schema.len() as u64);
        let progress = |files| self.tell(Event::Unpacked(files, total));
        archive::unpack(&archive, self.kind, corpus, &progress)
    }

    /// A copy in this folder of what pins the release's packages.
    fn requirements(&self, folder: &Path) -> Result<PathBuf, CorpusError> {
        let path = self.home.requirements_path(self.release);
        let content = match self.home.read(&path, MAX_REQUIREMENTS_BYTES) {
            Ok(content) => content,
            Err(error) if error.kind() == io::ErrorKind::NotFound => {
                let path = path.display();
                return Err(CorpusError::Source(format!(
                    "there is no `{path}` that pins the release's packages; write it"
                )));
            }
            Err(error) => return Err(CorpusError::io("read", &path)(error)),
        };
        let copy = folder.join("requirements.txt");
        fs::write(&copy, content).map_err(CorpusError::io("write", &copy))?;
        Ok(copy)
    }

    /// The lock that a folder satisfies, and the archive of its reference where it is computed and no
    /// other corpus has the same.
    fn new_lock(&self, corpus: &Path) -> Result<(Lock, Option<Vec<u8>>), CorpusError> {
        let lock = Lock::of_folder(corpus, self.name, self.release)?;
        if !self.kind.is_computed(self.release) {
            return Ok((lock, None));
        }
        let reference = Reference::of_cases(Corpus::open_locked(corpus, lock.clone())?.cases())?;
        let archive =
            reference.to_archive().map_err(CorpusError::io("pack the outputs of", corpus))?;
        let computed = Computed { outputs: reference.len(), reference: Digest::of(&archive) };
        let is_there = Reference::shared(self.home, computed.reference)?.is_some();
        Ok((Lock { computed: Some(computed), ..lock }, (!is_there).then_some(archive)))
    }

    /// A corpus that is in place.
    fn fetched(&self, source: Option<Source>, verified: Verified) -> Fetched {
        Fetched {
            name: self.name.to_owned(),
            path: self.home.corpus_path(self.name),
            source,
            failed: Vec::new(),
            verified,
            replaced: 0,
            new_lock: None,
        }
    }

    fn remedy(&self, request: &Request) -> String {
        let command = self.home.fetch_command();
        let arguments = self.kind.fetched_with(self.release);
        if request.write_lock && self.lock.is_some() {
            let lock = self.home.lock_path(self.name);
            return format!("to lock other content, remove `{}` first", lock.display());
        }
        if self.kind.is_computed(self.release) {
            return format!(
                "it takes Python with venv and pip, and a package index; or run\n\
                 `{command} {arguments} --export .` where there are,\n\
                 then here `{command} {arguments} --archive FILE`"
            );
        }
        format!(
            "download the wheel or source archive of onnx {} elsewhere, then run\n\
             `{command} {arguments} --archive FILE`",
            self.release
        )
    }
}

/// Address of the source archive of a release's git tag.
fn tag_url(release: &str) -> String {
    format!("https://github.com/onnx/onnx/archive/refs/tags/v{release}.tar.gz")
}

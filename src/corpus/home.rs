//! Where locks, suites and corpora are: in the `testdata` of a checkout, or outside of one in the
//! program and in a folder of the user's.

use std::borrow::Cow;
use std::collections::BTreeSet;
use std::env;
use std::fs;
use std::io;
use std::path::{Path, PathBuf};

use etcetera::BaseStrategy;

use crate::corpus::suite::{self, Suite};
use crate::foundation::{embedded, trust};
use crate::limits::{self, TOML_LIMIT};

use super::{Corpus, CorpusError, FETCH, HOME_VARIABLE, Lock, known, names_listed, natural_order};

/// What of a checkout decides what is run, and with what results are compared.
const BELIEVED: [&str; 4] =
    ["testdata", "testdata/locks", "testdata/suites", "adapters/backends.toml"];

/// Folder of the locks.
const LOCKS: &str = "locks";

/// Where locks, suites and corpora are.
///
/// In a checkout that is its `testdata`. Outside of one the program carries all but the corpora,
/// which lie in a folder of the user's, with the locks that were made there.
///
/// ```
/// use onnx_conformance::corpus::Home;
/// use onnx_conformance::corpus::suite::Suite;
///
/// let home = Home::find()?;
/// assert!(home.locks()?.contains(&"onnx-1.22.0".to_owned()));
/// let suite = home.suite(Suite::OpenVino)?;
/// assert!(suite.cases()[0].load()?.files().contains_key("model.xml"));
/// # Ok::<(), onnx_conformance::corpus::CorpusError>(())
/// ```
#[derive(Clone, Debug)]
pub struct Home {
    root: PathBuf,
    is_checkout: bool,
}

impl Home {
    /// `testdata` in the nearest folder, from the current one upwards within its repository and file system, that
    /// has `testdata/locks`; that of another user is refused. Where there is none, this is outside a checkout: the folder is then the one that
    /// [`HOME_VARIABLE`] names, or `onnx-conformance` where the platform keeps a user's caches.
    pub fn find() -> Result<Self, CorpusError> {
        // A current folder that is gone is in no checkout.
        let from = env::current_dir().unwrap_or_default();
        let is_checkout = |folder: &&Path| folder.join("testdata").join(LOCKS).is_dir();
        let Some(root) = trust::upwards(&from).find(is_checkout) else {
            return Ok(Self::outside(users_folder()?));
        };
        trust::check(root, &BELIEVED)?;
        Ok(Self::at(root.join("testdata")))
    }

    /// This folder, whatever it holds, as the `testdata` of a checkout.
    pub fn at(root: impl Into<PathBuf>) -> Self {
        Self { root: root.into(), is_checkout: true }
    }

    /// What is outside a checkout, with this folder for what is fetched.
    pub fn outside(root: impl Into<PathBuf>) -> Self {
        Self { root: root.into(), is_checkout: false }
    }

    /// The folder itself: `testdata`, or outside a checkout that of the user.
    pub fn root(&self) -> &Path {
        &self.root
    }

    /// The root of the checkout, where this is one.
    pub fn checkout(&self) -> Option<&Path> {
        self.root.parent().filter(|_| self.is_checkout)
    }

    /// The command that fetches corpora here.
    pub(super) const fn fetch_command(&self) -> &'static str {
        if self.is_checkout { "cargo xtask fetch" } else { FETCH }
    }

    /// Where the corpora lie.
    pub fn corpora(&self) -> PathBuf {
        self.root.join("corpora")
    }

    /// Where the corpus of this name lies, or will lie.
    pub fn corpus_path(&self, name: &str) -> PathBuf {
        self.corpora().join(name)
    }

    /// A suite's own cases.
    pub fn suite(&self, suite: Suite) -> Result<Corpus, CorpusError> {
        match self.is_checkout {
            true => Corpus::open_dir(&self.root.join("suites").join(suite.name())),
            false => Ok(Corpus::carried(suite)),
        }
    }

    /// Where the lock of this name lies, or will lie, where the program does not carry it.
    pub fn lock_path(&self, name: &str) -> PathBuf {
        self.root.join(LOCKS).join(format!("{name}.toml"))
    }

    /// Where the reference outputs of a corpus that is computed lie, or will lie.
    pub fn reference_path(&self, name: &str) -> PathBuf {
        self.root.join(LOCKS).join(format!("{name}.outputs.tar.gz"))
    }

    /// Where the packages are pinned that compute the cases of a release.
    pub fn requirements_path(&self, release: &str) -> PathBuf {
        self.root.join("materialise").join(format!("requirements-{release}.txt"))
    }

    /// The file that states the known failures of the backend of this name, and its text. None where
    /// there is no such file, the name is none of a file, or this is no checkout: only there are
    /// backends set up by name.
    pub fn expectations(&self, backend: &str) -> Option<(PathBuf, io::Result<String>)> {
        let is_plain = |c: char| c.is_alphanumeric() || "-_.".contains(c);
        let is_name = backend.starts_with(char::is_alphanumeric) && backend.chars().all(is_plain);
        let path = self.root.join("expectations").join(format!("{backend}.toml"));
        let is_there = is_name && self.is_checkout && path.is_file();
        is_there.then(|| (path.clone(), limits::read_text(&path, TOML_LIMIT)))
    }

    /// Names of the corpora that have a lock, in natural order.
    pub fn locks(&self) -> Result<Vec<String>, CorpusError> {
        let folder = self.root.join(LOCKS);
        let failed = CorpusError::io("read", &folder);
        let mut files = BTreeSet::new();
        if !self.is_checkout {
            files.extend(embedded::paths_below("testdata/locks").map(str::to_owned));
        }
        match fs::read_dir(&folder) {
            Err(error) if !self.is_checkout && error.kind() == io::ErrorKind::NotFound => {}
            entries => {
                for entry in entries.map_err(failed)? {
                    files.extend(entry.map_err(failed)?.file_name().into_string());
                }
            }
        }
        let names = files.iter().filter_map(|file| file.strip_suffix(".toml"));
        let mut names: Vec<_> = names.map(str::to_owned).collect();
        names.sort_by(|a, b| natural_order(a, b));
        Ok(names)
    }

    /// The lock of this name.
    pub fn lock(&self, name: &str) -> Result<Lock, CorpusError> {
        let names = self.locks()?;
        if !names.iter().any(|known| known == name) {
            return Err(CorpusError::UnknownCorpus(name.to_owned(), names_listed(&names)));
        }
        let path = self.lock_path(name);
        let lock = match self.carried(&path) {
            Some(text) => Lock::parse(&path, name, &String::from_utf8_lossy(text))?,
            None => Lock::read(&path, name)?,
        };
        Ok(Lock { fetched_by: self.fetch_command(), ..lock })
    }

    /// The corpus of this name, its listing compared with its lock.
    pub fn corpus(&self, name: &str) -> Result<Corpus, CorpusError> {
        Corpus::open_locked(&self.corpus_path(name), self.lock(name)?)
    }

    /// A folder or archive of cases that somebody chose. Where it has the name of a locked corpus or of a suite, it has to
    /// be that one, as reports tell corpora by their names; it is then held to what it was when it was opened.
    pub fn folder(&self, path: &Path) -> Result<Corpus, CorpusError> {
        let mut corpus = Corpus::open(path)?;
        let name = corpus.name().to_owned();
        let known = match suite::named(&name) {
            Ok(suite) => known::of_suite(suite),
            Err(_) if self.locks()?.contains(&name) => Some(self.lock(&name)?.digest),
            Err(_) => None,
        };
        if let Some(known) = known {
            let found = Lock::of_cases(corpus.cases(), &name, &name)?;
            if found.digest != known {
                return Err(CorpusError::NotThat {
                    path: path.to_owned(),
                    name,
                    digests: Box::new([found.digest, known]),
                });
            }
            corpus.hold_to(found);
        }
        Ok(corpus)
    }

    /// The content of the file that has, or would have, this path, and is at most so large. Outside a
    /// checkout it is the program's own where it carries the file.
    pub(super) fn read(&self, path: &Path, limit: u64) -> io::Result<Cow<'static, [u8]>> {
        if let Some(content) = self.carried(path) {
            return Ok(Cow::Borrowed(content));
        }
        limits::read(path, limit).map(Cow::Owned)
    }

    /// What the program carries in the place of a file of this folder.
    fn carried(&self, path: &Path) -> Option<&'static [u8]> {
        let file = path.strip_prefix(&self.root).ok()?.to_str()?;
        let path = format!("testdata/{}", file.replace('\\', "/"));
        embedded::file(&path).filter(|_| !self.is_checkout)
    }
}

/// The folder of the user's that is used outside a checkout.
fn users_folder() -> Result<PathBuf, CorpusError> {
    if let Some(folder) = env::var_os(HOME_VARIABLE).filter(|folder| !folder.is_empty()) {
        let folder = PathBuf::from(folder);
        return std::path::absolute(&folder).map_err(CorpusError::io("read", &folder));
    }
    let caches =
        etcetera::base_strategy::choose_native_strategy().ok().map(|user| user.cache_dir());
    // A home folder that is no absolute path is none.
    let caches = caches.filter(|caches| caches.is_absolute()).ok_or(CorpusError::NoHome)?;
    Ok(caches.join(env!("CARGO_PKG_NAME")))
}

//! The `testdata` folder: the locks in it and the corpora that belong to them.

use std::env;
use std::fs;
use std::path::{Path, PathBuf};

use crate::suite::Suite;

use super::{Corpus, CorpusError, Lock, natural_order};

/// A folder that holds `locks/NAME.toml` and, once fetched, `corpora/NAME`.
#[derive(Clone, Debug)]
pub struct Home {
    root: PathBuf,
}

impl Home {
    /// `testdata` in the nearest folder, from the current one upwards, that has `testdata/locks`.
    ///
    /// # Errors
    /// There is none.
    pub fn find() -> Result<Self, CorpusError> {
        let from = env::current_dir().map_err(|source| CorpusError::read(".".into(), source))?;
        let root = from.ancestors().map(|folder| folder.join("testdata"));
        match root.into_iter().find(|root| root.join("locks").is_dir()) {
            Some(root) => Ok(Self { root }),
            None => Err(CorpusError::NoHome { from }),
        }
    }

    /// This folder, whatever it holds.
    #[must_use]
    pub fn at(root: impl Into<PathBuf>) -> Self {
        Self { root: root.into() }
    }

    /// The folder itself.
    #[must_use]
    pub fn root(&self) -> &Path {
        &self.root
    }

    /// Where the corpora lie.
    #[must_use]
    pub fn corpora(&self) -> PathBuf {
        self.root.join("corpora")
    }

    /// Where the corpus of this name lies, or will lie.
    #[must_use]
    pub fn corpus_path(&self, name: &str) -> PathBuf {
        self.corpora().join(name)
    }

    /// Where a suite's own cases lie.
    #[must_use]
    pub fn suite_path(&self, suite: Suite) -> PathBuf {
        self.root.join("suites").join(suite.name())
    }

    /// Where the lock of this name lies, or will lie.
    #[must_use]
    pub fn lock_path(&self, name: &str) -> PathBuf {
        self.root.join("locks").join(format!("{name}.toml"))
    }

    /// Where the known failures of the backend of this name are stated, or would be. None for a
    /// name that is none of a file.
    #[must_use]
    pub fn expectations_path(&self, backend: &str) -> Option<PathBuf> {
        let is_plain = |c: char| c.is_alphanumeric() || "-_.".contains(c);
        let is_name = backend.starts_with(char::is_alphanumeric) && backend.chars().all(is_plain);
        is_name.then(|| self.root.join("expectations").join(format!("{backend}.toml")))
    }

    /// Where the reference outputs of a corpus that is computed lie, or will lie.
    #[must_use]
    pub fn reference_path(&self, name: &str) -> PathBuf {
        self.root.join("locks").join(format!("{name}.outputs.tar.gz"))
    }

    /// Where the packages are pinned that compute the cases of a release.
    #[must_use]
    pub fn requirements_path(&self, release: &str) -> PathBuf {
        self.root.join("materialise").join(format!("requirements-{release}.txt"))
    }

    /// Names of the corpora that have a lock, in natural order.
    ///
    /// # Errors
    /// The folder of the locks cannot be read.
    pub fn locks(&self) -> Result<Vec<String>, CorpusError> {
        let folder = self.root.join("locks");
        let failed = |source| CorpusError::read(folder.clone(), source);
        let mut names = Vec::new();
        for entry in fs::read_dir(&folder).map_err(failed)? {
            let file = entry.map_err(failed)?.file_name();
            if let Some(name) = file.to_str().and_then(|file| file.strip_suffix(".toml")) {
                names.push(name.to_owned());
            }
        }
        names.sort_by(|a, b| natural_order(a, b));
        Ok(names)
    }

    /// The lock of this name.
    ///
    /// # Errors
    /// There is none (the error lists those there are), or it is not a valid lock.
    pub fn lock(&self, name: &str) -> Result<Lock, CorpusError> {
        let names = self.locks()?;
        if !names.iter().any(|known| known == name) {
            return Err(CorpusError::UnknownCorpus {
                name: name.to_owned(),
                known: names.join(", "),
            });
        }
        Lock::read(&self.lock_path(name), name)
    }

    /// The corpus of this name, its listing compared with its lock.
    ///
    /// # Errors
    /// As for [`Self::lock`] and [`Corpus::open_locked`].
    pub fn corpus(&self, name: &str) -> Result<Corpus, CorpusError> {
        Corpus::open_locked(&self.corpus_path(name), self.lock(name)?)
    }
}

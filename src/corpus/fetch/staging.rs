//! The private folder in which a corpus is made, and its move into place.

use std::fs::{self, File, TryLockError};
use std::io::{self, Read, Write};
use std::path::{Path, PathBuf};

use super::super::{CorpusError, Home};
use super::{Event, Progress};
use crate::foundation::cleanup::{self, TemporaryFolder};

/// The exclusive right to install the corpus of one name; given back when dropped, or by the
/// operating system when the process ends in whatever way.
pub(super) struct Workplace {
    corpora: PathBuf,
    prefix: String,
    _lock: File,
}

impl Workplace {
    /// Waits for other fetches of the corpus to end, then removes what killed ones left behind.
    pub(super) fn enter(
        home: &Home,
        name: &str,
        progress: Progress<'_>,
    ) -> Result<Self, CorpusError> {
        let corpora = home.corpora();
        fs::create_dir_all(&corpora).map_err(CorpusError::io("create", &corpora))?;
        let path = corpora.join(format!(".{name}.lock"));
        let lock = File::create(&path).map_err(CorpusError::io("create", &path))?;
        let locked = match lock.try_lock() {
            Ok(()) => Ok(()),
            Err(TryLockError::WouldBlock) => {
                progress(Event::Waiting(name));
                lock.lock()
            }
            Err(TryLockError::Error(error)) => Err(error),
        };
        locked.map_err(CorpusError::io("lock", &path))?;
        // `~` is in no release's name, so that no other corpus has this prefix.
        let workplace = Self { prefix: format!(".{name}~"), corpora, _lock: lock };
        workplace.clean().map_err(CorpusError::io("clean", &workplace.corpora))?;
        Ok(workplace)
    }

    fn clean(&self) -> io::Result<()> {
        for entry in fs::read_dir(&self.corpora)? {
            let entry = entry?;
            if entry.file_name().to_string_lossy().starts_with(&self.prefix) {
                fs::remove_dir_all(entry.path())?;
            }
        }
        Ok(())
    }

    /// A new, empty, private folder on the file system of the corpora.
    pub(super) fn stage(&self) -> Result<Staging, CorpusError> {
        let mut builder = tempfile::Builder::new();
        TemporaryFolder::new(builder.prefix(&self.prefix), &self.corpora)
            .map(Staging)
            .map_err(CorpusError::io("create a folder in", &self.corpora))
    }
}

/// A private folder; removed with all it holds when dropped.
pub(super) struct Staging(TemporaryFolder);

impl Staging {
    /// A new folder in it.
    pub(super) fn folder(&self, name: &str) -> Result<PathBuf, CorpusError> {
        let path = self.0.path().join(name);
        fs::create_dir(&path).map_err(CorpusError::io("create", &path))?;
        Ok(path)
    }

    /// Moves a folder of this one to `destination`; what was there goes when this one is dropped.
    pub(super) fn install(&self, folder: &Path, destination: &Path) -> Result<(), CorpusError> {
        let old = self.0.path().join("old");
        cleanup::undisturbed(|| {
            match fs::rename(destination, &old) {
                Err(error) if error.kind() != io::ErrorKind::NotFound => {
                    return Err(CorpusError::io("move aside", destination)(error));
                }
                _ => {}
            }
            fs::rename(folder, destination).map_err(CorpusError::io("install", destination))
        })
    }
}

/// Copies what a reader gives to a file, and gives its size. Reading and writing are told apart, for
/// the remedy differs; `told` is told the bytes so far, before they are written.
pub(super) fn copy(
    from: &mut dyn Read,
    unreadable: impl Fn(u64, io::Error) -> CorpusError,
    to: &mut File,
    unwritable: impl Fn(io::Error) -> CorpusError,
    told: impl Fn(u64) -> Result<(), CorpusError>,
) -> Result<u64, CorpusError> {
    let mut buffer = vec![0; 1 << 16];
    let mut copied = 0;
    loop {
        let count = match from.read(&mut buffer) {
            Ok(0) => return Ok(copied),
            Ok(count) => count,
            Err(error) if error.kind() == io::ErrorKind::Interrupted => continue,
            Err(error) => return Err(unreadable(copied, error)),
        };
        copied += count as u64;
        told(copied)?;
        to.write_all(&buffer[..count]).map_err(&unwritable)?;
    }
}

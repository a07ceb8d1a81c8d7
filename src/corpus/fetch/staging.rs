//! The private folder in which a corpus is made, and its move into place.

use std::fs::{self, File, TryLockError};
use std::io::{self, Write};
use std::path::{Path, PathBuf};

use tempfile::TempDir;

use super::super::{Home, Lock};
use super::{Event, Progress, SourceError};

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
    ) -> Result<Self, SourceError> {
        let corpora = home.corpora();
        fs::create_dir_all(&corpora).map_err(SourceError::io("create", &corpora))?;
        let path = corpora.join(format!(".{name}.lock"));
        let lock = File::create(&path).map_err(SourceError::io("create", &path))?;
        let locked = match lock.try_lock() {
            Ok(()) => Ok(()),
            Err(TryLockError::WouldBlock) => {
                progress(Event::Waiting(name));
                lock.lock()
            }
            Err(TryLockError::Error(error)) => Err(error),
        };
        locked.map_err(SourceError::io("lock", &path))?;
        // `~` is in no release's name, so that no other corpus has this prefix.
        let workplace = Self { prefix: format!(".{name}~"), corpora, _lock: lock };
        workplace.clean().map_err(SourceError::io("clean", &workplace.corpora))?;
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
    pub(super) fn stage(&self) -> Result<Staging, SourceError> {
        tempfile::Builder::new()
            .prefix(&self.prefix)
            .tempdir_in(&self.corpora)
            .map(Staging)
            .map_err(SourceError::io("create a folder in", &self.corpora))
    }
}

/// A private folder; removed with all it holds when dropped.
pub(super) struct Staging(TempDir);

impl Staging {
    /// A new folder in it.
    pub(super) fn folder(&self, name: &str) -> Result<PathBuf, SourceError> {
        let path = self.0.path().join(name);
        fs::create_dir(&path).map_err(SourceError::io("create", &path))?;
        Ok(path)
    }

    /// Moves a folder of this one to `destination`; what was there goes when this one is dropped.
    pub(super) fn install(&self, folder: &Path, destination: &Path) -> Result<(), SourceError> {
        let old = self.0.path().join("old");
        match fs::rename(destination, &old) {
            Err(error) if error.kind() != io::ErrorKind::NotFound => {
                return Err(SourceError::io("move aside", destination)(error));
            }
            _ => {}
        }
        fs::rename(folder, destination).map_err(SourceError::io("install", destination))
    }
}

/// Writes the lock of a corpus that has none.
pub(super) fn write_lock(home: &Home, lock: &Lock) -> Result<PathBuf, SourceError> {
    let path = home.lock_path(&lock.name);
    let text = lock.to_toml().map_err(io::Error::other).map_err(SourceError::io("write", &path))?;
    write(&path, text.as_bytes())?;
    Ok(path)
}

/// Writes a file into the folder of the locks, whole or not at all. The workplace makes sure that no other fetch
/// does the same.
pub(super) fn write(path: &Path, content: &[u8]) -> Result<(), SourceError> {
    let new = path.with_extension("new");
    let write = || {
        fs::create_dir_all(path.parent().unwrap_or(path))?;
        let mut file = File::create(&new)?;
        file.write_all(content)?;
        file.sync_all()?;
        fs::rename(&new, path)
    };
    write().map_err(SourceError::io("write", path))
}

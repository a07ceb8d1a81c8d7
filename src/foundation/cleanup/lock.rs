//! Folders that one process at a time writes to.

use std::fs::{self, File, OpenOptions, TryLockError};
use std::io;
use std::path::{Path, PathBuf};
use std::time::{Duration, SystemTime};

use super::{Leftover, Listed, list};
use crate::foundation::platform;

/// The name of the file in a folder whose lock says that somebody writes there.
const NAME: &str = ".onnx-conformance.lock";

/// How the names of files begin and end that are not finished.
pub(crate) const TEMPORARY: (&str, &str) = (".report-", ".tmp");

/// Time that the writing of a file may take.
const WRITING: Duration = Duration::from_secs(60);

/// How often a lock file is made anew whose owner removes it in the same moment.
const ATTEMPTS: u32 = 100;

/// The exclusive right to write to a folder. Given back when dropped, or by the operating system when
/// the process ends in whatever way: a lock file that is left behind hinders nobody.
#[derive(Debug)]
pub struct FolderLock {
    path: PathBuf,
    _file: File,
    /// The folders that were made for it, the deepest last.
    made: Vec<PathBuf>,
    listed: Vec<Listed>,
}

/// Why a folder may not be written to.
#[derive(Debug, thiserror::Error)]
#[expect(missing_docs, reason = "each variant's message says what it is")]
pub enum LockError {
    #[error(
        "another process is writing to `{0}`; wait until it ends, or choose another folder with --out"
    )]
    Held(PathBuf),
    #[error("failed to write to the folder `{0}`; choose another with --out")]
    Io(PathBuf, #[source] io::Error),
}

impl FolderLock {
    /// Takes the right to write into a folder, which is made where it is missing.
    /// Removes the files that a killed process did not finish there.
    pub fn within(folder: &Path) -> Result<Self, LockError> {
        let lock = Self::take(folder, folder, NAME)?;
        for entry in fs::read_dir(folder).into_iter().flatten().flatten() {
            let name = entry.file_name();
            let name = name.to_string_lossy();
            if name.starts_with(TEMPORARY.0) && name.ends_with(TEMPORARY.1) && is_old(&entry.path())
            {
                // What cannot be removed hinders nobody.
                let _ = fs::remove_file(entry.path());
            }
        }
        Ok(lock)
    }

    /// Takes the right to replace a folder as a whole, in which no other file may lie.
    pub fn beside(folder: &Path) -> Result<Self, LockError> {
        let parent = folder.parent().filter(|parent| !parent.as_os_str().is_empty());
        let name = folder.file_name().unwrap_or_default().to_string_lossy();
        Self::take(folder, parent.unwrap_or(Path::new(".")), &format!(".{name}{NAME}"))
    }

    fn take(folder: &Path, parent: &Path, name: &str) -> Result<Self, LockError> {
        let path = parent.join(name);
        let missing: Vec<_> = parent
            .ancestors()
            .take_while(|folder| !folder.as_os_str().is_empty() && !folder.exists())
            .map(Path::to_owned)
            .collect();
        for _ in 0..ATTEMPTS {
            match Self::attempt(&path, parent, &missing) {
                Ok((Taken::Yes, lock)) => return Ok(lock),
                Ok((Taken::No, _)) => break,
                Ok((Taken::Gone, _)) => {}
                // Whoever made the folder has removed it.
                Err(error) if error.kind() == io::ErrorKind::NotFound => {}
                Err(source) => return Err(LockError::Io(folder.to_owned(), source)),
            }
        }
        Err(LockError::Held(folder.to_owned()))
    }

    fn attempt(path: &Path, parent: &Path, missing: &[PathBuf]) -> io::Result<(Taken, Self)> {
        let mut list = list();
        fs::create_dir_all(parent)?;
        let file = open(path)?;
        let taken = is_taken(&file, path)?;
        let mut lock =
            Self { path: path.to_owned(), _file: file, made: Vec::new(), listed: Vec::new() };
        if let Taken::Yes = taken {
            lock.made.extend(missing.iter().rev().cloned());
            let made = lock.made.iter().cloned().map(Leftover::EmptyFolder);
            let all = made.chain([Leftover::File(path.to_owned())]);
            lock.listed = all.map(|leftover| list.add(leftover)).collect();
        }
        Ok((taken, lock))
    }
}

/// Whether nobody is writing a file, who may write a single one without the lock.
fn is_old(path: &Path) -> bool {
    let modified = fs::symlink_metadata(path).and_then(|found| found.modified()).ok();
    modified
        .and_then(|time| SystemTime::now().duration_since(time).ok())
        .is_some_and(|age| age > WRITING)
}

impl Drop for FolderLock {
    fn drop(&mut self) {
        if self.listed.is_empty() {
            // It is another's.
            return;
        }
        // Who opens it before and locks it after finds that it has no name any more.
        let _ = fs::remove_file(&self.path);
        for folder in self.made.iter().rev() {
            // One with files in it stays.
            let _ = fs::remove_dir(folder);
        }
    }
}

/// Whether a lock file belongs to this process.
pub(super) enum Taken {
    Yes,
    /// Another process has it.
    No,
    /// It was removed after it was opened.
    Gone,
}

/// Opens a lock file, which is made where it is missing. Links are not followed.
pub(super) fn open(path: &Path) -> io::Result<File> {
    platform::open_wary(OpenOptions::new().read(true).write(true).create(true), path)
}

/// Tries to lock a file that has this name.
pub(super) fn is_taken(file: &File, path: &Path) -> io::Result<Taken> {
    match file.try_lock() {
        Err(TryLockError::WouldBlock) => return Ok(Taken::No),
        // Some network file systems know no locks; there nobody is told.
        Ok(()) | Err(TryLockError::Error(_)) => {}
    }
    Ok(if platform::is_same(file, path)? { Taken::Yes } else { Taken::Gone })
}

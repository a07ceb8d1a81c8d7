//! Folders that an adapter may have done anything to. Each is held open, by which it is known: files go by its path, as
//! long as that leads to it.

use std::fs::{self, File, OpenOptions};
use std::io::{self, Write};
use std::os::windows::fs::OpenOptionsExt;
use std::path::{Path, PathBuf};
use std::time::Instant;

use bytes::Bytes;
use same_file::Handle;

use super::files::{NOT_FOLLOWED, leads_elsewhere};
use crate::foundation::platform::{random, read_within, unreadable};

/// What opens a folder (`FILE_FLAG_BACKUP_SEMANTICS`).
const FOLDERS: u32 = 0x0200_0000;

/// A folder, open.
#[derive(Debug)]
pub(crate) struct Folder {
    held: Handle,
    path: PathBuf,
}

impl Folder {
    /// A folder that is there.
    pub(crate) fn at(path: &Path) -> io::Result<Self> {
        Ok(Self { held: opened(path)?, path: path.to_owned() })
    }

    /// Makes a folder in this one, by a name that nobody can guess.
    pub(crate) fn make(&self, prefix: &str) -> io::Result<Self> {
        self.check()?;
        let path = self.path.join(format!("{prefix}{:016x}", random()));
        fs::create_dir(&path)?;
        Self::at(&path)
    }

    pub(crate) fn path(&self) -> &Path {
        &self.path
    }

    /// Whether its path still leads to it.
    pub(crate) fn is_in_place(&self) -> bool {
        opened(&self.path).is_ok_and(|there| there == self.held)
    }

    fn check(&self) -> io::Result<()> {
        let moved = || io::Error::new(io::ErrorKind::NotFound, "it was moved away");
        self.is_in_place().then_some(()).ok_or_else(moved)
    }

    /// Whether its file system takes so many bytes more. It is not asked: there is no other to be chosen, and a
    /// write that fails says why.
    #[expect(clippy::unused_self, reason = "it is that of other systems")]
    #[expect(clippy::unnecessary_wraps, reason = "it is that of other systems")]
    pub(crate) const fn has_room(&self, _bytes: u64) -> io::Result<bool> {
        Ok(true)
    }

    /// Makes a file, of which there is none by this name.
    pub(crate) fn write(&self, name: &str, bytes: &[u8]) -> io::Result<()> {
        self.check()?;
        File::create_new(self.path.join(name))?.write_all(bytes)
    }

    /// The bytes of a file of at most so many, or what is wrong with it.
    pub(crate) fn read(&self, name: &str, limit: u64) -> Result<Bytes, String> {
        self.check().map_err(|error| unreadable(&error))?;
        let path = self.path.join(name);
        let file = match OpenOptions::new().read(true).custom_flags(NOT_FOLLOWED).open(path) {
            Ok(file) => file,
            Err(error) if error.kind() == io::ErrorKind::NotFound => {
                return Err("was not written".to_owned());
            }
            Err(error) => return Err(unreadable(&error)),
        };
        let metadata = file.metadata().map_err(|error| unreadable(&error))?;
        if !metadata.is_file() || leads_elsewhere(&metadata) {
            return Err("is no regular file".to_owned());
        }
        read_within(file, metadata.len(), limit)
    }

    /// Removes it with all that is in it. The system removes without a deadline.
    pub(crate) fn remove(self, _within: &Self, _deadline: Instant) {
        let Self { held, path } = self;
        drop(held);
        let _ = fs::remove_dir_all(path);
    }

    /// Removes all that is in it, until the deadline. Who holds it removes it then.
    pub(crate) fn remove_everywhere(&self, deadline: Instant) {
        for entry in fs::read_dir(&self.path).into_iter().flatten().flatten() {
            if Instant::now() >= deadline {
                return;
            }
            // Links are removed, and not what they lead to. A file that is still used stays for the next time.
            let is_folder = entry.file_type().is_ok_and(|kind| kind.is_dir());
            let _ = if is_folder {
                fs::remove_dir_all(entry.path())
            } else {
                fs::remove_file(entry.path()).or_else(|_| fs::remove_dir(entry.path()))
            };
        }
    }
}

/// Opens a folder, and no link to one. Others may rename and remove it all the same.
fn opened(path: &Path) -> io::Result<Handle> {
    let file = OpenOptions::new().read(true).custom_flags(FOLDERS | NOT_FOLLOWED).open(path)?;
    let metadata = file.metadata()?;
    if !metadata.is_dir() || leads_elsewhere(&metadata) {
        return Err(io::ErrorKind::NotADirectory.into());
    }
    Handle::from_file(file)
}

//! Folders that an adapter may have done anything to. Each is held by its descriptor: whatever its
//! path leads to by now, files are made and read in this one.

use std::fs::File;
use std::io::{self, Write};
use std::os::fd::{AsFd, AsRawFd, OwnedFd};
use std::path::{Path, PathBuf};
use std::time::Instant;

use bytes::Bytes;
use rustix::fs::{
    AtFlags, CWD, FileType, Mode, OFlags, fstat, fstatvfs, mkdirat, openat, statat, unlinkat,
};
use rustix::io::Errno;

use super::removal;
use crate::foundation::platform::{random, read_within, unreadable};

/// Free entries that a file system has to have for the files of a request.
const ENTRIES: u64 = 64;

/// How a file is opened that an adapter could have replaced: no link is followed, no pipe waited for.
const WARY: OFlags = OFlags::NOFOLLOW.union(OFlags::NONBLOCK).union(OFlags::CLOEXEC);

/// A folder, open.
#[derive(Debug)]
pub(crate) struct Folder {
    descriptor: OwnedFd,
    path: PathBuf,
}

impl Folder {
    /// A folder that is there.
    pub(crate) fn at(path: &Path) -> io::Result<Self> {
        Self::open(CWD, path, path.to_owned())
    }

    fn open(within: impl AsFd, name: &Path, path: PathBuf) -> io::Result<Self> {
        let flags = WARY | OFlags::RDONLY | OFlags::DIRECTORY;
        Ok(Self { descriptor: openat(within, name, flags, Mode::empty())?, path })
    }

    /// Makes a folder in this one that only this user can read, by a name that nobody can guess.
    pub(crate) fn make(&self, prefix: &str) -> io::Result<Self> {
        let name = format!("{prefix}{:016x}", random());
        mkdirat(&self.descriptor, &name, Mode::RWXU)?;
        Self::open(&self.descriptor, Path::new(&name), self.path.join(&name))
    }

    pub(crate) fn path(&self) -> &Path {
        &self.path
    }

    /// Whether its path still leads to it.
    pub(crate) fn is_in_place(&self) -> bool {
        self.is(&self.path)
    }

    /// Whether a path leads to it.
    fn is(&self, path: &Path) -> bool {
        let there = statat(CWD, path, AtFlags::SYMLINK_NOFOLLOW);
        let (Ok(there), Ok(here)) = (there, fstat(&self.descriptor)) else { return false };
        (there.st_dev, there.st_ino) == (here.st_dev, here.st_ino)
    }

    /// Where it lies now, where it is not gone. Only Linux tells.
    fn path_now(&self) -> Option<PathBuf> {
        let path = format!("/proc/self/fd/{}", self.descriptor.as_raw_fd());
        std::fs::read_link(path).ok().filter(|path| self.is(path))
    }

    /// Whether its file system takes so many bytes more.
    pub(crate) fn has_room(&self, bytes: u64) -> io::Result<bool> {
        let of = fstatvfs(&self.descriptor)?;
        // One that does not say how large it is has no limit to speak of.
        let has_bytes = of.f_blocks == 0 || of.f_bavail.saturating_mul(of.f_frsize) >= bytes;
        Ok(has_bytes && (of.f_files == 0 || of.f_favail >= ENTRIES))
    }

    /// Makes a file, of which there is none by this name.
    pub(crate) fn write(&self, name: &str, bytes: &[u8]) -> io::Result<()> {
        let flags = WARY | OFlags::WRONLY | OFlags::CREATE | OFlags::EXCL;
        let file = openat(&self.descriptor, name, flags, Mode::RUSR | Mode::WUSR)?;
        File::from(file).write_all(bytes)
    }

    /// The bytes of a file of at most so many, or what is wrong with it.
    pub(crate) fn read(&self, name: &str, limit: u64) -> Result<Bytes, String> {
        let irregular = || Err("is no regular file".to_owned());
        let flags = WARY | OFlags::RDONLY | OFlags::NOCTTY;
        let file = match openat(&self.descriptor, name, flags, Mode::empty()) {
            Ok(file) => File::from(file),
            Err(Errno::NOENT) => return Err("was not written".to_owned()),
            // A link, a socket: neither can be opened so.
            Err(Errno::LOOP | Errno::NXIO) => return irregular(),
            Err(error) => return Err(unreadable(&error.into())),
        };
        let stat = fstat(&file).map_err(|error| unreadable(&error.into()))?;
        if FileType::from_raw_mode(stat.st_mode) != FileType::RegularFile {
            return irregular();
        }
        read_within(file, u64::try_from(stat.st_size).unwrap_or(0), limit)
    }

    /// Removes it with all that is in it, from the folder that it was made in, as far as time allows.
    pub(crate) fn remove(self, within: &Self, deadline: Instant) {
        // It may lie elsewhere by now, and something else in its place.
        let _ = removal::empty(&self.descriptor, deadline);
        if let Some(name) = self.path.file_name()
            && unlinkat(&within.descriptor, name, AtFlags::REMOVEDIR).is_err()
        {
            let _ = removal::remove(&within.descriptor, Path::new(name), deadline);
        }
    }

    /// Removes it with all that is in it, wherever it lies by now, and what has taken its place.
    pub(crate) fn remove_everywhere(&self, deadline: Instant) {
        let _ = removal::empty(&self.descriptor, deadline);
        if !self.is_in_place()
            && let Some(moved) = self.path_now()
        {
            let _ = std::fs::remove_dir(moved);
        }
        let _ = removal::remove(CWD, &self.path, deadline);
    }
}

//! Removal of folders that an adapter may have filled with anything: many files, folders in folders
//! in folders, links, pipes, folders that may not be read. No link is followed, no other file system
//! entered, and two folders are open at a time, however deep they lie.

use std::ffi::{CString, OsStr};
use std::io;
use std::os::fd::{AsFd, BorrowedFd, OwnedFd};
use std::os::unix::ffi::OsStrExt;
use std::path::Path;
use std::time::Instant;

use rustix::fs::{AtFlags, Dir, Mode, OFlags, fchmod, fstat, openat, unlinkat};
use rustix::io::Errno;

/// Entries of a folder that are held at a time.
const HELD: usize = 64;

/// How folders are opened.
const FLAGS: OFlags =
    OFlags::DIRECTORY.union(OFlags::NOFOLLOW).union(OFlags::CLOEXEC).union(OFlags::NONBLOCK);

/// A folder that is being emptied.
struct Level {
    /// Its name in the folder above.
    name: CString,
    /// Its device and number.
    id: (u64, u64),
    /// Entries that are to be removed.
    left: Vec<CString>,
    /// Whether there were more of them than are held.
    has_more: bool,
    /// Whether one of them stays, whatever is tried.
    is_stuck: bool,
}

/// Removes a file or a folder with all that is in it, until the deadline.
pub(super) fn remove(within: impl AsFd, name: &Path, deadline: Instant) -> io::Result<()> {
    let within = within.as_fd();
    if is_unlinked(within, name)? {
        return Ok(());
    }
    empty(unlocked(within, name)?, deadline)?;
    Ok(unlinkat(within, name, AtFlags::REMOVEDIR)?)
}

/// Removes all that is in a folder, until the deadline. The error is the first of what stays.
pub(super) fn empty(folder: impl AsFd, deadline: Instant) -> io::Result<()> {
    let _ = fchmod(folder.as_fd(), Mode::RWXU);
    let mut folder = unlocked(folder.as_fd(), Path::new("."))?;
    let mut levels = vec![Level::of(&folder, CString::default())?];
    let mut first = None;
    while let Some(level) = levels.last_mut() {
        if Instant::now() >= deadline {
            return Err(io::ErrorKind::TimedOut.into());
        }
        if let Some(name) = level.left.pop() {
            match inner(&folder, level, &name) {
                Ok(None) => {}
                Ok(Some((inner, below))) => {
                    folder = inner;
                    levels.push(below);
                }
                Err(error) => {
                    level.is_stuck = true;
                    first = first.or(Some(error));
                }
            }
            continue;
        }
        if level.has_more && !level.is_stuck {
            level.left = entries(&folder)?;
            level.has_more = level.left.len() == HELD;
        } else if let Some(done) = levels.pop()
            && let Some(above) = levels.last_mut()
        {
            folder = openat(&folder, "..", OFlags::RDONLY | FLAGS, Mode::empty())?;
            if id(&folder)? != above.id {
                return Err(io::Error::other("it was moved away"));
            }
            if let Err(error) = unlinkat(&folder, path(&done.name), AtFlags::REMOVEDIR) {
                above.is_stuck = true;
                first = first.or(Some(error.into()));
            }
        }
    }
    first.map_or(Ok(()), Err)
}

impl Level {
    fn of(folder: &OwnedFd, name: CString) -> io::Result<Self> {
        let left = entries(folder)?;
        let has_more = left.len() == HELD;
        Ok(Self { name, id: id(folder)?, left, has_more, is_stuck: false })
    }
}

/// Removes an entry of a folder; of a folder in it, what is to be removed before.
fn inner(folder: &OwnedFd, level: &Level, name: &CString) -> io::Result<Option<(OwnedFd, Level)>> {
    if is_unlinked(folder.as_fd(), path(name))? {
        return Ok(None);
    }
    let inner = unlocked(folder.as_fd(), path(name))?;
    let below = Level::of(&inner, name.clone())?;
    if below.id.0 != level.id.0 {
        return Err(Errno::XDEV.into());
    }
    Ok(Some((inner, below)))
}

/// Whether what has this name is gone; a folder is not.
fn is_unlinked(within: BorrowedFd<'_>, name: &Path) -> io::Result<bool> {
    match unlinkat(within, name, AtFlags::empty()) {
        Ok(()) | Err(Errno::NOENT) => Ok(true),
        Err(Errno::ISDIR | Errno::PERM) => Ok(false),
        Err(error) => Err(error.into()),
    }
}

/// The device and number of a folder.
#[allow(clippy::unnecessary_cast, reason = "their types are those of the system")]
fn id(folder: &OwnedFd) -> io::Result<(u64, u64)> {
    let stat = fstat(folder)?;
    Ok((stat.st_dev as u64, stat.st_ino as u64))
}

/// The names of some entries of a folder.
fn entries(folder: &OwnedFd) -> io::Result<Vec<CString>> {
    let is_entry = |name: &CString| !matches!(name.to_bytes(), b"." | b"..");
    let entries = Dir::read_from(folder)?.map(|entry| Ok(entry?.file_name().to_owned()));
    entries.filter(|name| name.as_ref().map_or(true, is_entry)).take(HELD).collect()
}

fn path(name: &CString) -> &Path {
    Path::new(OsStr::from_bytes(name.to_bytes()))
}

/// A folder, open, which this user may read and write from then on.
fn unlocked(within: BorrowedFd<'_>, name: &Path) -> io::Result<OwnedFd> {
    let open = || openat(within, name, OFlags::RDONLY | FLAGS, Mode::empty());
    let folder = match open() {
        Err(Errno::ACCESS) => {
            unlock(within, name)?;
            open()?
        }
        other => other?,
    };
    fchmod(&folder, Mode::RWXU)?;
    Ok(folder)
}

/// Lets this user read a folder. Only what can be read can be changed by its descriptor.
#[cfg(target_os = "linux")]
fn unlock(within: BorrowedFd<'_>, name: &Path) -> io::Result<()> {
    use std::os::fd::AsRawFd;
    let folder = openat(within, name, OFlags::PATH | FLAGS, Mode::empty())?;
    Ok(rustix::fs::chmod(format!("/proc/self/fd/{}", folder.as_raw_fd()), Mode::RWXU)?)
}

/// Lets this user read a folder.
#[cfg(not(target_os = "linux"))]
fn unlock(within: BorrowedFd<'_>, name: &Path) -> io::Result<()> {
    Ok(rustix::fs::chmodat(within, name, Mode::RWXU, AtFlags::SYMLINK_NOFOLLOW)?)
}

#[cfg(test)]
mod tests {
    use std::fs::{self, File};
    use std::os::unix::fs::{PermissionsExt, symlink};
    use std::time::Duration;

    use super::*;

    fn removed(folder: &Path) -> io::Result<()> {
        remove(rustix::fs::CWD, folder, Instant::now() + Duration::from_secs(60))
    }

    #[test]
    fn folders_in_folders_are_removed_however_deep_and_however_locked() {
        let scratch = tempfile::tempdir().unwrap();
        let top = scratch.path().join("top");
        fs::create_dir(&top).unwrap();
        // By descriptors: no path is so long.
        let mut within: OwnedFd = File::open(&top).unwrap().into();
        for depth in 0..3000 {
            rustix::fs::mkdirat(&within, "in", Mode::RWXU).unwrap();
            let flags = OFlags::CREATE | OFlags::WRONLY;
            drop(openat(&within, "file", flags, Mode::RUSR).unwrap());
            let inner = openat(&within, "in", OFlags::RDONLY, Mode::empty()).unwrap();
            if depth % 2 == 0 {
                fchmod(&within, Mode::empty()).unwrap();
            }
            within = inner;
        }
        for k in 0..5000 {
            File::create(scratch.path().join(format!("{k}"))).unwrap();
        }
        removed(&top).unwrap();
        assert!(!top.exists());
        removed(scratch.path()).unwrap();
        assert!(!scratch.path().exists());
    }

    #[test]
    fn links_are_removed_and_not_what_they_lead_to() {
        let scratch = tempfile::tempdir().unwrap();
        let (top, elsewhere) = (scratch.path().join("top"), scratch.path().join("elsewhere"));
        fs::create_dir_all(top.join("in")).unwrap();
        fs::create_dir(&elsewhere).unwrap();
        fs::write(elsewhere.join("file"), "kept").unwrap();
        symlink(&elsewhere, top.join("link")).unwrap();
        symlink(elsewhere.join("file"), top.join("in/link")).unwrap();
        symlink("nowhere", top.join("in/dangling")).unwrap();
        removed(&top).unwrap();
        assert!(!top.exists());
        assert_eq!(fs::read(elsewhere.join("file")).unwrap(), b"kept");
        symlink(&elsewhere, &top).unwrap();
        removed(&top).unwrap();
        assert_eq!(fs::read(elsewhere.join("file")).unwrap(), b"kept");
        assert_eq!(fs::metadata(&elsewhere).unwrap().permissions().mode() & 0o700, 0o700);
    }

    #[test]
    fn a_removal_ends_at_its_deadline() {
        let scratch = tempfile::tempdir().unwrap();
        fs::write(scratch.path().join("file"), "").unwrap();
        let error = empty(File::open(scratch.path()).unwrap(), Instant::now()).unwrap_err();
        assert_eq!(error.kind(), io::ErrorKind::TimedOut);
        assert!(scratch.path().join("file").exists());
    }
}

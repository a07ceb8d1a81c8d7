//! Removal of folders that an adapter may have filled with anything: many files, folders in folders
//! in folders, links, pipes, folders that may not be read. No link is followed, no other file system
//! entered, and no more than three folders are open at a time.

use std::ffi::CString;
use std::io;
use std::os::fd::{AsFd, BorrowedFd, OwnedFd};
use std::path::Path;
use std::time::Instant;

use rustix::fs::{AtFlags, Dir, Mode, OFlags, fchmod, fstat, openat, renameat, unlinkat};
use rustix::io::Errno;

use super::folder::random;

/// Entries of a folder that are held at a time.
const HELD: usize = 1024;

/// Removes a file or a folder with all that is in it, until the deadline.
pub(super) fn remove(within: impl AsFd, name: &Path, deadline: Instant) -> io::Result<()> {
    let within = within.as_fd();
    match unlinkat(within, name, AtFlags::empty()) {
        Err(Errno::ISDIR | Errno::PERM) => {}
        other => return Ok(other?),
    }
    empty(unlocked(within, name)?, deadline)?;
    Ok(unlinkat(within, name, AtFlags::REMOVEDIR)?)
}

/// Removes all that is in a folder, until the deadline.
pub(super) fn empty(folder: impl AsFd, deadline: Instant) -> io::Result<()> {
    let folder = folder.as_fd();
    let _ = fchmod(folder, Mode::RWXU);
    each_entry(folder, deadline, |name| {
        if !is_unlinked(folder, name)? {
            let inner = unlocked(folder, name)?;
            if fstat(&inner)?.st_dev != fstat(folder)?.st_dev {
                return Err(Errno::XDEV.into());
            }
            // What is in it comes up to the top, where its turn comes: depth needs no descriptors.
            each_entry(inner.as_fd(), deadline, |name| lift(inner.as_fd(), name, folder))?;
            unlinkat(folder, name, AtFlags::REMOVEDIR)?;
        }
        Ok(())
    })
}

/// Removes a file; moves a folder into another one.
fn lift(within: BorrowedFd<'_>, name: &Path, to: BorrowedFd<'_>) -> io::Result<()> {
    if is_unlinked(within, name)? {
        return Ok(());
    }
    let fresh = format!("{:016x}", random());
    match renameat(within, name, to, &fresh) {
        // A folder tells where it lies: it has to be writable to be moved.
        Err(Errno::ACCESS) => {
            unlocked(within, name)?;
            Ok(renameat(within, name, to, &fresh)?)
        }
        other => Ok(other?),
    }
}

/// Whether what has this name is gone; a folder is not.
fn is_unlinked(within: BorrowedFd<'_>, name: &Path) -> io::Result<bool> {
    match unlinkat(within, name, AtFlags::empty()) {
        Ok(()) | Err(Errno::NOENT) => Ok(true),
        Err(Errno::ISDIR | Errno::PERM) => Ok(false),
        Err(error) => Err(error.into()),
    }
}

/// Takes each entry of a folder out of it, until none is left. The first that stays is the error, when
/// all others are gone.
fn each_entry(
    folder: BorrowedFd<'_>,
    deadline: Instant,
    mut take_out: impl FnMut(&Path) -> io::Result<()>,
) -> io::Result<()> {
    loop {
        let names = entries(folder)?;
        let (mut is_done, mut first) = (names.is_empty(), None);
        let mut has_moved = false;
        for name in &names {
            if Instant::now() >= deadline {
                return Err(io::ErrorKind::TimedOut.into());
            }
            match take_out(path(name)) {
                Ok(()) => has_moved = true,
                Err(error) => first = first.or(Some(error)),
            }
        }
        is_done |= !has_moved;
        if is_done {
            return first.map_or(Ok(()), Err);
        }
    }
}

/// The names of some entries of a folder.
fn entries(folder: BorrowedFd<'_>) -> io::Result<Vec<CString>> {
    let is_entry = |name: &CString| !matches!(name.to_bytes(), b"." | b"..");
    let entries = Dir::read_from(folder)?.map(|entry| Ok(entry?.file_name().to_owned()));
    entries.filter(|name| name.as_ref().map_or(true, is_entry)).take(HELD).collect()
}

fn path(name: &CString) -> &Path {
    use std::os::unix::ffi::OsStrExt;
    Path::new(std::ffi::OsStr::from_bytes(name.to_bytes()))
}

/// A folder, open, which this user may read and write from then on.
fn unlocked(within: BorrowedFd<'_>, name: &Path) -> io::Result<OwnedFd> {
    let flags = OFlags::DIRECTORY | OFlags::NOFOLLOW | OFlags::CLOEXEC | OFlags::NONBLOCK;
    let open = || openat(within, name, flags | OFlags::RDONLY, Mode::empty());
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
    let flags = OFlags::PATH | OFlags::DIRECTORY | OFlags::NOFOLLOW | OFlags::CLOEXEC;
    let folder = openat(within, name, flags, Mode::empty())?;
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
            File::from(
                openat(&within, "file", OFlags::CREATE | OFlags::WRONLY, Mode::RUSR).unwrap(),
            );
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

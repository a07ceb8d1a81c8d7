//! What this process would leave behind if it ended now: temporary files, private folders, and the
//! process groups that it started.
//!
//! Whatever is made is listed under the lock that [`end`] takes for good: nothing comes after what was
//! removed. After a kill that no process sees, [`sweep`] finds what is left by the locks that the
//! operating system has released.

mod lock;
mod private;

use std::fs::{self, File};
use std::io::{self, Write};
use std::path::{Path, PathBuf};
use std::process::{Child, Command};
use std::sync::{Mutex, MutexGuard, PoisonError, TryLockError};
use std::thread;
use std::time::{Duration, Instant};

use tempfile::{Builder, NamedTempFile, TempDir};

pub(crate) use lock::TEMPORARY;
pub use lock::{FolderLock, LockError};
pub(crate) use private::{MARK, PrivateFolder};
pub use private::{PREFIX, sweep};

use crate::foundation::platform::{self, Group};

/// Time that [`end`] gives to whoever is making something, and to what is in the way of a removal.
const PATIENCE: Duration = Duration::from_millis(300);

/// Interval at which is tried again what others delay.
const POLL_INTERVAL: Duration = Duration::from_millis(5);

/// What was made and is to go.
struct List {
    next: u64,
    paths: Vec<(u64, Leftover)>,
    /// With the folders whose owners they are of.
    groups: Vec<(Group, Option<PathBuf>)>,
}

#[derive(Clone, Debug)]
enum Leftover {
    File(PathBuf),
    /// With all that it holds.
    Folder(PathBuf),
    /// Where it holds nothing.
    EmptyFolder(PathBuf),
}

static LIST: Mutex<List> = Mutex::new(List { next: 0, paths: Vec::new(), groups: Vec::new() });

fn list() -> MutexGuard<'static, List> {
    // What it guards is whole at any time.
    LIST.lock().unwrap_or_else(PoisonError::into_inner)
}

impl List {
    fn add(&mut self, leftover: Leftover) -> Listed {
        self.next += 1;
        self.paths.push((self.next, leftover));
        Listed(self.next)
    }
}

/// A place on the list, given up when dropped.
#[derive(Debug)]
struct Listed(u64);

impl Drop for Listed {
    fn drop(&mut self) {
        list().paths.retain(|(id, _)| *id != self.0);
    }
}

/// A temporary folder; removed with all it holds when dropped.
#[derive(Debug)]
pub(crate) struct TemporaryFolder {
    // It goes before it leaves the list.
    folder: TempDir,
    _listed: Listed,
}

impl TemporaryFolder {
    pub(crate) fn new(builder: &Builder<'_, '_>, parent: &Path) -> io::Result<Self> {
        let mut list = list();
        let folder = builder.tempdir_in(parent)?;
        let listed = list.add(Leftover::Folder(folder.path().to_owned()));
        Ok(Self { folder, _listed: listed })
    }

    pub(crate) fn path(&self) -> &Path {
        self.folder.path()
    }

    /// Leaves it alone from now on, as it has another name.
    pub(crate) fn keep(self) {
        let _ = self.folder.keep();
    }
}

/// A temporary file; removed when dropped.
#[derive(Debug)]
pub(crate) struct TemporaryFile {
    file: NamedTempFile,
    listed: Listed,
}

impl TemporaryFile {
    /// A new file with what is written to it, complete on disk.
    pub(crate) fn new(
        builder: &Builder<'_, '_>,
        parent: &Path,
        write: impl FnOnce(&mut dyn Write) -> io::Result<()>,
    ) -> io::Result<Self> {
        let mut file = {
            let mut list = list();
            let file = builder.tempfile_in(parent)?;
            let listed = list.add(Leftover::File(file.path().to_owned()));
            Self { file, listed }
        };
        write(&mut file.file)?;
        file.file.as_file().sync_all()?;
        Ok(file)
    }
}

/// Makes a new file, and the folders above it. Where a signal ends the process, none is made any more
/// in what was removed.
pub(crate) fn create(path: &Path) -> io::Result<File> {
    undisturbed(|| {
        // A file that stands in place of a folder is not the file that was to be made.
        let of_folder = |error: io::Error| match error.kind() {
            io::ErrorKind::AlreadyExists => io::ErrorKind::NotADirectory.into(),
            _ => error,
        };
        path.parent().map_or(Ok(()), fs::create_dir_all).map_err(of_folder)?;
        File::create_new(path)
    })
}

/// Has temporary files take their final names, all of them or, where one cannot, those before it. No
/// signal comes in between.
pub(crate) fn install(files: Vec<(TemporaryFile, PathBuf)>) -> Result<(), (PathBuf, io::Error)> {
    let mut files = files.into_iter();
    let mut installed = Vec::new();
    undisturbed(|| {
        files.try_for_each(|(TemporaryFile { file, listed }, path)| {
            installed.push(listed);
            file.persist(&path).map(drop).map_err(|error| (path, error.error))
        })
    })
}

/// Does what must not be done by half: a signal ends the process before or after it. It must not make
/// or drop anything of this module.
pub(crate) fn undisturbed<T>(act: impl FnOnce() -> T) -> T {
    let _list = list();
    act()
}

/// Starts a process as the leader of a group of its own, which is known as that of the owner of a folder,
/// where one is named.
pub(crate) fn spawn(command: &mut Command, owner: Option<&Path>) -> io::Result<Child> {
    if let Some(folder) = owner {
        command.env(MARK, folder);
    }
    let mut list = list();
    let (child, group) = platform::spawn(command)?;
    list.groups.push((group, owner.map(Path::to_owned)));
    Ok(child)
}

/// Takes a process off the list, before it is reaped: the id of a listed one is never that of another.
pub(crate) fn forget(child: &Child) {
    list().groups.retain(|(group, _)| group.leader() != child.id());
}

/// Kills the groups of the owner of a folder.
pub(crate) fn kill_those_of(folder: &Path) {
    for (group, owner) in &mut list().groups {
        if owner.as_deref() == Some(folder) {
            group.kill();
        }
    }
}

/// Does something with the group that a process, which is not reaped yet, was started to lead.
pub(crate) fn with_group<T>(child: &Child, act: impl FnOnce(&mut Group) -> T) -> Option<T> {
    let mut list = list();
    let mut groups = list.groups.iter_mut();
    groups.find(|(group, _)| group.leader() == child.id()).map(|(group, _)| act(group))
}

/// Kills every process group and removes every file and folder that is listed. Whoever wants to make more
/// waits for the end of the process, which has to follow.
pub fn end() {
    let deadline = Instant::now() + PATIENCE;
    let mut list = loop {
        match LIST.try_lock() {
            Ok(list) => break list,
            Err(TryLockError::Poisoned(list)) => break list.into_inner(),
            // The system may hang on what is made; the process ends all the same.
            Err(TryLockError::WouldBlock) if Instant::now() > deadline => return,
            Err(TryLockError::WouldBlock) => thread::sleep(POLL_INTERVAL),
        }
    };
    for (group, _) in &mut list.groups {
        group.kill();
    }
    let deadline = Instant::now() + PATIENCE;
    // What was made last goes first, as it may lie in what was made before.
    for (_, leftover) in list.paths.iter().rev() {
        // Who is dying may still write, and a thread of this process, too.
        while remove(leftover).is_err_and(|error| error.kind() != io::ErrorKind::NotFound)
            && Instant::now() < deadline
        {
            thread::sleep(POLL_INTERVAL);
        }
    }
    std::mem::forget(list);
}

fn remove(leftover: &Leftover) -> io::Result<()> {
    match leftover {
        Leftover::File(path) => fs::remove_file(path),
        Leftover::Folder(path) => fs::remove_dir_all(path),
        Leftover::EmptyFolder(path) => {
            // Others may have put something there.
            let _ = fs::remove_dir(path);
            Ok(())
        }
    }
}

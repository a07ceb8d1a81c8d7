//! Private folders that say whose they are, and the removal of those whose owner was killed.
//!
//! A folder's owner keeps the file `owner.lock` in it locked. Once the lock can be taken, the owner is
//! dead, however it died: whoever takes it ends the processes that carry the folder's mark, and removes the
//! folder.

use std::fs::{self, File, OpenOptions};
use std::io;
use std::path::Path;
use std::time::{Duration, SystemTime};

use tempfile::Builder;

use super::lock::{self, Taken};
use super::{Leftover, Listed, TemporaryFolder, list};
use crate::foundation::platform;

/// How the name of a private folder begins.
pub const PREFIX: &str = "onnx-conformance-";

/// The file in a private folder that its owner keeps locked.
const OWNER: &str = "owner.lock";

/// The variable by which processes are known as those of the owner of a folder.
pub(crate) const MARK: &str = "ONNX_CONFORMANCE_FOLDER";

/// Age from which a folder without a lock file is no longer one that is just being made.
const MAKING: Duration = Duration::from_secs(60);

/// How often a folder is made anew that was taken for one of a dead process.
const ATTEMPTS: u32 = 10;

/// That a folder, which only this user can read, is this process', while it lives: it is to be removed when
/// a signal ends the process, and not by others before. Its name begins as those of private folders do.
#[derive(Debug)]
pub(crate) struct Claim {
    _owner: File,
    _listed: Listed,
}

impl Claim {
    /// Claims a new folder; none where another process took it for one of a dead process meanwhile.
    pub(crate) fn on(folder: &Path) -> io::Result<Option<Self>> {
        let path = folder.join(OWNER);
        let owner = match lock::open(&path) {
            Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(None),
            owner => owner?,
        };
        let Taken::Yes = lock::is_taken(&owner, &path)? else { return Ok(None) };
        let listed = list().add(Leftover::Folder(folder.to_owned()));
        Ok(Some(Self { _owner: owner, _listed: listed }))
    }
}

/// A folder that only this user can read, removed with all it holds when dropped.
#[derive(Debug)]
pub(crate) struct PrivateFolder {
    // It goes before its lock does.
    folder: TemporaryFolder,
    _claim: Claim,
}

impl PrivateFolder {
    /// A new folder in this one.
    pub(crate) fn new(parent: &Path) -> io::Result<Self> {
        let mut builder = Builder::new();
        platform::private(builder.prefix(PREFIX));
        for _ in 0..ATTEMPTS {
            let folder = TemporaryFolder::new(&builder, parent)?;
            if let Some(claim) = Claim::on(folder.path())? {
                return Ok(Self { folder, _claim: claim });
            }
        }
        Err(io::Error::other("private folders are removed as soon as they are made"))
    }

    pub(crate) fn path(&self) -> &Path {
        self.folder.path()
    }
}

/// Removes the private folders of processes that were killed, and kills what these left running.
pub fn sweep() {
    for parent in platform::places() {
        sweep_in(&parent);
    }
    sweep_in(&std::env::temp_dir());
}

fn sweep_in(parent: &Path) {
    // What cannot be looked at is not ours.
    for entry in fs::read_dir(parent).into_iter().flatten().flatten() {
        if entry.file_name().as_encoded_bytes().starts_with(PREFIX.as_bytes())
            && platform::is_private(&entry.path())
            && let Some(lock) = dead(&entry.path())
        {
            platform::kill_marked(MARK, entry.path().as_os_str());
            // What cannot be removed stays for the next time.
            let _ = fs::remove_dir_all(entry.path());
            drop(lock);
        }
    }
}

/// The lock of a folder whose owner is dead; no file where it died before it made one.
fn dead(folder: &Path) -> Option<Option<File>> {
    let path = folder.join(OWNER);
    match platform::open_wary(OpenOptions::new().read(true).write(true), &path) {
        Ok(file) => file.try_lock().ok().map(|()| Some(file)),
        Err(error) if error.kind() == io::ErrorKind::NotFound => {
            let made = fs::symlink_metadata(folder).and_then(|found| found.modified()).ok()?;
            let age = SystemTime::now().duration_since(made).ok()?;
            (age > MAKING && fs::read_dir(folder).ok()?.next().is_none()).then_some(None)
        }
        Err(_) => None,
    }
}

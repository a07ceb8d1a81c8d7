//! The folders of processes, and of their requests, which an adapter may do anything to.

use std::io;
use std::path::Path;
use std::time::{Duration, Instant};

use crate::foundation::cleanup;
use crate::foundation::platform::{self, Folder};

/// Time that the removal of all files of a process may take.
const LAST_REMOVAL: Duration = Duration::from_secs(5);

/// The folder of a process, which is removed with all that is in it when this is dropped, whatever has
/// become of it.
#[derive(Debug)]
pub(super) struct PrivateFolder {
    folder: Folder,
    _owned: cleanup::PrivateFolder,
}

impl PrivateFolder {
    /// Makes one in a folder.
    pub(super) fn make_in(root: &Path) -> io::Result<Self> {
        let owned = cleanup::PrivateFolder::new(&platform::resolved(root)?)?;
        Ok(Self { folder: Folder::at(owned.path())?, _owned: owned })
    }

    pub(super) const fn folder(&self) -> &Folder {
        &self.folder
    }

    pub(super) fn path(&self) -> &Path {
        self.folder.path()
    }

    /// Removes it with all that is in it, and what has taken its place.
    pub(super) fn remove(&self) {
        self.folder.remove_everywhere(Instant::now() + LAST_REMOVAL);
    }
}

impl Drop for PrivateFolder {
    fn drop(&mut self) {
        self.remove();
    }
}

//! Kinds of files, who may use them, and where they lie.

use std::fs::{self, File, FileType, Metadata, OpenOptions, Permissions};
use std::io;
use std::os::unix::fs::{FileTypeExt, MetadataExt, OpenOptionsExt, PermissionsExt};
use std::path::{Path, PathBuf};

use rustix::fs::OFlags;
use rustix::process::geteuid;
use tempfile::Builder;

/// Where a virtual environment has its Python.
pub(crate) const VENV_PYTHON: &str = "bin/python";

/// Opens a file that others may have replaced, with these options: a link is not followed, a pipe not waited for.
pub(crate) fn open_wary(options: &mut OpenOptions, path: &Path) -> io::Result<File> {
    let flags = (OFlags::NOFOLLOW | OFlags::NONBLOCK).bits().cast_signed();
    options.custom_flags(flags).open(path)
}

/// Whether an open file has this name.
pub(crate) fn is_same(file: &File, path: &Path) -> io::Result<bool> {
    let mine = file.metadata()?;
    let named = fs::symlink_metadata(path);
    Ok(named.is_ok_and(|named| (named.dev(), named.ino()) == (mine.dev(), mine.ino())))
}

/// The id of the user whom a file or folder belongs to, where that is neither this one nor root; for root neither
/// the one who became root.
pub(crate) fn stranger(path: &Path) -> Option<u32> {
    let (owner, user) = (fs::metadata(path).ok()?.uid(), geteuid().as_raw());
    let before = std::env::var("SUDO_UID").ok().and_then(|id| id.parse().ok());
    let is_own = owner == user || owner == 0 || (user == 0 && before == Some(owner));
    (!is_own).then_some(owner)
}

/// The file system that a folder is in.
pub(crate) fn device(folder: &Path) -> Option<u64> {
    fs::metadata(folder).ok().map(|status| status.dev())
}

/// Whether this is a folder, no link to one, that only this user can read.
pub(crate) fn is_private(path: &Path) -> bool {
    fs::symlink_metadata(path).is_ok_and(|found| {
        found.is_dir() && found.uid() == geteuid().as_raw() && found.mode() & 0o777 == 0o700
    })
}

/// Lets only this user read what is made.
pub(crate) fn private<'b, 'a, 's>(builder: &'b mut Builder<'a, 's>) -> &'b mut Builder<'a, 's> {
    builder.permissions(Permissions::from_mode(0o700))
}

/// Lets everybody read a file or a folder that is made whom the user's umask does not exclude.
pub(crate) fn readable<'b, 'a, 's>(
    builder: &'b mut Builder<'a, 's>,
    is_folder: bool,
) -> &'b mut Builder<'a, 's> {
    builder.permissions(Permissions::from_mode(if is_folder { 0o777 } else { 0o666 }))
}

/// Lets everybody read a folder that was made for this user alone.
pub(crate) fn publish(folder: &Path) -> io::Result<()> {
    fs::set_permissions(folder, Permissions::from_mode(0o755))
}

/// Whether a file may be executed by anybody, or as somebody else.
pub(crate) fn is_executable(metadata: &Metadata) -> bool {
    metadata.mode() & 0o7111 != 0
}

/// Whether this is a disk, which must not be written to.
pub(crate) fn is_disk(kind: FileType) -> bool {
    kind.is_block_device()
}

/// Whether a name alone makes a stream, whatever the folder. The kind of what has the name tells here.
pub(crate) fn is_stream(_: &Path) -> bool {
    false
}

/// Makes the new names in a folder last through a power failure.
pub(crate) fn sync_folder(folder: &Path) {
    if let Ok(folder) = File::open(folder) {
        // The files are whole either way; without this the old ones may come back.
        let _ = folder.sync_all();
    }
}

/// Folders for private folders, besides the one for temporary files: in memory, where others may see them; on disk.
pub(crate) fn places() -> [PathBuf; 2] {
    ["/dev/shm", "/var/tmp"].map(PathBuf::from)
}

/// A folder's path without links.
pub(crate) fn resolved(folder: &Path) -> io::Result<PathBuf> {
    folder.canonicalize()
}

/// The file that was started as this process, on Linux even where another has its name by now.
pub(crate) fn executable() -> io::Result<PathBuf> {
    if cfg!(target_os = "linux") { Ok("/proc/self/exe".into()) } else { std::env::current_exe() }
}

//! Kinds of files, who may use them, and where they lie.

use std::fs::{self, File, FileType, Metadata, OpenOptions};
use std::io;
use std::os::windows::fs::{MetadataExt, OpenOptionsExt};
use std::path::{Path, PathBuf};

use same_file::Handle;
use tempfile::Builder;

/// Where a virtual environment has its Python.
pub(crate) const VENV_PYTHON: &str = "Scripts/python.exe";

/// Opens a link or a junction itself (`FILE_FLAG_OPEN_REPARSE_POINT`).
pub(super) const NOT_FOLLOWED: u32 = 0x0020_0000;

/// What is a link, a junction or another thing that leads elsewhere (`FILE_ATTRIBUTE_REPARSE_POINT`).
const LEADS_ELSEWHERE: u32 = 0x400;

/// Devices whose names no file can have, in whatever folder.
const DEVICES: [&str; 2] = ["NUL", "CON"];

/// Whom a file or folder belongs to is not asked here.
pub(crate) fn stranger(_: &Path) -> Option<u32> {
    None
}

/// All folders above one are on its drive.
pub(crate) fn device(_: &Path) -> Option<u64> {
    None
}

/// Opens a file that others may have replaced, with these options: a link is not followed.
pub(crate) fn open_wary(options: &mut OpenOptions, path: &Path) -> io::Result<File> {
    let file = options.custom_flags(NOT_FOLLOWED).open(path)?;
    if leads_elsewhere(&file.metadata()?) {
        return Err(io::Error::other("it is a link"));
    }
    Ok(file)
}

pub(super) fn leads_elsewhere(metadata: &Metadata) -> bool {
    metadata.file_attributes() & LEADS_ELSEWHERE != 0
}

/// Whether an open file has this name.
pub(crate) fn is_same(file: &File, path: &Path) -> io::Result<bool> {
    let mine = Handle::from_file(file.try_clone()?)?;
    let named = open_wary(OpenOptions::new().read(true), path).and_then(Handle::from_file);
    Ok(named.is_ok_and(|named| named == mine))
}

/// Whether this is a folder, no link to one. Who may read it the folder around it says, which is the user's own.
pub(crate) fn is_private(path: &Path) -> bool {
    fs::symlink_metadata(path).is_ok_and(|found| found.is_dir() && !leads_elsewhere(&found))
}

/// What is made is as private as the folder that it is made in: the one for temporary files is the user's own.
pub(crate) const fn private<'b, 'a, 's>(
    builder: &'b mut Builder<'a, 's>,
) -> &'b mut Builder<'a, 's> {
    builder
}

/// Who may read what is made, the folder says that it is made in.
pub(crate) const fn readable<'b, 'a, 's>(
    builder: &'b mut Builder<'a, 's>,
    _is_folder: bool,
) -> &'b mut Builder<'a, 's> {
    builder
}

/// Who may read a folder, the folder around it says.
pub(crate) fn publish(_: &Path) -> io::Result<()> {
    Ok(())
}

/// What may be executed depends on the name of a file here, and no name of a pack's is one of a program's.
pub(crate) const fn is_executable(_: &Metadata) -> bool {
    false
}

/// Disks have no names among files.
pub(crate) const fn is_disk(_: FileType) -> bool {
    false
}

/// Whether a name alone makes a stream, whatever the folder.
pub(crate) fn is_stream(path: &Path) -> bool {
    let name = path.file_name().unwrap_or_default();
    DEVICES.iter().any(|device| name.eq_ignore_ascii_case(device))
}

/// Names last without it: a folder cannot be flushed.
pub(crate) const fn sync_folder(_: &Path) {}

/// The folder for temporary files is the only one.
pub(crate) fn places() -> [PathBuf; 2] {
    [std::env::temp_dir(), std::env::temp_dir()]
}

/// A folder's path from the root. Its form without links begins with `\\?\`, which not every program understands.
pub(crate) fn resolved(folder: &Path) -> io::Result<PathBuf> {
    std::path::absolute(folder)
}

/// The file that was started as this process.
pub(crate) fn executable() -> io::Result<PathBuf> {
    std::env::current_exe()
}

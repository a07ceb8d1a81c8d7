//! Files written whole or not at all, and never in the place of what is no file.

use std::fs::{self, OpenOptions};
use std::io::{self, Write};
use std::path::{Path, PathBuf};

use crate::leftovers::{self, TemporaryFile};
use crate::platform;

/// What a path leads to that is to be written.
enum Place {
    /// A file, or nothing yet: it is replaced.
    File,
    /// A device, a pipe, or an open descriptor of this process: it is written to.
    Stream,
}

/// What has the name that a file is to have.
#[derive(Debug, thiserror::Error)]
pub enum Obstacle {
    /// A folder.
    #[error("a folder has that name")]
    Folder,
    /// A symbolic link.
    #[error("a symbolic link has that name")]
    Link,
    /// A disk.
    #[error("a disk has that name")]
    Disk,
    /// Whatever the operating system says of it.
    #[error(transparent)]
    Io(#[from] io::Error),
}

/// Contents on their way to a path.
#[derive(Debug)]
pub(crate) enum Staged {
    /// Complete on disk under a temporary name beside it.
    File(TemporaryFile, PathBuf),
    /// In memory.
    Stream(Vec<u8>, PathBuf),
}

impl Staged {
    /// Contents that wait for their final name.
    pub(crate) fn new(path: &Path, contents: Vec<u8>) -> Result<Self, Obstacle> {
        match place(path)? {
            Place::Stream => Ok(Self::Stream(contents, path.to_owned())),
            Place::File => {
                let parent = path.parent().filter(|parent| !parent.as_os_str().is_empty());
                let mut builder = tempfile::Builder::new();
                builder.prefix(leftovers::TEMPORARY.0).suffix(leftovers::TEMPORARY.1);
                // It is for others to read: the user's umask decides, not the temporary file's 0600.
                platform::readable(&mut builder, false);
                let parent = parent.unwrap_or(Path::new("."));
                Ok(Self::File(TemporaryFile::new(&builder, parent, &contents)?, path.to_owned()))
            }
        }
    }
}

/// Whether a file can have this name.
pub(crate) fn check(path: &Path) -> Result<(), Obstacle> {
    place(path).map(drop)
}

/// Writes to what is no file, and then has the files take their names, in the order given.
pub(crate) fn install(staged: Vec<Staged>) -> Result<(), (PathBuf, io::Error)> {
    let mut files = Vec::new();
    for staged in staged {
        match staged {
            Staged::File(file, path) => files.push((file, path)),
            Staged::Stream(contents, path) => {
                write_to(&path, &contents).map_err(|error| (path, error))?;
            }
        }
    }
    leftovers::install(files)
}

fn place(path: &Path) -> Result<Place, Obstacle> {
    if platform::is_stream(path) {
        return Ok(Place::Stream);
    }
    let kind = match fs::symlink_metadata(path) {
        Ok(found) => found.file_type(),
        // Whether a folder is missing, too, is told when the file is made.
        Err(_) => return Ok(Place::File),
    };
    if kind.is_dir() {
        return Err(Obstacle::Folder);
    }
    if kind.is_file() {
        return Ok(Place::File);
    }
    if descriptor(path).is_some() {
        return Ok(Place::Stream);
    }
    let kind = if kind.is_symlink() {
        match fs::metadata(path) {
            Ok(found) if !found.is_file() && !found.is_dir() => found.file_type(),
            _ => return Err(Obstacle::Link),
        }
    } else {
        kind
    };
    if platform::is_disk(kind) { Err(Obstacle::Disk) } else { Ok(Place::Stream) }
}

/// The descriptor of this process that a path names, as `/dev/stdout` does.
fn descriptor(path: &Path) -> Option<u32> {
    let number = |path: &Path| {
        let folder = path.parent()?.to_str()?;
        let is_own = ["/proc/self/fd", "/proc/thread-self/fd", "/dev/fd"].contains(&folder);
        is_own.then(|| path.file_name()?.to_str()?.parse().ok()).flatten()
    };
    number(path).or_else(|| number(&fs::read_link(path).ok()?))
}

fn write_to(path: &Path, contents: &[u8]) -> io::Result<()> {
    let write = |stream: &mut dyn Write| {
        stream.write_all(contents)?;
        stream.flush()
    };
    match descriptor(path) {
        // A file behind it has a position, which what is printed later goes on from.
        Some(1) => write(&mut io::stdout().lock()),
        Some(2) => write(&mut io::stderr().lock()),
        _ => write(&mut OpenOptions::new().append(true).open(path)?),
    }
}

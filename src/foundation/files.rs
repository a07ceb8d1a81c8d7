//! Files written whole or not at all, and never in the place of what is no file.

use std::collections::{BTreeMap, BTreeSet};
use std::fmt;
use std::fs::{self, OpenOptions};
use std::io::{self, Write};
use std::path::{Path, PathBuf};

use crate::foundation::cleanup::{self, TemporaryFile, TemporaryFolder};
use crate::foundation::platform;

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
    /// What is written, as it waits for its final name.
    pub(crate) fn new(
        path: &Path,
        write: impl FnOnce(&mut dyn Write) -> io::Result<()>,
    ) -> Result<Self, Obstacle> {
        match place(path)? {
            Place::Stream => {
                let mut contents = Vec::new();
                write(&mut contents)?;
                Ok(Self::Stream(contents, path.to_owned()))
            }
            Place::File => {
                let parent = path.parent().filter(|parent| !parent.as_os_str().is_empty());
                let mut builder = tempfile::Builder::new();
                builder.prefix(cleanup::TEMPORARY.0).suffix(cleanup::TEMPORARY.1);
                // It is for others to read: the user's umask decides, not the temporary file's 0600.
                platform::readable(&mut builder, false);
                let parent = parent.unwrap_or(Path::new("."));
                Ok(Self::File(TemporaryFile::new(&builder, parent, write)?, path.to_owned()))
            }
        }
    }
}

/// A long text on its way into a file, of which one piece at a time is in memory.
pub struct Pieces<'a> {
    piece: String,
    out: &'a mut dyn Write,
    written: io::Result<()>,
}

impl<'a> Pieces<'a> {
    /// Bytes that a piece is of, or somewhat more.
    const SIZE: usize = 1 << 18;

    pub(crate) fn new(out: &'a mut dyn Write) -> Self {
        Self { piece: String::with_capacity(2 * Self::SIZE), out, written: Ok(()) }
    }

    /// Writes the last piece; the error is the first that there was.
    pub(crate) fn end(mut self) -> io::Result<()> {
        self.write_piece();
        self.written
    }

    #[cold]
    fn write_piece(&mut self) {
        if self.written.is_ok() {
            self.written = self.out.write_all(self.piece.as_bytes());
        }
        self.piece.clear();
    }
}

impl fmt::Write for Pieces<'_> {
    fn write_str(&mut self, text: &str) -> fmt::Result {
        self.piece.push_str(text);
        if self.piece.len() >= Self::SIZE {
            self.write_piece();
        }
        // Nothing more is rendered for a file that cannot be written.
        self.written.as_ref().map(drop).map_err(|_| fmt::Error)
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
    cleanup::install(files)
}

/// Has a folder hold these files, by their paths in it, and nothing else. Everything is complete under another name
/// beside it, which begins with the prefix, before it takes its place; what was there goes then. Where it is to be
/// durable, it is also on disk by then, which takes long for many files.
pub(crate) fn replace_folder(
    dir: &Path,
    prefix: &str,
    files: &BTreeMap<String, impl AsRef<[u8]>>,
    durable: bool,
) -> io::Result<()> {
    let parent = dir.parent().filter(|parent| !parent.as_os_str().is_empty());
    let parent = parent.unwrap_or(Path::new("."));
    fs::create_dir_all(parent)?;
    // For whom the user's umask says.
    let beside = || {
        let mut builder = tempfile::Builder::new();
        builder.prefix(prefix).suffix(cleanup::TEMPORARY.1);
        platform::readable(&mut builder, true);
        TemporaryFolder::new(&builder, parent)
    };
    let staged = beside()?;
    for (path, bytes) in files {
        let mut file = cleanup::create(&staged.path().join(path))?;
        file.write_all(bytes.as_ref())?;
        if durable {
            file.sync_all()?;
        }
    }
    // What is there goes away only when the new one has taken its place.
    let away = beside()?;
    let kept = away.path().join("earlier");
    let is_kept = dir.try_exists()?;
    cleanup::undisturbed(|| {
        if is_kept {
            fs::rename(dir, &kept)?;
        }
        let renamed = fs::rename(staged.path(), dir);
        if renamed.is_err() && is_kept {
            fs::rename(&kept, dir)?;
        }
        renamed
    })?;
    staged.keep();
    platform::sync_folder(parent);
    Ok(())
}

/// The first, by name, that lies in a folder and is neither one of these files, by their paths in it, nor a folder
/// on the way to one. Links are strangers, whatever their names.
pub(crate) fn stranger(dir: &Path, known: &BTreeSet<String>) -> io::Result<Option<String>> {
    let mut folders = vec![String::new()];
    while let Some(folder) = folders.pop() {
        let mut stranger: Option<String> = None;
        for entry in fs::read_dir(dir.join(&folder))? {
            let entry = entry?;
            let path = format!("{folder}{}", entry.file_name().to_string_lossy());
            let (kind, below) = (entry.file_type()?, format!("{path}/"));
            let leads_on =
                || known.range(below.clone()..).next().is_some_and(|next| next.starts_with(&below));
            if kind.is_dir() && leads_on() {
                folders.push(below);
            } else if !(kind.is_file() && known.contains(&path)) {
                stranger = Some(stranger.map_or(path.clone(), |other| other.min(path)));
            }
        }
        if stranger.is_some() {
            return Ok(stranger);
        }
    }
    Ok(None)
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

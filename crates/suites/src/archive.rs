//! Archives of strangers (zip, tar, tar.gz), read entry by entry within limits: their headers promise nothing.

mod path;
mod tar;
mod zip;

use std::borrow::Cow;
use std::collections::BTreeMap;
use std::io::{self, BufRead, Cursor, Read, Seek};

use ::zip::result::ZipError;
use bytes::Bytes;
use flate2::bufread::GzDecoder;

pub use path::{climbs, parts};

use crate::canonical::{self, Content};

/// Most entries of any kind that an archive may have: a source archive of ONNX has 9,054.
pub const MAX_ENTRIES: u64 = 200_000;

/// Most bytes that an archive may hold when it is unpacked.
pub const MAX_BYTES: u64 = 1 << 30;

/// Longest path or target of an entry that is read, and longest extension header, in bytes.
const MAX_NAME_BYTES: u64 = 64 << 10;

/// What an entry is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum EntryKind<'a> {
    /// A plain file.
    File,
    /// A folder.
    Folder,
    /// A link.
    Link {
        /// Where it leads: relative to its folder, or to the archive where it is hard.
        target: &'a str,
        /// Whether it is a second name of another entry.
        hard: bool,
    },
    /// A device, pipe, socket or anything unknown.
    Other,
}

/// An archive cannot be read.
#[derive(Debug, thiserror::Error)]
pub enum ArchiveError {
    /// It does not begin as one.
    #[error("it is neither a zip, tar nor tar.gz archive")]
    Unknown,
    /// It is cut short, or its checksums do not match.
    #[error("the archive is damaged")]
    Damaged(#[source] io::Error),
    /// The structure of a zip is damaged or of an unsupported kind.
    #[error("the zip archive is unusable")]
    Zip(#[source] ZipError),
    /// An entry that no archive of cases has: its path, made printable and short, and the problem.
    #[error("refused the archive: its entry `{0}` {1}")]
    Hostile(String, &'static str),
    /// More than is read.
    #[error("refused the archive: it exceeds the limit of {0}")]
    Limit(String),
}

impl ArchiveError {
    /// That an entry has a problem.
    pub fn hostile(entry: &str, problem: &'static str) -> Self {
        let entry: String = entry.chars().take(200).collect();
        Self::Hostile(entry.escape_debug().collect(), problem)
    }

    /// What is wrong with an archive that cannot be read on.
    pub fn unreadable(error: io::Error) -> Self {
        match error.kind() {
            io::ErrorKind::FileTooLarge => Self::Limit(error.to_string()),
            _ => Self::Damaged(error),
        }
    }
}

/// Who is given each entry of an archive: its path, as it stands there, what it is, and its content.
pub type Visit<'a, E> = &'a mut dyn FnMut(&str, EntryKind<'_>, &mut dyn Read) -> Result<(), E>;

/// Calls `visit` for each entry of an archive. What is unpacked may
/// hold so many bytes, but for entries of a zip, whose contents are for `visit` to limit.
pub fn entries<E: From<ArchiveError>>(
    mut stream: impl Seek + BufRead,
    bytes: u64,
    visit: Visit<'_, E>,
) -> Result<(), E> {
    let mut magic = Vec::new();
    Read::by_ref(&mut stream)
        .take(512)
        .read_to_end(&mut magic)
        .and_then(|_| stream.rewind())
        .map_err(ArchiveError::unreadable)?;
    let mut left = MAX_ENTRIES;
    let mut visit = |path: &str, kind: EntryKind<'_>, content: &mut dyn Read| {
        let problem = || ArchiveError::Limit(format!("{MAX_ENTRIES} entries"));
        left = left.checked_sub(1).ok_or_else(problem)?;
        visit(path, kind, content)
    };
    if magic.starts_with(b"PK\x03\x04") || magic.starts_with(b"PK\x05\x06") {
        zip::entries(stream, &mut visit)
    } else if magic.starts_with(&[0x1f, 0x8b]) {
        tar::entries(Bounded { inner: GzDecoder::new(stream), left: bytes }, &mut visit)
    } else if magic.get(257..262) == Some(b"ustar") {
        tar::entries(Bounded { inner: stream, left: bytes }, &mut visit)
    } else {
        Err(ArchiveError::Unknown.into())
    }
}

/// The files of an archive by their paths, in memory, where each has at most so many bytes. Folders are left out; an
/// entry that is neither or that leaves the archive is an error, and so is a path that is there twice. Files that an
/// archive of the form [`canonical`] stores are parts of it, and take no memory of their own.
pub fn files(archive: &Bytes, file_bytes: u64) -> Result<BTreeMap<String, Bytes>, ArchiveError> {
    if let Some(members) = canonical::members(archive, MAX_BYTES.min(file_bytes)) {
        let problem = |(path, _): &Content<'_>| match parts(path) {
            Err(problem) => Some(ArchiveError::hostile(path, problem)),
            Ok(parts) if parts.join("/") == *path => None,
            Ok(_) => Some(ArchiveError::hostile(path, "has an unusable path")),
        };
        if let Some(problem) = members.iter().find_map(problem) {
            return Err(problem);
        }
        let is_large = |content: &[u8]| content.len() as u64 > file_bytes;
        if let Some((path, _)) = members.iter().find(|(_, content)| is_large(content)) {
            return Err(ArchiveError::Limit(format!("{file_bytes} bytes in `{path}`")));
        }
        let file = |(path, content): Content<'_>| {
            let content = match content {
                Cow::Borrowed(part) => archive.slice_ref(part),
                Cow::Owned(content) => content.into(),
            };
            (path.to_owned(), content)
        };
        return Ok(members.into_iter().map(file).collect());
    }
    let (mut files, mut left) = (BTreeMap::new(), MAX_BYTES);
    entries(Cursor::new(&archive[..]), MAX_BYTES, &mut |path, kind, content| {
        let refuse = |problem| ArchiveError::hostile(path, problem);
        let parts = parts(path).map_err(refuse)?;
        match kind {
            EntryKind::Folder => return Ok(()),
            EntryKind::Link { .. } => return Err(refuse("is a link")),
            EntryKind::Other => return Err(refuse("is neither a file nor a folder")),
            EntryKind::File => {}
        }
        let limit = left.min(file_bytes);
        let mut bytes = Vec::new();
        content.take(limit + 1).read_to_end(&mut bytes).map_err(ArchiveError::unreadable)?;
        left = left
            .checked_sub(bytes.len() as u64)
            .filter(|_| bytes.len() as u64 <= limit)
            .ok_or_else(|| ArchiveError::Limit(format!("{limit} bytes in `{path}`")))?;
        match files.insert(parts.join("/"), bytes.into()) {
            Some(_) => Err(refuse("is there twice")),
            None => Ok(()),
        }
    })?;
    Ok(files)
}

fn utf8(name: &[u8]) -> Result<&str, ArchiveError> {
    str::from_utf8(name).map_err(|_| {
        ArchiveError::hostile(&String::from_utf8_lossy(name), "has a name that is not UTF-8")
    })
}

/// A stream that fails where it gives more than its limit: what counts is what was read, whatever
/// headers say.
struct Bounded<R> {
    inner: R,
    left: u64,
}

impl<R: Read> Read for Bounded<R> {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        let count = self.inner.read(buffer)?;
        self.left = self
            .left
            .checked_sub(count as u64)
            .ok_or_else(|| io::Error::new(io::ErrorKind::FileTooLarge, "its size when unpacked"))?;
        Ok(count)
    }
}

#[cfg(test)]
mod tests;

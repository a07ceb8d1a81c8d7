//! What of an archive reaches the disk, and under which limits.
//!
//! Entries are written by paths made here from their parts, never by the archive's own; names that
//! are absolute or climb, links, devices, doubles and absurd sizes end the whole unpacking.

use std::io::{self, Read};
use std::path::{Path, PathBuf};

use suites::archive::{ArchiveError, EntryKind, climbs, parts};

use super::super::{CaseKind, CorpusError, MAX_FILE_BYTES, SCHEMA_DIR, SCHEMA_FILES};
use super::staging::copy;
use crate::foundation::cleanup;

/// Folder of the kinds of cases in a wheel, or below the one folder of a source archive.
pub(super) const DATA: &str = "onnx/backend/test/data";

/// Folder of the Python package.
const PACKAGE: &str = "onnx";

/// Largest file of a schema that is read, in bytes. Those of 1.22.0 have at most 43 thousand.
const MAX_SCHEMA_BYTES: u64 = 1 << 20;

/// Bounds on what an archive may ask for.
#[derive(Clone, Copy, Debug)]
pub(super) struct Limits {
    /// Entries of any kind.
    pub(super) entries: u64,
    /// Bytes of one unpacked file.
    pub(super) file_bytes: u64,
    /// Bytes of all unpacked files.
    pub(super) bytes: u64,
}

impl Limits {
    /// Far beyond the source archive of 1.22.0, which has 9,054 files and no node file over 1 MB.
    pub(super) const DEFAULT: Self =
        Self { entries: 200_000, file_bytes: MAX_FILE_BYTES, bytes: 1 << 30 };
}

/// Who is told the number of files so far, and fails where no more are wanted.
pub(super) type Counted<'a> = &'a dyn Fn(u64) -> Result<(), CorpusError>;

/// Writes the cases of a kind and the schema among an archive's entries below one folder.
pub(super) struct Unpacker<'a> {
    root: &'a Path,
    kind: CaseKind,
    limits: Limits,
    entries: u64,
    files: u64,
    bytes_left: u64,
    progress: Counted<'a>,
}

impl<'a> Unpacker<'a> {
    pub(super) fn new(
        root: &'a Path,
        kind: CaseKind,
        limits: Limits,
        progress: Counted<'a>,
    ) -> Self {
        Self { root, kind, limits, entries: 0, files: 0, bytes_left: limits.bytes, progress }
    }

    /// Takes the next entry of the archive; its content is read only where it is wanted.
    pub(super) fn entry(
        &mut self,
        path: &str,
        kind: EntryKind<'_>,
        content: &mut dyn Read,
    ) -> Result<(), CorpusError> {
        self.entries += 1;
        if self.entries > self.limits.entries {
            return Err(ArchiveError::Limit(format!("{} entries", self.limits.entries)).into());
        }
        let refuse = |problem| CorpusError::from(ArchiveError::hostile(path, problem));
        let parts = parts(path).map_err(refuse)?;
        let wanted = Wanted::of(&parts, self.kind);
        match kind {
            EntryKind::Folder => Ok(()),
            EntryKind::Other => Err(refuse("is neither a file nor a folder")),
            EntryKind::Link { .. } if wanted.is_some() => Err(refuse("is a link")),
            EntryKind::Link { target, hard } => {
                let base = if hard { 0 } else { parts.len() - 1 };
                if climbs(target, base) { Err(refuse("links out of the archive")) } else { Ok(()) }
            }
            EntryKind::File => match wanted.and_then(|it| it.destination(self.kind)) {
                Some(destination) if destination.starts_with(SCHEMA_DIR) => {
                    let text = unix_lines(path, content)?;
                    self.write(path, &destination, &mut text.as_slice())
                }
                Some(destination) => self.write(path, &destination, content),
                None => Ok(()),
            },
        }
    }

    /// Ends the unpacking.
    pub(super) fn finish(self) -> Result<(), CorpusError> {
        let is_there = self.root.join(self.kind.name()).is_dir();
        if is_there { Ok(()) } else { Err(CorpusError::NoCasesOf(self.kind)) }
    }

    fn write(
        &mut self,
        entry: &str,
        destination: &Path,
        content: &mut dyn Read,
    ) -> Result<(), CorpusError> {
        let path = self.root.join(destination);
        let failed = CorpusError::io("write", &path);
        let mut file = cleanup::create(&path).map_err(|source| match source.kind() {
            io::ErrorKind::AlreadyExists => ArchiveError::hostile(entry, "is there twice").into(),
            _ => failed(source),
        })?;
        let limit = self.limits.file_bytes.min(self.bytes_left);
        let within = |read| match read > limit {
            true => Err(ArchiveError::Limit(format!("{limit} bytes in `{entry}`")).into()),
            false => Ok(()),
        };
        let broken = |_, error| ArchiveError::unreadable(error).into();
        self.bytes_left -= copy(content, broken, &mut file, failed, within)?;
        self.files += 1;
        (self.progress)(self.files)
    }
}

/// A schema's text with the ends of lines that it has in all but the wheels for Windows, so that
/// these give the same corpus.
fn unix_lines(entry: &str, content: &mut dyn Read) -> Result<Vec<u8>, CorpusError> {
    let mut text = Vec::new();
    content.take(MAX_SCHEMA_BYTES + 1).read_to_end(&mut text).map_err(ArchiveError::unreadable)?;
    if text.len() as u64 > MAX_SCHEMA_BYTES {
        return Err(ArchiveError::Limit(format!("{MAX_SCHEMA_BYTES} bytes in `{entry}`")).into());
    }
    let is_kept = |(at, byte): &(usize, &u8)| **byte != b'\r' || text.get(at + 1) != Some(&b'\n');
    Ok(text.iter().enumerate().filter(is_kept).map(|(_, byte)| *byte).collect())
}

/// What an entry may belong to, in the archive's root or one folder below.
#[derive(Clone, Copy)]
enum Wanted<'a> {
    /// The Python package, by the path from its folder on.
    Package(&'a [&'a str]),
    /// An exported corpus, by the path in it.
    Corpus(&'a [&'a str]),
}

impl<'a> Wanted<'a> {
    fn of(parts: &'a [&'a str], kind: CaseKind) -> Option<Self> {
        let is_corpus = |folder: &str| folder == SCHEMA_DIR || folder == kind.name();
        match parts {
            [PACKAGE, ..] => Some(Self::Package(parts)),
            [_, PACKAGE, ..] => Some(Self::Package(&parts[1..])),
            [folder, ..] if is_corpus(folder) => Some(Self::Corpus(parts)),
            [_, folder, ..] if is_corpus(folder) => Some(Self::Corpus(&parts[1..])),
            _ => None,
        }
    }

    /// Where in a corpus a file goes.
    fn destination(self, kind: CaseKind) -> Option<PathBuf> {
        match self {
            Self::Package([_, file]) | Self::Corpus([SCHEMA_DIR, file])
                if SCHEMA_FILES.contains(file) =>
            {
                Some(Path::new(SCHEMA_DIR).join(file))
            }
            Self::Package(parts) => {
                let path = parts.join("/");
                let in_data = path.strip_prefix(DATA)?.strip_prefix('/')?;
                let in_kind = in_data.strip_prefix(kind.name())?.strip_prefix('/')?;
                Some(Path::new(kind.name()).join(in_kind))
            }
            Self::Corpus(parts @ [folder, _, _, ..]) if *folder == kind.name() => {
                Some(parts.iter().collect())
            }
            Self::Corpus(_) => None,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn cases_of_the_kind_and_schema_are_wanted_from_a_wheel_a_source_tree_and_an_export() {
        let wanted_of = |kind, path: &str| {
            Wanted::of(&parts(path).unwrap(), kind).and_then(|wanted| wanted.destination(kind))
        };
        let wanted = |path: &str| wanted_of(CaseKind::Node, path);
        for root in ["", "onnx-1.22.0/"] {
            let node = wanted(&format!("{root}onnx/backend/test/data/node/test_a/model.onnx"));
            assert_eq!(node, Some("node/test_a/model.onnx".into()));
            assert_eq!(wanted(&format!("{root}onnx/onnx.proto")), Some("schema/onnx.proto".into()));
            assert_eq!(wanted(&format!("{root}onnx/onnx.in.proto")), None);
            let simple = format!("{root}onnx/backend/test/data/simple/a/model.onnx");
            assert_eq!(wanted(&simple), None);
            assert_eq!(wanted_of(CaseKind::Simple, &simple), Some("simple/a/model.onnx".into()));
            let simpler = simple.replace("simple", "simpler");
            assert_eq!(wanted_of(CaseKind::Simple, &simpler), None);
        }
        for root in ["", "onnx-1.23.2/"] {
            let node = wanted(&format!("{root}node/test_a/model.onnx"));
            assert_eq!(node, Some("node/test_a/model.onnx".into()));
            let schema = wanted(&format!("{root}schema/onnx.proto"));
            assert_eq!(schema, Some("schema/onnx.proto".into()));
            assert_eq!(wanted(&format!("{root}schema/onnx.in.proto")), None);
            assert_eq!(wanted(&format!("{root}node/model.onnx")), None);
            assert_eq!(wanted(&format!("{root}lock.toml")), None);
            let converted = format!("{root}pytorch-converted/test_a/model.onnx");
            assert_eq!(wanted(&converted), None);
            let converted = wanted_of(CaseKind::PytorchConverted, &converted);
            assert_eq!(converted, Some("pytorch-converted/test_a/model.onnx".into()));
        }
        assert_eq!(wanted("a/b/onnx/onnx.proto"), None);
        assert_eq!(wanted("a/b/node/test_a/model.onnx"), None);
        assert_eq!(wanted("onnx/backend/test/data/node"), None);
    }

    /// Unpacks two files of four bytes under these limits.
    fn unpack_under(limits: Limits) -> Result<(), CorpusError> {
        let folder = tempfile::TempDir::new().unwrap();
        let mut unpacker = Unpacker::new(folder.path(), CaseKind::Node, limits, &|_| Ok(()));
        for file in ["a", "b"] {
            let path = format!("{DATA}/node/test/{file}");
            unpacker.entry(&path, EntryKind::File, &mut b"1234".as_slice())?;
        }
        unpacker.finish()
    }

    #[test]
    fn only_the_ends_of_lines_of_windows_become_others() {
        for (text, expected) in [
            ("a\r\nb\r\n", "a\nb\n"),
            ("a\nb\n", "a\nb\n"),
            ("a\rb\r\r\n\r", "a\rb\r\n\r"),
            ("", ""),
        ] {
            assert_eq!(
                unix_lines("a", &mut text.as_bytes()).unwrap(),
                expected.as_bytes(),
                "{text:?}"
            );
        }
        let mut long = io::repeat(b'a').take(MAX_SCHEMA_BYTES);
        assert_eq!(unix_lines("a", &mut long).unwrap().len() as u64, MAX_SCHEMA_BYTES);
        let error = unix_lines("a", &mut io::repeat(b'a')).unwrap_err();
        assert!(matches!(error, CorpusError::Archive(ArchiveError::Limit(_))), "{error}");
    }

    #[test]
    fn limits_are_on_what_is_read_and_are_inclusive() {
        let fitting = Limits { entries: 2, file_bytes: 4, bytes: 8 };
        unpack_under(fitting).unwrap();
        for limits in [
            Limits { entries: 1, ..fitting },
            Limits { file_bytes: 3, ..fitting },
            Limits { bytes: 7, ..fitting },
        ] {
            let error = unpack_under(limits).unwrap_err();
            assert!(
                matches!(error, CorpusError::Archive(ArchiveError::Limit(_))),
                "{limits:?}: {error}"
            );
        }
    }
}

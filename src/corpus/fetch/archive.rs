//! Archives of each kind, read entry by entry: zip (wheels), tar, tar.gz, and folders as they are.

use std::fs::File;
use std::io::{self, BufReader, Read};
use std::path::Path;

use suites::archive::{ArchiveError, EntryKind, entries};
use walkdir::WalkDir;

use super::super::listing::MAX_DEPTH;
use super::super::{CaseKind, CorpusError, SCHEMA_DIR, SCHEMA_FILES};
use super::unpack::{Counted, DATA, Limits, Unpacker};

/// Unpacks the cases of a kind and the schema of an archive or folder below `root`; `progress` is told
/// the files so far, and says whether to go on.
pub(super) fn unpack(
    archive: &Path,
    kind: CaseKind,
    root: &Path,
    progress: Counted<'_>,
) -> Result<(), CorpusError> {
    let limits = Limits::DEFAULT;
    let mut unpacker = Unpacker::new(root, kind, limits, progress);
    if archive.is_dir() {
        folder(archive, kind, &mut unpacker)?;
        return unpacker.finish();
    }
    let file = File::open(archive).map_err(CorpusError::io("open", archive))?;
    let mut entry = |path: &str, kind: EntryKind<'_>, content: &mut dyn Read| {
        unpacker.entry(path, kind, content)
    };
    match entries(BufReader::new(file), limits.bytes, &mut entry) {
        Err(CorpusError::Archive(ArchiveError::Unknown)) => {
            let path = archive.display();
            let problem = format!("`{path}` is neither a wheel, zip, tar, tar.gz nor a folder");
            return Err(CorpusError::Source(problem));
        }
        read => read?,
    }
    unpacker.finish()
}

/// Takes the parts of a folder that are wanted; the rest of it is not looked at.
fn folder(root: &Path, kind: CaseKind, unpacker: &mut Unpacker<'_>) -> Result<(), CorpusError> {
    let schema = SCHEMA_FILES.map(|file| format!("onnx/{file}"));
    let data = format!("{DATA}/{kind}");
    let wanted = schema.iter().map(String::as_str).chain([&*data, kind.name(), SCHEMA_DIR]);
    for start in wanted.map(|path| root.join(path)).filter(|path| path.exists()) {
        for entry in WalkDir::new(start).max_depth(MAX_DEPTH) {
            let entry = entry.map_err(|error| ArchiveError::Damaged(error.into()))?;
            let path = entry.path().strip_prefix(root).unwrap_or(entry.path());
            let parts: Option<Vec<_>> = path.iter().map(|part| part.to_str()).collect();
            let path = parts.map(|parts| parts.join("/")).ok_or_else(|| {
                ArchiveError::hostile(&path.to_string_lossy(), "has a name that is not UTF-8")
            })?;
            let kind = entry.file_type();
            if kind.is_file() {
                let open = CorpusError::io("open", entry.path());
                let mut file = File::open(entry.path()).map_err(open)?;
                unpacker.entry(&path, EntryKind::File, &mut file)?;
            } else {
                let kind = if kind.is_dir() { EntryKind::Folder } else { EntryKind::Other };
                unpacker.entry(&path, kind, &mut io::empty())?;
            }
        }
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use std::io::Cursor;

    use super::*;

    #[test]
    fn a_limit_that_is_hit_inside_a_tar_is_said_to_be_one() {
        for path in ["unwanted", "onnx/backend/test/data/node/test_a/model.onnx"] {
            let mut archive = tar::Builder::new(Vec::new());
            let mut header = tar::Header::new_ustar();
            header.set_size(1 << 20);
            archive.append_data(&mut header, path, io::repeat(0).take(1 << 20)).unwrap();
            let archive = archive.into_inner().unwrap();
            let root = tempfile::tempdir().unwrap();
            let mut unpacker =
                Unpacker::new(root.path(), CaseKind::Node, Limits::DEFAULT, &|_| Ok(()));
            let mut entry = |path: &str, kind: EntryKind<'_>, content: &mut dyn Read| {
                unpacker.entry(path, kind, content)
            };
            let error = entries(Cursor::new(archive), 1 << 16, &mut entry).unwrap_err();
            let is_limit = matches!(error, CorpusError::Archive(ArchiveError::Limit(_)));
            assert!(is_limit, "{path}: {error}");
        }
    }
}

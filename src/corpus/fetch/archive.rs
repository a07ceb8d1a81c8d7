//! Archives of each kind, read entry by entry: zip (wheels), tar, tar.gz, and folders as they are.

use std::fs::File;
use std::io::{self, BufReader, Read, Seek, SeekFrom};
use std::path::Path;

use flate2::bufread::GzDecoder;
use tar::{EntryType, PaxExtensions};
use walkdir::WalkDir;
use zip::ZipArchive;
use zip::result::ZipError;

use super::super::listing::MAX_DEPTH;
use super::super::{CaseKind, CorpusError, SCHEMA_DIR, SCHEMA_FILES};
use super::unpack::{Counted, DATA, EntryKind, Limits, Unpacker, unreadable};

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
    let open = CorpusError::io("open", archive);
    let mut file = File::open(archive).map_err(open)?;
    let mut magic = Vec::new();
    Read::by_ref(&mut file).take(512).read_to_end(&mut magic).map_err(open)?;
    file.rewind().map_err(open)?;
    let file = BufReader::new(file);
    if magic.starts_with(b"PK\x03\x04") {
        zip(file, &mut unpacker)?;
    } else if magic.starts_with(&[0x1f, 0x8b]) {
        tar(Bounded { inner: GzDecoder::new(file), left: limits.bytes }, &mut unpacker)?;
    } else if magic.get(257..262) == Some(b"ustar") {
        tar(Bounded { inner: file, left: limits.bytes }, &mut unpacker)?;
    } else {
        let path = archive.display();
        let problem = format!("`{path}` is neither a wheel, zip, tar, tar.gz nor a folder");
        return Err(CorpusError::Source(problem));
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
            let entry = entry.map_err(|error| CorpusError::Damaged(error.into()))?;
            let path = entry.path().strip_prefix(root).unwrap_or(entry.path());
            let parts: Option<Vec<_>> = path.iter().map(|part| part.to_str()).collect();
            let path = parts.map(|parts| parts.join("/")).ok_or_else(|| {
                CorpusError::hostile(&path.to_string_lossy(), "has a name that is not UTF-8")
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

fn zip(mut file: impl Read + Seek, unpacker: &mut Unpacker<'_>) -> Result<(), CorpusError> {
    refuse_zip64(&mut file)?;
    let mut archive = ZipArchive::new(file).map_err(CorpusError::Zip)?;
    if archive.has_duplicate_names() {
        return Err(CorpusError::Zip(ZipError::InvalidArchive("an entry is there twice".into())));
    }
    for index in 0..archive.len() {
        let mut entry = archive.by_index(index).map_err(CorpusError::Zip)?;
        let path = utf8(entry.name_raw())?.to_owned();
        // The file type bits of a Unix mode; other systems leave them 0.
        let kind = match entry.unix_mode().unwrap_or_default() & 0o170_000 {
            _ if entry.is_dir() => EntryKind::Folder,
            0 | 0o100_000 => EntryKind::File,
            0o120_000 => {
                let mut target = Vec::new();
                Read::by_ref(&mut entry)
                    .take(MAX_NAME_BYTES)
                    .read_to_end(&mut target)
                    .map_err(unreadable)?;
                let kind = EntryKind::Link { target: utf8(&target)?, hard: false };
                unpacker.entry(&path, kind, &mut io::empty())?;
                continue;
            }
            _ => EntryKind::Other,
        };
        unpacker.entry(&path, kind, &mut entry)?;
    }
    Ok(())
}

/// The large form of zip archives can claim any number of entries, for which the reader would
/// reserve memory; no release needs it. Its mark lies beside the directory's end, which is within
/// the last 64 KiB and a little more.
fn refuse_zip64(file: &mut (impl Read + Seek)) -> Result<(), CorpusError> {
    const MARK: &[u8] = b"PK\x06\x07";
    let length = file.seek(SeekFrom::End(0)).map_err(unreadable)?;
    file.seek(SeekFrom::Start(length.saturating_sub(66 << 10))).map_err(unreadable)?;
    let mut end = Vec::new();
    file.take(66 << 10).read_to_end(&mut end).map_err(unreadable)?;
    if end.windows(MARK.len()).any(|bytes| bytes == MARK) {
        return Err(CorpusError::Zip(ZipError::UnsupportedArchive("it is in the zip64 format")));
    }
    file.rewind().map_err(unreadable)
}

fn tar(stream: impl Read, unpacker: &mut Unpacker<'_>) -> Result<(), CorpusError> {
    let mut archive = tar::Archive::new(stream);
    let mut long = LongNames::default();
    // Raw, because the reader would otherwise hold extension headers of any size in memory.
    for entry in archive.entries().map_err(unreadable)?.raw(true) {
        let mut entry = entry.map_err(unreadable)?;
        let kind = entry.header().entry_type();
        if long.take_extension(kind, &mut entry)? {
            continue;
        }
        let LongNames { path, target } = std::mem::take(&mut long);
        let path = path.unwrap_or_else(|| entry.path_bytes().into_owned());
        let path = utf8(&path)?;
        let target =
            target.unwrap_or_else(|| entry.link_name_bytes().unwrap_or_default().into_owned());
        let kind = match kind {
            EntryType::Regular | EntryType::Continuous if path.ends_with('/') => EntryKind::Folder,
            EntryType::Regular | EntryType::Continuous => EntryKind::File,
            EntryType::Directory => EntryKind::Folder,
            EntryType::Symlink => EntryKind::Link { target: utf8(&target)?, hard: false },
            EntryType::Link => EntryKind::Link { target: utf8(&target)?, hard: true },
            _ => EntryKind::Other,
        };
        unpacker.entry(path, kind, &mut entry)?;
    }
    // The end is a pair of empty blocks, of which the first was read. To read on to the end of the
    // stream also has the checksum of a compressed one compared.
    let rest = io::copy(&mut archive.into_inner(), &mut io::sink()).map_err(unreadable)?;
    if rest < 512 {
        return Err(CorpusError::Damaged(io::ErrorKind::UnexpectedEof.into()));
    }
    Ok(())
}

/// Longest path or target of an entry that is read, and longest extension header, in bytes.
const MAX_NAME_BYTES: u64 = 64 << 10;

/// Path and target that extension headers give to the entry after them.
#[derive(Default)]
struct LongNames {
    path: Option<Vec<u8>>,
    target: Option<Vec<u8>>,
}

impl LongNames {
    /// Whether the entry was an extension header.
    fn take_extension(
        &mut self,
        kind: EntryType,
        entry: &mut impl Read,
    ) -> Result<bool, CorpusError> {
        let mut content = || {
            let mut content = Vec::new();
            entry.take(MAX_NAME_BYTES + 1).read_to_end(&mut content).map_err(unreadable)?;
            match content.len() as u64 > MAX_NAME_BYTES {
                true => Err(CorpusError::Limit(format!("{MAX_NAME_BYTES} bytes in a header"))),
                false => Ok(content),
            }
        };
        let name = |mut content: Vec<u8>| {
            content.truncate(content.iter().position(|&byte| byte == 0).unwrap_or(content.len()));
            Some(content)
        };
        match kind {
            EntryType::GNULongName => self.path = name(content()?),
            EntryType::GNULongLink => self.target = name(content()?),
            EntryType::XHeader => {
                for extension in PaxExtensions::new(&content()?) {
                    let extension = extension.map_err(unreadable)?;
                    match extension.key_bytes() {
                        b"path" => self.path = Some(extension.value_bytes().to_vec()),
                        b"linkpath" => self.target = Some(extension.value_bytes().to_vec()),
                        _ => {}
                    }
                }
            }
            // Of an archive as a whole: git puts the commit there.
            EntryType::XGlobalHeader => drop(content()?),
            _ => return Ok(false),
        }
        Ok(true)
    }
}

fn utf8(name: &[u8]) -> Result<&str, CorpusError> {
    str::from_utf8(name).map_err(|_| {
        CorpusError::hostile(&String::from_utf8_lossy(name), "has a name that is not UTF-8")
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
mod tests {
    use std::io::Write;

    use flate2::Compression;
    use flate2::write::GzEncoder;

    use super::*;

    #[test]
    fn a_stream_that_decompresses_beyond_its_limit_is_refused_however_small_it_is() {
        let mut bomb = GzEncoder::new(Vec::new(), Compression::best());
        bomb.write_all(&vec![0; 1 << 20]).unwrap();
        let bomb = bomb.finish().unwrap();
        assert!(bomb.len() < 2000);
        for (limit, fits) in [(1 << 20, true), ((1 << 20) - 1, false)] {
            let mut stream = Bounded { inner: GzDecoder::new(bomb.as_slice()), left: limit };
            match io::copy(&mut stream, &mut io::sink()).map_err(unreadable) {
                Ok(_) => assert!(fits),
                Err(CorpusError::Limit(_)) => assert!(!fits),
                Err(other) => panic!("{other}"),
            }
        }
    }

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
            let stream = Bounded { inner: archive.as_slice(), left: 1 << 16 };
            let error = super::tar(stream, &mut unpacker).unwrap_err();
            assert!(matches!(error, CorpusError::Limit(_)), "{path}: {error}");
        }
    }
}

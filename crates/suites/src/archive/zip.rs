//! The entries of a zip archive.

use std::io::{self, Read, Seek, SeekFrom};

use zip::ZipArchive;
use zip::result::ZipError;

use super::{ArchiveError, EntryKind, MAX_ENTRIES, MAX_NAME_BYTES, Visit, utf8};

/// Bytes of the large form's record of the directory's end.
const RECORD: usize = 56;

/// Bytes of the locator behind it.
const LOCATOR: usize = 20;

pub(super) fn entries<E: From<ArchiveError>>(
    mut file: impl Read + Seek,
    visit: Visit<'_, E>,
) -> Result<(), E> {
    check_zip64(&mut file)?;
    let mut archive = ZipArchive::new(file).map_err(ArchiveError::Zip)?;
    if archive.has_duplicate_names() {
        let twice = ZipError::InvalidArchive("an entry is there twice".into());
        return Err(ArchiveError::Zip(twice).into());
    }
    for index in 0..archive.len() {
        let mut entry = archive.by_index(index).map_err(ArchiveError::Zip)?;
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
                    .map_err(ArchiveError::unreadable)?;
                let kind = EntryKind::Link { target: utf8(&target)?, hard: false };
                visit(&path, kind, &mut io::empty())?;
                continue;
            }
            _ => EntryKind::Other,
        };
        visit(&path, kind, &mut entry)?;
    }
    Ok(())
}

/// The large form of zip archives, which more than 65,535 entries need, can claim any number of them, for which the
/// reader would reserve memory. So it is read only where it has one record of its directory's end, where that is
/// expected, with a count within the limit. The locator of that record lies beside the archive's end, which is
/// within the last 64 KiB and a little more.
fn check_zip64(file: &mut (impl Read + Seek)) -> Result<(), ArchiveError> {
    const MARK: &[u8] = b"PK\x06\x07";
    let length = file.seek(SeekFrom::End(0)).map_err(ArchiveError::unreadable)?;
    let start = length.saturating_sub(66 << 10);
    file.seek(SeekFrom::Start(start)).map_err(ArchiveError::unreadable)?;
    let mut end = Vec::new();
    Read::by_ref(file).take(66 << 10).read_to_end(&mut end).map_err(ArchiveError::unreadable)?;
    file.rewind().map_err(ArchiveError::unreadable)?;
    let marks: Vec<_> = (0..end.len())
        .filter(|&at| end.get(at..).is_some_and(|end| end.starts_with(MARK)))
        .collect();
    let is_sound = |at: usize| {
        let record = end.get(at.checked_sub(RECORD)?..at)?;
        let number = |from: usize| Some(u64::from_le_bytes(*end.get(from..)?.first_chunk()?));
        let [on_this_disk, entries] = [number(at - RECORD + 24)?, number(at - RECORD + 32)?];
        let is_there = record.starts_with(b"PK\x06\x06")
            && number(at + 8)? == start + (at - RECORD) as u64
            && end.get(at + LOCATOR..)?.starts_with(b"PK\x05\x06");
        Some(is_there && on_this_disk == entries && entries <= MAX_ENTRIES)
    };
    match marks[..] {
        [] => Ok(()),
        [at] if is_sound(at) == Some(true) => Ok(()),
        _ => Err(ArchiveError::Zip(ZipError::UnsupportedArchive(
            "it is in the zip64 format, and its directory is not plain or too large",
        ))),
    }
}

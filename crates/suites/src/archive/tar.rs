//! The entries of a tar archive.

use std::io::{self, Read};

use tar::{EntryType, PaxExtensions};

use super::{ArchiveError, EntryKind, MAX_NAME_BYTES, Visit, utf8};

pub(super) fn entries<E: From<ArchiveError>>(
    stream: impl Read,
    visit: Visit<'_, E>,
) -> Result<(), E> {
    let mut archive = tar::Archive::new(stream);
    let mut long = LongNames::default();
    // Raw, because the reader would otherwise hold extension headers of any size in memory.
    for entry in archive.entries().map_err(ArchiveError::unreadable)?.raw(true) {
        let mut entry = entry.map_err(ArchiveError::unreadable)?;
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
        visit(path, kind, &mut entry)?;
    }
    // The end is a pair of empty blocks, of which the first was read. To read on to the end of the
    // stream also has the checksum of a compressed one compared.
    let rest =
        io::copy(&mut archive.into_inner(), &mut io::sink()).map_err(ArchiveError::unreadable)?;
    if rest < 512 {
        return Err(ArchiveError::Damaged(io::ErrorKind::UnexpectedEof.into()).into());
    }
    Ok(())
}

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
    ) -> Result<bool, ArchiveError> {
        let mut content = || {
            let mut content = Vec::new();
            entry
                .take(MAX_NAME_BYTES + 1)
                .read_to_end(&mut content)
                .map_err(ArchiveError::unreadable)?;
            match content.len() as u64 > MAX_NAME_BYTES {
                true => Err(ArchiveError::Limit(format!("{MAX_NAME_BYTES} bytes in a header"))),
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
                    let extension = extension.map_err(ArchiveError::unreadable)?;
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

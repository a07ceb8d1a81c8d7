//! Archives (tar.gz) whose bytes follow from the files in them alone.

use std::io;

use flate2::write::GzEncoder;
use flate2::{Compression, GzBuilder};

/// What RFC 1952 has for an unknown system.
const NO_SYSTEM: u8 = 255;

/// Writes an archive file by file, in the order given: plain files of mode 644 that belong to user
/// and group 0 and were changed at second 0.
pub(super) struct Tarball(tar::Builder<GzEncoder<Vec<u8>>>);

impl Tarball {
    pub(super) fn new() -> Self {
        let gzip = GzBuilder::new().mtime(0).operating_system(NO_SYSTEM);
        Self(tar::Builder::new(gzip.write(Vec::new(), Compression::best())))
    }

    pub(super) fn file(&mut self, path: &str, content: &[u8]) -> io::Result<()> {
        let mut header = header(tar::EntryType::Regular);
        header.set_size(content.len() as u64);
        self.0.append_data(&mut header, path, content)
    }

    /// A file with the content of another one, which came before it.
    pub(super) fn same_file(&mut self, path: &str, other: &str) -> io::Result<()> {
        self.0.append_link(&mut header(tar::EntryType::Link), path, other)
    }

    /// Ends the archive.
    pub(super) fn finish(self) -> io::Result<Vec<u8>> {
        self.0.into_inner()?.finish()
    }
}

fn header(kind: tar::EntryType) -> tar::Header {
    let mut header = tar::Header::new_ustar();
    header.set_entry_type(kind);
    header.set_size(0);
    header.set_mode(0o644);
    header.set_uid(0);
    header.set_gid(0);
    header.set_mtime(0);
    header
}

//! The files that the program carries, for use outside a checkout: what `build.rs` packs. Its suites are
//! in [`suites::embedded`].
//!
//! They are served from memory, so that there is no copy on disk that could be out of date or
//! tampered with.

use std::io::Read;
use std::sync::{LazyLock, OnceLock};

use flate2::read::DeflateDecoder;

// The files, in byte order of the paths.
include!(concat!(env!("OUT_DIR"), "/embedded.rs"));

/// Every line of the texts, once.
static LINES: LazyLock<Vec<Vec<u8>>> = LazyLock::new(|| {
    let lines = inflated(include_bytes!(concat!(env!("OUT_DIR"), "/lines.deflate")));
    lines.split_inclusive(|byte| *byte == b'\n').map(<[u8]>::to_vec).collect()
});

/// For each text in turn the places of its lines among all of them.
static TEXTS: LazyLock<Vec<u32>> = LazyLock::new(|| {
    let places = inflated(include_bytes!(concat!(env!("OUT_DIR"), "/texts.deflate")));
    places.as_chunks().0.iter().map(|place| u32::from_le_bytes(*place)).collect()
});

/// A file by its path in the checkout.
struct File {
    path: &'static str,
    content: OnceLock<Vec<u8>>,
    packed: Packed,
}

enum Packed {
    /// By itself, compressed.
    Whole(&'static [u8]),
    /// From and to which place of [`TEXTS`] its lines are.
    Lines(usize, usize),
}

impl File {
    const fn whole(path: &'static str, packed: &'static [u8]) -> Self {
        Self { path, content: OnceLock::new(), packed: Packed::Whole(packed) }
    }

    const fn of_lines(path: &'static str, begin: usize, end: usize) -> Self {
        Self { path, content: OnceLock::new(), packed: Packed::Lines(begin, end) }
    }

    fn content(&'static self) -> &'static [u8] {
        self.content.get_or_init(|| match self.packed {
            Packed::Whole(packed) => inflated(packed),
            Packed::Lines(begin, end) => {
                let lines = TEXTS[begin..end].iter().map(|place| &*LINES[*place as usize]);
                lines.collect::<Vec<_>>().concat()
            }
        })
    }
}

fn inflated(packed: &[u8]) -> Vec<u8> {
    let mut bytes = Vec::new();
    // From memory, and as the build script packed it, so that nothing can fail; else the files would be empty.
    let _ = DeflateDecoder::new(packed).read_to_end(&mut bytes);
    bytes
}

/// The content of the file at this path.
pub(crate) fn file(path: &str) -> Option<&'static [u8]> {
    let at = FILES.binary_search_by_key(&path, |file| file.path).ok()?;
    Some(FILES[at].content())
}

/// The files below a folder, at any depth, by their paths in it.
pub(crate) fn below(folder: &str) -> impl Iterator<Item = (&'static str, &'static [u8])> {
    files_below(folder).map(|(path, file)| (path, file.content()))
}

/// The paths in a folder of the files below it.
pub(crate) fn paths_below(folder: &str) -> impl Iterator<Item = &'static str> {
    files_below(folder).map(|(path, _)| path)
}

fn files_below(folder: &str) -> impl Iterator<Item = (&'static str, &'static File)> {
    FILES.iter().filter_map(move |file| {
        let path = file.path.strip_prefix(folder)?.strip_prefix('/')?;
        Some((path, file))
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_file_is_found_by_its_whole_path_alone() {
        let catalogue = file("adapters/backends.toml").unwrap();
        assert_eq!(catalogue, include_bytes!("../../adapters/backends.toml"));
        assert_eq!(file("adapters"), None);
        assert_eq!(file("adapters/backends"), None);
    }

    #[test]
    fn every_file_is_carried_as_it_is() {
        assert!(FILES.len() > 150);
        for file in &FILES {
            let path = std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join(file.path);
            assert!(file.content() == std::fs::read(path).unwrap(), "{}", file.path);
        }
    }

    #[test]
    fn a_folder_is_not_mistaken_for_one_whose_name_it_begins() {
        assert!(below("testdata/locks").count() > 0);
        assert_eq!(below("testdata/lock").count(), 0);
    }
}

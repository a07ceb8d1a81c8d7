//! The files that the program carries, for use outside a checkout: what `build.rs` lists.
//!
//! They are served from memory, so that there is no copy on disk that could be out of date or
//! tampered with.

use std::io::Read;
use std::sync::LazyLock;

use flate2::read::DeflateDecoder;

/// Path in the checkout and content of each file.
type Files = [(&'static str, &'static [u8])];

/// The folder of the suites.
const SUITES: &str = "testdata/suites";

/// So many bytes of the suites are none of anything else.
const MARK: usize = 64;

/// The files but those of the suites, in byte order of the paths.
static FILES: &Files = &include!(concat!(env!("OUT_DIR"), "/embedded.rs"));

/// The files of the suites, likewise. They are unpacked when they are first asked for, and stay.
static OF_SUITES: LazyLock<Box<Files>> = LazyLock::new(|| {
    let index = unpacked(include_bytes!(concat!(env!("OUT_DIR"), "/index.deflate")));
    let mut rest = unpacked(PACKED_SUITES);
    let file = |line: &'static str| {
        let (length, path) = line.split_once(' ')?;
        let (content, after) = rest.split_at_checked(length.parse().ok()?)?;
        rest = after;
        Some((path, content))
    };
    str::from_utf8(index).unwrap_or_default().lines().map_while(file).collect()
});

/// The suites as the build compressed them.
static PACKED_SUITES: &[u8] = include_bytes!(concat!(env!("OUT_DIR"), "/suites.deflate"));

/// Whether a file carries the suites as this program does.
pub(crate) fn are_suites_in(file: &[u8]) -> bool {
    let start = &PACKED_SUITES[..PACKED_SUITES.len().min(MARK)];
    let pattern =
        start.iter().fold("(?s-u)".to_owned(), |text, byte| text + &format!("\\x{byte:02x}"));
    regex::bytes::Regex::new(&pattern).is_ok_and(|mark| mark.is_match(file))
}

/// What the build compressed.
fn unpacked(packed: &[u8]) -> &'static [u8] {
    let mut content = Vec::new();
    #[expect(clippy::expect_used, reason = "the build packed it, and a test unpacks all of it")]
    DeflateDecoder::new(packed).read_to_end(&mut content).expect("it is as it was packed");
    content.leak()
}

/// The table that holds what is at a path, or below it.
fn table(path: &str) -> &'static Files {
    if path.starts_with(SUITES) { &OF_SUITES } else { FILES }
}

/// The content of the file at this path.
pub(crate) fn file(path: &str) -> Option<&'static [u8]> {
    let files = table(path);
    let at = files.binary_search_by_key(&path, |&(path, _)| path).ok()?;
    Some(files[at].1)
}

/// The files below a folder, at any depth, by their paths in it.
pub(crate) fn below(folder: &str) -> impl Iterator<Item = (&'static str, &'static [u8])> {
    table(folder).iter().filter_map(move |&(path, content)| {
        let path = path.strip_prefix(folder)?.strip_prefix('/')?;
        Some((path, content))
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_file_is_found_by_its_whole_path_alone() {
        let catalogue = file("adapters/backends.toml").unwrap();
        assert_eq!(catalogue, include_bytes!("../adapters/backends.toml"));
        assert_eq!(file("adapters"), None);
        assert_eq!(file("adapters/backends"), None);
    }

    #[test]
    fn every_file_of_the_suites_is_carried_as_it_is() {
        let root = std::path::Path::new(env!("CARGO_MANIFEST_DIR"));
        let on_disk = walkdir::WalkDir::new(root.join(SUITES)).into_iter().map(Result::unwrap);
        let on_disk = on_disk.filter(|entry| entry.file_type().is_file()).count();
        assert_eq!(below(SUITES).count(), on_disk);
        for (path, content) in below(SUITES) {
            let committed = std::fs::read(root.join(SUITES).join(path)).unwrap();
            assert_eq!(content, committed, "{path}");
        }
    }

    #[test]
    fn a_folder_is_not_mistaken_for_one_whose_name_it_begins() {
        assert!(below("testdata/suites/sonnx-draft").count() > 0);
        assert!(below("testdata/suites/sonnx").all(|(path, _)| !path.starts_with("-draft")));
        assert_eq!(below("testdata/suit").count(), 0);
    }
}

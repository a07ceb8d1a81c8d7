//! The files that the program carries, for use outside a checkout: what `build.rs` lists.
//!
//! They are served from memory, so that there is no copy on disk that could be out of date or
//! tampered with.

use std::io::Read;
use std::sync::{LazyLock, OnceLock};

use flate2::bufread::DeflateDecoder;

/// Path in the checkout and content of each file.
type Files = [(&'static str, &'static [u8])];

/// The folder of the suites.
const SUITES: &str = "testdata/suites";

/// So many bytes of the suites are none of anything else.
const MARK: usize = 64;

/// The files but those of the suites, in byte order of the paths.
static FILES: &Files = &include!(concat!(env!("OUT_DIR"), "/embedded.rs"));

/// A folder in a suite, with all below it.
struct Group {
    path: &'static str,
    /// A line of length and path for each file, and their contents, both as the build packed them.
    packed: [&'static [u8]; 2],
    /// Length and path of each file, in byte order of the paths, from when they are first asked for.
    index: OnceLock<Vec<(usize, &'static str)>>,
    /// Its files, likewise.
    files: OnceLock<Box<Files>>,
}

/// The suites, in byte order of the paths.
static GROUPS: LazyLock<Vec<Group>> = LazyLock::new(|| {
    let mut rest = PACKED_SUITES;
    let mut packed = |length| {
        let (packed, after) = rest.split_at_checked(length).unwrap_or_default();
        rest = after;
        packed
    };
    let group = |&(path, index, content): &(&'static str, usize, usize)| Group {
        path,
        packed: [packed(index), packed(content)],
        index: OnceLock::new(),
        files: OnceLock::new(),
    };
    let lengths: &[_] = &include!(concat!(env!("OUT_DIR"), "/groups.rs"));
    lengths.iter().map(group).collect()
});

impl Group {
    fn index(&self) -> &[(usize, &'static str)] {
        self.index.get_or_init(|| {
            let line = |line: &'static str| {
                let (length, path) = line.split_once(' ')?;
                Some((length.parse().ok()?, path))
            };
            let text = str::from_utf8(unpacked(self.packed[0], 0)).unwrap_or_default();
            text.lines().map_while(line).collect()
        })
    }

    fn files(&self) -> &Files {
        self.files.get_or_init(|| {
            let length = self.index().iter().map(|&(length, _)| length).sum();
            let mut rest = unpacked(self.packed[1], length);
            let file = |&(length, path): &(usize, &'static str)| {
                let (content, after) = rest.split_at_checked(length)?;
                rest = after;
                Some((path, content))
            };
            self.index().iter().map_while(file).collect()
        })
    }

    /// The groups that a folder lies in, or that lie in it.
    fn of(folder: &str) -> impl Iterator<Item = &'static Self> {
        GROUPS.iter().filter(move |group| is_in(group.path, folder) || is_in(folder, group.path))
    }
}

/// Whether a path is a folder's or leads into it.
fn is_in(path: &str, folder: &str) -> bool {
    path.strip_prefix(folder).is_some_and(|rest| rest.is_empty() || rest.starts_with('/'))
}

/// The suites as the build compressed them.
static PACKED_SUITES: &[u8] = include_bytes!(concat!(env!("OUT_DIR"), "/suites.deflate"));

/// Whether a file carries the suites as this program does.
pub(crate) fn are_suites_in(file: &[u8]) -> bool {
    let start = &PACKED_SUITES[..PACKED_SUITES.len().min(MARK)];
    let pattern =
        start.iter().fold("(?s-u)".to_owned(), |text, byte| text + &format!("\\x{byte:02x}"));
    regex::bytes::Regex::new(&pattern).is_ok_and(|mark| mark.is_match(file))
}

/// What the build compressed, which is of this length where it is known.
fn unpacked(packed: &[u8], length: usize) -> &'static [u8] {
    let mut content = Vec::with_capacity(length);
    #[expect(clippy::expect_used, reason = "the build packed it, and a test unpacks all of it")]
    DeflateDecoder::new(packed).read_to_end(&mut content).expect("it is as it was packed");
    content.leak()
}

/// The content of the file at this path.
pub(crate) fn file(path: &str) -> Option<&'static [u8]> {
    let files = if is_in(path, SUITES) { Group::of(path).next()?.files() } else { FILES };
    let at = files.binary_search_by_key(&path, |&(path, _)| path).ok()?;
    Some(files[at].1)
}

/// The files below a folder, at any depth, by their paths in it.
pub(crate) fn below(folder: &str) -> impl Iterator<Item = (&'static str, &'static [u8])> {
    let others = (!is_in(folder, SUITES)).then_some(FILES);
    let tables = others.into_iter().chain(Group::of(folder).map(Group::files));
    tables.flatten().filter_map(move |&(path, content)| {
        let path = path.strip_prefix(folder)?.strip_prefix('/')?;
        Some((path, content))
    })
}

/// The folders of a suite, by their paths: each is unpacked by itself.
pub(crate) fn folders(suite: String) -> impl Iterator<Item = &'static str> {
    let groups = GROUPS.iter().filter(move |group| is_in(group.path, &suite));
    groups.map(|group| group.path)
}

/// The paths of the files below a folder, none of which is unpacked for it.
pub(crate) fn paths(folder: &str) -> impl Iterator<Item = &'static str> {
    let paths = Group::of(folder).flat_map(Group::index).map(|&(_, path)| path);
    paths.filter(move |path| is_in(path, folder))
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

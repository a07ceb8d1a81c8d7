//! The suites as the build packed them into the program, from where they are served: there is no copy on disk that
//! could be out of date or tampered with.
//!
//! Each version of an operator in a suite is a group that is unpacked by itself, when a file of it is first wanted,
//! and its list of files apart from their contents.

use std::io::Read;
use std::sync::{LazyLock, OnceLock};

use flate2::bufread::DeflateDecoder;

/// So many bytes of the suites are none of anything else.
const MARK: usize = 64;

/// Path and content of a file.
type File = (&'static str, &'static [u8]);

/// A group, such as `sonnx/div`, with all below it.
struct Group {
    path: &'static str,
    /// A line of length and path for each file, and their contents, both as the build packed them.
    packed: [&'static [u8]; 2],
    /// Length and path of each file, in byte order of the paths, from when they are first wanted.
    index: OnceLock<Vec<(usize, &'static str)>>,
    /// Its files, likewise.
    files: OnceLock<Box<[File]>>,
}

/// The suites, in byte order of the paths.
static GROUPS: LazyLock<Vec<Group>> = LazyLock::new(|| {
    let mut rest = PACKED;
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

/// The digests of the suites, as the build found them.
static DIGESTS: &[(&str, &str)] = &include!(concat!(env!("OUT_DIR"), "/digests.rs"));

/// The groups as the build compressed them.
static PACKED: &[u8] = include_bytes!(concat!(env!("OUT_DIR"), "/suites.deflate"));

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

    fn files(&self) -> &[File] {
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
}

/// What the build compressed, which is of this length where it is known.
fn unpacked(packed: &[u8], length: usize) -> &'static [u8] {
    let mut content = Vec::with_capacity(length);
    #[expect(clippy::expect_used, reason = "the build packed it, and a test unpacks all of it")]
    DeflateDecoder::new(packed).read_to_end(&mut content).expect("it is as it was packed");
    content.leak()
}

/// The groups of a suite, such as `sonnx/div`.
pub fn groups(suite: &str) -> impl Iterator<Item = &'static str> {
    let is_of = move |group: &&Group| group.path.split('/').next() == Some(suite);
    let groups: Vec<_> = GROUPS.iter().filter(is_of).map(|group| group.path).collect();
    groups.into_iter()
}

fn group(path: &str) -> Option<&'static Group> {
    GROUPS.binary_search_by_key(&path, |group| group.path).ok().and_then(|at| GROUPS.get(at))
}

/// The paths of the files of a group in it, none of which is unpacked for it.
pub fn paths(path: &str) -> impl Iterator<Item = &'static str> {
    group(path).map(Group::index).unwrap_or_default().iter().map(|&(_, path)| path)
}

/// The files of a group by their paths in it, in byte order.
pub fn files(path: &str) -> impl Iterator<Item = (&'static str, &'static [u8])> {
    group(path).map(Group::files).unwrap_or_default().iter().copied()
}

/// The digest of a suite over its cases, each over its files, as text.
pub fn digest(suite: &str) -> Option<&'static str> {
    DIGESTS.iter().find(|(name, _)| *name == suite).map(|(_, digest)| *digest)
}

/// The suite that has a digest.
pub fn with_digest(digest: &str) -> Option<&'static str> {
    DIGESTS.iter().find(|(_, of)| *of == digest).map(|(name, _)| *name)
}

/// The first bytes of the suites in this program, by which a file that carries them is known.
pub fn mark() -> &'static [u8] {
    &PACKED[..PACKED.len().min(MARK)]
}

#[cfg(test)]
mod tests {
    use std::collections::{BTreeMap, BTreeSet};
    use std::path::Path;

    use super::*;
    use crate::canonical;

    #[test]
    fn every_file_of_the_suites_is_carried_as_it_is() {
        let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../testdata/suites");
        let mut on_disk = BTreeMap::new();
        for suite in std::fs::read_dir(root).unwrap() {
            let suite = suite.unwrap();
            for archive in std::fs::read_dir(suite.path()).unwrap() {
                let archive = std::fs::read(archive.unwrap().path()).unwrap();
                for (path, content) in canonical::members(&archive, u64::MAX).unwrap() {
                    let (folder, file) = path.split_once('/').unwrap();
                    let group = format!("{}/{folder}", suite.file_name().to_str().unwrap());
                    let files: &mut Vec<_> = on_disk.entry(group).or_default();
                    files.push((file.to_owned(), content.into_owned()));
                }
            }
        }
        for (group, committed) in &on_disk {
            let carried = files(group).map(|(path, content)| (path.to_owned(), content.to_vec()));
            assert_eq!(&carried.collect::<Vec<_>>(), committed, "{group}");
            assert!(paths(group).eq(files(group).map(|(path, _)| path)), "{group}");
        }
        let count: usize = on_disk.values().map(Vec::len).sum();
        assert!(count > 60_000, "{count}");
        let suites = DIGESTS.iter().flat_map(|(suite, _)| groups(suite));
        let carried: BTreeSet<_> = suites.map(str::to_owned).collect();
        assert_eq!(carried, on_disk.into_keys().collect());
    }

    #[test]
    fn a_suite_is_not_mistaken_for_one_whose_name_it_begins() {
        assert!(groups("sonnx-draft").count() > 0);
        assert!(groups("sonnx").all(|group| group.starts_with("sonnx/")));
        assert_eq!(groups("sonn").count(), 0);
        assert_eq!(files("sonnx").count(), 0);
        assert_eq!(paths("sonnx/di").count(), 0);
    }

    #[test]
    fn a_suite_is_known_by_its_digest() {
        for (suite, text) in DIGESTS {
            assert_eq!((digest(suite), with_digest(text)), (Some(*text), Some(*suite)));
        }
        assert_eq!(digest("node"), None);
        assert_eq!(with_digest(""), None);
    }
}

//! The names of a file beyond the one that it is known by: hard links.

use std::collections::BTreeSet;
use std::fs;
use std::os::unix::fs::MetadataExt;
use std::path::{Path, PathBuf};

use super::Identity;

/// Most entries that are looked at.
const MOST_ENTRIES: usize = 300_000;

/// The names that files have below these folders, until so many were found; no link is followed.
pub(super) fn below<'a>(
    folders: impl IntoIterator<Item = &'a Path>,
    is_searched: impl Fn(Identity) -> bool,
    most: u64,
) -> BTreeSet<PathBuf> {
    let (mut names, mut entries) = (BTreeSet::new(), 0);
    for folder in folders {
        let mut rest = vec![folder.to_owned()];
        while let Some(folder) = rest.pop() {
            for entry in fs::read_dir(&folder).into_iter().flatten().flatten() {
                entries += 1;
                if entries > MOST_ENTRIES || names.len() as u64 >= most {
                    return names;
                }
                let Ok(status) = entry.metadata() else { continue };
                if status.is_dir() {
                    rest.push(entry.path());
                } else if status.is_file() && is_searched((status.dev(), status.ino())) {
                    names.insert(entry.path());
                }
            }
        }
    }
    names
}

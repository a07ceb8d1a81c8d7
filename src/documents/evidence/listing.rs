//! What lies in the folder of a pack, without following links or opening anything.

use std::collections::{BTreeMap, BTreeSet};
use std::io;
use std::path::{Path, PathBuf};

use walkdir::WalkDir;

use super::statement::{ENVELOPE, MANIFEST, STATEMENT};
use crate::foundation::platform;

pub(super) const PROVENANCE_PATH: &str = "provenance.json";

/// The files that no manifest lists.
pub(super) const OWN: [&str; 4] = [MANIFEST, STATEMENT, ENVELOPE, PROVENANCE_PATH];

pub(super) const MOST_ENTRIES: usize = 20_000;
const DEEPEST: usize = 4;

/// Why a folder cannot be looked at as a pack.
#[derive(Debug, thiserror::Error)]
pub enum ListError {
    #[error("failed to read `{dir}`; is this the folder of a pack?")]
    Io { dir: PathBuf, source: io::Error },
    #[error(
        "`{dir}` is not an evidence pack: it has no file `{MANIFEST}`; name the folder that \
         `onnx-conformance evidence` wrote"
    )]
    NoPack { dir: PathBuf },
    #[error("`{dir}` is not an evidence pack: it holds more than {MOST_ENTRIES} files")]
    TooMany { dir: PathBuf },
}

#[derive(Clone, Debug, Default)]
pub(super) struct Listing {
    /// Plain files by path, with their sizes.
    pub(super) files: BTreeMap<String, u64>,
    pub(super) folders: BTreeSet<String>,
    /// What is neither, lies too deep, or has a name that no pack has.
    pub(super) strange: BTreeSet<String>,
    /// Those of the plain files that may be executed.
    pub(super) executable: BTreeSet<String>,
}

impl Listing {
    /// What lies in a folder that should be a pack.
    pub(super) fn of(dir: &Path) -> Result<Self, ListError> {
        let io = |source| ListError::Io { dir: dir.to_owned(), source };
        if !dir.metadata().map_err(io)?.is_dir() {
            return Err(ListError::NoPack { dir: dir.to_owned() });
        }
        let mut listing = Self::default();
        for (count, entry) in
            WalkDir::new(dir).min_depth(1).max_depth(DEEPEST).into_iter().enumerate()
        {
            if count >= MOST_ENTRIES {
                return Err(ListError::TooMany { dir: dir.to_owned() });
            }
            let entry = entry.map_err(|error| io(error.into()))?;
            let path = relative(dir, entry.path());
            let kind = entry.file_type();
            if is_plain(&path) && kind.is_file() {
                let metadata = entry.metadata().map_err(|error| io(error.into()))?;
                if platform::is_executable(&metadata) {
                    listing.executable.insert(path.clone());
                }
                listing.files.insert(path, metadata.len());
            } else if is_plain(&path) && kind.is_dir() && entry.depth() < DEEPEST {
                listing.folders.insert(path);
            } else {
                listing.strange.insert(path);
            }
        }
        if listing.files.contains_key(MANIFEST) {
            Ok(listing)
        } else {
            Err(ListError::NoPack { dir: dir.to_owned() })
        }
    }
}

/// A path in the folder, with slashes; what is no UTF-8 is shown as well as may be.
fn relative(dir: &Path, path: &Path) -> String {
    let path = path.strip_prefix(dir).unwrap_or(path);
    let parts = path.components().map(|part| part.as_os_str().to_string_lossy());
    parts.collect::<Vec<_>>().join("/")
}

/// Whether a path is of the form that paths in packs have: nothing in it leads elsewhere, on any
/// system.
pub(super) fn is_plain(path: &str) -> bool {
    let is_plain = |c: char| c.is_ascii_alphanumeric() || "-_.".contains(c);
    path.len() <= 250
        && path.split('/').count() <= DEEPEST
        && path.split('/').all(|part| {
            part.starts_with(|c: char| c.is_ascii_alphanumeric() || c == '_')
                && part.chars().all(is_plain)
        })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_path_that_leads_elsewhere_is_not_plain() {
        for path in ["manifest.json", "reports/a-b_c.1/report.json", "locks/onnx-1.22.0.toml"] {
            assert!(is_plain(path), "{path}");
        }
        for path in [
            "",
            "/",
            "/etc/passwd",
            "..",
            "../x",
            "a/../b",
            "a//b",
            "a/",
            ".x",
            "a\\b",
            "C:x",
            "a/b/c/d/e",
            "-x",
            "a b",
            "ü",
            "a\0",
        ] {
            assert!(!is_plain(path), "{path}");
        }
    }
}

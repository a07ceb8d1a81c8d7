//! Writing a site: the whole folder, or nothing, and never in the place of what is no site.

use std::collections::BTreeSet;
use std::fs;
use std::io;
use std::path::{Path, PathBuf};

use super::document::Site;
use super::{INDEX, Made};
use crate::document::JsonDocument;
use crate::foundation::files;

/// Why the site could not be written. What was in its place is as it was.
#[derive(Debug, thiserror::Error)]
#[expect(missing_docs, reason = "each variant's message says what it is")]
pub enum PublishError {
    #[error(
        "failed to write the site `{dir}`: {problem}; name a folder that does not exist or is empty, or \
         remove what is there"
    )]
    Occupied { dir: PathBuf, problem: String },
    #[error("failed to write the site `{dir}`; choose another folder with --out")]
    Write { dir: PathBuf, source: io::Error },
}

/// Has a folder hold the files of a site and nothing else. It must be new, empty, or hold an earlier site and
/// nothing else, which is replaced.
pub fn publish(made: &Made, dir: &Path) -> Result<(), PublishError> {
    check_free(dir)?;
    let failed = |source| PublishError::Write { dir: dir.to_owned(), source };
    files::replace_folder(dir, ".site-", &made.files, true).map_err(failed)
}

fn check_free(dir: &Path) -> Result<(), PublishError> {
    let occupied = |problem: String| PublishError::Occupied { dir: dir.to_owned(), problem };
    let failed = |source| PublishError::Write { dir: dir.to_owned(), source };
    match fs::symlink_metadata(dir) {
        Ok(metadata) if metadata.is_dir() => {}
        Ok(_) => return Err(occupied("something other than a folder has that name".to_owned())),
        Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(()),
        Err(source) => return Err(failed(source)),
    }
    if fs::read_dir(dir).map_err(failed)?.next().is_none() {
        return Ok(());
    }
    let earlier = Site::read(&dir.join(INDEX))
        .map_err(|_| occupied("it contains something other than a site".to_owned()))?;
    let mut known: BTreeSet<String> = earlier.files.into_iter().collect();
    known.insert(INDEX.to_owned());
    match files::stranger(dir, &known).map_err(failed)? {
        None => Ok(()),
        Some(path) => Err(occupied(format!("it holds `{path}`, which does not belong to a site"))),
    }
}

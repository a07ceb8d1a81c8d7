//! `cargo xtask generate`: the project's own suites, in `testdata/suites`, and the page on the boundaries
//! that they cover.

use std::collections::{BTreeMap, BTreeSet};
use std::io;
use std::path::{Path, PathBuf};

use onnx_conformance::corpus::generate::{self, GenerateError};

use crate::generated;

const OUTPUT: &str = "testdata/suites";

/// The page on the boundaries that the suites cover.
const BOUNDARIES: &str = "docs/boundaries.md";

/// The suites cannot be generated, or are not as committed.
#[derive(Debug, thiserror::Error)]
pub(crate) enum Error {
    #[error("failed to generate the suites")]
    Generate(#[from] GenerateError),
    #[error(transparent)]
    Page(#[from] generated::Error),
    #[error("failed to {action} {}: {source}", path.display())]
    Io { action: &'static str, path: PathBuf, source: io::Error },
    #[error(
        "{} {problem}; run `cargo xtask generate` and commit the result",
        path.display()
    )]
    Drift { path: PathBuf, problem: &'static str },
}

/// Writes the suites below `root` and removes what is none of theirs, or with `check` compares them.
pub(crate) fn run(root: &Path, check: bool) -> Result<(), Error> {
    let page = generate::boundaries_page()?;
    generated::write_or_check(&root.join(BOUNDARIES), &page, check)?;
    let suites = root.join(OUTPUT);
    let wanted: BTreeMap<PathBuf, _> =
        generate::files()?.into_iter().map(|(path, file)| (suites.join(path), file)).collect();
    let present = files_below(&suites)?;
    let mut bytes = 0;
    for (path, contents) in &wanted {
        bytes += contents.len();
        let found = present.contains(path).then(|| std::fs::read(path)).transpose();
        let found = found.map_err(failed_to("read", path))?;
        if found.as_deref() == Some(contents) {
            continue;
        }
        if check {
            let problem = if found.is_some() { "is not as generated" } else { "is missing" };
            return Err(Error::Drift { path: path.clone(), problem });
        }
        if let Some(folder) = path.parent() {
            std::fs::create_dir_all(folder).map_err(failed_to("create", folder))?;
        }
        std::fs::write(path, contents).map_err(failed_to("write", path))?;
    }
    for path in present.iter().filter(|path| !wanted.contains_key(*path)) {
        if check {
            return Err(Error::Drift { path: path.clone(), problem: "is of no generated case" });
        }
        std::fs::remove_file(path).map_err(failed_to("remove", path))?;
        remove_empty_folders(path.parent(), &suites)?;
    }
    println!("{}: {} files, {bytes} bytes, up to date", suites.display(), wanted.len());
    Ok(())
}

fn failed_to(action: &'static str, path: &Path) -> impl FnOnce(io::Error) -> Error {
    let path = path.to_owned();
    move |source| Error::Io { action, path, source }
}

/// Every file in a folder at any depth; none where it does not exist.
fn files_below(folder: &Path) -> Result<BTreeSet<PathBuf>, Error> {
    let mut files = BTreeSet::new();
    let mut folders = vec![folder.to_owned()];
    while let Some(folder) = folders.pop() {
        let entries = match std::fs::read_dir(&folder) {
            Err(error) if error.kind() == io::ErrorKind::NotFound => continue,
            entries => entries.map_err(failed_to("read", &folder))?,
        };
        for entry in entries {
            let entry = entry.map_err(failed_to("read", &folder))?;
            let kind = entry.file_type().map_err(failed_to("read", &entry.path()))?;
            if kind.is_dir() {
                folders.push(entry.path());
            } else {
                files.insert(entry.path());
            }
        }
    }
    Ok(files)
}

/// Removes a folder below `root` and those above it, as far as nothing is left in them.
fn remove_empty_folders(folder: Option<&Path>, root: &Path) -> Result<(), Error> {
    let mut next = folder;
    while let Some(folder) = next.filter(|&folder| folder != root) {
        match std::fs::remove_dir(folder) {
            Err(error) if error.kind() == io::ErrorKind::DirectoryNotEmpty => break,
            removed => removed.map_err(failed_to("remove", folder))?,
        }
        next = folder.parent();
    }
    Ok(())
}

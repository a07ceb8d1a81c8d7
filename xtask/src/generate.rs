//! `cargo xtask generate`: the project's own suites, in `testdata/suites`, and the page on the boundaries
//! that they cover.

use std::collections::{BTreeMap, BTreeSet};
use std::io;
use std::path::{Path, PathBuf};

use onnx_conformance::bytes::Bytes;
use onnx_conformance::corpus::generate::{self, GenerateError};
use onnx_conformance::suites::{archive, canonical};

use crate::generated;

pub(crate) const OUTPUT: &str = "testdata/suites";

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
    #[error("the files of {0} are more than an archive holds; state fewer cases")]
    TooLarge(String),
    #[error(
        "{} {problem}; run `cargo xtask generate` and commit the result",
        path.display()
    )]
    Drift { path: PathBuf, problem: String },
}

/// Writes the archives of the suites below `root` and removes what is none of theirs, or with `check` compares them
/// member by member.
pub(crate) fn run(root: &Path, check: bool) -> Result<(), Error> {
    let suites = root.join(OUTPUT);
    let files = generate::files()?;
    // The cases have searched for the boundaries, on all cores.
    let page = generate::boundaries_page()?;
    generated::write_or_check(&root.join(BOUNDARIES), &page, check)?;
    let mut wanted: BTreeMap<PathBuf, Vec<(&str, &[u8])>> = BTreeMap::new();
    for (path, content) in &files {
        // A suite, and the path within, which begins with the version of an operator.
        let (suite, member) = path.split_once('/').unwrap_or_default();
        let archive = suites.join(suite).join(format!("{}.zip", operator(member)));
        wanted.entry(archive).or_default().push((member, content));
    }
    let present = files_below(&suites)?;
    let mut bytes = 0;
    for (path, members) in &wanted {
        let too_large = || Error::TooLarge(path.display().to_string());
        let archive = canonical::pack(members).ok_or_else(too_large)?;
        bytes += archive.len();
        let found = present.contains(path).then(|| std::fs::read(path)).transpose();
        let found = found.map_err(failed_to("read", path))?;
        if found.as_deref() == Some(&archive[..]) {
            continue;
        }
        if check {
            let problem = found.map_or_else(|| "is missing".to_owned(), |it| differs(it, members));
            return Err(Error::Drift { path: path.clone(), problem });
        }
        if let Some(folder) = path.parent() {
            std::fs::create_dir_all(folder).map_err(failed_to("create", folder))?;
        }
        std::fs::write(path, &archive).map_err(failed_to("write", path))?;
    }
    for path in present.iter().filter(|path| !wanted.contains_key(*path)) {
        if check {
            let problem = "is of no generated case".to_owned();
            return Err(Error::Drift { path: path.clone(), problem });
        }
        std::fs::remove_file(path).map_err(failed_to("remove", path))?;
        remove_empty_folders(path.parent(), &suites)?;
    }
    let (archives, files) = (wanted.len(), files.len());
    println!(
        "{}: {archives} archives of {files} files, {bytes} bytes, up to date",
        suites.display()
    );
    Ok(())
}

/// The operator of a path that begins with one or a version of it, such as `abs` or `abs_13`.
fn operator(path: &str) -> &str {
    let folder = path.split('/').next().unwrap_or_default();
    match folder.rsplit_once('_') {
        Some((operator, version)) if version.parse::<u32>().is_ok() => operator,
        _ => folder,
    }
}

/// How an archive differs from one of these members.
fn differs(archive: Vec<u8>, members: &[(&str, &[u8])]) -> String {
    let found = match archive::files(&Bytes::from(archive), u64::MAX) {
        Ok(found) => found,
        Err(error) => return format!("cannot be read: {error}"),
    };
    let wanted: BTreeMap<&str, &[u8]> = members.iter().copied().collect();
    let all: BTreeSet<&str> =
        found.keys().map(String::as_str).chain(wanted.keys().copied()).collect();
    let problem = |member: &str| match (found.get(member), wanted.get(member)) {
        (Some(found), Some(wanted)) if found == wanted => None,
        (Some(_), Some(_)) => Some(format!("has a member `{member}` that is not as generated")),
        (Some(_), None) => Some(format!("has a member `{member}` of no generated case")),
        (None, _) => Some(format!("lacks its member `{member}`")),
    };
    let other = "has the generated members, but not in the form that suites are kept in";
    all.into_iter().find_map(problem).unwrap_or_else(|| other.to_owned())
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

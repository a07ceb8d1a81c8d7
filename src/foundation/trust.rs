//! Which folders above the current one are believed: what is found there without being named decides what is run and
//! what results are compared with, so it has to be the user's own, as git has it of repositories.

use std::env;
use std::path::{Path, PathBuf};

use crate::foundation::platform;

/// The variable that names folders of others that are believed, or `*` for all.
const VARIABLE: &str = "ONNX_CONFORMANCE_TRUST";

/// What lies in a folder is another user's.
#[derive(Debug, thiserror::Error)]
#[error(
    "`{}` belongs to another user (id {owner}), and what is found there decides what is run; if you trust it, set \
     {VARIABLE} to `{}`",
    path.display(), folder.display()
)]
pub struct Untrusted {
    path: PathBuf,
    folder: PathBuf,
    owner: u32,
}

/// That a folder and these of its files, as far as they are there, belong to this user or the system's.
pub fn check(folder: &Path, files: &[&str]) -> Result<(), Untrusted> {
    let paths = [folder.to_owned()].into_iter().chain(files.iter().map(|file| folder.join(file)));
    for path in paths {
        if let Some(owner) = platform::stranger(&path).filter(|_| !is_named(folder)) {
            let folder = folder.canonicalize().unwrap_or_else(|_| folder.to_owned());
            return Err(Untrusted { path, folder, owner });
        }
    }
    Ok(())
}

/// Whether the variable names a folder, or one above it.
fn is_named(folder: &Path) -> bool {
    let Some(named) = env::var_os(VARIABLE) else { return false };
    let folder = folder.canonicalize().ok();
    env::split_paths(&named).any(|named| {
        let above = named.canonicalize().ok();
        named == Path::new("*")
            || above.is_some_and(|above| folder.as_ref().is_some_and(|it| it.starts_with(above)))
    })
}

/// A folder and those above it, up to the root of the repository or of the file system that it is in.
pub fn upwards(folder: &Path) -> impl Iterator<Item = &Path> {
    let (device, mut is_within) = (platform::device(folder), true);
    folder.ancestors().take_while(move |above| {
        let is_taken = is_within && platform::device(above) == device;
        is_within = !above.join(".git").exists();
        is_taken
    })
}

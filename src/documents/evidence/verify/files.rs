//! The files of a pack against its manifest.

use std::collections::{BTreeMap, BTreeSet};
use std::fs::File;
use std::path::Path;

use super::super::document::{self, Manifest};
use super::super::listing::{Listing, OWN, is_plain};
use super::{Verification, VerifyError, places};
use crate::corpus::Digest;
use crate::document::text::{counted, grouped};

/// Sets what lies in the folder against the manifest. Gives the files that are as it says, by path.
pub(super) fn check<'m>(
    dir: &Path,
    listing: &Listing,
    manifest: &'m Manifest,
    found: &mut Verification,
) -> Result<BTreeMap<&'m str, &'m document::File>, VerifyError> {
    let before = found.problems.len();
    for path in &listing.strange {
        found.problem(
            path,
            "it is no plain file of a pack: a link, a folder too deep or a strange name",
        );
    }
    for path in &listing.executable {
        let what = "it may be executed, which no file of a pack may; check what it is, then take that \
                    away (chmod a-x)";
        found.problem(path, what);
    }
    let mut listed = BTreeMap::new();
    let mut last: Option<&str> = None;
    for (at, file) in manifest.files.iter().enumerate() {
        let path = file.path.as_str();
        let member = format!("`files[{at}].path`");
        if !is_plain(path) || OWN.contains(&path) {
            let what =
                format!("{member} is `{path}`, which is no path of a file that a manifest lists");
            found.problem(super::MANIFEST, what);
        } else if last.is_some_and(|last| last >= path) {
            found.problem(super::MANIFEST, format!("{member} is `{path}`, which is out of order"));
        } else {
            listed.insert(path, file);
        }
        last = Some(path);
    }
    places::check(&listed, found);
    let mut intact = BTreeMap::new();
    let mut bytes = 0;
    for (&path, &file) in &listed {
        match listing.files.get(path) {
            None => found.problem(path, "it is missing"),
            Some(&size) if size != file.size => {
                let what = format!("its size is {size} bytes, but the manifest says {}", file.size);
                found.problem(path, what);
            }
            Some(_) => {
                let full = dir.join(path);
                let digest = File::open(&full).and_then(Digest::of_reader);
                let (digest, _) =
                    digest.map_err(|source| VerifyError::Read { path: full, source })?;
                if digest == file.sha256 {
                    bytes += file.size;
                    intact.insert(path, file);
                } else {
                    let what =
                        format!("its SHA-256 is {digest}, but the manifest says {}", file.sha256);
                    found.problem(path, what);
                }
            }
        }
    }
    for path in listing.files.keys() {
        if !listed.contains_key(path.as_str()) && !OWN.contains(&path.as_str()) {
            found.problem(path, "the manifest does not list it");
        }
    }
    for path in OWN {
        if !listing.files.contains_key(path) {
            found.problem(path, "it is missing");
        }
    }
    let folders: BTreeSet<&str> = listed.keys().flat_map(|path| parents(path)).collect();
    for folder in &listing.folders {
        if !folders.contains(folder.as_str()) {
            found.problem(folder, "it is a folder of no file that the manifest lists");
        }
    }
    if found.problems.len() == before {
        found.verified.push(format!(
            "{} in all, {} bytes: each is there with the size and SHA-256 that the manifest says, and \
             none more",
            counted(listed.len() as u64, "file"),
            grouped(bytes)
        ));
    }
    Ok(intact)
}

/// The folders that a path leads through.
fn parents(path: &str) -> impl Iterator<Item = &str> {
    path.match_indices('/').map(|(at, _)| &path[..at])
}

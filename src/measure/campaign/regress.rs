//! Regression cases: the counterexamples of a campaign as a case that any runner can read.

use std::collections::BTreeMap;
use std::fs;
use std::io::{self, Write};
use std::path::{Path, PathBuf};

use bytes::Bytes;

use super::document::Campaign;
use super::example::{by_scalars, operands};
use crate::corpus::generate::{GenerateError, single_case};
use crate::document::Contradiction;
use crate::foundation::cleanup::{self, TemporaryFolder};
use crate::foundation::platform;

/// No regression case can be made or written.
#[derive(Debug, thiserror::Error)]
pub enum RegressError {
    /// The campaign found nothing.
    #[error("the campaign has no counterexample, so there is nothing to make a case from")]
    NoCounterexample,
    /// The document has no such counterexample.
    #[error("the campaign has no counterexample of index {0}; campaign.json lists those it has")]
    NoSuchIndex(u64),
    /// The document contradicts itself.
    #[error(transparent)]
    Inconsistent(#[from] Contradiction),
    /// The case cannot be made.
    #[error(transparent)]
    Generate(#[from] GenerateError),
    /// There is something of its name.
    #[error("`{0}` exists already; nothing was written")]
    Exists(PathBuf),
    /// The file system refuses.
    #[error("failed to write the case `{0}`")]
    Io(PathBuf, #[source] io::Error),
}

/// Writes a case of a document's counterexamples, or of the one at an index, below a folder:
/// `div/float16/campaign_0123456789ab` by operator, type and digest of the document, and for a
/// single one its index. Of an operator that takes scalars these are counterexamples with the scalars of the first one. Gives the case's
/// folder.
pub fn regress(
    document: &Campaign,
    index: Option<u64>,
    folder: &Path,
) -> Result<PathBuf, RegressError> {
    let (name, files) = case(document, index)?;
    let path = folder.join(&name);
    if path.exists() {
        return Err(RegressError::Exists(path));
    }
    write(&path, &name, &files).map_err(|source| RegressError::Io(path.clone(), source))?;
    Ok(path)
}

/// The case's path below the folder, and its files by theirs.
fn case(
    document: &Campaign,
    index: Option<u64>,
) -> Result<(String, BTreeMap<String, Bytes>), RegressError> {
    let check = document.check()?;
    let findings = document.state()?.findings;
    let mut examples = [findings.first, findings.worst].concat();
    examples.sort_by_key(|example| example.index);
    examples.dedup_by_key(|example| example.index);
    if examples.is_empty() {
        return Err(RegressError::NoCounterexample);
    }
    let digest: String = document.digest.to_string().chars().take(12).collect();
    let (operator, dtype) = (check.operator(), check.dtype());
    let mut name = format!("{operator}/{dtype}/campaign_{digest}").to_lowercase();
    if let Some(index) = index {
        examples.retain(|example| example.index == index);
        if examples.is_empty() {
            return Err(RegressError::NoSuchIndex(index));
        }
        name = format!("{name}_{index}");
    }
    let Campaign { strategy, backend, .. } = document;
    let note = format!("found by the {strategy} campaign on {} {}", backend.name, backend.version);
    let ids = check.covered(false);
    // A case is one call.
    let examples = by_scalars(&check, &examples).into_iter().find(|group| group[0] == examples[0]);
    let operands =
        operands(&check, &examples.unwrap_or_default()).map_err(GenerateError::Element)?;
    let attributes = check.attributes();
    let files = single_case(name.clone(), operator, attributes, operands, &ids, &note)?;
    Ok((name, files))
}

/// Writes the files of a case into a folder beside it, which then takes its name.
fn write(path: &Path, name: &str, files: &BTreeMap<String, Bytes>) -> io::Result<()> {
    let parent = path.parent().unwrap_or(Path::new("."));
    fs::create_dir_all(parent)?;
    let staging = TemporaryFolder::new(tempfile::Builder::new().prefix(".case-"), parent)?;
    let within =
        |file: &String| staging.path().join(file.trim_start_matches(name).trim_start_matches('/'));
    for (file, contents) in files {
        cleanup::create(&within(file))?.write_all(contents)?;
    }
    platform::publish(staging.path())?;
    cleanup::undisturbed(|| fs::rename(staging.path(), path))?;
    staging.keep();
    Ok(())
}

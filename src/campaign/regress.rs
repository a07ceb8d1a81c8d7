//! Regression cases: the counterexamples of a campaign as a case that any runner can read.

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::io;
use std::path::{Path, PathBuf};

use bytes::Bytes;

use super::document::Document;
use super::example::Example;
use super::record::Inconsistent;
use crate::check::Check;
use crate::generate::{GenerateError, single_case};
use crate::tensor::{Tensor, TensorError};
use reference::inputs::Column;

/// No regression case can be made or written.
#[derive(Debug, thiserror::Error)]
pub enum RegressError {
    /// The campaign found nothing.
    #[error("the campaign has no counterexample, so there is nothing to make a case of")]
    NoCounterexample,
    /// The document has no such counterexample.
    #[error("the campaign has no counterexample of index {0}; campaign.json lists those it has")]
    NoSuchIndex(u64),
    /// The document contradicts itself.
    #[error(transparent)]
    Inconsistent(#[from] Inconsistent),
    /// The operands make no tensor.
    #[error(transparent)]
    Tensor(#[from] TensorError),
    /// The case cannot be made.
    #[error(transparent)]
    Generate(#[from] GenerateError),
    /// There is something of its name.
    #[error("`{0}` exists already; nothing was written")]
    Exists(PathBuf),
    /// The file system refuses.
    #[error("failed to write the case `{path}`")]
    Io {
        /// Folder of the case.
        path: PathBuf,
        /// What the system says.
        source: io::Error,
    },
}

/// Writes a case of a document's counterexamples, or of the one at an index, below a folder:
/// `div/float16/campaign_0123456789ab` by operator, type and digest of the document, and for a
/// single one its index. Gives the case's folder.
///
/// # Errors
///
/// When there is no counterexample, or a case of that name.
pub fn regress(
    document: &Document,
    index: Option<u64>,
    folder: &Path,
) -> Result<PathBuf, RegressError> {
    let (name, files) = case(document, index)?;
    let path = folder.join(&name);
    if path.exists() {
        return Err(RegressError::Exists(path));
    }
    write(&path, &name, &files)
        .map_err(|source| RegressError::Io { path: path.clone(), source })?;
    Ok(path)
}

/// The case's path below the folder, and its files by theirs.
fn case(
    document: &Document,
    index: Option<u64>,
) -> Result<(String, BTreeMap<String, Bytes>), RegressError> {
    let check = document.check()?;
    let findings = document.state()?.findings;
    let mut examples: Vec<Example> = findings.first.into_iter().chain(findings.worst).collect();
    examples.sort_by(Example::first_first);
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
    let backend = &document.backend;
    let note = format!(
        "found by the {} campaign on {} {}",
        document.strategy, backend.name, backend.version
    );
    let ids = operator.covered(dtype, false);
    let operands = operands(&check, &examples)?;
    let files = single_case(name.clone(), operator, operands, &ids, &note)?;
    Ok((name, files))
}

/// The operands of the examples, a tensor each.
fn operands(check: &Check, examples: &[Example]) -> Result<Vec<Tensor>, TensorError> {
    let arity = examples.iter().map(|example| example.operands.len()).min().unwrap_or(0);
    let tensor = |operand: usize| {
        let mut column = Column::new(check.dtype());
        column.resize(examples.len());
        for (at, example) in examples.iter().enumerate() {
            column.set(at, example.operands[operand]);
        }
        let bits = Bytes::copy_from_slice(column.bytes());
        Tensor::from_bits(check.dtype(), vec![examples.len()], bits)
    };
    (0..arity).map(tensor).collect()
}

/// Writes the files of a case into a folder beside it, which then takes its name.
fn write(path: &Path, name: &str, files: &BTreeMap<String, Bytes>) -> io::Result<()> {
    let parent = path.parent().unwrap_or(Path::new("."));
    fs::create_dir_all(parent)?;
    let staging = tempfile::Builder::new().prefix(".case-").tempdir_in(parent)?;
    let within =
        |file: &String| staging.path().join(file.trim_start_matches(name).trim_start_matches('/'));
    let folders: BTreeSet<PathBuf> =
        files.keys().filter_map(|file| within(file).parent().map(Path::to_owned)).collect();
    folders.iter().try_for_each(fs::create_dir_all)?;
    for (file, contents) in files {
        fs::write(within(file), contents)?;
    }
    #[cfg(unix)]
    fs::set_permissions(staging.path(), std::os::unix::fs::PermissionsExt::from_mode(0o755))?;
    fs::rename(staging.keep(), path)
}

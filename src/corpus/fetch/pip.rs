//! Wheels by way of pip, which honours the user's mirror and proxy settings.

use std::fs;
use std::io;
use std::path::{Path, PathBuf};

use super::python::{self, PythonError};

/// Python version, ABI and platform of a wheel that holds the node data, for each release.
const WHEELS: [(&str, &str, &str, &str); 3] = [
    ("1.22.0", "312", "abi3", "manylinux_2_28_x86_64"),
    ("1.2.1", "36", "cp36m", "manylinux1_x86_64"),
    ("1.1.2", "36", "cp36m", "manylinux1_x86_64"),
];

/// pip did not deliver a wheel.
#[derive(Debug, thiserror::Error)]
pub enum PipError {
    /// The tags of the release's wheel are not known here.
    #[error("the wheel tags of onnx {0} are not known")]
    UnknownWheel(String),
    /// There is no Python, or pip ended with an error.
    #[error(transparent)]
    Python(#[from] PythonError),
    /// pip succeeded but left no wheel.
    #[error("pip left no wheel")]
    NoWheel,
    /// The folder it wrote to cannot be read.
    #[error("failed to read what pip downloaded")]
    Read(#[from] io::Error),
}

/// Downloads the wheel of a release into a folder that exists and is empty.
pub(super) fn download(release: &str, folder: &Path) -> Result<PathBuf, PipError> {
    let wheel = WHEELS.iter().find(|wheel| wheel.0 == release);
    let &(_, version, abi, platform) =
        wheel.ok_or_else(|| PipError::UnknownWheel(release.to_owned()))?;
    let requirement = format!("onnx=={release}");
    python::run(&python::candidates(None), "-m pip download", "", |python| {
        python
            .args(["-m", "pip", "download", &requirement, "--no-deps", "--only-binary=:all:"])
            .args(["--python-version", version, "--implementation", "cp"])
            .args(["--abi", abi, "--platform", platform])
            .args(["--no-input", "--disable-pip-version-check", "--progress-bar", "off"])
            .arg("--dest")
            .arg(folder);
    })?;
    for entry in fs::read_dir(folder)? {
        let path = entry?.path();
        if path.extension().is_some_and(|extension| extension == "whl") {
            return Ok(path);
        }
    }
    Err(PipError::NoWheel)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_release_without_known_tags_is_refused_before_anything_runs() {
        let error = download("0.0.1", Path::new("/nonexistent")).unwrap_err();
        assert!(matches!(error, PipError::UnknownWheel(_)), "{error}");
    }
}

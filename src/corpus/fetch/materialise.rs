//! Cases of the releases since 1.23, which exist only in the memory of the release's Python package.
//!
//! The package goes into a virtual environment of its own, with exactly the distributions that
//! `testdata/materialise/requirements-RELEASE.txt` pins by their digests, and `materialise.py` has
//! it write its cases. Environment and cases lie in the private folder of the fetch.

use std::path::{Path, PathBuf};

use super::python::{self, PythonError};
use super::{Event, Progress};

/// Writes the cases of the package that runs it.
const SCRIPT: &str = include_str!("materialise.py");

/// Keep NumPy's linear algebra to one thread: the order of its sums depends on their number.
const ONE_THREAD: [(&str, &str); 2] = [("OPENBLAS_NUM_THREADS", "1"), ("OMP_NUM_THREADS", "1")];

/// The release's package did not give its cases.
#[derive(Debug, thiserror::Error)]
pub enum MaterialiseError {
    /// Nobody pinned what the release needs.
    #[error("there is no `{}` that pins the release's packages; write it", .0.display())]
    NoRequirements(PathBuf),
    /// There is no Python, or one of the steps failed.
    #[error(transparent)]
    Python(#[from] PythonError),
}

/// Has the package write its cases into `corpus`, a folder that exists and is empty; `environment`
/// is to become the virtual environment, made by `given` or the first Python there is.
pub(super) fn materialise(
    given: Option<&Path>,
    requirements: &Path,
    environment: &Path,
    corpus: &Path,
    progress: Progress<'_>,
) -> Result<(), MaterialiseError> {
    progress(Event::Step("creating a Python environment"));
    python::run(&python::candidates(given), "-m venv", "", |python| {
        python.args(["-m", "venv"]).arg(environment);
    })?;
    let program = if cfg!(windows) { "Scripts/python.exe" } else { "bin/python" };
    let private = [environment.join(program)];
    progress(Event::Step("installing the release's packages"));
    python::run(&private, "-m pip install", "", |python| {
        python
            .args(["-I", "-m", "pip", "install", "--require-hashes", "--no-deps"])
            .args(["--only-binary=:all:", "--no-input", "--disable-pip-version-check"])
            .args(["--progress-bar", "off", "--requirement"])
            .arg(requirements);
    })?;
    progress(Event::Step("computing the cases"));
    // `-I` also ignores PYTHONHASHSEED; nothing that is written depends on the order of a set.
    Ok(python::run(&private, "materialise.py", SCRIPT, |python| {
        python.args(["-I", "-W", "ignore", "-"]).arg(corpus).envs(ONE_THREAD);
    })?)
}

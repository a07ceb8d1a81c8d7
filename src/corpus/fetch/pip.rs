//! Wheels by way of pip, which honours the user's mirror and proxy settings.

use std::fs;
use std::io;
use std::path::{Path, PathBuf};
use std::process::{Command, Output, Stdio};

/// Python version, ABI and platform of a wheel that holds the node data, for each release.
const WHEELS: [(&str, &str, &str, &str); 3] = [
    ("1.22.0", "312", "abi3", "manylinux_2_28_x86_64"),
    ("1.2.1", "36", "cp36m", "manylinux1_x86_64"),
    ("1.1.2", "36", "cp36m", "manylinux1_x86_64"),
];

/// Names that Python goes by, the likelier one first.
const PYTHONS: [&str; 2] = ["python3", "python"];

/// So much of what pip says is quoted, in characters, from its end.
const QUOTED: usize = 600;

/// pip did not deliver a wheel.
#[derive(Debug, thiserror::Error)]
pub enum PipError {
    /// The tags of the release's wheel are not known here.
    #[error("the wheel tags of onnx {0} are not known")]
    UnknownWheel(String),
    /// There is no Python.
    #[error("failed to find Python (`python3` or `python`)")]
    NoPython,
    /// Python could not be started.
    #[error("failed to run `{0}`")]
    Start(&'static str, #[source] io::Error),
    /// pip ended with an error.
    #[error("`{python} -m pip download` failed ({status}): {quoted}")]
    Failed {
        /// The Python that was run.
        python: &'static str,
        /// How it ended.
        status: String,
        /// The end of what it printed.
        quoted: String,
    },
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
    let (python, output) = run(&PYTHONS, |python| {
        python
            .args(["-m", "pip", "download", &requirement, "--no-deps", "--only-binary=:all:"])
            .args(["--python-version", version, "--implementation", "cp"])
            .args(["--abi", abi, "--platform", platform])
            .args(["--no-input", "--disable-pip-version-check", "--progress-bar", "off"])
            .arg("--dest")
            .arg(folder);
    })?;
    if !output.status.success() {
        let status = output.status.to_string();
        return Err(PipError::Failed { python, status, quoted: quote(&output.stderr) });
    }
    for entry in fs::read_dir(folder)? {
        let path = entry?.path();
        if path.extension().is_some_and(|extension| extension == "whl") {
            return Ok(path);
        }
    }
    Err(PipError::NoWheel)
}

/// Runs the first of the programs that exists.
fn run(
    programs: &[&'static str],
    arguments: impl Fn(&mut Command),
) -> Result<(&'static str, Output), PipError> {
    for &program in programs {
        let mut command = Command::new(program);
        arguments(&mut command);
        match command.stdin(Stdio::null()).stdout(Stdio::null()).output() {
            Ok(output) => return Ok((program, output)),
            Err(error) if error.kind() == io::ErrorKind::NotFound => {}
            Err(error) => return Err(PipError::Start(program, error)),
        }
    }
    Err(PipError::NoPython)
}

/// The end of a program's output on one line, without control characters.
fn quote(output: &[u8]) -> String {
    let text = String::from_utf8_lossy(output);
    let line: Vec<_> = text.split(|char: char| char.is_whitespace() || char.is_control()).collect();
    let line = line.into_iter().filter(|word| !word.is_empty()).collect::<Vec<_>>().join(" ");
    match line.char_indices().rev().nth(QUOTED) {
        Some((start, _)) => format!("... {}", &line[start..]),
        None => line,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_missing_python_is_said_to_be_missing() {
        let error = run(&["no-such-python-3"], |_| {}).unwrap_err();
        assert!(matches!(error, PipError::NoPython), "{error}");
    }

    #[test]
    fn a_release_without_known_tags_is_refused_before_anything_runs() {
        let error = download("0.0.1", Path::new("/nonexistent")).unwrap_err();
        assert!(matches!(error, PipError::UnknownWheel(_)), "{error}");
    }

    #[test]
    fn the_end_of_the_output_is_quoted_on_one_line_without_control_characters() {
        assert_eq!(quote(b"ERROR:\x1b no\r\n  match\n"), "ERROR: no match");
        let long = quote("x é ".repeat(1000).as_bytes());
        assert!(long.starts_with("... ") && long.chars().count() <= QUOTED + 5, "{long}");
    }
}

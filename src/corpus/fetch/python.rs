//! What the host's Python does for a fetch: pip downloads a wheel, honouring the user's mirror and
//! proxy settings, and the packages of the releases since 1.23, whose cases exist only in their
//! memory, compute them.
//!
//! Such a package goes into a virtual environment of its own, with exactly the distributions that
//! `testdata/materialise/requirements-RELEASE.txt` pins by their digests, and `materialise.py` has
//! it write its cases. Environment and cases lie in the private folder of the fetch.

use std::fs;
use std::io::{self, Read};
use std::path::{Path, PathBuf};
use std::process::{Child, Command, ExitStatus, Stdio};

use super::super::CorpusError;
use super::{Event, Progress};
use crate::foundation::cleanup;
use crate::foundation::platform;

/// Names that Python goes by, the likelier one first.
const NAMES: [&str; 2] = ["python3", "python"];

/// So much of what a program says is quoted, in characters, from its end.
const QUOTED: usize = 600;

/// Python version and ABI of a wheel that holds cases, and the releases that have it, separated by blanks.
/// That is every release with wheels for Python 3.6 or newer.
const WHEELS: [(&str, &str, &str); 5] = [
    (
        "36",
        "cp36m",
        "1.1.2 1.2.1 1.2.2 1.2.3 1.3.0 1.4.0 1.4.1 1.5.0 1.6.0 1.7.0 1.8.0 1.8.1 1.9.0 1.10.0 1.10.1 1.10.2 \
         1.11.0",
    ),
    ("38", "cp38", "1.12.0 1.13.0 1.13.1 1.14.0 1.14.1 1.15.0 1.16.0 1.16.1 1.16.2 1.17.0"),
    ("39", "cp39", "1.18.0 1.19.0 1.19.1"),
    ("310", "cp310", "1.20.0 1.20.1 1.21.0"),
    ("312", "abi3", "1.22.0 1.23.0 1.23.1 1.23.2"),
];

/// The platforms that these wheels are of, whichever this machine is: only their data is looked at.
const PLATFORMS: [&str; 5] = [
    "manylinux1_x86_64",
    "manylinux2010_x86_64",
    "manylinux2014_x86_64",
    "manylinux_2_27_x86_64",
    "manylinux_2_28_x86_64",
];

/// Writes the cases of the package that runs it.
const SCRIPT: &str = include_str!("materialise.py");

/// Keep NumPy's linear algebra to one thread: the order of its sums depends on their number.
const ONE_THREAD: [(&str, &str); 2] = [("OPENBLAS_NUM_THREADS", "1"), ("OMP_NUM_THREADS", "1")];

/// Downloads the wheel of a release into a folder that exists and is empty.
pub(super) fn download(release: &str, folder: &Path) -> Result<PathBuf, CorpusError> {
    let has = |releases: &str| releases.split(' ').any(|one| one == release);
    let wheel = WHEELS.iter().find(|(_, _, releases)| has(releases));
    let unknown = || CorpusError::Source(format!("the wheel tags of onnx {release} are not known"));
    let &(version, abi, _) = wheel.ok_or_else(unknown)?;
    let requirement = format!("onnx=={release}");
    run(&NAMES.map(PathBuf::from), "-m pip download", "", |python| {
        python
            .args([
                "-m",
                "pip",
                "download",
                "--no-cache-dir",
                &requirement,
                "--no-deps",
                "--only-binary=:all:",
            ])
            .args(["--python-version", version, "--implementation", "cp"])
            .args(["--abi", abi])
            .args(PLATFORMS.iter().flat_map(|platform| ["--platform", platform]))
            .args(["--no-input", "--disable-pip-version-check", "--progress-bar", "off"])
            .arg("--dest")
            .arg(folder);
    })?;
    let failed = |source| CorpusError::Step("read what pip downloaded", source);
    for entry in fs::read_dir(folder).map_err(failed)? {
        let path = entry.map_err(failed)?.path();
        if path.extension().is_some_and(|extension| extension == "whl") {
            return Ok(path);
        }
    }
    Err(CorpusError::Source("pip left no wheel".to_owned()))
}

/// Has the package write its cases into `corpus`, a folder that exists and is empty; `environment`
/// is to become the virtual environment, made by `given` or the first Python there is.
pub(super) fn materialise(
    given: Option<&Path>,
    requirements: &Path,
    environment: &Path,
    corpus: &Path,
    progress: Progress<'_>,
) -> Result<(), CorpusError> {
    progress(Event::Step("creating a Python environment"));
    let programs = given.map_or_else(|| NAMES.map(PathBuf::from).into(), |own| vec![own.into()]);
    run(&programs, "-m venv", "", |python| {
        python.args(["-m", "venv"]).arg(environment);
    })?;
    let private = [environment.join(platform::VENV_PYTHON)];
    progress(Event::Step("installing the release's packages"));
    run(&private, "-m pip install", "", |python| {
        python
            .args(["-I", "-m", "pip", "install", "--no-cache-dir", "--require-hashes", "--no-deps"])
            .args(["--only-binary=:all:", "--no-input", "--disable-pip-version-check"])
            .args(["--progress-bar", "off", "--requirement"])
            .arg(requirements);
    })?;
    progress(Event::Step("computing the cases"));
    // `-I` also ignores PYTHONHASHSEED; nothing that is written depends on the order of a set.
    run(&private, "materialise.py", SCRIPT, |python| {
        python.args(["-I", "-W", "ignore", "-"]).arg(corpus).envs(ONE_THREAD);
    })
}

/// Runs the first of the programs that exists, with these arguments and this text as its standard
/// input, and waits for it to succeed; `task` says what it does.
fn run(
    programs: &[PathBuf],
    task: &str,
    input: &str,
    arguments: impl Fn(&mut Command),
) -> Result<(), CorpusError> {
    for program in programs {
        let mut command = Command::new(program);
        arguments(&mut command);
        command.stdin(Stdio::piped()).stdout(Stdio::null()).stderr(Stdio::piped());
        let failed = CorpusError::io("run", program);
        let child = match cleanup::spawn(&mut command, None) {
            Err(error) if error.kind() == io::ErrorKind::NotFound => continue,
            spawned => spawned.map_err(failed)?,
        };
        let (status, said) = finish(child, input).map_err(failed)?;
        if status.success() {
            return Ok(());
        }
        let (program, said) = (program.display(), quote(&said));
        return Err(CorpusError::Source(format!("`{program} {task}` failed ({status}): {said}")));
    }
    let names: Vec<_> = programs.iter().map(|name| format!("`{}`", name.display())).collect();
    Err(CorpusError::Source(format!("failed to find Python ({})", names.join(" or "))))
}

/// Gives a process its input and waits for its end.
fn finish(mut child: Child, input: &str) -> io::Result<(ExitStatus, Vec<u8>)> {
    if let Some(mut stdin) = child.stdin.take() {
        match io::Write::write_all(&mut stdin, input.as_bytes()) {
            // It ended without reading; its status tells why.
            Err(error) if error.kind() == io::ErrorKind::BrokenPipe => {}
            written => written?,
        }
    }
    let mut stderr = Vec::new();
    child.stderr.take().map_or(Ok(0), |mut stream| stream.read_to_end(&mut stderr))?;
    cleanup::forget(&child);
    Ok((child.wait()?, stderr))
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
    use crate::corpus::CaseKind;

    #[test]
    fn a_missing_python_is_said_to_be_missing() {
        let (python, nowhere) = (Path::new("no-such-python-3"), Path::new("/nonexistent"));
        let error = materialise(Some(python), nowhere, nowhere, nowhere, &|_| {}).unwrap_err();
        assert_eq!(error.to_string(), "failed to find Python (`no-such-python-3`)");
    }

    #[test]
    fn the_end_of_the_output_is_quoted_on_one_line_without_control_characters() {
        assert_eq!(quote(b"ERROR:\x1b no\r\n  match\n"), "ERROR: no match");
        let long = quote("x é ".repeat(1000).as_bytes());
        assert!(long.starts_with("... ") && long.chars().count() <= QUOTED + 5, "{long}");
    }

    #[test]
    fn pip_has_a_wheel_of_every_corpus_with_a_lock_whose_cases_are_not_computed() {
        let locks = crate::foundation::embedded::below("testdata/locks");
        let names = locks.filter_map(|(file, _)| file.strip_suffix(".toml"));
        let shipped: Vec<_> = names
            .map(|name| CaseKind::of_corpus(name).unwrap())
            .filter(|(release, kind)| !kind.is_computed(release))
            .collect();
        for kind in CaseKind::ALL {
            let count = shipped.iter().filter(|(_, it)| *it == kind).count();
            assert!(count >= 34, "{kind}: {count}");
        }
        for (release, kind) in shipped {
            let is_known = |(_, _, all): &(_, _, &str)| all.split(' ').any(|one| one == release);
            let count = WHEELS.iter().filter(|wheel| is_known(wheel)).count();
            assert_eq!(count, 1, "{release} {kind}");
        }
    }

    #[test]
    fn a_release_without_known_tags_is_refused_before_anything_runs() {
        let error = download("0.0.1", Path::new("/nonexistent")).unwrap_err();
        assert_eq!(error.to_string(), "the wheel tags of onnx 0.0.1 are not known");
    }
}

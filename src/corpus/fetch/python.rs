//! The host's Python, as a program to run, and what it says when it fails.

use std::io;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, ExitStatus, Stdio};

/// Names that Python goes by, the likelier one first.
const NAMES: [&str; 2] = ["python3", "python"];

/// So much of what a program says is quoted, in characters, from its end.
const QUOTED: usize = 600;

/// Python is missing, or did not do what it was to.
#[derive(Debug, thiserror::Error)]
pub enum PythonError {
    /// There is no Python.
    #[error("failed to find Python ({})", names(.0))]
    Missing(Vec<PathBuf>),
    /// Python could not be started, or not be told what to do.
    #[error("failed to run `{}`", .0.display())]
    Run(PathBuf, #[source] io::Error),
    /// Python ended with an error.
    #[error("`{python} {task}` failed ({status}): {quoted}")]
    Failed {
        /// The Python that was run.
        python: String,
        /// What it was to do.
        task: &'static str,
        /// How it ended.
        status: ExitStatus,
        /// The end of what it printed.
        quoted: String,
    },
}

fn names(programs: &[PathBuf]) -> String {
    programs.iter().map(|name| format!("`{}`", name.display())).collect::<Vec<_>>().join(" or ")
}

/// The names to try where none is given.
pub(super) fn candidates(given: Option<&Path>) -> Vec<PathBuf> {
    match given {
        Some(python) => vec![python.to_owned()],
        None => NAMES.map(PathBuf::from).to_vec(),
    }
}

/// Runs the first of the programs that exists, with these arguments and this text as its standard
/// input, and waits for it to succeed; `task` says what it does.
pub(super) fn run(
    programs: &[PathBuf],
    task: &'static str,
    input: &str,
    arguments: impl Fn(&mut Command),
) -> Result<(), PythonError> {
    for program in programs {
        let mut command = Command::new(program);
        arguments(&mut command);
        command.stdin(Stdio::piped()).stdout(Stdio::null()).stderr(Stdio::piped());
        let failed = |source| PythonError::Run(program.clone(), source);
        let child = match command.spawn() {
            Err(error) if error.kind() == io::ErrorKind::NotFound => continue,
            spawned => spawned.map_err(failed)?,
        };
        let (status, said) = finish(child, input).map_err(failed)?;
        if status.success() {
            return Ok(());
        }
        let python = program.display().to_string();
        return Err(PythonError::Failed { python, task, status, quoted: quote(&said) });
    }
    Err(PythonError::Missing(programs.to_vec()))
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
    let output = child.wait_with_output()?;
    Ok((output.status, output.stderr))
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
        let names = candidates(Some(Path::new("no-such-python-3")));
        let error = run(&names, "-m venv", "", |_| {}).unwrap_err();
        assert_eq!(error.to_string(), "failed to find Python (`no-such-python-3`)");
    }

    #[test]
    fn the_end_of_the_output_is_quoted_on_one_line_without_control_characters() {
        assert_eq!(quote(b"ERROR:\x1b no\r\n  match\n"), "ERROR: no match");
        let long = quote("x é ".repeat(1000).as_bytes());
        assert!(long.starts_with("... ") && long.chars().count() <= QUOTED + 5, "{long}");
    }
}

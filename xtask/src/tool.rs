//! The tool itself, started by tasks as users start it.

use std::path::Path;
use std::process::{Command, Stdio};

/// A command did not finish.
#[derive(Debug, thiserror::Error)]
pub(crate) enum Error {
    #[error("failed to start `cargo run`")]
    Start(#[source] std::io::Error),
    #[error("`onnx-conformance {0}` ended with exit code {1}")]
    Ended(String, i32),
    #[error("the protobuf messages could not be made, which has been reported above")]
    Messages,
}

/// How the tool is built.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Build {
    /// As tests are, which mostly are built already.
    Debug,
    /// For long runs.
    Release,
}

/// Runs the tool in `root`; it may end with these exit codes.
pub(crate) fn run(
    root: &Path,
    build: Build,
    words: &[&str],
    accepted: &[i32],
) -> Result<(), Error> {
    println!("+ onnx-conformance {}", words.join(" "));
    let mut command = self::command(root, build);
    let status = command.args(words).current_dir(root).status().map_err(Error::Start)?;
    let code = status.code().unwrap_or(-1);
    if accepted.contains(&code) { Ok(()) } else { Err(Error::Ended(words.join(" "), code)) }
}

/// Runs the gate, which `cargo xtask` starts without this task.
pub(crate) fn gate(root: &Path, arguments: &[String]) -> Result<(), Error> {
    let mut cargo = cargo(root);
    let status = cargo.args(["--package", "xtask-gate", "--"]).args(arguments).status();
    let code = status.map_err(Error::Start)?.code().unwrap_or(-1);
    if code == 0 { Ok(()) } else { Err(Error::Ended("ci".to_owned(), code)) }
}

/// The files that are made from the schema among fetched corpora, as `xtask/messages` prints them.
pub(crate) fn messages(root: &Path, corpora: &Path) -> Result<Vec<u8>, Error> {
    let mut cargo = cargo(root);
    cargo.args(["--package", "xtask-messages", "--"]).arg(corpora).stderr(Stdio::inherit());
    let output = cargo.output().map_err(Error::Start)?;
    if output.status.success() { Ok(output.stdout) } else { Err(Error::Messages) }
}

/// The tool of the checkout at `root`, to be given its arguments.
pub(crate) fn command(root: &Path, build: Build) -> Command {
    let mut command = cargo(root);
    if build == Build::Release {
        command.arg("--release");
    }
    command.arg("--");
    command
}

/// A program of the checkout at `root`, which is yet to be named.
fn cargo(root: &Path) -> Command {
    let mut command = Command::new(std::env::var_os("CARGO").unwrap_or_else(|| "cargo".into()));
    as_from_a_shell(&mut command);
    command.args(["run", "--quiet", "--locked", "--manifest-path"]).arg(root.join("Cargo.toml"));
    command
}

/// Takes away the variables in which cargo describes the package of this task. Build scripts that
/// look at them would run anew, and everything above them be compiled anew, at each turn between a
/// task's cargo and a user's.
pub(crate) fn as_from_a_shell(command: &mut Command) {
    for (name, _) in std::env::vars_os() {
        let text = name.to_string_lossy();
        if text.starts_with("CARGO_PKG_") || text.starts_with("CARGO_MANIFEST_") {
            command.env_remove(&name);
        }
    }
}

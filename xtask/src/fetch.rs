//! `cargo xtask fetch`: what `onnx-conformance fetch` does, from the sources.

use std::path::Path;
use std::process::Stdio;

use crate::Failure;
use crate::tool::{self, Build};

/// Fetches as the arguments of `onnx-conformance fetch` say, in the current folder.
pub(crate) fn run(root: &Path, arguments: &[String]) -> Result<(), Failure> {
    let mut command = tool::command(root, Build::Debug);
    passed_on(command.arg("fetch").args(arguments))
}

/// Fetches those of the releases that are missing below `root` or do not match their locks, and
/// tells only what is done.
pub(crate) fn ensure(root: &Path, releases: &[String]) -> Result<(), Failure> {
    let mut command = tool::command(root, Build::Debug);
    command.arg("fetch").current_dir(root).stdout(Stdio::null());
    passed_on(command.args(releases.iter().flat_map(|release| ["--release", release])))
}

/// Runs the tool, whose exit code is this task's; it has said itself why it failed.
fn passed_on(command: &mut std::process::Command) -> Result<(), Failure> {
    let status = command.status().map_err(tool::Error::Start)?;
    match u8::try_from(status.code().unwrap_or(1)).unwrap_or(1) {
        0 => Ok(()),
        code => {
            let error = tool::Error::Ended("fetch".to_owned(), code.into());
            Err(Failure { error: Box::new(error), code })
        }
    }
}

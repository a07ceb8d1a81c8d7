//! `cargo xtask report`: from nothing to the three reports in one command.

use std::path::Path;
use std::process::Command;

use onnx_conformance::corpus::{DEFAULT_RELEASES, name_of_release};

use crate::{Failure, fetch};

/// The built-in kernels claim exact results, so that is what they are held to.
const DEFAULTS: [&str; 4] = ["--profile", "ieee754", "--out", "reports/latest"];

/// Arguments of the task.
#[derive(Debug, clap::Args)]
#[command(after_help = "Example:\n  cargo xtask report --release 1.22.0 -- --filter /test_div")]
pub(crate) struct Args {
    /// Release to report on; may be given several times [all that are fetched by default]
    #[arg(long, value_name = "V")]
    release: Vec<String>,
    /// Arguments for `onnx-conformance run`; they win over this task's own
    #[arg(last = true, value_name = "ARGS")]
    run: Vec<String>,
}

/// The run ended with an exit code other than 0, which is passed on; it has said why itself.
#[derive(Debug, thiserror::Error)]
#[error("the run ended with exit code {0}")]
struct Ended(u8);

/// The run could not be started.
#[derive(Debug, thiserror::Error)]
#[error("failed to start `cargo run`")]
struct Start(#[source] std::io::Error);

/// Fetches what is missing below `root` and runs the tool on it.
pub(crate) fn run(root: &Path, args: &Args) -> Result<(), Failure> {
    let releases = if args.release.is_empty() {
        DEFAULT_RELEASES.map(str::to_owned).to_vec()
    } else {
        args.release.clone()
    };
    fetch::ensure(root, &releases)?;
    let corpora =
        releases.iter().flat_map(|release| ["--corpus".to_owned(), name_of_release(release)]);
    let status = Command::new(std::env::var_os("CARGO").unwrap_or_else(|| "cargo".into()))
        .args(["run", "--quiet", "--release", "--locked", "--", "run"])
        .args(DEFAULTS)
        .args(corpora)
        .args(&args.run)
        .current_dir(root)
        .status()
        .map_err(Start)?;
    match u8::try_from(status.code().unwrap_or(1)).unwrap_or(1) {
        0 => Ok(()),
        code => Err(Failure { error: Box::new(Ended(code)), code }),
    }
}

//! `cargo xtask scoreboard`: every backend that is set up on every suite, side by side.

use std::path::Path;
use std::process::Command;

use onnx_conformance::backend::builtin;
use onnx_conformance::backend::catalogue::Catalogue;

use crate::{Failure, fetch};

/// The release whose node cases are asked.
const RELEASE: &str = "1.22.0";

/// Where the reports and the scoreboard go, relative to the root of the checkout.
const OUT: &str = "reports/scoreboard";

/// What is asked: a name for the report, and the arguments of `run`. ONNX's cases are judged as
/// its official runner does, the project's own by exact results.
const RUNS: [(&str, &[&str]); 3] = [
    ("node", &["--corpus", "onnx-1.22.0"]),
    ("own", &["--corpus", "testdata/suites/onnx", "--profile", "ieee754"]),
    ("sonnx", &["--suite", "sonnx", "--suite", "openvino"]),
];

/// Arguments of the task.
#[derive(Debug, clap::Args)]
#[command(after_help = "Example:\n  cargo xtask scoreboard onnxruntime tract")]
pub(crate) struct Args {
    /// Backends, beside the built-in one [all that are set up]
    #[arg(value_name = "NAME")]
    names: Vec<String>,
}

/// A command did not come to its end.
#[derive(Debug, thiserror::Error)]
enum Error {
    #[error("failed to start `cargo run`")]
    Start(#[source] std::io::Error),
    #[error("`onnx-conformance {0}` ended with exit code {1}")]
    Ended(String, i32),
}

/// Runs the backends below `root` and joins their reports.
pub(crate) fn run(root: &Path, args: &Args) -> Result<(), Failure> {
    fetch::ensure(root, &[RELEASE.to_owned()])?;
    let catalogue = Catalogue::read(root)?;
    let mut names = vec![builtin::NAME.to_owned()];
    if args.names.is_empty() {
        let ready = catalogue.entries().iter().filter(|entry| entry.home(root).is_dir());
        names.extend(ready.map(|entry| entry.name.clone()));
    } else {
        for name in &args.names {
            names.push(catalogue.get(name)?.name.clone());
        }
    }
    let mut reports = Vec::new();
    for name in &names {
        for (kind, arguments) in RUNS {
            let out = format!("{OUT}/{name}/{kind}");
            let words = [&["run", "--backend", name, "--out", &out], arguments].concat();
            // What a backend fails at is what the scoreboard is for.
            tool(root, &words, &[0, 1, 3])?;
            reports.push(format!("{out}/report.json"));
        }
    }
    let mut words = vec!["scoreboard", "--out", OUT];
    words.extend(reports.iter().map(String::as_str));
    tool(root, &words, &[0])
}

/// Runs the tool, which may end with these exit codes.
fn tool(root: &Path, words: &[&str], accepted: &[i32]) -> Result<(), Failure> {
    println!("+ onnx-conformance {}", words.join(" "));
    let status = Command::new(std::env::var_os("CARGO").unwrap_or_else(|| "cargo".into()))
        .args(["run", "--quiet", "--release", "--locked", "--"])
        .args(words)
        .current_dir(root)
        .status()
        .map_err(Error::Start)?;
    let code = status.code().unwrap_or(-1);
    if accepted.contains(&code) { Ok(()) } else { Err(Error::Ended(words.join(" "), code).into()) }
}

//! `cargo xtask scoreboard`: every backend that is set up on every suite, side by side.

use std::path::Path;

use onnx_conformance::backend::builtin;
use onnx_conformance::backend::catalogue::Catalogue;

use crate::tool::{self, Build};
use crate::{Failure, fetch};

/// The release whose node cases are asked.
const RELEASE: &str = "1.22.0";

/// Where the reports and the scoreboard go, relative to the root of the checkout.
const OUT: &str = "reports/scoreboard";

/// What is asked: a name for the report, and the arguments of `run`. ONNX's cases are judged as
/// its official runner does, the project's own exactly.
const RUNS: [(&str, &[&str]); 3] = [
    ("node", &["--corpus", "onnx-1.22.0"]),
    ("own", &["--corpus", "testdata/suites/onnx"]),
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
            tool::run(root, Build::Release, &words, &[0, 1, 3])?;
            reports.push(format!("{out}/report.json"));
        }
    }
    let mut words = vec!["scoreboard", "--out", OUT];
    words.extend(reports.iter().map(String::as_str));
    Ok(tool::run(root, Build::Release, &words, &[0])?)
}

//! `cargo xtask bless`: the built-in backend's baselines, made anew or held against.

use std::path::Path;

use onnx_conformance::corpus::DEFAULT_RELEASES;
use onnx_conformance::document::JsonDocument;
use onnx_conformance::documents::report::baseline::Baseline;
use onnx_conformance::documents::report::document::Report;

use crate::tool::{self, Build};
use crate::{Failure, fetch, generated};

/// Where the committed baselines lie, relative to the root of the checkout.
const BASELINES: &str = "reports/baseline";

/// Where the reports go.
const OUT: &str = "reports/gate";

/// What is run: the name of the baseline, and the arguments of `run`. The kernels of functions in float64 do not
/// claim to round correctly, so ONNX's cases keep their profiles; that no error grows is for the gate.
const RUNS: [(&str, &[&str]); 2] = [
    ("onnx", &["--suite", "onnx"]),
    (
        "sonnx",
        &[
            "--suite",
            "sonnx",
            "--suite",
            "sonnx-draft",
            "--suite",
            "openvino",
            "--profile",
            "sonnx",
        ],
    ),
];

/// Exit code for what is not to be done here.
const USAGE: u8 = 2;

/// The task was started where nobody decides what is right.
#[derive(Debug, thiserror::Error)]
#[error(
    "failed to bless: `CI` is set, and a CI job may not decide what is right; run `cargo xtask \
     bless` at a desk and commit reports/baseline"
)]
struct InCi;

/// Runs the built-in backend on everything below `root` and shows what changed since the committed
/// baselines; then writes them anew, or with `check` reports regressions and fails.
pub(crate) fn run(root: &Path, check: bool) -> Result<(), Failure> {
    if !check && std::env::var_os("CI").is_some() {
        return Err(Failure { error: Box::new(InCi), code: USAGE });
    }
    fetch::ensure(root, &DEFAULT_RELEASES.map(str::to_owned))?;
    for (name, arguments) in RUNS {
        let (out, committed) = (format!("{OUT}/{name}"), format!("{BASELINES}/{name}.json"));
        let report = format!("{out}/report.json");
        let run = [&["run", "--backend", "builtin", "--out", &out], arguments].concat();
        let gate = ["gate", "--baseline", &committed, "--report", &report];
        if check {
            // The gate tells what an unexpected failure is new against.
            tool::run(root, Build::Debug, &run, &[0, 1])?;
            tool::run(root, Build::Debug, &gate, &[0])?;
        } else {
            tool::run(root, Build::Debug, &run, &[0])?;
            if root.join(&committed).is_file() {
                // What stands there may be worse, better or of another format: it is replaced.
                tool::run(root, Build::Debug, &gate, &[0, 1, 2, 3])?;
            }
            let report = Report::read(&root.join(&report))?;
            let baseline = Baseline::of(&report).to_bytes()?;
            generated::write_or_check(
                &root.join(&committed),
                &String::from_utf8(baseline)?,
                false,
            )?;
        }
    }
    Ok(())
}

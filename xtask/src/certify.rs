//! `cargo xtask certify`: the campaigns that prove or test the built-in kernels, with a summary.

use std::path::Path;
use std::process::{Command, Stdio};
use std::time::Duration;

use onnx_conformance::document::JsonDocument;
use onnx_conformance::measure::campaign::Campaign;

use crate::Failure;

/// Folder of the results.
const OUT: &str = "reports/certify";

/// Operator, type and strategy of each campaign.
const CAMPAIGNS: [[&str; 3]; 13] = [
    ["Div", "int8", "exhaustive"],
    ["Div", "uint8", "exhaustive"],
    ["Div", "int16", "exhaustive"],
    ["Div", "uint16", "exhaustive"],
    ["Div", "float16", "exhaustive"],
    ["Div", "bfloat16", "exhaustive"],
    ["Sqrt", "float16", "exhaustive"],
    ["Sqrt", "bfloat16", "exhaustive"],
    ["Sqrt", "float32", "exhaustive"],
    ["Div", "float32", "hard"],
    ["Div", "float64", "hard"],
    ["Sqrt", "float32", "hard"],
    ["Sqrt", "float64", "hard"],
];

/// The tool could not be built or started.
#[derive(Debug, thiserror::Error)]
#[error("failed to start `{command}`")]
struct Start {
    command: &'static str,
    source: std::io::Error,
}

/// The tool could not be built.
#[derive(Debug, thiserror::Error)]
#[error("failed to build the release binary")]
struct Build;

/// Campaigns ended with an exit code other than 0, the first of which is passed on; each has said why
/// itself.
#[derive(Debug, thiserror::Error)]
#[error("{count} of {} campaigns failed", CAMPAIGNS.len())]
struct Failed {
    count: usize,
}

/// Conducts the campaigns below `root`, all of them whatever their results.
pub(crate) fn run(root: &Path) -> Result<(), Failure> {
    let cargo = std::env::var_os("CARGO").unwrap_or_else(|| "cargo".into());
    let build = ["build", "--quiet", "--release", "--locked", "--bin", "onnx-conformance"];
    let built = Command::new(cargo).args(build).current_dir(root).status();
    if !built.map_err(|source| Start { command: "cargo build", source })?.success() {
        return Err(Build.into());
    }
    let target = std::env::var_os("CARGO_TARGET_DIR").unwrap_or_else(|| "target".into());
    let tool = root.join(target).join("release/onnx-conformance");

    println!(
        "{:<26} {:>13} {:>10} {:>9} {:>8} {:>9}",
        "campaign", "inputs", "mismatches", "max ULP", "seconds", "million/s"
    );
    let mut codes = Vec::new();
    let mut total = Total::default();
    for campaign in CAMPAIGNS {
        let [operator, dtype, strategy] = campaign;
        let out = Path::new(OUT).join(campaign.join("-").to_lowercase());
        let status = Command::new(&tool)
            .args(["campaign", "--op", operator, "--type", dtype, "--strategy", strategy])
            .args(["--profile", "ieee754", "--out"])
            .arg(&out)
            .current_dir(root)
            .stdout(Stdio::null())
            .status()
            .map_err(|source| Start { command: "onnx-conformance campaign", source })?;
        match u8::try_from(status.code().unwrap_or(1)).unwrap_or(1) {
            code @ (0 | 1) => {
                total.add(&campaign.join(" "), &Campaign::read(&root.join(&out))?);
                codes.extend((code == 1).then_some(code));
            }
            code => {
                println!("{:<26} ended with exit code {code}", campaign.join(" "));
                codes.push(code);
            }
        }
    }
    println!("{}", row("all", total.inputs, total.mismatches, "", total.duration));
    match codes.first() {
        None => Ok(()),
        Some(&code) => Err(Failure { error: Box::new(Failed { count: codes.len() }), code }),
    }
}

/// The results of all campaigns.
#[derive(Default)]
struct Total {
    inputs: u64,
    mismatches: u64,
    duration: Duration,
}

impl Total {
    fn add(&mut self, name: &str, document: &Campaign) {
        let error = document.max_error_ulp.as_deref().unwrap_or_default();
        let error = error.split(' ').next().unwrap_or_default();
        let duration = document.duration();
        println!("{}", row(name, document.executed, document.mismatches, error, duration));
        self.inputs += document.executed;
        self.mismatches += document.mismatches;
        self.duration += duration;
    }
}

/// A row of at most 80 columns.
fn row(name: &str, inputs: u64, mismatches: u64, error: &str, duration: Duration) -> String {
    let seconds = duration.as_secs_f64();
    let rate = inputs as f64 / seconds / 1e6;
    format!("{name:<26} {inputs:>13} {mismatches:>10} {error:>9} {seconds:>8.2} {rate:>9.0}")
}

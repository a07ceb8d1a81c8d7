//! `cargo xtask`: starts the tool for `fetch`, the gate for `ci`, and the tasks for everything else. So
//! `cargo xtask fetch`, with which a newcomer begins, builds nothing that the tests do not need, and the gate
//! checks formatting and lints before it builds anything.

use std::env;
use std::ffi::OsString;
use std::path::Path;
use std::process::{Command, ExitCode};

fn main() -> ExitCode {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../..");
    let arguments: Vec<OsString> = env::args_os().skip(1).collect();
    let mut cargo = Command::new(env::var_os("CARGO").unwrap_or_else(|| "cargo".into()));
    // Build scripts that look at the variables of this package would run anew at each turn between
    // this cargo and a user's, and everything above them be compiled anew.
    for (name, _) in env::vars_os() {
        let text = name.to_string_lossy();
        if text.starts_with("CARGO_PKG_") || text.starts_with("CARGO_MANIFEST_") {
            cargo.env_remove(&name);
        }
    }
    cargo.args(["run", "--quiet", "--manifest-path"]).arg(root.join("Cargo.toml"));
    let passed_on = match arguments.first().and_then(|task| task.to_str()) {
        Some("fetch") => {
            cargo.arg("--locked");
            &arguments[..]
        }
        Some("ci") => {
            cargo.args(["--locked", "--package", "xtask-gate"]);
            &arguments[1..]
        }
        _ => {
            cargo.args(["--package", "xtask"]);
            &arguments[..]
        }
    };
    match cargo.arg("--").args(passed_on).status() {
        // A signal has ended it, and this with it, or is its failure.
        Ok(status) => {
            ExitCode::from(status.code().and_then(|code| code.try_into().ok()).unwrap_or(1))
        }
        Err(error) => {
            eprintln!("error: failed to start `cargo run`: {error}");
            ExitCode::FAILURE
        }
    }
}

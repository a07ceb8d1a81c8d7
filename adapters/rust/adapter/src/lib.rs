//! What the adapters for runtimes in Rust share.

use std::error::Error;
use std::io;
use std::process::ExitCode;

use onnx_conformance::backend::{Identity, Refusal, RefusalKind, Stage};
use onnx_conformance::serve::{Runtime, serve};

/// The versions of everything that the adapters are built from.
const LOCK: &str = include_str!("../../Cargo.lock");

/// Serves a runtime on standard input and output.
pub fn main(runtime: &impl Runtime) -> ExitCode {
    match serve(runtime, io::stdin().lock(), io::stdout().lock()) {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            let cause = error.source().map_or_else(String::new, |cause| format!(": {cause}"));
            eprintln!("error: {error}{cause}");
            ExitCode::FAILURE
        }
    }
}

/// The identity of the runtime that this package is, with its version in `Cargo.lock`.
pub fn identity(name: &str, package: &str, details: &[(&str, &str)]) -> Identity {
    Identity {
        name: name.to_owned(),
        version: locked_version(package).unwrap_or("unknown").to_owned(),
        details: details.iter().map(|&(key, value)| (key.to_owned(), value.to_owned())).collect(),
    }
}

/// The version of a package in `Cargo.lock`, which states it on the line after the name.
fn locked_version(package: &str) -> Option<&'static str> {
    let name = format!("name = \"{package}\"");
    let mut lines = LOCK.lines().skip_while(|line| *line != name);
    lines.nth(1)?.strip_prefix("version = \"")?.strip_suffix('"')
}

/// A refusal for want of an implementation.
pub fn unsupported(stage: Stage, message: String) -> Refusal {
    Refusal { stage, kind: RefusalKind::Unsupported, message }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_version_is_the_locked_one() {
        assert_eq!(locked_version("adapter"), Some(env!("CARGO_PKG_VERSION")));
        assert_eq!(locked_version("no-such-package"), None);
    }
}

//! Development tasks: thin commands, the logic sits in the library.

mod fetch;

use std::error::Error;
use std::path::Path;
use std::process::ExitCode;

use clap::{Parser, Subcommand};

/// Development tasks of onnx-conformance.
#[derive(Debug, Parser)]
#[command(name = "cargo xtask", bin_name = "cargo xtask", max_term_width = 80)]
struct Cli {
    #[command(subcommand)]
    task: Task,
}

#[derive(Debug, Subcommand)]
enum Task {
    Fetch(fetch::Args),
}

/// What a task failed with, and the exit code that says so.
struct Failure {
    error: Box<dyn Error>,
    code: u8,
}

fn main() -> ExitCode {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).parent().unwrap_or(Path::new("."));
    let done = match Cli::parse().task {
        Task::Fetch(args) => fetch::run(root, &args),
    };
    match done {
        Ok(()) => ExitCode::SUCCESS,
        Err(Failure { error, code }) => {
            eprintln!("error: {error}");
            let mut cause = error.source();
            while let Some(inner) = cause {
                eprintln!("  caused by: {inner}");
                cause = inner.source();
            }
            ExitCode::from(code)
        }
    }
}

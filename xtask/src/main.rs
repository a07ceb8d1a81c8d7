//! Development tasks, thin over the library.

mod fetch;

use std::error::Error;
use std::process::ExitCode;

use clap::{Parser, Subcommand};

/// Development tasks of onnx-conformance
#[derive(Parser)]
#[command(name = "cargo xtask", max_term_width = 80)]
struct Cli {
    #[command(subcommand)]
    command: Command,
}

#[derive(Subcommand)]
enum Command {
    Fetch(fetch::Fetch),
}

fn main() -> ExitCode {
    let result = match Cli::parse().command {
        Command::Fetch(fetch) => fetch.run(),
    };
    match result {
        Ok(()) => ExitCode::SUCCESS,
        Err(failure) => {
            eprintln!("error: {}", failure.error);
            let mut cause = failure.error.source();
            while let Some(error) = cause {
                eprintln!("  because: {error}");
                cause = error.source();
            }
            ExitCode::from(failure.exit_code)
        }
    }
}

/// How a task ends that does not succeed.
struct Failure {
    error: Box<dyn Error>,
    /// 1 not as expected, 2 usage, 3 nothing compared, 4 integrity, 5 any other fault.
    exit_code: u8,
}

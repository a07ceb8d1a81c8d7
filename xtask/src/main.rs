//! Development tasks: thin commands, the logic sits in the library.

mod adapters;
mod bless;
mod cases;
mod certify;
mod codegen;
mod counts;
mod fetch;
mod generate;
mod generated;
mod models;
mod mutants;
mod report;
mod scoreboard;
mod tool;

use std::error::Error;
use std::path::Path;
use std::process::ExitCode;

use clap::{Parser, Subcommand};
use onnx_conformance::foundation::printable::{indented, printed};

/// Development tasks of onnx-conformance.
#[derive(Debug, Parser)]
#[command(name = "cargo xtask", bin_name = "cargo xtask", max_term_width = 80)]
struct Cli {
    #[command(subcommand)]
    task: Task,
}

#[derive(Debug, Subcommand)]
enum Task {
    /// Fetch ONNX's own cases and verify them: `onnx-conformance fetch`, with its arguments
    #[command(disable_help_flag = true)]
    Fetch {
        #[arg(trailing_var_arg = true, allow_hyphen_values = true, value_name = "ARGS")]
        arguments: Vec<String>,
    },
    /// Fetch what is missing, run everything and write reports/latest
    Report(report::Args),
    /// Set up or list the backends behind the adapter protocol
    Adapters {
        #[command(subcommand)]
        action: adapters::Action,
    },
    /// Generate the committed files that are made from others
    Codegen {
        /// Only compare; fail where a committed file is not as it would be generated
        #[arg(long)]
        check: bool,
    },
    /// Generate the project's own suites in testdata/suites
    Generate {
        /// Only compare; fail where a committed file is not as it would be generated
        #[arg(long)]
        check: bool,
    },
    /// Show the committed cases as text, or what a change did to them
    Cases {
        #[command(subcommand)]
        action: cases::Action,
    },
    /// Run every backend that is set up on every suite, and set them side by side
    Scoreboard(scoreboard::Args),
    /// Run the built-in backend on everything and make the result the baseline
    Bless {
        /// Only compare; report regressions and fail
        #[arg(long)]
        check: bool,
    },
    /// Look for every seeded defect and write what finds it to reports/qualification
    Mutants {
        /// Only compare; fail where the committed document is not what is found
        #[arg(long)]
        check: bool,
    },
    /// Download real models into target/models, and trace them on backends
    Models(models::Args),
    /// Sweep the domains of Div and Sqrt on the built-in kernels, and their hard inputs
    Certify,
    /// Run every check that a change must pass: `xtask/gate`, with its arguments
    #[command(disable_help_flag = true)]
    Ci {
        #[arg(trailing_var_arg = true, allow_hyphen_values = true, value_name = "ARGS")]
        arguments: Vec<String>,
    },
}

/// What a task failed with, and the exit code that says so.
struct Failure {
    error: Box<dyn Error>,
    code: u8,
}

impl<E: Error + 'static> From<E> for Failure {
    fn from(error: E) -> Self {
        Self { error: Box::new(error), code: 1 }
    }
}

fn main() -> ExitCode {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).parent().unwrap_or(Path::new("."));
    let done = match Cli::parse().task {
        Task::Fetch { arguments } => fetch::run(root, &arguments),
        Task::Report(args) => report::run(root, &args),
        Task::Adapters { action } => adapters::run(root, &action).map_err(Failure::from),
        Task::Codegen { check } => codegen::run(root, check).map_err(Failure::from),
        Task::Generate { check } => generate::run(root, check).map_err(Failure::from),
        Task::Cases { action } => cases::run(root, &action).map_err(Failure::from),
        Task::Scoreboard(args) => scoreboard::run(root, &args),
        Task::Bless { check } => bless::run(root, check),
        Task::Mutants { check } => mutants::run(root, check),
        Task::Models(args) => models::run(root, &args),
        Task::Certify => certify::run(root),
        Task::Ci { arguments } => tool::gate(root, &arguments).map_err(Failure::from),
    };
    match done {
        Ok(()) => ExitCode::SUCCESS,
        Err(Failure { error, code }) => {
            let mut told = format!("error: {}", indented(&error.to_string()));
            let mut cause = error.source();
            while let Some(inner) = cause {
                told += &format!("\n  caused by: {}", indented(&inner.to_string()));
                cause = inner.source();
            }
            eprintln!("{}", printed(&told, false));
            ExitCode::from(code)
        }
    }
}

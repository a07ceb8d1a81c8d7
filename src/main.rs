//! The command line, thin over the library.

mod cli;
mod commands;
mod terminal;

use std::process::ExitCode;

use clap::Parser;

fn main() -> ExitCode {
    commands::execute(cli::Cli::parse())
}

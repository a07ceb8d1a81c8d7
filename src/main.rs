//! The command line, thin over the library.

mod cli;
mod commands;
mod terminal;

use std::process::ExitCode;

use clap::Parser;

fn main() -> ExitCode {
    // A panic's message may quote what others wrote.
    std::panic::set_hook(Box::new(|panic| terminal::eprint(&panic.to_string())));
    match cli::Cli::try_parse() {
        Ok(cli) => commands::execute(cli),
        Err(told) => terminal::told(&told),
    }
}

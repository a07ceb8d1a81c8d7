//! The command line, thin over the library.

mod cli;
mod commands;
mod terminal;

use std::process::ExitCode;

use clap::Parser;
use onnx_conformance::printable::on_one_line;

fn main() -> ExitCode {
    // A panic's message may quote what others wrote.
    std::panic::set_hook(Box::new(|panic| terminal::eprint(&panic.to_string())));
    match cli::Cli::try_parse() {
        Ok(cli) => {
            terminal::set_color(cli.color);
            commands::execute(cli)
        }
        Err(told) => {
            // What is wrong with the arguments is told with quotations; each is to stay on its line.
            let words = || std::env::args_os().map(|word| on_one_line(&word.to_string_lossy()));
            terminal::set_color(cli::color_of(words()));
            let quoting = cli::Cli::try_parse_from(words()).err();
            terminal::told(&quoting.unwrap_or(told))
        }
    }
}

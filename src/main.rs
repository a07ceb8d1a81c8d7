//! The command line, thin over the library.

mod cli;
mod commands;
mod terminal;

use std::process::ExitCode;

use clap::Parser;
use onnx_conformance::printable::on_one_line;

/// Exact numbers are many small allocations, which this serves in less time than that of the C library.
#[cfg(target_os = "linux")]
#[global_allocator]
static ALLOCATOR: mimalloc::MiMalloc = mimalloc::MiMalloc;

fn main() -> ExitCode {
    // A panic's message may quote what others wrote.
    std::panic::set_hook(Box::new(|panic| terminal::eprint(&panic.to_string())));
    match cli::Cli::try_parse() {
        Ok(cli) => commands::execute(cli),
        Err(told) => {
            // What is wrong with the arguments is told with quotations; each is to stay on its line.
            let words = std::env::args_os().map(|word| on_one_line(&word.to_string_lossy()));
            let quoting = cli::Cli::try_parse_from(words).err();
            terminal::told(&quoting.unwrap_or(told))
        }
    }
}

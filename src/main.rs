//! The command line, thin over the library.

#![cfg_attr(test, allow(clippy::unwrap_used, clippy::panic, reason = "tests may panic"))]

mod cli;
mod commands;
mod terminal;

use std::ffi::OsString;
use std::process::ExitCode;

use clap::Parser;
use clap::error::ErrorKind;
use onnx_conformance::foundation::printable::on_one_line;

use crate::cli::config::{self, Taken};
use crate::cli::{Cli, Command};

/// Exact numbers are many small allocations, which this serves in less time than that of the C library.
#[cfg(target_os = "linux")]
#[global_allocator]
static ALLOCATOR: mimalloc::MiMalloc = mimalloc::MiMalloc;

fn main() -> ExitCode {
    // A panic's message may quote what others wrote.
    std::panic::set_hook(Box::new(|panic| terminal::eprint(&panic.to_string())));
    let words: Vec<OsString> = std::env::args_os().collect();
    let (completed, taken) = match config::completed(words.clone()) {
        Ok(completed) => completed,
        Err(error) => {
            terminal::set_color(cli::color_of(quotable(&words)));
            terminal::eprint(&format!("error: {error}"));
            return ExitCode::from(2);
        }
    };
    match Cli::try_parse_from(&completed) {
        Ok(mut cli) => {
            terminal::set_color(cli.color);
            if let Command::Run(args) = &mut cli.command {
                args.config = taken;
            }
            commands::execute(cli)
        }
        Err(told) => {
            // What is wrong with the arguments is told with quotations; each is to stay on its line.
            terminal::set_color(cli::color_of(quotable(&words)));
            let quoting = Cli::try_parse_from(quotable(&completed)).err().unwrap_or(told);
            let code = terminal::usage_error(&quoting);
            tell_of(taken.as_ref(), quoting.kind());
            code
        }
    }
}

/// Words as they are told, each on its line.
fn quotable(words: &[OsString]) -> impl Iterator<Item = String> {
    words.iter().map(|word| on_one_line(&word.to_string_lossy()))
}

/// Says which options came from a file, where they may be to blame.
fn tell_of(taken: Option<&Taken>, kind: ErrorKind) {
    let Some(taken) = taken else { return };
    if !matches!(kind, ErrorKind::DisplayHelp | ErrorKind::DisplayVersion) {
        terminal::eprint(&format!("options {taken} (use --no-config to ignore it)"));
    }
}

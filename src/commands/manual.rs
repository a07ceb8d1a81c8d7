//! The commands `completions` and `man`: what shells and manuals know of the command line, made from it.

use std::fs;
use std::process::ExitCode;

use clap::{Command, CommandFactory};
use clap_mangen::Man;
use onnx_conformance::document::write::write_file;
use onnx_conformance::foundation::cleanup::FolderLock;

use super::{CommandError, exit};
use crate::cli::{Cli, CompletionsArgs, ManArgs};
use crate::terminal;

/// The name of the program.
const NAME: &str = env!("CARGO_PKG_NAME");

/// Prints the completions of a shell.
pub(super) fn completions(args: &CompletionsArgs) -> Result<ExitCode, CommandError> {
    terminal::print(&script(args.shell))?;
    Ok(ExitCode::SUCCESS)
}

fn script(shell: clap_complete::Shell) -> String {
    let mut script = Vec::new();
    clap_complete::generate(shell, &mut Cli::command(), NAME, &mut script);
    // What completes bash names a command of a program with a hyphen in two ways, so that no option of one is
    // completed: https://github.com/clap-rs/clap/issues/6421.
    let [in_arms, in_loop] = ["__subcmd__", "__"].map(|hyphen| NAME.replace('-', hyphen));
    String::from_utf8_lossy(&script).replace(&in_arms, &in_loop)
}

/// Writes the pages of the program and of its commands.
pub(super) fn man(args: &ManArgs) -> Result<ExitCode, CommandError> {
    let out = &args.out;
    fs::create_dir_all(out).map_err(CommandError::io(
        format!("create the folder `{}`", out.display()),
        exit::HARNESS,
    ))?;
    let _lock = FolderLock::within(out)?;
    for (name, page) in pages()? {
        write_file(&out.join(name), page)?;
    }
    terminal::print(&format!("{}\n", out.join(name_of(&built())).display()))?;
    Ok(ExitCode::SUCCESS)
}

/// The command line with all that its pages tell.
fn built() -> Command {
    // A page of `help` would say no more than the pages do.
    let mut root = Cli::command().disable_help_subcommand(true);
    root.build();
    root
}

/// The pages by the names of their files.
fn pages() -> Result<Vec<(String, Vec<u8>)>, CommandError> {
    let root = built();
    let all = root.get_subcommands().chain([&root]);
    let page = |command: &Command| {
        let mut page = Vec::new();
        Man::new(command.clone()).render(&mut page)?;
        Ok((name_of(command), page))
    };
    all.map(page).collect()
}

/// The name of a page's file.
fn name_of(command: &Command) -> String {
    Man::new(command.clone()).get_filename()
}

#[cfg(test)]
mod tests {
    use super::*;
    use clap::ValueEnum;
    use clap_complete::Shell;
    use onnx_conformance::foundation::printable::printed;

    #[test]
    fn scripts_are_printed_as_they_are() {
        for shell in Shell::value_variants() {
            let script = script(*shell);
            assert!(script.contains("--maxfail") || script.contains("maxfail"), "{shell}");
            assert!(printed(&script, false) == script, "{shell}");
        }
    }
}

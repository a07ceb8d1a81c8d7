//! `expect`: a list of known failures brought up to date.

use std::io;
use std::path::Path;
use std::process::ExitCode;

use onnx_conformance::document::JsonDocument;
use onnx_conformance::limits::{self, TOML_LIMIT};
use onnx_conformance::report::document::Report;
use onnx_conformance::report::write_file;
use onnx_conformance::upkeep::{self, Upkeep};

use super::{CommandError, exit};
use crate::cli::ExpectArgs;
use crate::terminal;

/// Writes the list that says what the reports do, or only tells what would change.
pub(super) fn expect(args: &ExpectArgs) -> Result<ExitCode, CommandError> {
    let text = list(&args.update)?;
    let reports =
        args.report.iter().map(|path| Report::read(path)).collect::<Result<Vec<_>, _>>()?;
    let name = args.update.display().to_string();
    let upkeep = Upkeep::of(&name, text.as_deref().unwrap_or_default(), &reports)?;
    let is_new = text.as_ref() != Some(&upkeep.text);
    if is_new && !args.check {
        write_file(&args.update, upkeep.text.clone().into_bytes())?;
    }
    terminal::print(&upkeep::render(&upkeep, &name, terminal::style()))?;
    let is_off = !upkeep.left.is_empty() || (args.check && is_new);
    Ok(ExitCode::from(if is_off { exit::FAILED } else { 0 }))
}

/// The text of the list; none where there is none yet.
fn list(path: &Path) -> Result<Option<String>, CommandError> {
    match limits::read_text(path, TOML_LIMIT) {
        Ok(text) => Ok(Some(text)),
        Err(error) if error.kind() == io::ErrorKind::NotFound => Ok(None),
        Err(error) => {
            let action = format!("read the list `{}`", path.display());
            Err(CommandError::io(action, exit::USAGE)(error))
        }
    }
}

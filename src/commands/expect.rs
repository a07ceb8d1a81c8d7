//! `expect`: a list of known failures brought up to date, or taken over from another project.

use std::io;
use std::path::Path;
use std::process::ExitCode;

use onnx_conformance::document::JsonDocument;
use onnx_conformance::document::write::write_file;
use onnx_conformance::documents::expectations::{self, Update};
use onnx_conformance::documents::report::document::Report;
use onnx_conformance::foundation::printable::on_one_line;
use onnx_conformance::judge::expect::import::Imported;
use onnx_conformance::limits::{self, TOML_LIMIT};

use super::{CommandError, exit};
use crate::cli::ExpectArgs;
use crate::terminal;

/// Writes the list that says what the reports and another project's list do, or only tells what would change.
pub(super) fn expect(args: &ExpectArgs) -> Result<ExitCode, CommandError> {
    let path = args.update.as_deref();
    let before = path.map(list).transpose()?.flatten();
    let mut text = before.clone().unwrap_or_default();
    let name = path.map_or("the list".to_owned(), |path| path.display().to_string());
    if let Some(from) = &args.from {
        text = taken_over(from, &args.list, &text, &name)?;
    }
    let Some(path) = path else {
        terminal::print(&text)?;
        return Ok(ExitCode::SUCCESS);
    };
    let mut left = 0;
    if !args.report.is_empty() {
        let reports: Vec<_> =
            args.report.iter().map(|path| Report::read(path)).collect::<Result<_, _>>()?;
        let update = Update::of(&name, &text, &reports)?;
        terminal::print(&expectations::render(&update, terminal::style()))?;
        (text, left) = (update.text, update.left.len());
    }
    let is_new = before.as_ref() != Some(&text);
    if is_new && !args.check {
        write_file(path, text.into_bytes())?;
    }
    let is_off = left > 0 || (args.check && is_new);
    Ok(ExitCode::from(if is_off { exit::FAILED } else { 0 }))
}

/// The text of the list; none where there is none yet.
pub(super) fn list(path: &Path) -> Result<Option<String>, CommandError> {
    match limits::read_text(path, TOML_LIMIT) {
        Ok(text) => Ok(Some(text)),
        Err(error) if error.kind() == io::ErrorKind::NotFound => Ok(None),
        Err(error) => {
            let action = format!("read the list `{}`", path.display());
            Err(CommandError::io(action, exit::USAGE)(error))
        }
    }
}

/// A list with what the file of another project says, and a word on what it says and no list can.
fn taken_over(
    from: &Path,
    lists: &[String],
    text: &str,
    name: &str,
) -> Result<String, CommandError> {
    let file = from.display().to_string();
    let other = limits::read_text(from, TOML_LIMIT)
        .map_err(CommandError::io(format!("read `{file}`"), exit::USAGE))?;
    let imported = Imported::of(&file, &other, lists)?;
    let source = from.file_name().unwrap_or_default().to_string_lossy();
    let added = imported.added_to(text, name, &source)?;
    let Imported { entries, left, covered } = imported;
    let mut told = format!(
        "{file}: {} converted, {covered} already covered by others, {} not converted",
        entries.len(),
        left.len()
    );
    for (what, why) in left {
        told += &format!("\n  {}: {}", on_one_line(&what), on_one_line(&why));
    }
    terminal::eprint(&told);
    Ok(added)
}

//! Reports side by side.

use std::fs;
use std::process::ExitCode;

use onnx_conformance::document::JsonDocument;
use onnx_conformance::report::document::Report;
use onnx_conformance::report::{self, WriteError};
use onnx_conformance::requirements::Catalogue;
use onnx_conformance::scoreboard::document::Scoreboard;
use onnx_conformance::scoreboard::{Joined, Source, combine, html, text};

use super::CommandError;
use crate::cli::ScoreboardArgs;
use crate::terminal;

/// Joins the reports, writes the scoreboard and prints what it says.
pub(super) fn scoreboard(args: &ScoreboardArgs) -> Result<ExitCode, CommandError> {
    let sources = args
        .reports
        .iter()
        .map(|path| Ok(Source { path: path.clone(), report: Report::read(path)? }))
        .collect::<Result<Vec<_>, CommandError>>()?;
    let sources = combine(sources, &Catalogue::embedded()?)?;
    let joined = Joined::of(&sources).map_err(Box::new)?;
    let scoreboard = Scoreboard::of(&joined)?;
    let page = html::to_text(&scoreboard)?;
    let document = scoreboard.to_bytes()?;
    fs::create_dir_all(&args.out)
        .map_err(|source| WriteError::Folder { dir: args.out.clone(), source })?;
    let paths = ["scoreboard.html", "scoreboard.json"].map(|name| args.out.join(name));
    // The document comes last: where it is new, so is the page that was made of it.
    report::write_file(&paths[0], page.into_bytes())?;
    report::write_file(&paths[1], document)?;
    terminal::print(&text::render(&scoreboard, &paths, terminal::style()))?;
    Ok(ExitCode::SUCCESS)
}

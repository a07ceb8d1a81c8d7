//! Reports side by side.

use std::process::ExitCode;

use onnx_conformance::corpus::{CaseKind, Home};
use onnx_conformance::document::JsonDocument;
use onnx_conformance::document::write::{Part, write_parts};
use onnx_conformance::documents::report::document::Report;
use onnx_conformance::documents::scoreboard::document::Scoreboard;
use onnx_conformance::documents::scoreboard::{Joined, Source, combine, html, text};
use onnx_conformance::foundation::cleanup::FolderLock;
use onnx_conformance::judge::requirements::Catalogue;

use super::CommandError;
use crate::cli::ScoreboardArgs;
use crate::terminal;

pub(super) fn scoreboard(args: &ScoreboardArgs) -> Result<ExitCode, CommandError> {
    let _lock = FolderLock::within(&args.out)?;
    let sources = args
        .reports
        .iter()
        .map(|path| Ok(Source { path: path.clone(), report: Report::read(path)? }))
        .collect::<Result<Vec<_>, CommandError>>()?;
    let sources = combine(sources, &Catalogue::embedded()?)?;
    let joined = Joined::of(&sources).map_err(Box::new)?;
    let (scoreboard, missing) = Scoreboard::of(&joined, &Home::find()?)?;
    for name in missing {
        let arguments =
            CaseKind::of_corpus(&name).map(|(release, kind)| kind.fetched_with(release));
        terminal::eprint(&format!(
            "note: {name} is not fetched, so that a majority decides on its cases; `onnx-conformance fetch {}`",
            arguments.unwrap_or_default()
        ));
    }
    let names = ["scoreboard.html", "scoreboard.json"];
    // The document comes last: where it is new, so is the page that was made of it.
    let page = Part::text(names[0], |out| html::render(&scoreboard, out));
    let document = Part::new(names[1], || scoreboard.to_bytes());
    write_parts(vec![page, document], &args.out)?;
    let paths = names.map(|name| args.out.join(name));
    terminal::print(&text::render(&scoreboard, &paths, terminal::style()))?;
    Ok(ExitCode::SUCCESS)
}

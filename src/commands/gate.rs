//! `gate`: a report or an atlas against a baseline.

use std::fs::OpenOptions;
use std::io::Write;
use std::path::Path;
use std::process::ExitCode;

use onnx_conformance::document::JsonDocument;
use onnx_conformance::document::write::write_file;
use onnx_conformance::documents::gate::{self, Comparison, Kind, markdown, text};
use onnx_conformance::documents::report::document::Report;
use onnx_conformance::documents::report::{self, baseline};
use onnx_conformance::measure::atlas::{self, Atlas};

use super::{CommandError, exit};
use crate::cli::GateArgs;
use crate::terminal;

/// Where GitHub Actions keeps the Markdown of a job's page; it takes 1 MiB of a step.
const STEP_SUMMARY: &str = "GITHUB_STEP_SUMMARY";

/// How many changes of a kind a job's page shows.
const ON_PAGE: usize = 20;

/// Compares the report or atlas with the baseline, writes the Markdown and prints what differs.
pub(super) fn gate(args: &GateArgs) -> Result<ExitCode, CommandError> {
    let (then, now) = (&args.baseline, &args.report);
    match [then, now].map(|path| atlas::is_atlas(path)) {
        [false, false] => {
            let (baseline, report) = (baseline::read(then)?, Report::read(now)?);
            close(Comparison::of(&baseline, &report)?, args)
        }
        [true, false] if report::is_report(now) => Err(mixed(then, now)),
        [false, true] if report::is_report(then) => Err(mixed(now, then)),
        _ => {
            let (baseline, atlas) = (Atlas::read(then)?, Atlas::read(now)?);
            close(gate::atlas::compared(&baseline, &atlas)?, args)
        }
    }
}

/// That the two files are of two kinds.
fn mixed(atlas: &Path, report: &Path) -> CommandError {
    let (atlas, report) = (atlas.display(), report.display());
    let problem = format!(
        "`{atlas}` is an atlas and `{report}` is of reports; compare two reports, or two atlases"
    );
    CommandError::misuse(problem)
}

/// Tells of a comparison, and whether it closes the gate.
fn close<K: Kind>(comparison: Comparison<K>, args: &GateArgs) -> Result<ExitCode, CommandError> {
    let comparison = &Comparison { is_strict: args.strict, ..comparison };
    if let Some(path) = &args.markdown {
        write_file(path, markdown::render(comparison, usize::MAX).into_bytes())?;
    }
    if let Some(path) = std::env::var_os(STEP_SUMMARY).filter(|path| !path.is_empty()) {
        let shown = Path::new(&path).display();
        let action = format!("append to `{shown}`, which {STEP_SUMMARY} names");
        let page = markdown::render(comparison, ON_PAGE);
        OpenOptions::new()
            .append(true)
            .create(true)
            .open(&path)
            .and_then(|mut file| file.write_all(page.as_bytes()))
            .map_err(CommandError::io(action, exit::HARNESS))?;
    }
    terminal::print(&text::render(comparison, terminal::style()))?;
    Ok(ExitCode::from(if comparison.is_closed() { exit::FAILED } else { 0 }))
}

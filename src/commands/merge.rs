//! The command `merge`: of reports, of campaigns or of atlases.

use std::path::{Path, PathBuf};
use std::process::ExitCode;

use onnx_conformance::document::JsonDocument;
use onnx_conformance::documents::report::document::Report;
use onnx_conformance::documents::report::summary::FAILURES_SHOWN;
use onnx_conformance::documents::report::{self, Written, summary};
use onnx_conformance::foundation::cleanup::FolderLock;
use onnx_conformance::judge::requirements::Catalogue;
use onnx_conformance::measure::atlas::is_atlas;

use super::run::write;
use super::testing::verdict_of;
use super::{CommandError, atlas, campaign};
use crate::cli::MergeArgs;
use crate::terminal;

fn not_of_atlases() -> CommandError {
    CommandError::misuse("--summary is for atlases, and these are none")
}

/// Merges shards of what the first of them is a document of.
pub(super) fn merge(args: &MergeArgs) -> Result<ExitCode, CommandError> {
    if !args.shards.first().is_some_and(|path| report::is_report(&report_of(path))) {
        if args.strict {
            return Err(CommandError::misuse("--strict is for reports, and these are none"));
        }
        if args.shards.first().is_some_and(|path| is_atlas(path)) {
            return atlas::merge(args);
        }
        if args.summary {
            return Err(not_of_atlases());
        }
        return campaign::merge(args);
    }
    if args.summary {
        return Err(not_of_atlases());
    }
    let read = |path: &PathBuf| {
        let path = report_of(path);
        Report::read(&path).map(|report| (path.display().to_string(), report))
    };
    let parts = args.shards.iter().map(read).collect::<Result<Vec<_>, _>>()?;
    let catalogue = Catalogue::embedded()?;
    let whole = report::merge(parts, &catalogue)?;
    let _lock = FolderLock::within(&args.out)?;
    let written = write(&whole, &catalogue, &args.out)?;
    terminal::print(&summary::render(&whole, &written, FAILURES_SHOWN, terminal::style()))?;
    Ok(ExitCode::from(verdict_of(&whole, args.strict)))
}

/// The report in a folder, or the file itself.
fn report_of(path: &Path) -> PathBuf {
    let within = Written::within(path).json;
    if within.is_file() { within } else { path.to_owned() }
}

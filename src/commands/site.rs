//! `site`: pages with the history of many reports.

use std::process::ExitCode;

use onnx_conformance::documents::site::{make, publish, text};
use onnx_conformance::foundation::cleanup::FolderLock;

use super::CommandError;
use crate::cli::SiteArgs;
use crate::terminal;

pub(super) fn site(args: &SiteArgs) -> Result<ExitCode, CommandError> {
    // In a site lies nothing but the site.
    let _lock = FolderLock::beside(&args.out)?;
    let made = make(&args.reports)?;
    publish(&made, &args.out)?;
    terminal::print(&text::render(&made, &args.out, terminal::style()))?;
    Ok(ExitCode::SUCCESS)
}

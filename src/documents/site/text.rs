//! What the command prints of a site.

use std::path::Path;

use super::Made;
use super::document::Latest;
use crate::document::style::Style;
use crate::document::text::{counted, grouped};
use crate::documents::report::summary::Page;
use crate::judge::verdict::Verdict;

/// How many backends are listed.
const BACKENDS_SHOWN: usize = 20;

/// The summary of a site in this folder, in lines of at most the style's width (40 at least) but for the path.
pub fn render(made: &Made, dir: &Path, style: Style) -> String {
    let site = &made.site;
    let mut page = Page::new(style);
    let backends = counted(site.backends.len() as u64, "backend");
    let operators = counted(site.operators.len() as u64, "operator");
    page.line(&format!("{} of {backends}, {operators}", counted(site.reports, "report")));
    for backend in site.backends.iter().take(BACKENDS_SHOWN) {
        let summary = &backend.summary;
        let passes = format!("{} of {} pass", grouped(summary.pass), grouped(summary.cases));
        page.line("");
        page.line(&format!("{}: {passes}", backend.name));
        for series in &backend.series {
            let (words, verdict) = change(series);
            page.painted(&format!("  {}: {words}", series.asked.words()), verdict);
        }
    }
    let more = site.backends.len().saturating_sub(BACKENDS_SHOWN) as u64;
    if more > 0 {
        page.line(&format!("... and {} more", grouped(more)));
    }
    page.line("");
    let files = counted(made.files.len() as u64, "file");
    page.text += &format!("site     {}, {files}\n", dir.join("index.html").display());
    page.text
}

/// What became of a series with its last report, and the verdict that has its colour.
fn change(series: &Latest) -> (String, Verdict) {
    let reports = counted(series.reports, "report");
    match &series.report.since {
        None => (format!("{reports}, no earlier report to compare with"), Verdict::Skipped),
        Some(since) if since.findings == 0 => (format!("{reports}, no regression"), Verdict::Pass),
        Some(since) => {
            (format!("{reports}, {}", counted(since.findings, "regression")), Verdict::Fail)
        }
    }
}

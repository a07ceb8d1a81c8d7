//! The matrix as plain text for a terminal.

use textwrap::{Options, WordSplitter, wrap};

use super::document::{Case, DocumentCoverage, Matrix, Requirement, Unknown};
use crate::document::text::counted;
use crate::documents::report::document::Backend;
use crate::foundation::printable::on_one_line;
use crate::foundation::text::grouped;
use crate::judge::requirements::{Status, Support};

/// Columns that ids, statuses and counts need; no width below is honoured.
const NARROWEST: usize = 72;

/// How many cases that name no requirement are shown.
const CASES_SHOWN: usize = 10;

/// Where the explanation below a row begins.
const INDENT: &str = "                 ";

/// The matrix in lines of at most `width` columns (72 at least, and whole ids of cases): by which
/// profiles the reports and campaigns were judged; for each
/// document the counts by status and a line for each requirement, followed by what it says where
/// it is not verified, or why no execution can verify it; then the cases that name none, and what no
/// catalogue has.
pub fn render(matrix: &Matrix, width: usize) -> String {
    let width = width.max(NARROWEST);
    let mut text = String::new();
    let Backend { name, version, .. } = &matrix.backend;
    let head = format!("{name} {version}, profile {}", matrix.profiles());
    for line in [head].into_iter().chain(matrix.laxer()) {
        text += &wrapped("", &on_one_line(&line), width);
    }
    for DocumentCoverage { title, key, summary, .. } in &matrix.documents {
        let counts = Status::ALL.map(|status| (summary.count(status), status));
        let counts = counts.into_iter().filter(|(count, _)| *count > 0);
        let counts: Vec<_> =
            counts.map(|(count, status)| format!("{} {status}", grouped(count))).collect();
        let (total, counts) = (counted(summary.requirements, "requirement"), counts.join(", "));
        text += &format!("\n{}", wrapped("", &format!("{title} ({key})"), width));
        text += &format!("{total}: {counts}\n\n");
        text.extend(matrix.of_document(key).map(|requirement| row(matrix, requirement, width)));
    }
    text + "\n" + &unlinked(&matrix.unlinked) + &unknown(&matrix.unknown)
}

/// Text in lines of the page's width, whole words.
fn wrapped(indent: &str, text: &str, width: usize) -> String {
    let options = Options::new(width - indent.len()).word_splitter(WordSplitter::NoHyphenation);
    wrap(text, options).iter().map(|line| format!("{indent}{line}\n")).collect()
}

fn row(matrix: &Matrix, requirement: &Requirement, width: usize) -> String {
    let Requirement { id, status, cases, campaigns, .. } = requirement;
    let all = campaigns.iter().filter_map(|&at| matrix.campaigns.get(at));
    let failed = cases.iter().filter(|case| case.support == Some(Support::Failed)).count()
        + all.filter(|campaign| campaign.support == Support::Failed).count();
    let mut counts = counted(cases.len() as u64, "case");
    if !campaigns.is_empty() {
        counts += &format!(", {}", counted(campaigns.len() as u64, "campaign"));
    }
    if failed > 0 {
        counts += &format!(", {failed} failed");
    }
    let mut line = format!("  {status:<13}  {id:<31}  {counts}\n");
    if line.chars().count() > width {
        line = format!("  {status:<13}  {id}\n{INDENT}{counts}\n");
    }
    let explanation = match status {
        Status::Verified => return line,
        Status::Untestable => requirement.untestable.as_ref().unwrap_or(&requirement.statement),
        _ => &requirement.statement,
    };
    let reason = requirement.reason.iter();
    let reason: String = reason.map(|text| wrapped(INDENT, &on_one_line(text), width)).collect();
    line + &wrapped(INDENT, &on_one_line(explanation), width) + &reason
}

fn unlinked(cases: &[Case]) -> String {
    if cases.is_empty() {
        return "every case names a requirement\n".to_owned();
    }
    let verb = if cases.len() == 1 { "names" } else { "name" };
    let mut text = format!("{} {verb} no requirement\n", counted(cases.len() as u64, "case"));
    for Case { id, .. } in cases.iter().take(CASES_SHOWN) {
        text += &format!("  {}\n", on_one_line(id));
    }
    if let Some(more @ 1..) = cases.len().checked_sub(CASES_SHOWN) {
        text += &format!("  ... and {more} more\n");
    }
    text
}

fn unknown(named: &[Unknown]) -> String {
    let line = |id| format!("no catalogue has `{id}`, which counts nowhere\n");
    named.iter().map(|unknown| line(on_one_line(&unknown.id))).collect()
}

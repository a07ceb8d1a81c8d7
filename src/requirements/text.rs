//! The matrix as plain text for a terminal.

use std::fmt::Write;

use unicode_width::UnicodeWidthStr;

use super::{Document, Matrix, Row, Status};

/// Columns that ids, statuses and counts need; no width below is honoured.
const NARROWEST: usize = 72;

/// How many cases that name no requirement are shown.
const CASES_SHOWN: usize = 10;

/// Where the explanation below a row begins.
const INDENT: &str = "                 ";

/// The matrix in lines of at most `width` columns (72 at least, and whole ids of cases): for each
/// document the counts by status and a line for each requirement, followed by what it says where
/// it is not verified, or why no execution can verify it; then the cases that name none.
#[must_use]
pub fn matrix_text(matrix: &Matrix<'_>, width: usize) -> String {
    let width = width.max(NARROWEST);
    let mut text = String::new();
    for document in matrix.catalogue.documents() {
        heading(&mut text, document, matrix);
        for row in matrix.of_document(&document.key) {
            line(&mut text, row, width);
        }
        text.push('\n');
    }
    unlinked(&mut text, &matrix.unlinked);
    text
}

fn heading(text: &mut String, document: &Document, matrix: &Matrix<'_>) {
    let total = matrix.of_document(&document.key).count();
    let counts: Vec<_> = Status::ALL
        .into_iter()
        .filter_map(|status| {
            let with = |row: &&Row<'_>| row.status == status;
            let count = matrix.of_document(&document.key).filter(with).count();
            (count > 0).then(|| format!("{count} {status}"))
        })
        .collect();
    let _ = writeln!(text, "{} ({})", document.title, document.key);
    let _ = writeln!(text, "{}: {}\n", counted(total, "requirement"), counts.join(", "));
}

fn line(text: &mut String, row: &Row<'_>, width: usize) {
    let Row { requirement, status, cases } = row;
    let failures = cases.iter().filter(|(_, verdict)| verdict.is_failure()).count();
    let failed = if failures > 0 { format!(", {failures} failed") } else { String::new() };
    let count = counted(cases.len(), "case");
    let _ = writeln!(text, "  {status:<13}  {:<31}  {count}{failed}", requirement.id);
    let explanation = match status {
        Status::Verified => return,
        Status::Untestable => requirement.untestable.as_ref().unwrap_or(&requirement.statement),
        _ => &requirement.statement,
    };
    for words in wrapped(explanation, width - INDENT.len()) {
        let _ = writeln!(text, "{INDENT}{words}");
    }
}

fn unlinked(text: &mut String, cases: &[String]) {
    if cases.is_empty() {
        text.push_str("every case names a requirement\n");
        return;
    }
    let verb = if cases.len() == 1 { "names" } else { "name" };
    let _ = writeln!(text, "{} {verb} no requirement", counted(cases.len(), "case"));
    for case in cases.iter().take(CASES_SHOWN) {
        let _ = writeln!(text, "  {}", case.escape_debug());
    }
    if let Some(more @ 1..) = cases.len().checked_sub(CASES_SHOWN) {
        let _ = writeln!(text, "  ... and {more} more");
    }
}

fn counted(count: usize, noun: &str) -> String {
    format!("{count} {noun}{}", if count == 1 { "" } else { "s" })
}

/// The words of a text in lines of at most `width` columns; a longer word has a line of its own.
fn wrapped(text: &str, width: usize) -> Vec<String> {
    let mut lines = Vec::<String>::new();
    for word in text.split_whitespace() {
        match lines.last_mut() {
            Some(line) if line.width() + 1 + word.width() <= width => {
                line.push(' ');
                line.push_str(word);
            }
            _ => lines.push(word.to_owned()),
        }
    }
    lines
}

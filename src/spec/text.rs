//! The findings as text for the terminal, and as the page in `docs/`.

use std::fmt::{self, Write};

use serde::Serialize;
use textwrap::{Options, WordSplitter, wrap};

use super::{DefectKind, Finding, grouped};

/// Columns below which lines are not made narrower.
const NARROWEST: usize = 40;

/// The findings document by document, in lines of at most `width` columns (40 at least) unless a
/// single word is wider.
pub fn to_text(findings: &[Finding], width: usize) -> String {
    let width = width.max(NARROWEST);
    let mut text = String::new();
    let mut paragraph = |indent: usize, words: &str| {
        let indent = " ".repeat(indent);
        let options = Options::new(width)
            .initial_indent(&indent)
            .subsequent_indent(&indent)
            .break_words(false)
            .word_splitter(WordSplitter::NoHyphenation);
        for line in wrap(words, options) {
            text.push_str(&line);
            text.push('\n');
        }
    };
    for of_document in findings.chunk_by(|a, b| a.document == b.document) {
        let Some(first) = of_document.first() else { continue };
        paragraph(0, &format!("{}: {}", first.document, tally(of_document)));
        paragraph(0, "");
        for finding in of_document {
            paragraph(2, &format!("{} {}", finding.kind, finding.requirement));
            paragraph(4, finding.section);
            paragraph(4, &finding.message);
            paragraph(4, &format!("example: {}", finding.example));
            paragraph(0, "");
        }
    }
    paragraph(0, &format!("in all: {}", tally(findings)));
    text
}

/// The findings as a page of Markdown.
pub fn to_markdown(findings: &[Finding]) -> String {
    let mut page = "# Findings about the specifications\n\n\
        Written by `spec-check`; not to be edited. Each document's case analysis is read literally,\n\
        row by row, and run over every operand of the types named. An example is the first\n\
        found, for operands the one with the smallest bits.\n"
        .to_owned();
    for of_document in findings.chunk_by(|a, b| a.document == b.document) {
        let Some(first) = of_document.first() else { continue };
        let _ = write!(page, "\n## {}\n\n{}.\n\n", first.document, tally(of_document));
        let _ = writeln!(page, "| kind | requirement | count | example | defect |");
        let _ = writeln!(page, "| --- | --- | ---: | --- | --- |");
        for finding in of_document {
            let cell = |text: &str| text.replace('|', "\\|");
            let _ = writeln!(
                page,
                "| {} | `{}` | {} | {} | {}: {} |",
                finding.kind,
                finding.requirement,
                grouped(finding.count),
                cell(&finding.example),
                cell(finding.section),
                cell(&finding.message),
            );
        }
    }
    page
}

/// The findings of each kind, counted.
fn tally(findings: &[Finding]) -> String {
    let kinds =
        [DefectKind::Uncovered, DefectKind::Contradiction, DefectKind::Overlap, DefectKind::Bound];
    let counts: Vec<_> = kinds
        .into_iter()
        .filter_map(|kind| {
            let count = findings.iter().filter(|finding| finding.kind == kind).count();
            let noun = if kind == DefectKind::Uncovered { " case" } else { "" };
            let plural = if count == 1 { "" } else { "s" };
            (count > 0).then(|| format!("{} {kind}{noun}{plural}", grouped(count as u64)))
        })
        .collect();
    if counts.is_empty() { "nothing found".to_owned() } else { counts.join(", ") }
}

impl fmt::Display for DefectKind {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.serialize(f)
    }
}

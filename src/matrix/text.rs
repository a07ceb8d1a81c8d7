//! The matrix as plain text for a terminal.

use std::fmt::Write;

use textwrap::{Options, WordSplitter, wrap};

use super::document::{Case, Document, Matrix, Requirement};
use crate::report::summary::on_one_line;
use crate::report::text::counted;
use crate::requirements::{Status, Support};

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
#[must_use]
pub fn render(matrix: &Matrix, width: usize) -> String {
    let mut page = Page { text: String::new(), matrix, width: width.max(NARROWEST) };
    page.profiles();
    for document in &matrix.documents {
        page.heading(document);
        for requirement in matrix.of_document(&document.key) {
            page.line(requirement);
        }
        page.text.push('\n');
    }
    page.unlinked();
    page.unknown();
    page.text
}

struct Page<'a> {
    text: String,
    matrix: &'a Matrix,
    width: usize,
}

impl Page<'_> {
    /// The profiles, and where one is laxer than a suite's own.
    fn profiles(&mut self) {
        let Matrix { backend, .. } = self.matrix;
        let (name, version, profiles) = (&backend.name, &backend.version, self.matrix.profiles());
        let head = format!("{name} {version}, profile {profiles}");
        for line in [head].into_iter().chain(self.matrix.laxer()) {
            self.wrapped("", &on_one_line(&line));
        }
        self.text.push('\n');
    }

    /// Text in lines of the page's width, whole words.
    fn wrapped(&mut self, indent: &str, text: &str) {
        let options = Options::new(self.width - indent.len());
        for line in wrap(text, options.word_splitter(WordSplitter::NoHyphenation)) {
            let _ = writeln!(self.text, "{indent}{line}");
        }
    }

    fn heading(&mut self, document: &Document) {
        let counts: Vec<_> = Status::ALL
            .into_iter()
            .map(|status| (document.summary.count(status), status))
            .filter(|(count, _)| *count > 0)
            .map(|(count, status)| format!("{count} {status}"))
            .collect();
        let total = counted(document.summary.requirements, "requirement");
        let _ = writeln!(self.text, "{} ({})", document.title, document.key);
        let _ = writeln!(self.text, "{total}: {}\n", counts.join(", "));
    }

    fn line(&mut self, requirement: &Requirement) {
        let Requirement { id, status, cases, campaigns, .. } = requirement;
        let all = campaigns.iter().filter_map(|&at| self.matrix.campaigns.get(at));
        let failed = cases.iter().filter(|case| case.support == Some(Support::Failed)).count()
            + all.filter(|campaign| campaign.support == Support::Failed).count();
        let mut counts = vec![counted(cases.len() as u64, "case")];
        if !campaigns.is_empty() {
            counts.push(counted(campaigns.len() as u64, "campaign"));
        }
        if failed > 0 {
            counts.push(format!("{failed} failed"));
        }
        let _ = writeln!(self.text, "  {status:<13}  {id:<31}  {}", counts.join(", "));
        let explanation = match status {
            Status::Verified => return,
            Status::Untestable => requirement.untestable.as_ref().unwrap_or(&requirement.statement),
            _ => &requirement.statement,
        };
        self.wrapped(INDENT, explanation);
        if let Some(reason) = &requirement.reason {
            self.wrapped(INDENT, &on_one_line(reason));
        }
    }

    fn unlinked(&mut self) {
        let cases = &self.matrix.unlinked;
        if cases.is_empty() {
            self.text.push_str("every case names a requirement\n");
            return;
        }
        let verb = if cases.len() == 1 { "names" } else { "name" };
        let count = counted(cases.len() as u64, "case");
        let _ = writeln!(self.text, "{count} {verb} no requirement");
        for Case { id, .. } in cases.iter().take(CASES_SHOWN) {
            let _ = writeln!(self.text, "  {}", on_one_line(id));
        }
        if let Some(more @ 1..) = cases.len().checked_sub(CASES_SHOWN) {
            let _ = writeln!(self.text, "  ... and {more} more");
        }
    }

    fn unknown(&mut self) {
        for unknown in &self.matrix.unknown {
            let id = on_one_line(&unknown.id);
            let _ = writeln!(self.text, "no catalogue has `{id}`, which counts nowhere");
        }
    }
}

//! The findings as text for the terminal, and as the page in `docs/`.

use std::fmt::{self, Write};

use serde::Serialize;
use textwrap::{Options, WordSplitter, wrap};

use super::cause::{Instance, groups};
use super::{DefectKind, Effect, Finding, Revision, grouped};

/// Columns below which lines are not made narrower.
const NARROWEST: usize = 40;

/// The findings by their cause, in lines of at most `width` columns (40 at least) unless a single word is
/// wider: each in a sentence, where it is found, and the first example.
pub fn to_summary(findings: &[Finding], revisions: &[Revision], width: usize) -> String {
    let mut page = Paragraphs::new(width);
    for group in groups(findings) {
        page.add(0, group.cause.says());
        for instance in &group.instances {
            let Instance { first, domains, count } = instance;
            let (domains, count) = (domains.join(", "), grouped(*count));
            page.add(2, &format!("{} {}: {count} ({domains})", first.document, first.requirement));
        }
        if let [Instance { first, .. }, ..] = &group.instances[..] {
            page.add(4, &format!("example: {}", first.example));
        }
        page.add(0, "");
    }
    for revision in revisions {
        page.add(0, &headline(revision));
        for change in &revision.changes {
            page.add(2, &format!("{} {}", change.requirement, change.change.name()));
        }
        for effect in &revision.effects {
            page.add(2, &format!("{} ({}): {}", effect.requirement, effect.domain, became(effect)));
            page.add(4, &effect.cause);
        }
        page.add(0, "");
    }
    page.add(0, &format!("in all: {}", tally(findings)));
    page.text
}

/// What a revision is, in a sentence.
fn headline(revision: &Revision) -> String {
    let Revision { older, newer, title, alike, changes, .. } = revision;
    let (changed, alike) = (grouped(changes.len() as u64), grouped(*alike));
    format!(
        "{newer} ({title}) beside {older}: {changed} requirements differ, {alike} are stated alike."
    )
}

/// How a finding differs between two documents.
fn became(effect: &Effect) -> String {
    match effect.counts {
        [before, 0] => format!("{} no longer", grouped(before)),
        [0, after] => format!("{} new", grouped(after)),
        [before, after] => format!("{} became {}", grouped(before), grouped(after)),
    }
}

/// The findings in full, document by document, and what each changed requirement states, in lines of at most `width`
/// columns (40 at least) unless a single word is wider.
pub fn to_text(findings: &[Finding], revisions: &[Revision], width: usize) -> String {
    let mut page = Paragraphs::new(width);
    for of_document in findings.chunk_by(|a, b| a.document == b.document) {
        let Some(first) = of_document.first() else { continue };
        page.add(0, &format!("{}: {}", first.document, tally(of_document)));
        page.add(0, "");
        for finding in of_document {
            page.add(2, &format!("{} {}", finding.kind, finding.requirement));
            page.add(4, &finding.section);
            page.add(4, &finding.message);
            page.add(4, &format!("example: {}", finding.example));
            page.add(0, "");
        }
    }
    for revision in revisions {
        page.add(0, &headline(revision));
        page.add(0, "");
        for change in &revision.changes {
            page.add(2, &format!("{} {}", change.requirement, change.change.name()));
            for (label, stated) in
                [("older", &change.older), ("newer", &change.newer), ("note", &change.note)]
            {
                if let Some(stated) = stated {
                    page.add(4, &format!("{label}: {stated}"));
                }
            }
            page.add(0, "");
        }
        for effect in &revision.effects {
            page.add(2, &format!("{} ({}): {}", effect.requirement, effect.domain, became(effect)));
            page.add(4, &effect.cause);
            page.add(0, "");
        }
    }
    page.add(0, &format!("in all: {}", tally(findings)));
    page.text
}

/// Text in lines of a width.
struct Paragraphs {
    text: String,
    width: usize,
}

impl Paragraphs {
    fn new(width: usize) -> Self {
        Self { text: String::new(), width: width.max(NARROWEST) }
    }

    fn add(&mut self, indent: usize, words: &str) {
        let indent = " ".repeat(indent);
        let options = Options::new(self.width)
            .initial_indent(&indent)
            .subsequent_indent(&indent)
            .break_words(false)
            .word_splitter(WordSplitter::NoHyphenation);
        for line in wrap(words, options) {
            self.text.push_str(&line);
            self.text.push('\n');
        }
    }
}

/// The findings as a page of Markdown, and what newer revisions of documents change.
pub fn to_markdown(findings: &[Finding], revisions: &[Revision]) -> String {
    let mut page = "# Findings about the specifications\n\n\
        Written by `spec-check`; not to be edited. Each document's case analysis is read literally,\n\
        row by row, and run over every operand of the types named, or over directed ones where there\n\
        are too many. An example is the first found, for operands the one with the smallest bits.\n\
        What has one cause stands together; `spec-check --full` writes out each finding, with the\n\
        words of its rows.\n"
        .to_owned();
    let cell = |text: &str| text.replace('|', "\\|");
    for group in groups(findings) {
        let (says, all) = (group.cause.says(), grouped(group.findings as u64));
        let noun = if group.findings == 1 { "finding" } else { "findings" };
        let _ = write!(page, "\n## {}\n\n{all} {noun}.\n\n", says.trim_end_matches('.'));
        let _ = writeln!(page, "| document | requirement | found on | count | example |");
        let _ = writeln!(page, "| --- | --- | --- | ---: | --- |");
        for Instance { first, domains, count } in &group.instances {
            let _ = writeln!(
                page,
                "| {} | `{}` | {} | {} | {} |",
                first.document,
                first.requirement,
                domains.join(", "),
                grouped(*count),
                cell(&first.example),
            );
        }
    }
    let _ = writeln!(page, "\nIn all: {}.", tally(findings));
    if !revisions.is_empty() {
        page.push_str(
            "\n# What newer revisions of the documents change\n\n\
             Requirement by requirement, from the catalogues of both revisions, and finding by finding.\n",
        );
    }
    for revision in revisions {
        let _ = writeln!(page, "\n## {}\n\n{}\n", revision.title, headline(revision));
        page.push_str("| requirement | change | older | newer |\n| --- | --- | --- | --- |\n");
        for change in &revision.changes {
            let stated = |text: &Option<String>| cell(text.as_deref().unwrap_or(""));
            let (older, mut newer) = (stated(&change.older), stated(&change.newer));
            if let Some(note) = &change.note {
                let _ = write!(newer, " ({})", cell(note));
            }
            let (tag, kind) = (&change.requirement, change.change.name());
            let _ = writeln!(page, "| `{tag}` | {kind} | {older} | {newer} |");
        }
        page.push_str("\n| finding | requirement | found on | older | newer |\n");
        page.push_str("| --- | --- | --- | ---: | ---: |\n");
        for effect in &revision.effects {
            let [older, newer] = effect.counts.map(grouped);
            let cause = effect.cause.trim_end_matches('.');
            let (tag, domain) = (&effect.requirement, &effect.domain);
            let _ = writeln!(page, "| {cause} | `{tag}` | {domain} | {older} | {newer} |");
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

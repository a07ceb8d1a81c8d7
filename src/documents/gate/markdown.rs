//! The comparison in Markdown, for the page of a CI job.
//!
//! Whatever comes from the two files stands in fenced blocks, where nothing of it is markup.

use std::fmt::Write;

use super::{Change, Comparison, Kind};
use crate::document::style::fitted;
use crate::document::text::grouped;
use crate::foundation::printable::{on_one_line, printed};

/// Columns of a line in a block.
const COLUMNS: usize = 120;

/// How many lines of a change's difference are shown.
const LINES_SHOWN: usize = 12;

/// The comparison as Markdown, with at most so many changes of each kind: pages of CI jobs take a
/// limited number of bytes.
pub fn render<K: Kind>(comparison: &Comparison<K>, most: usize) -> String {
    let mut page = format!("## Conformance: {}\n\n", comparison.conclusion());
    block(&mut page, "text", &comparison.heading);
    for (kind, changes) in comparison.by_kind() {
        // Writing to a string cannot fail.
        let _ = writeln!(page, "### {}: {}\n", kind.heading(), grouped(changes.len() as u64));
        let lines: Vec<_> = changes.iter().take(most).flat_map(lines).collect();
        block(&mut page, "diff", &lines);
        if changes.len() > most {
            let _ = writeln!(page, "... and {} more\n", grouped((changes.len() - most) as u64));
        }
    }
    // CI jobs print their page, too.
    printed(&page, false)
}

/// A change in the lines of a unified difference.
fn lines<K>(change: &Change<K>) -> Vec<String> {
    let difference = change.difference();
    let more = difference.len().saturating_sub(LINES_SHOWN) as u64;
    let shown =
        difference.into_iter().take(LINES_SHOWN).map(|(sign, line)| format!("{sign} {line}"));
    let rest = (more > 0).then(|| format!("  ... and {} more", grouped(more)));
    [format!("@@ {} @@", change.what)].into_iter().chain(shown).chain(rest).collect()
}

/// Writes lines, harmless and cut, between fences that none of them can close.
fn block(page: &mut String, language: &str, lines: &[String]) {
    let lines: Vec<_> = lines.iter().map(|line| fitted(&on_one_line(line), COLUMNS)).collect();
    let longest = lines.iter().flat_map(|line| line.split(|c| c != '`')).map(str::len).max();
    let fence = "`".repeat(longest.unwrap_or(0).max(2) + 1);
    let _ = writeln!(page, "{fence}{language}\n{}\n{fence}\n", lines.join("\n"));
}

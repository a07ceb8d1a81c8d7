//! The comparison for a terminal.

use super::{Comparison, Kind, Weight};
use crate::document::style::Style;
use crate::document::text::grouped;
use crate::documents::report::summary::Page;
use crate::judge::verdict::Verdict;

/// How many changes of a kind are shown.
const CHANGES_SHOWN: usize = 10;

/// How many lines of a change's difference are shown.
const LINES_SHOWN: usize = 12;

/// The comparison in lines of at most the style's width (40 at least).
pub fn render<K: Kind>(comparison: &Comparison<K>, style: Style) -> String {
    let mut page = Page::new(style);
    comparison.heading.iter().for_each(|line| page.line(line));
    for (kind, changes) in comparison.by_kind() {
        page.line("");
        let heading = format!("{}: {}", kind.heading(), grouped(changes.len() as u64));
        page.painted(&heading, colour_of(kind.weight()));
        for change in changes.iter().take(CHANGES_SHOWN) {
            page.line(&format!("  {}", change.what));
            let difference = change.difference();
            for (sign, line) in difference.iter().take(LINES_SHOWN) {
                page.line(&format!("    {sign} {line}"));
            }
            more(&mut page, difference.len().saturating_sub(LINES_SHOWN), "    ");
        }
        more(&mut page, changes.len().saturating_sub(CHANGES_SHOWN), "  ");
    }
    page.line("");
    let weight = if comparison.is_closed() { Weight::Finding } else { Weight::Improvement };
    page.painted(&comparison.conclusion(), colour_of(weight));
    page.text
}

fn more(page: &mut Page, count: usize, indent: &str) {
    if count > 0 {
        page.line(&format!("{indent}... and {} more", grouped(count as u64)));
    }
}

/// The verdict that has the colour of a weight.
const fn colour_of(weight: Weight) -> Verdict {
    match weight {
        Weight::Finding => Verdict::Fail,
        Weight::Warning | Weight::Note => Verdict::Skipped,
        Weight::Improvement => Verdict::Pass,
    }
}

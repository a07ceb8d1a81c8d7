//! What becomes of a list, for the terminal.

use super::{Change, Upkeep};
use crate::report::summary::{Page, Style};
use crate::report::text::expected;
use crate::text::grouped;
use crate::verdict::Verdict;

/// How many changes of a list are shown.
const SHOWN: usize = 40;

/// What changes in the list of this name, in lines of the style's width.
pub fn render(upkeep: &Upkeep, name: &str, style: Style) -> String {
    let mut page = Page::new(style);
    let count = |is: fn(&Change) -> bool| {
        grouped(upkeep.changes.iter().filter(|change| is(change)).count() as u64)
    };
    let dropped = count(|change| matches!(change, Change::Dropped { .. }));
    let narrowed = count(|change| matches!(change, Change::Narrowed(_)));
    let added = count(|change| matches!(change, Change::Added(_)));
    let (kept, noun) = (grouped(upkeep.kept), if upkeep.kept == 1 { "entry" } else { "entries" });
    page.line(&format!(
        "{name}: {kept} {noun} kept, {dropped} dropped, {narrowed} narrowed, {added} added"
    ));
    for change in upkeep.changes.iter().take(SHOWN) {
        match change {
            Change::Dropped { cases, why } => {
                page.painted(&format!("dropped   {cases}"), Verdict::Unsupported);
                page.line(&format!("          {why}"));
            }
            Change::Narrowed(entry) => {
                page.line(&format!(
                    "narrowed  {} ({})",
                    entry.cases,
                    expected(entry.verdict, entry.flaky)
                ));
            }
            Change::Added(entry) => {
                page.painted(
                    &format!(
                        "added     {} ({})",
                        entry.cases,
                        expected(entry.verdict, entry.flaky)
                    ),
                    Verdict::Fail,
                );
                page.line(&format!("          {}", entry.reason));
            }
        }
    }
    let more = upkeep.changes.len().saturating_sub(SHOWN) as u64;
    if more > 0 {
        page.line(&format!("... and {} more", grouped(more)));
    }
    for left in &upkeep.left {
        page.line(&format!("left      {left}"));
    }
    page.text
}

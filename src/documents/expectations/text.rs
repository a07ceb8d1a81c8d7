//! What becomes of a list, for the terminal.

use super::{Change, Update};
use crate::document::style::Style;
use crate::documents::report::summary::Page;
use crate::foundation::text::grouped;
use crate::judge::expect::Known;
use crate::judge::verdict::Verdict;

/// How many changes of a list, and how many cases that it cannot speak of, are shown.
const SHOWN: usize = 40;

/// What changes in a list, in lines of the style's width.
pub fn render(update: &Update, style: Style) -> String {
    let mut page = Page::new(style);
    let count = |is: fn(&Change) -> bool| {
        grouped(update.changes.iter().filter(|change| is(change)).count() as u64)
    };
    let dropped = count(|change| matches!(change, Change::Dropped { .. }));
    let narrowed = count(|change| matches!(change, Change::Narrowed(_)));
    let added = count(|change| matches!(change, Change::Added(_)));
    let (kept, noun) = (grouped(update.kept), if update.kept == 1 { "entry" } else { "entries" });
    page.line(&format!(
        "{kept} {noun} kept, {dropped} dropped, {narrowed} narrowed, {added} added"
    ));
    for change in update.changes.iter().take(SHOWN) {
        match change {
            Change::Dropped { cases, why } => {
                page.painted(&format!("dropped   {cases}"), Verdict::Unsupported);
                page.line(&format!("          {why}"));
            }
            Change::Narrowed(entry) => page.line(&format!("narrowed  {}", shown(entry))),
            Change::Added(entry) => {
                page.painted(&format!("added     {}", shown(entry)), entry.verdict);
                page.line(&format!("          {}", entry.reason));
            }
        }
    }
    more(&mut page, update.changes.len());
    for left in update.left.iter().take(SHOWN) {
        page.line(&format!("left      {left}"));
    }
    more(&mut page, update.left.len());
    page.text
}

/// The verdict that an entry knows of its cases, and the cases.
fn shown(entry: &Known) -> String {
    let flaky = if entry.flaky { ", flaky" } else { "" };
    format!("{}{flaky}  {}", entry.verdict, entry.described())
}

/// That so many were to be shown, where it is more than are.
fn more(page: &mut Page, all: usize) {
    let more = all.saturating_sub(SHOWN) as u64;
    if more > 0 {
        page.line(&format!("... and {} more", grouped(more)));
    }
}

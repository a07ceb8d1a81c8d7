//! The comparison for a terminal.

use super::{Comparison, Weight};
use crate::report::document::ExpectationsList;
use crate::report::summary::{Page, Style};
use crate::report::text::{counted, grouped};
use crate::verdict::Verdict;

/// How many changes of a kind are shown.
const CHANGES_SHOWN: usize = 10;

/// How many lines of a change's difference are shown.
const LINES_SHOWN: usize = 12;

/// The comparison in lines of at most the style's width (40 at least).
pub fn render(comparison: &Comparison<'_>, style: Style) -> String {
    let mut page = Page::new(style);
    heading(comparison).iter().for_each(|line| page.line(line));
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
    let weight =
        if comparison.count(Weight::Finding) > 0 { Weight::Finding } else { Weight::Improvement };
    page.painted(&conclusion(comparison), colour_of(weight));
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
        Weight::Note => Verdict::Skipped,
        Weight::Improvement => Verdict::Pass,
    }
}

/// What is compared with what.
pub(super) fn heading(comparison: &Comparison<'_>) -> Vec<String> {
    let Comparison { baseline, report, .. } = comparison;
    let cases = counted(report.summary.cases, "case");
    let elements = counted(report.summary.elements_compared, "element");
    let (then, compared) = (&baseline.summary, grouped(baseline.summary.elements_compared));
    let lists = [&report.expectations_list, &baseline.expectations_list];
    let [list, was] =
        lists.map(|list| list.as_ref().map_or("none".to_owned(), ExpectationsList::short));
    let lists = match list == was {
        true => format!("known failures: {list}"),
        false => format!("known failures: {list}; in the baseline {was}"),
    };
    let lines = [
        format!("{} {}, profile {}", report.backend.name, report.backend.version, report.profile),
        format!(
            "{cases}, {elements} compared; in the baseline {}, {compared}",
            grouped(then.cases)
        ),
    ];
    let is_used = report.expectations_list.is_some() || baseline.expectations_list.is_some();
    lines.into_iter().chain(is_used.then_some(lists)).collect()
}

/// What the gate says.
pub(super) fn conclusion(comparison: &Comparison<'_>) -> String {
    let better = match comparison.count(Weight::Improvement) {
        0 => String::new(),
        count => format!(", {}", counted(count, "improvement")),
    };
    match comparison.count(Weight::Finding) {
        0 if better.is_empty() => "no finding".to_owned(),
        0 => format!("no finding{better}: a new baseline would keep them"),
        count => format!("{}{better}", counted(count, "finding")),
    }
}

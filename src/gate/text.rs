//! The comparison for a terminal.

use super::{Comparison, Kind, Weight};
use crate::report::document::ExpectationsList;
use crate::report::summary::{Style, fitted, on_one_line};
use crate::report::text::{counted, grouped};
use crate::verdict::Verdict;

/// How many changes of a kind are shown.
const CHANGES_SHOWN: usize = 10;

/// How many lines of a change's difference are shown.
const LINES_SHOWN: usize = 12;

/// No width below is honoured.
const NARROWEST: usize = 40;

/// The comparison in lines of at most the style's width (40 at least).
pub fn render(comparison: &Comparison<'_>, style: Style) -> String {
    let style = Style { width: style.width.max(NARROWEST), ..style };
    let mut page = Page { text: String::new(), style };
    let heading = heading(comparison);
    heading.iter().for_each(|line| page.line(line, None));
    Kind::ALL.into_iter().for_each(|kind| page.kind(comparison, kind));
    page.line("", None);
    let weight =
        if comparison.count(Weight::Finding) > 0 { Weight::Finding } else { Weight::Improvement };
    page.line(&conclusion(comparison), Some(weight));
    page.text
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

struct Page {
    text: String,
    style: Style,
}

impl Page {
    fn kind(&mut self, comparison: &Comparison<'_>, kind: Kind) {
        let changes: Vec<_> = comparison.of_kind(kind).collect();
        if changes.is_empty() {
            return;
        }
        self.line("", None);
        let heading = format!("{}: {}", kind.heading(), grouped(changes.len() as u64));
        self.line(&heading, Some(kind.weight()));
        for change in changes.iter().take(CHANGES_SHOWN) {
            self.line(&format!("  {}", change.subject), None);
            let difference = change.difference();
            for (sign, line) in difference.iter().take(LINES_SHOWN) {
                self.line(&format!("    {sign} {line}"), None);
            }
            self.more(difference.len().saturating_sub(LINES_SHOWN), "    ");
        }
        self.more(changes.len().saturating_sub(CHANGES_SHOWN), "  ");
    }

    fn more(&mut self, count: usize, indent: &str) {
        if count > 0 {
            self.line(&format!("{indent}... and {} more", grouped(count as u64)), None);
        }
    }

    /// Writes a line, harmless and cut to the width, in the colour of a weight.
    fn line(&mut self, line: &str, weight: Option<Weight>) {
        let line = fitted(&on_one_line(line), self.style.width);
        self.text += &match weight {
            None => line,
            Some(Weight::Finding) => self.style.paint(&line, Verdict::Fail),
            Some(Weight::Note) => self.style.paint(&line, Verdict::Skipped),
            Some(Weight::Improvement) => self.style.paint(&line, Verdict::Pass),
        };
        self.text.push('\n');
    }
}

//! An inspection as plain text for a terminal.

use super::document::{Coverage, Inspection, Restriction, Use};
use crate::document::style::Style;
use crate::document::text::counted;
use crate::documents::report::summary::Page;
use crate::foundation::text::{enumerated, grouped};
use crate::judge::verdict::Verdict;

/// The uses and restrictions that are shown; the document has all.
const ROWS: usize = 60;
/// Where details begin.
const INDENT: usize = 10;
/// The names that are shown of a list.
const NAMES: usize = 3;

/// The inspection in lines of at most the style's width (40 at least): what covers the uses, a row for each use, those
/// that nothing covers first, and the restrictions that are broken by tag.
pub fn render(inspection: &Inspection, style: Style) -> String {
    let mut page = Page::new(style);
    head(&mut page, inspection);
    counts(&mut page, inspection);
    uses(&mut page, inspection, style.width);
    restrictions(&mut page, inspection);
    remarks(&mut page, inspection);
    page.text
}

fn head(page: &mut Page, inspection: &Inspection) {
    let model = &inspection.model;
    let opset = |domain: &str, version| match domain {
        "" => format!("operator set {version}"),
        domain => format!("{domain} {version}"),
    };
    let opsets = model.opsets.iter().map(|import| opset(&import.domain, import.version));
    let opsets: Vec<String> = opsets.collect();
    page.line(&format!("{}: {}, {}", model.name, counted(model.nodes, "node"), opsets.join(", ")));
    page.line(&format!("SHA-256 {}", model.digest));
    let stand_ins = inspection.sizes.iter().filter(|size| !size.given);
    let stand_ins: Vec<String> =
        stand_ins.map(|size| format!("{} = {}", size.name, size.size)).collect();
    if !stand_ins.is_empty() {
        let all = enumerated(stand_ins.iter().map(String::as_str), 4);
        page.line(&format!("open sizes taken as {all} (--dim, --shape)"));
    }
    for source in &inspection.sources {
        page.line(&format!("{} of {} {}", source.kind, source.backend, source.version));
        if source.unseen > 0 {
            let cases = counted(source.unseen, "case");
            page.line(&format!("  {cases} of corpora that are not here; see `fetch`"));
        }
    }
}

/// The colour of a state.
pub(super) const fn colour(coverage: Coverage) -> Verdict {
    match coverage {
        Coverage::Exact => Verdict::Pass,
        Coverage::Operator => Verdict::Unsupported,
        Coverage::None => Verdict::Fail,
    }
}

fn counts(page: &mut Page, inspection: &Inspection) {
    page.line("");
    let summary = &inspection.summary;
    for state in Coverage::ALL {
        let line = format!("{:>9}  {state:<8}  {}", grouped(summary.count(state)), state.meaning());
        page.painted(&line, colour(state));
    }
    page.line(&format!("{:>9}  distinct uses of operators", grouped(summary.uses)));
}

fn uses(page: &mut Page, inspection: &Inspection, width: usize) {
    if inspection.uses.is_empty() {
        return;
    }
    page.line("");
    page.line("coverage  operator               inputs                nodes  cases  results");
    let mut uses: Vec<&Use> = inspection.uses.iter().collect();
    uses.sort_by_key(|one| std::cmp::Reverse(one.coverage));
    for one in uses.iter().take(ROWS) {
        let line = format!(
            "{:<8}  {:<21}  {:<20}  {:>5}  {:>5}  {}",
            one.coverage,
            one.name(),
            one.inputs(),
            grouped(one.nodes.len() as u64),
            grouped(one.cases.len() as u64),
            results(one)
        );
        page.line(line.trim_end());
        let mut details = one.attributes();
        if let Some(form) = one.broadcast.as_deref().filter(|form| *form != "equal") {
            details += &format!(" broadcast: {form}");
        }
        let lines = textwrap::wrap(details.trim_start(), width.saturating_sub(INDENT).max(30));
        for line in lines.iter().filter(|line| !line.is_empty()) {
            page.line(&format!("{:INDENT$}{line}", ""));
        }
        if let Some(open) = &one.open {
            page.line(&format!("{:INDENT$}{open}", ""));
        }
    }
    more(page, uses.len(), "use");
}

fn more(page: &mut Page, all: usize, unit: &str) {
    let more = all.saturating_sub(ROWS) as u64;
    if more > 0 {
        page.line(&format!("... and {} more, which inspect.json has", counted(more, unit)));
    }
}

/// What came of the cases of a use, over all reports.
pub(super) fn results(one: &Use) -> String {
    let of = |result: &super::document::Outcome| {
        let verdicts = result.verdicts.iter().map(|(verdict, count)| format!("{count} {verdict}"));
        verdicts.collect::<Vec<_>>().join(", ")
    };
    one.results.iter().map(of).collect::<Vec<_>>().join("; ")
}

/// The restrictions of one tag after the other.
pub(super) fn by_tag(restrictions: &[Restriction]) -> Vec<&[Restriction]> {
    restrictions.chunk_by(|one, other| one.tag == other.tag).collect()
}

fn restrictions(page: &mut Page, inspection: &Inspection) {
    page.line("");
    let broken = &inspection.restrictions;
    if broken.is_empty() {
        page.line("No restriction of SONNX is broken, as far as types and shapes are known.");
        return;
    }
    let all = counted(broken.len() as u64, "time");
    page.line(&format!("Restrictions of SONNX are broken {all}:"));
    let tags = by_tag(broken);
    for rows in tags.iter().take(ROWS) {
        let tag = &rows[0].tag;
        let nodes = rows.iter().filter_map(|row| row.node.as_deref());
        page.line(&format!("  {tag}  {}", enumerated(nodes, NAMES)));
        if let Some(statement) = inspection.requirements.get(tag) {
            page.line(&format!("    {statement}"));
        }
        page.line(&format!("    here: {}", rows[0].why));
    }
    more(page, tags.len(), "tag");
}

fn remarks(page: &mut Page, inspection: &Inspection) {
    if inspection.remarks.is_empty() {
        return;
    }
    page.line("");
    for remark in inspection.remarks.iter().take(ROWS) {
        let names = enumerated(remark.names.iter().map(String::as_str), NAMES);
        page.line(&format!("{}: {names}", remark.topic.heading()));
        page.line(&format!("  {}", remark.why));
    }
    more(page, inspection.remarks.len(), "remark");
}

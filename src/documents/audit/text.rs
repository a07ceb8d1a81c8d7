//! The audit as plain text for a terminal.

use std::fmt::Write;

use super::document::{Audit, Case, Element, Operator, Status, Tally};
use crate::document::style::Style;
use crate::document::text::{bracketed, counted, short};
use crate::documents::report::summary::Page;
use crate::foundation::text::grouped;

/// How many cases with elements that are not allowed are shown with their worst element.
const CASES_SHOWN: usize = 10;

/// The audit in lines of at most the style's width (40 at least): the cases by status, a row for each
/// operator that has an element that is not allowed, and the cases that are furthest off.
pub fn render(audit: &Audit, style: Style) -> String {
    let mut page = Page::new(style);
    for corpus in &audit.corpora {
        page.line(&format!("{} ({})", corpus.name, counted(corpus.cases, "case")));
    }
    counts(&mut page, &audit.summary);
    operators(&mut page, audit);
    findings(&mut page, audit);
    page.text
}

fn counts(page: &mut Page, tally: &Tally) {
    page.line("");
    for (status, says) in [
        (Status::Allowed, "every expected element is allowed"),
        (Status::Impossible, "an expected element is not"),
        (Status::Invalid, "by the reference the call is invalid"),
        (Status::Undecided, "no expected element is decided"),
        (Status::Unknown, "the reference does not know the operator"),
        (Status::Unreadable, "the case cannot be decoded"),
    ] {
        let count = tally.count(status);
        if count > 0 {
            page.line(&format!("{:>9}  {:<10}  {says}", grouped(count), status.to_string()));
        }
    }
    page.line(&format!(
        "{:>9}  cases, {} decided, {} not allowed",
        grouped(tally.cases),
        counted(tally.elements, "element"),
        grouped(tally.impossible_elements)
    ));
}

fn operators(page: &mut Page, audit: &Audit) {
    let is_off = |operator: &&Operator| operator.tally.impossible_elements > 0;
    let off: Vec<_> = audit.operators.iter().filter(is_off).collect();
    if off.is_empty() {
        return;
    }
    page.line("");
    page.line("operator            kind          cases  not allowed  of elements  largest error");
    for Operator { name, kind, tally } in off {
        let error = tally.max_error_ulp.as_deref().map_or("-".to_owned(), ulps);
        page.line(&format!(
            "{name:<18}  {kind:<12}  {:>5}  {:>11}  {:>11}  {error:>13}",
            grouped(tally.cases),
            grouped(tally.impossible_elements),
            grouped(tally.elements)
        ));
    }
}

/// An error in ULP without its fraction.
pub(super) fn ulps(error: &str) -> String {
    format!("{} ULP", short(error))
}

fn findings(page: &mut Page, audit: &Audit) {
    let findings = audit.findings();
    for case in findings.iter().take(CASES_SHOWN) {
        finding(page, case);
    }
    let more = findings.len().saturating_sub(CASES_SHOWN) as u64;
    if more > 0 {
        page.line("");
        page.line(&format!("... and {} more", counted(more, "case")));
    }
}

fn finding(page: &mut Page, case: &Case) {
    page.line("");
    page.line(&format!("{} {}", case.status, case.id));
    if let Some(reason) = &case.reason {
        page.line(&format!("  {reason}"));
    }
    let Some(output) = case.outputs.iter().find(|output| !output.worst.is_empty()) else { return };
    let Element { index, inputs, expected, allowed, error_ulp } = &output.worst[0];
    let mut head = format!("  {}{}", output.name, bracketed(index));
    if let Some(error) = error_ulp {
        let _ = write!(head, ", {} off", ulps(error));
    }
    page.line(&head);
    for (role, value) in inputs
        .iter()
        .map(|input| ("input", input))
        .chain([("expected", expected), ("allowed", allowed)])
    {
        page.line(&format!("    {role:<8}  {value}"));
    }
}

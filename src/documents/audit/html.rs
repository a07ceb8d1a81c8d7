//! `audit.html`: one self-contained page for readers.
//!
//! It shares style, escaping and content security policy with the page of a report; its script is that of every page.

use askama::Template;

use super::document::{Audit, Case, Operator, Status};
use super::text::ulps;
use crate::document::page::{PAGE_SCRIPT, STYLE, anchor, content_security_policy};
use crate::document::text::{bracketed, counted, decimal_and_bits, folder_and_name, grouped};
use crate::documents::report::html::occurrences;

const OWN_STYLE: &str = include_str!("templates/audit.css");

/// How many cases are shown element by element.
const CASES_TOLD: usize = 400;

/// The page as text.
pub fn to_text(audit: &Audit) -> Result<String, askama::Error> {
    let style = format!("{STYLE}{OWN_STYLE}");
    let findings = audit.findings();
    let more = findings.len().saturating_sub(CASES_TOLD) as u64;
    let findings = findings.into_iter().take(CASES_TOLD).collect();
    Page {
        audit,
        findings,
        more,
        policy: content_security_policy(&style, Some(PAGE_SCRIPT)),
        style,
    }
    .render()
}

#[derive(Template)]
#[template(path = "audit.html")]
struct Page<'a> {
    audit: &'a Audit,
    findings: Vec<&'a Case>,
    /// How many findings are not shown.
    more: u64,
    policy: String,
    style: String,
}

impl Page<'_> {
    /// The operators of the graphs that the reference does not know, with how many cases have them.
    fn others(&self) -> Vec<(&str, u64)> {
        let unknown = self.audit.cases.iter().filter(|case| case.status == Status::Unknown);
        occurrences(unknown.map(|case| std::iter::once(&*case.operator)))
    }
}

/// The colour of a status, which is that of a verdict.
const fn colour(status: Status) -> &'static str {
    match status {
        Status::Allowed => "pass",
        Status::Impossible => "fail",
        Status::Invalid | Status::Unreadable => "fault",
        Status::Undecided => "out_of_domain",
        Status::Unknown => "unsupported",
    }
}

/// The label of a status.
const fn says(status: Status) -> &'static str {
    match status {
        Status::Allowed => "allowed",
        Status::Impossible => "not allowed",
        Status::Invalid => "invalid",
        Status::Undecided => "undecided",
        Status::Unknown => "not known",
        Status::Unreadable => "unreadable",
    }
}

/// The share of an operator's decided elements that is not allowed, in percent.
fn share(operator: &Operator) -> String {
    #[expect(clippy::cast_precision_loss, reason = "a figure for readers")]
    let share =
        100.0 * operator.tally.impossible_elements as f64 / operator.tally.elements.max(1) as f64;
    format!("{share:.1} %")
}

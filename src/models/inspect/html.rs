//! `inspect.html`: one self-contained page for readers.
//!
//! It shares style, escaping and content security policy with the page of a report; its script is that of every page.

use askama::Template;

use super::document::{Coverage, Inspection, Restriction, Use};
use super::text::{by_tag, colour, results};
use crate::document::page::{PAGE_SCRIPT, STYLE, content_security_policy};
use crate::document::text::{counted, grouped};
use crate::foundation::text::enumerated;

const OWN_STYLE: &str = include_str!("templates/inspect.css");

/// The names of nodes, cases and values that are shown of one list.
const NAMES: usize = 12;

/// The page as text.
pub fn to_text(inspection: &Inspection) -> Result<String, askama::Error> {
    let style = format!("{STYLE}{OWN_STYLE}");
    let mut uses: Vec<&Use> = inspection.uses.iter().collect();
    uses.sort_by_key(|one| std::cmp::Reverse(one.coverage));
    let policy = content_security_policy(&style, Some(PAGE_SCRIPT));
    let tags = by_tag(&inspection.restrictions);
    Page { inspection, uses, tags, policy, style }.render()
}

#[derive(Template)]
#[template(path = "inspect.html")]
struct Page<'a> {
    inspection: &'a Inspection,
    /// Those that nothing covers first.
    uses: Vec<&'a Use>,
    tags: Vec<&'a [Restriction]>,
    policy: String,
    style: String,
}

impl Page<'_> {
    /// The uses in a state.
    fn count(&self, coverage: Coverage) -> String {
        grouped(self.inspection.summary.count(coverage))
    }

    /// What the tag of these restrictions wants.
    fn statement(&self, rows: &[Restriction]) -> &str {
        let tag = rows.first().map_or("", |row| &row.tag);
        self.inspection.requirements.get(tag).map_or("", String::as_str)
    }
}

fn times(rows: &[Restriction]) -> String {
    counted(rows.len() as u64, "time")
}

fn length(names: &[String]) -> String {
    grouped(names.len() as u64)
}

/// The class of a state, which is that of a verdict.
fn class(coverage: Coverage) -> String {
    colour(coverage).to_string()
}

/// The first names of a list.
fn first(names: &[String]) -> String {
    enumerated(names.iter().map(String::as_str), NAMES)
}

/// The nodes of some restrictions.
fn nodes(rows: &[Restriction]) -> String {
    enumerated(rows.iter().filter_map(|row| row.node.as_deref()), NAMES)
}

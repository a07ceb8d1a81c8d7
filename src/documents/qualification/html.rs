//! `qualification.html`: one self-contained page for readers.
//!
//! It shares style, escaping and content security policy with the page of a report; its script is that of every page.

use askama::Template;

use super::document::{Cell, Class, Column, ColumnKind, Defect, Qualification, Status};
use crate::document::page::{PAGE_SCRIPT, STYLE, content_security_policy};
use crate::document::text::{counted, folder_and_name, grouped};
use crate::foundation::text::words;

const OWN_STYLE: &str = include_str!("templates/qualification.css");

/// The page as text.
pub fn html(document: &Qualification) -> Result<String, askama::Error> {
    let style = format!("{STYLE}{OWN_STYLE}");
    Page { document, policy: content_security_policy(&style, Some(PAGE_SCRIPT)), style }.render()
}

#[derive(Template)]
#[template(path = "qualification.html")]
struct Page<'a> {
    document: &'a Qualification,
    policy: String,
    style: String,
}

impl<'a> Page<'a> {
    /// The fault classes with their defects, those without left out.
    fn classes(&self) -> impl Iterator<Item = (Class, Vec<&'a Defect>)> {
        let of = |class| self.document.defects.iter().filter(move |one| one.class == class);
        let classes = Class::ALL.into_iter().map(move |class| (class, of(class).collect()));
        classes.filter(|(_, defects): &(Class, Vec<&Defect>)| !defects.is_empty())
    }

    /// The columns of the official corpus.
    fn official(&self) -> impl Iterator<Item = &'a Column> {
        self.document.columns.iter().filter(|column| !column.kind.is_own())
    }
}

/// The colour of an applicable cell, which is that of a verdict, and its word.
const fn shown(cell: &Cell) -> (&'static str, &'static str) {
    match (cell.status, cell.failed) {
        (Status::Killed, 0) => ("out_of_domain", "lost"),
        (Status::Killed, _) => ("pass", "killed"),
        _ => ("fail", "survived"),
    }
}

/// What a column counts.
const fn unit(kind: ColumnKind) -> &'static str {
    match kind {
        ColumnKind::Suite | ColumnKind::Official | ColumnKind::OfficialStrict => "case",
        ColumnKind::Campaign => "input",
        ColumnKind::Protocol => "check",
    }
}

/// How much of a column finds a defect, in words.
fn counts(cell: &Cell, column: &Column) -> String {
    let all = counted(cell.cases, unit(column.kind));
    match (cell.failed, cell.lost) {
        (0, 0) => format!("none of {all}"),
        (failed, 0) => format!("{} of {all}", grouped(failed)),
        (0, lost) => format!("{} of {all}, found by the gate alone", grouped(lost)),
        (failed, lost) => {
            format!("{} of {all}, and {} by the gate alone", grouped(failed), grouped(lost))
        }
    }
}

//! `campaign.html`: one self-contained page for readers, in the style of the report's.

use askama::Template;

use super::document::{Campaign, Counterexample};
use super::plot::{Histogram, Map, SHADES};
use crate::check::Check;
use crate::document::page::{PAGE_SCRIPT, content_security_policy, requirement_anchor};
use crate::document::text::{decimal_and_bits, short};
use crate::dtype::Kind;
use crate::foundation::text::grouped;

const STYLE: &str = concat!(
    include_str!("../../documents/report/templates/report.css"),
    include_str!("templates/campaign.css")
);

/// `campaign.html` as text. Its requirements link to the page of the requirement matrix at this address,
/// which is relative to the campaign's page and percent-encoded, where there is one.
pub fn page(document: &Campaign, matrix: Option<&str>) -> Result<String, askama::Error> {
    let check = document.check().ok();
    let is_integer = |check: &Check| matches!(check.dtype().kind(), Kind::Int { .. });
    let page = Page {
        document,
        matrix,
        policy: content_security_policy(STYLE, Some(PAGE_SCRIPT)),
        takes_integers: check.as_ref().is_some_and(is_integer),
        substitutes: check.as_ref().is_some_and(|check| check.operator().substitute.is_some()),
        histogram: Histogram::of(document, check.as_ref()),
        map: check.as_ref().and_then(Map::of),
    };
    page.render()
}

#[derive(Template)]
#[template(path = "campaign.html")]
struct Page<'a> {
    document: &'a Campaign,
    matrix: Option<&'a str>,
    policy: String,
    /// Whether operands are integers.
    takes_integers: bool,
    /// Whether the backend was given other operands where no result is specified.
    substitutes: bool,
    histogram: Histogram<'a>,
    map: Option<Map>,
}

impl Page<'_> {
    /// The counterexamples by heading.
    fn counterexamples(&self) -> [(&'static str, &[Counterexample]); 2] {
        let examples = &self.document.counterexamples;
        [("The first ones", &examples.first), ("The worst ones", &examples.worst)]
    }
}

impl Counterexample {
    /// Its values by their roles.
    pub(super) fn roles(&self) -> impl Iterator<Item = (&'static str, &str)> {
        let inputs = self.inputs.iter().map(|input| ("input", input.as_str()));
        inputs.chain([("expected", self.expected.as_str()), ("actual", self.actual.as_str())])
    }
}

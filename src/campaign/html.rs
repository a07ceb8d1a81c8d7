//! `campaign.html`: one self-contained page for readers, in the style of the report's.

use askama::Template;

use super::document::{Counterexample, Document};
use super::plot::{Bar, Map, SHADES, is_integer};
use crate::report::html::{content_security_policy, requirement_anchor};
use crate::report::text::decimal_and_bits;
use crate::text::grouped;

const STYLE: &str =
    concat!(include_str!("../report/templates/report.css"), include_str!("templates/campaign.css"));

/// `campaign.html` as text. Its requirements link to the page of the requirement matrix at this address,
/// which is relative to the campaign's page and percent-encoded, where there is one.
///
/// # Errors
///
/// Never for a document as such; rendering as a whole may fail.
pub fn page(document: &Document, matrix: Option<&str>) -> Result<String, askama::Error> {
    Page::of(document, matrix).render()
}

#[derive(Template)]
#[template(path = "campaign.html")]
struct Page<'a> {
    document: &'a Document,
    matrix: Option<&'a str>,
    policy: String,
    classes: [(&'static str, u64); 6],
    bars: Vec<Bar>,
    map: Option<Map>,
}

impl<'a> Page<'a> {
    fn of(document: &'a Document, matrix: Option<&'a str>) -> Self {
        let classes = &document.classes;
        Self {
            document,
            matrix,
            policy: content_security_policy(STYLE, None),
            classes: [
                ("normal", classes.normal),
                ("subnormal", classes.subnormal),
                ("zero", classes.zero),
                ("infinite", classes.infinite),
                ("NaN", classes.nan),
                ("out of domain", classes.out_of_domain),
            ],
            bars: Bar::of(document),
            map: Map::of(document),
        }
    }

    /// Height of the histogram.
    fn histogram_height(&self) -> usize {
        self.bars.len() * Bar::STEP
    }

    /// The counterexamples by heading.
    fn counterexamples(&self) -> [(&'static str, &'a [Counterexample]); 2] {
        let examples = &self.document.counterexamples;
        [("The first ones", &examples.first), ("The worst ones", &examples.worst)]
    }

    /// Inputs a second, in millions; none where the time is not known.
    fn rate(&self) -> Option<String> {
        let seconds = self.document.duration().as_secs_f64();
        #[expect(clippy::cast_precision_loss, reason = "a rate for readers")]
        let rate = self.document.executed as f64 / seconds / 1e6;
        (seconds > 0.0).then(|| format!("{rate:.1}"))
    }
}

/// The rows of a counterexample: role, decimal, bits.
fn rows(example: &Counterexample) -> Vec<(&'static str, &str, &str)> {
    let inputs = example.inputs.iter().map(|input| ("input", input));
    let results = [("expected", &example.expected), ("actual", &example.actual)];
    inputs
        .chain(results)
        .map(|(role, value)| {
            let (decimal, bits) = decimal_and_bits(value);
            (role, decimal, bits)
        })
        .collect()
}

/// An error without its exact fraction.
fn short(error: &str) -> &str {
    error.split_once(" (").map_or(error, |(decimal, _)| decimal)
}

//! The pages of a site. They share style, theme switch, escaping and content security policy with the page
//! of a report.

use askama::Template;

use super::document::{Backend, Entry, Operator, Series, Site, Standing};
use crate::document::page::{PAGE_SCRIPT, content_security_policy};
use crate::document::text::{at_separators, counted, grouped};
use crate::documents::gate::Kind;
use crate::documents::report::document::Summary;
use crate::judge::verdict::Verdict;

const STYLE: &str =
    concat!(include_str!("../report/templates/report.css"), include_str!("templates/site.css"));

/// Reports of a series up to which its table is unfolded.
const ROWS_UNFOLDED: usize = 24;

/// Reports of a series whose regressions are unfolded below it.
const REPORTS_LISTED: usize = 5;

/// The front page.
pub(super) fn of_site(site: &Site) -> Result<String, askama::Error> {
    SitePage { site, policy: policy() }.render()
}

/// The page of a backend.
pub(super) fn of_backend(standing: &Standing, backend: &Backend) -> Result<String, askama::Error> {
    // From the folder of the page, two below that of the site.
    let series = backend.series.iter().map(SeriesOnPage::of).collect();
    BackendPage { backend, findings: standing.findings(), series, policy: policy() }.render()
}

/// The page of an operator.
pub(super) fn of_operator(operator: &Operator) -> Result<String, askama::Error> {
    OperatorPage { operator, policy: policy() }.render()
}

fn policy() -> String {
    content_security_policy(STYLE, Some(PAGE_SCRIPT))
}

#[derive(Template)]
#[template(path = "site.html")]
struct SitePage<'a> {
    site: &'a Site,
    policy: String,
}

impl SitePage<'_> {
    fn findings(&self) -> u64 {
        self.site.backends.iter().map(Standing::findings).sum()
    }
}

#[derive(Template)]
#[template(path = "site-backend.html")]
struct BackendPage<'a> {
    backend: &'a Backend,
    findings: u64,
    series: Vec<SeriesOnPage<'a>>,
    policy: String,
}

/// A series, the newest reports first.
struct SeriesOnPage<'a> {
    series: &'a Series,
    rows: Vec<&'a Entry>,
    /// Reports with regressions that are listed.
    worse: Vec<&'a Entry>,
}

impl<'a> SeriesOnPage<'a> {
    fn of(series: &'a Series) -> Self {
        let rows: Vec<&Entry> = series.reports.iter().rev().collect();
        let is_listed = |entry: &&&Entry| {
            entry.since.as_ref().is_some_and(|since| !since.regressions.is_empty())
        };
        let worse = rows.iter().filter(is_listed).take(REPORTS_LISTED).copied().collect();
        Self { series, rows, worse }
    }
}

#[derive(Template)]
#[template(path = "site-operator.html")]
struct OperatorPage<'a> {
    operator: &'a Operator,
    policy: String,
}

/// The pieces of a bar, one a verdict: where each begins and how long it is, in hundredths.
fn pieces(summary: &Summary) -> Vec<(Verdict, f64, f64)> {
    let mut from = 0.0;
    let all = Verdict::ALL.into_iter().filter(|verdict| summary.count(*verdict) > 0);
    let piece = |verdict: Verdict| {
        #[expect(clippy::cast_precision_loss, reason = "lengths in a picture")]
        let length = 100.0 * summary.count(verdict) as f64 / summary.cases.max(1) as f64;
        let piece = (verdict, from, length);
        from += length;
        piece
    };
    all.map(piece).collect()
}

/// The verdicts that there are any of, with their numbers.
fn counts(summary: &Summary) -> Vec<(Verdict, u64)> {
    let counts = Verdict::ALL.into_iter().map(|verdict| (verdict, summary.count(verdict)));
    counts.filter(|(verdict, count)| *count > 0 || *verdict == Verdict::Pass).collect()
}

const fn failed(summary: &Summary) -> u64 {
    summary.fail + summary.crash + summary.timeout + summary.fault
}

const fn others(summary: &Summary) -> u64 {
    summary.unsupported + summary.out_of_domain + summary.skipped
}

/// A time without what nobody reads at a glance.
fn date(clock: &str) -> &str {
    clock.get(..10).unwrap_or(clock)
}

/// The first digits of a digest.
fn short(sha256: &str) -> &str {
    sha256.get(..12).unwrap_or(sha256)
}

/// An error without its exact fraction.
fn decimal(error: &str) -> &str {
    crate::document::text::short(error)
}

//! The documents of a site, from the reports in their order.
//!
//! One report is in memory at a time, beside what the gate needs of the one before it.

use std::collections::{BTreeMap, BTreeSet};
use std::path::PathBuf;

use values::text::bounded;

use super::document::{
    Asked, Backend, Entry, FORMAT_VERSION, KINDS, Known, Latest, OfBackend, Operator,
    OperatorCounts, OperatorEntry, OperatorRow, Regression, Series, Since, Site, Standing,
};
use super::history::{self, History, Source};
use super::{SiteError, names};
use crate::document::provenance;
use crate::documents::gate::{Change, Comparison, Kind, Weight};
use crate::documents::report::baseline::Baseline;
use crate::documents::report::document::{Case, Expectation, Report, Summary, Tool};
use crate::documents::report::operators;
use crate::documents::scoreboard::document::Passed;
use crate::foundation::text::natural_order;
use crate::judge::verdict::Verdict;

/// Most operators that the reports of a site may name.
pub const MOST_OPERATORS: usize = 1_000;

/// Most regressions that are listed of one report.
const LISTED_OF_REPORT: usize = 50;

/// Most that are listed of all reports of a backend, those of the newest first.
const LISTED_OF_BACKEND: usize = 500;

/// Most known failures that are listed of a report.
const KNOWN_LISTED: usize = 500;

/// Most lines of a difference that are kept, and most bytes of any text of a report.
const LINES: usize = 12;
const LONGEST: usize = 500;

/// Longest name of an operator, in bytes.
const LONGEST_NAME: usize = 200;

/// The documents of all pages.
pub(super) struct Documents {
    pub(super) site: Site,
    pub(super) backends: Vec<Backend>,
    pub(super) operators: Vec<Operator>,
}

/// The address of a backend's page by its file's name.
fn page_of_backend(file: &str) -> String {
    format!("backends/{file}/index.html")
}

/// The address of an operator's page by its file's name.
fn page_of_operator(file: &str) -> String {
    format!("operators/{file}.html")
}

/// The history of one backend.
#[derive(Default)]
struct Told {
    series: Vec<Series>,
    /// The newest result of each case.
    newest: BTreeMap<String, Outcome>,
    /// Those of each operator: verdicts, and elements compared.
    of_operators: BTreeMap<String, Vec<(Verdict, u64)>>,
    operators: BTreeMap<String, Vec<OperatorEntry>>,
}

/// What came of a case.
struct Outcome {
    operator: String,
    verdict: Verdict,
    elements: u64,
    is_unexpected: bool,
}

/// What is kept of a report for the one after it.
struct Earlier {
    sha256: String,
    baseline: Baseline,
    operators: BTreeMap<String, String>,
}

impl Documents {
    /// Reads the reports and makes the documents of them.
    pub(super) fn of(paths: &[PathBuf]) -> Result<Self, SiteError> {
        let history = history::of(paths)?;
        let mut told = BTreeMap::new();
        let mut names_of_operators = BTreeSet::new();
        for (name, series) in &history {
            let backend = Told::of(series, &mut names_of_operators)?;
            told.insert(name.as_str(), backend);
        }
        let tool = provenance::tool();
        let backend_files = names::of(told.keys().copied());
        let operator_files = names::of(names_of_operators.iter().map(String::as_str));
        let backend_page = |name: &str| page_of_backend(&backend_files[name]);
        let operator_page = |name: &str| page_of_operator(&operator_files[name]);

        let mut in_order: Vec<&str> = told.keys().copied().collect();
        in_order.sort_by(|a, b| natural_order(a, b));
        let mut operators: Vec<&str> = names_of_operators.iter().map(String::as_str).collect();
        operators.sort_by(|a, b| natural_order(a, b));

        let backend = |name: &&str| told[name].backend(name, &tool, &operator_page);
        let standing = |name: &&str| told[name].standing(name, backend_page(name));
        let row = |name: &&str| OperatorRow {
            name: (*name).to_owned(),
            page: operator_page(name),
            backends: in_order.iter().map(|backend| told[backend].passed(name)).collect(),
        };
        let operator = |name: &&str| {
            let of_backend =
                |backend: &&str| told[backend].of_operator(name, backend, backend_page(backend));
            Operator {
                format_version: FORMAT_VERSION,
                kind: KINDS[2].to_owned(),
                tool: tool.clone(),
                name: (*name).to_owned(),
                backends: in_order.iter().filter_map(of_backend).collect(),
            }
        };
        let (reports, first, last) = extent(&history);
        let site = Site {
            format_version: FORMAT_VERSION,
            kind: KINDS[0].to_owned(),
            tool: tool.clone(),
            reports,
            first,
            last,
            backends: in_order.iter().map(standing).collect(),
            operators: operators.iter().map(row).collect(),
            files: Vec::new(),
        };
        let backends = in_order.iter().map(backend).collect();
        Ok(Self { site, backends, operators: operators.iter().map(operator).collect() })
    }
}

/// The number of the reports, and when the first and the last were made.
fn extent(history: &History) -> (u64, String, String) {
    let sources = || history.values().flat_map(BTreeMap::values).flatten();
    let clock = |source: Option<&Source>| source.map(Source::clock).unwrap_or_default();
    (sources().count() as u64, clock(sources().min()), clock(sources().max()))
}

impl Told {
    fn of(
        series: &BTreeMap<Asked, Vec<Source>>,
        names: &mut BTreeSet<String>,
    ) -> Result<Self, SiteError> {
        let mut told = Self::default();
        let mut last = Vec::new();
        for (at, (asked, sources)) in series.iter().enumerate() {
            let mut all = Vec::new();
            let mut earlier: Option<Earlier> = None;
            let mut ends = (Vec::new(), 0, BTreeMap::new());
            for source in sources {
                let report = source.report()?;
                let entry = Entry::of(source, &report, earlier.as_ref());
                told.count(source, at, &report);
                names.extend(told.operators.keys().cloned());
                if names.len() > MOST_OPERATORS {
                    return Err(SiteError::Operators(source.path().to_owned()));
                }
                all.push(entry);
                let operators = operators_of(&report);
                if source == sources.last().unwrap_or(source) {
                    let (known, unlisted) = known(&report, &operators);
                    ends = (known, unlisted, outcomes(&report));
                }
                let sha256 = source.digest.to_string();
                earlier = Some(Earlier { sha256, baseline: Baseline::of(&report), operators });
            }
            let (known, known_unlisted, outcomes) = ends;
            last.push((sources.last().cloned(), outcomes));
            let asked = asked.clone();
            told.series.push(Series { asked, reports: all, known, known_unlisted });
        }
        // The newest report that has a case decides.
        last.sort_by(|(a, _), (b, _)| b.cmp(a));
        for (_, outcomes) in last {
            for (id, outcome) in outcomes {
                told.newest.entry(id).or_insert(outcome);
            }
        }
        for outcome in told.newest.values().filter(|outcome| is_one(&outcome.operator)) {
            let results = told.of_operators.entry(outcome.operator.clone()).or_default();
            results.push((outcome.verdict, outcome.elements));
        }
        told.shorten();
        for entries in told.operators.values_mut() {
            entries.sort_by(|a, b| (&a.clock, &a.sha256).cmp(&(&b.clock, &b.sha256)));
        }
        Ok(told)
    }

    /// Adds a report's results for each operator.
    fn count(&mut self, source: &Source, series: usize, report: &Report) {
        let errors: BTreeMap<&str, _> =
            operators::of(report).into_iter().map(|one| (one.name, one.max_error)).collect();
        let mut cases = BTreeMap::<&str, Vec<&Case>>::new();
        for case in report.cases.iter().filter(|case| is_one(&case.operator)) {
            cases.entry(&case.operator).or_default().push(case);
        }
        for (name, cases) in cases {
            let entry = OperatorEntry {
                clock: source.clock(),
                sha256: source.digest.to_string(),
                version: shown(&report.backend.version),
                series,
                summary: Summary::of(cases),
                max_error_ulp: errors.get(name).copied().flatten().map(|error| error.to_string()),
            };
            self.operators.entry(name.to_owned()).or_default().push(entry);
        }
    }

    /// Lists no more regressions than the documents have room for, those of the newest reports first.
    fn shorten(&mut self) {
        let mut entries: Vec<&mut Entry> =
            self.series.iter_mut().flat_map(|series| &mut series.reports).collect();
        entries.sort_by(|a, b| (&b.clock, &b.sha256).cmp(&(&a.clock, &a.sha256)));
        let mut room = LISTED_OF_BACKEND;
        for since in entries.into_iter().filter_map(|entry| entry.since.as_mut()) {
            since.regressions.truncate(room);
            room -= since.regressions.len();
        }
    }

    fn summary(&self) -> (Summary, u64) {
        let results = self.newest.values().map(|one| (one.verdict, one.elements));
        let unexpected = self.newest.values().filter(|one| one.is_unexpected).count() as u64;
        (Summary::of_results(results), unexpected)
    }

    fn results(&self, operator: &str) -> impl Iterator<Item = (Verdict, u64)> {
        self.of_operators.get(operator).into_iter().flatten().copied()
    }

    fn passed(&self, operator: &str) -> Passed {
        let mut passed = Passed::default();
        self.results(operator).for_each(|(verdict, _)| passed.add(verdict));
        passed
    }

    fn standing(&self, name: &str, page: String) -> Standing {
        let (summary, unexpected) = self.summary();
        let latest = |series: &Series| {
            Some(Latest {
                asked: series.asked.clone(),
                reports: series.reports.len() as u64,
                report: series.reports.last()?.clone(),
            })
        };
        let series = self.series.iter().filter_map(latest).collect();
        Standing { name: name.to_owned(), page, summary, unexpected, series }
    }

    fn backend(&self, name: &str, tool: &Tool, page: &dyn Fn(&str) -> String) -> Backend {
        let (summary, unexpected) = self.summary();
        let mut names: Vec<&String> = self.operators.keys().collect();
        names.sort_by(|a, b| natural_order(a, b));
        let counts = |name: &String| OperatorCounts {
            name: name.clone(),
            page: page(name),
            passed: self.passed(name),
        };
        Backend {
            format_version: FORMAT_VERSION,
            kind: KINDS[1].to_owned(),
            tool: tool.clone(),
            name: name.to_owned(),
            summary,
            unexpected,
            series: self.series.clone(),
            operators: names.into_iter().map(counts).collect(),
        }
    }

    /// A backend's results for an operator that its reports cover.
    fn of_operator(&self, operator: &str, name: &str, page: String) -> Option<OfBackend> {
        let reports = self.operators.get(operator)?.clone();
        let last = || self.series.iter().filter_map(|series| series.reports.last());
        let regressions = last().filter_map(|entry| entry.since.as_ref());
        let regressions = regressions.flat_map(|since| &since.regressions);
        let is_of = |regression: &&Regression| regression.operator.as_deref() == Some(operator);
        let known = self.series.iter().flat_map(|series| &series.known);
        Some(OfBackend {
            name: name.to_owned(),
            page,
            summary: Summary::of_results(self.results(operator)),
            asked: self.series.iter().map(|series| series.asked.clone()).collect(),
            reports,
            regressions: regressions.filter(is_of).cloned().collect(),
            known: known.filter(|one| one.operators.contains(operator)).cloned().collect(),
        })
    }
}

impl Entry {
    fn of(source: &Source, report: &Report, earlier: Option<&Earlier>) -> Self {
        let unexpected = report.cases.iter().filter(|case| case.is_unexpected_failure());
        Self {
            clock: source.clock(),
            sha256: source.digest.to_string(),
            version: shown(&report.backend.version),
            profile: shown(&report.profile),
            expectations_list: report.expectations_list.clone(),
            summary: report.summary,
            unexpected: unexpected.count() as u64,
            since: earlier.and_then(|earlier| Since::of(earlier, report)),
        }
    }
}

impl Since {
    /// What changed; none where the earlier report compared nothing, so that nothing could become worse.
    fn of(earlier: &Earlier, report: &Report) -> Option<Self> {
        let comparison = Comparison::of(&earlier.baseline, report).ok()?;
        let is_finding = |change: &&Change| change.kind.weight() == Weight::Finding;
        let findings = comparison.changes.iter().filter(is_finding).take(LISTED_OF_REPORT);
        let operators = operators_of(report);
        let regression = |change: &Change| {
            let operator =
                operators.get(&change.what).or_else(|| earlier.operators.get(&change.what));
            let lines = change.difference().into_iter().take(LINES);
            Regression {
                kind: change.kind,
                what: shown(&change.what),
                operator: operator.filter(|name| is_one(name)).cloned(),
                difference: lines.map(|(sign, line)| format!("{sign} {}", shown(&line))).collect(),
            }
        };
        Some(Self {
            sha256: earlier.sha256.clone(),
            findings: comparison.count(Weight::Finding),
            improvements: comparison.count(Weight::Improvement),
            regressions: findings.map(regression).collect(),
        })
    }
}

/// The known failures of a report that failed so, or of which it has cases, and how many more there are.
fn known(report: &Report, operators: &BTreeMap<String, String>) -> (Vec<Known>, u64) {
    let is_here = |known: &&Expectation| known.matched > 0;
    let all = || report.expectations.iter().filter(is_here);
    let known = |known: &Expectation| {
        let of = known.failures.iter().filter_map(|id| operators.get(id));
        Known {
            cases: shown(&known.cases),
            verdict: known.verdict,
            flaky: known.flaky,
            reason: shown(&known.reason),
            link: known.link.as_deref().map(shown),
            matched: known.matched,
            failures: known.failures.len() as u64,
            operators: of.filter(|name| is_one(name)).cloned().collect(),
        }
    };
    (all().take(KNOWN_LISTED).map(known).collect(), all().skip(KNOWN_LISTED).count() as u64)
}

/// The operators of a report's cases by their ids.
fn operators_of(report: &Report) -> BTreeMap<String, String> {
    report.cases.iter().map(|case| (case.id.clone(), case.operator.clone())).collect()
}

fn outcomes(report: &Report) -> BTreeMap<String, Outcome> {
    let outcome = |case: &Case| Outcome {
        operator: case.operator.clone(),
        verdict: case.verdict,
        elements: case.elements_compared(),
        is_unexpected: case.is_unexpected_failure(),
    };
    report.cases.iter().map(|case| (case.id.clone(), outcome(case))).collect()
}

/// Whether it is the name of one operator, as operators have them.
fn is_one(name: &str) -> bool {
    !name.is_empty() && name.len() <= LONGEST_NAME && !name.contains(", ")
}

/// A text of a report, as much of it as is shown.
fn shown(text: &str) -> String {
    bounded(text.to_owned(), LONGEST)
}

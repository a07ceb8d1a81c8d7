//! The summary for the terminal: counts, what did not pass, and where to read on.

use std::cmp::Reverse;
use std::collections::{BTreeMap, BTreeSet};
use std::fmt::Write;

use unicode_width::UnicodeWidthStr;

use super::document::{Case, Output, Report, Suite, Worst};
use super::operators::{self, Operator};
use super::parts::Written;
use super::text::values;
use crate::backend::Isolation;
use crate::document::style::{Style, fitted};
use crate::document::text::{bracketed, counted, distance, grouped, list};
use crate::foundation::printable::on_one_line;
use crate::judge::verdict::Verdict;
use crate::oracle::Ulps;

/// How many cases that failed are shown, where nothing else is asked for.
pub const FAILURES_SHOWN: usize = 10;

/// How many operators are shown.
const OPERATORS_SHOWN: usize = 10;

/// How many lines a message has at most; the documents have it whole.
const MESSAGE_LINES: usize = 8;

/// No width below is honoured: the counts alone need so many columns.
const NARROWEST: usize = 40;

/// The summary of a report that lies where `written` says, with so many of the cases that failed, in lines of at
/// most the style's width (40 at least) except for the paths and the command at the end, which are there to be
/// copied.
pub fn render(report: &Report, written: &Written, failures: usize, style: Style) -> String {
    let mut page = Page::new(style);
    page.heading(report);
    page.counts(report);
    page.operators(report);
    page.failures(report, failures);
    page.expectations(report);
    page.unsupported(report);
    page.result(report);
    page.reading_on(written);
    page.text
}

/// A text for the terminal, in lines of at most the style's width (40 at least).
pub(crate) struct Page {
    pub(crate) text: String,
    style: Style,
}

impl Page {
    pub(crate) fn new(style: Style) -> Self {
        let style = Style { width: style.width.max(NARROWEST), ..style };
        Self { text: String::new(), style }
    }

    /// Writes a line, harmless and cut to the width.
    pub(crate) fn line(&mut self, line: &str) {
        self.text += &fitted(&on_one_line(line), self.style.width);
        self.text.push('\n');
    }

    /// As [`Self::line`], in the colour of a verdict.
    pub(crate) fn painted(&mut self, line: &str, verdict: Verdict) {
        let line = fitted(&on_one_line(line), self.style.width);
        self.text += &self.style.paint(&line, verdict);
        self.text.push('\n');
    }

    /// What is not to be cut.
    fn wrapped(&mut self, text: &str) {
        for line in textwrap::wrap(&on_one_line(text), self.style.width) {
            self.line(&line);
        }
    }

    fn heading(&mut self, report: &Report) {
        let backend = &report.backend;
        let corpora: Vec<_> = report
            .corpora
            .iter()
            .map(|corpus| format!("{} ({})", corpus.name, counted(corpus.cases, "case")))
            .collect();
        let profiles = Suite::described(&report.suites);
        self.wrapped(&format!("{} {}, profile {profiles}", backend.name, backend.version));
        self.line(&format!("on {}", corpora.join(", ")));
        if report.isolation != Isolation::InProcess {
            self.line(&format!("isolation {}", report.isolation.meaning()));
            report.isolation_gaps.iter().for_each(|gap| self.wrapped(&format!("  {gap}")));
        }
        if let Some(seed) = &report.challenge {
            self.wrapped(&format!("challenge, made from the seed {seed}"));
        }
        if let Some(shard) = &report.shard {
            let selected = counted(shard.selected, "case");
            self.line(&format!("shard {} of the {selected} selected", shard.shard()));
        }
        for sentence in report.suites.iter().filter_map(Suite::laxer) {
            self.wrapped(&sentence);
        }
        if let Some(list) = &report.expectations_list {
            self.line(&format!("known failures of {}", list.short()));
        }
    }

    fn counts(&mut self, report: &Report) {
        self.line("");
        for verdict in Verdict::ALL {
            let count = report.summary.count(verdict);
            if count > 0 {
                let word = self.style.paint(&verdict.to_string(), verdict);
                let of = |case: &&Case| case.verdict == verdict && case.is_unexpected_failure();
                let unexpected = report.cases.iter().filter(of).count() as u64;
                let unexpected = match report.expectations_list.is_some() && unexpected > 0 {
                    true if unexpected == count => ", unexpected".to_owned(),
                    true => format!(", {} of them unexpected", grouped(unexpected)),
                    false => String::new(),
                };
                let _ = writeln!(self.text, "{:>9}  {word}{unexpected}", grouped(count));
            }
        }
        let allowed = report.cases.iter().filter(|case| case.is_allowed).count() as u64;
        if allowed > 0 {
            self.wrapped(&format!(
                "{} of the failed: by the recorded outputs alone, as the specification allows what came back",
                grouped(allowed)
            ));
        }
        let compared = counted(report.summary.elements_compared, "element");
        let noun = if report.summary.cases == 1 { "case" } else { "cases" };
        self.line(&format!("{:>9}  {noun}, {compared} compared", grouped(report.summary.cases)));
    }

    /// The operators that failed, and then those with the largest errors. Where a bound decides, the share of it is shown
    /// in place of the error in ULP, by which such operators are in no order with others.
    fn operators(&mut self, report: &Report) {
        let mut all = operators::of(report);
        if all.len() < 2 {
            return;
        }
        let error = |one: &Operator<'_>| one.max_error.filter(|_| one.share_of_bound.is_none());
        let key =
            |one: &Operator<'_>| (one.failed(), error(one), one.share_of_bound, one.summary.pass);
        all.sort_by_key(|one| Reverse(key(one)));
        self.line("");
        self.line("operator             pass   fail  other  largest error  of the expected");
        let ulps =
            |error: Option<Ulps>| error.map_or("-".to_owned(), |error| format!("{error} ULP"));
        for one in all.iter().take(OPERATORS_SHOWN) {
            let Operator { name, summary, max_error, expected_max_error, share_of_bound, .. } = one;
            let [pass, fail, others] = [summary.pass, one.failed(), one.others()].map(grouped);
            let [error, expected] = [*max_error, *expected_max_error].map(ulps);
            let share = share_of_bound.map(|share| format!("{} bound", share.amount()));
            let error = share.unwrap_or(error);
            self.line(&format!(
                "{:<18}  {pass:>5}  {fail:>5}  {others:>5}  {error:>13}  {expected:>15}",
                fitted(name, 18)
            ));
        }
        let more = all.len().saturating_sub(OPERATORS_SHOWN) as u64;
        if more > 0 {
            self.line(&format!("... and {} more, see report.html", counted(more, "operator")));
        }
    }

    /// The first failures, those that are in no list before those that are known.
    fn failures(&mut self, report: &Report, shown: usize) {
        let (unexpected, known): (Vec<&Case>, Vec<_>) = (report.cases.iter())
            .filter(|case| case.verdict.is_failure())
            .partition(|case| case.is_unexpected_failure());
        let mut failures = unexpected.into_iter().chain(known);
        for case in failures.by_ref().take(shown) {
            self.failure(case);
        }
        let (unexpected, known): (Vec<_>, Vec<_>) =
            failures.partition(|case| case.is_unexpected_failure());
        let more = match [unexpected.len() as u64, known.len() as u64] {
            [0, 0] => return,
            [unexpected, 0] => format!("{} more", grouped(unexpected)),
            [0, known] => format!("{} more that are known", grouped(known)),
            both => {
                let [unexpected, known] = both.map(grouped);
                format!("{unexpected} more, and {known} that are known")
            }
        };
        self.line("");
        self.line(&format!("... and {more}, see report.html"));
    }

    /// What a list of known failures makes of the run, in a line.
    fn result(&mut self, report: &Report) {
        if report.expectations_list.is_none() {
            return;
        }
        let count =
            |is: fn(&Case) -> bool| report.cases.iter().filter(|case| is(case)).count() as u64;
        let unexpected = count(Case::is_unexpected_failure);
        let known = count(Case::is_known_failure);
        let passes = count(Case::is_unexpected_pass);
        let passes = match passes {
            0 => String::new(),
            1 => ", 1 unexpected pass".to_owned(),
            passes => format!(", {} unexpected passes", grouped(passes)),
        };
        self.line("");
        let unexpected = counted(unexpected, "unexpected failure");
        self.line(&format!("result   {unexpected}, {} known{passes}", grouped(known)));
    }

    fn failure(&mut self, case: &Case) {
        let name = case.verdict.to_string();
        let word = self.style.paint(&name, case.verdict);
        let expected = match case.verdict == case.expected {
            true if case.flaky => " (flaky)",
            true => " (as expected)",
            false => "",
        };
        let room = self.style.width.saturating_sub(name.len() + 1 + expected.len());
        let id = fitted(&on_one_line(&case.id), room);
        let _ = writeln!(self.text, "\n{word} {id}{expected}");
        if let Some(line) = case.message.as_deref().and_then(|message| message.lines().next()) {
            let options = textwrap::Options::new(self.style.width)
                .initial_indent("  ")
                .subsequent_indent("  ");
            let line = on_one_line(line);
            let lines = textwrap::wrap(&line, options);
            let is_cut = lines.len() > MESSAGE_LINES;
            lines.iter().take(MESSAGE_LINES).for_each(|line| self.line(line));
            if is_cut {
                self.line("  ...");
            }
        }
        let differing = |output: &&Output| output.mismatches > 0 && !output.worst.is_empty();
        if let Some(output) = case.outputs.iter().find(differing) {
            self.worst(output, &output.worst[0]);
        }
    }

    fn worst(&mut self, output: &Output, worst: &Worst) {
        self.line(&format!("  {}{}", output.name, bracketed(&worst.index)));
        let values = values(worst);
        let width = values.iter().map(|(_, _, bits)| bits.len()).max().unwrap_or(0);
        for (role, decimal, bits) in values {
            let ulp = worst.ulp.filter(|_| role == "actual");
            let ulp = ulp.map(|ulp| format!("  {}", distance(&output.type_name, ulp)));
            let ulp = ulp.unwrap_or_default();
            self.line(&format!("    {role:<8}  {bits:<width$}  {decimal}{ulp}"));
        }
    }

    fn expectations(&mut self, report: &Report) {
        let passed = report.expectations.iter().flat_map(|known| {
            let is = match known.verdict {
                Verdict::Unsupported => "known to be unsupported",
                _ => "a known failure",
            };
            known.unexpected_passes.iter().map(move |id| format!("unexpected pass: {id} is {is}"))
        });
        let stale = report.expectations.iter().filter(|known| known.stale);
        let passed: Vec<_> = passed.collect();
        let more = passed.len().saturating_sub(FAILURES_SHOWN) as u64;
        let more = (more > 0).then(|| format!("... and {} more unexpected passes", grouped(more)));
        let lines: Vec<_> = flaky(&report.cases)
            .into_iter()
            .chain(passed.into_iter().take(FAILURES_SHOWN))
            .chain(more)
            .chain(stale.map(|known| {
                format!("stale expectation: {} matches no case", known.entry().described())
            }))
            .collect();
        if !lines.is_empty() {
            self.line("");
        }
        lines.iter().for_each(|line| self.line(line));
    }

    fn unsupported(&mut self, report: &Report) {
        let missing = operators_not_run(&report.cases);
        if missing.is_empty() {
            return;
        }
        let mut named: Vec<_> = missing.iter().collect();
        named.sort_by_key(|&(_, cases)| Reverse(cases));
        let operators = counted(missing.len() as u64, "operator");
        let mut line = format!("unsupported: {operators} ran in no case:");
        for (at, (operator, cases)) in named.iter().enumerate() {
            let comma = if at + 1 < named.len() { "," } else { "" };
            let part = format!(" {} {}{comma}", on_one_line(operator), grouped(**cases));
            if line.width() + part.width() + " ...".len() > self.style.width {
                line += " ...";
                break;
            }
            line += &part;
        }
        self.line("");
        self.line(&line);
    }

    fn reading_on(&mut self, written: &Written) {
        let _ = writeln!(self.text, "\nreports  {}", written.html.display());
        for path in written.matrix.iter().flatten().chain([&written.json, &written.junit]) {
            let _ = writeln!(self.text, "         {}", path.display());
        }
        let _ = writeln!(self.text, "next     open {} in a browser", written.html.display());
    }
}

/// How many cases are flaky, and what came of them; nothing where none is.
fn flaky(cases: &[Case]) -> Option<String> {
    let mut came = BTreeMap::<Verdict, u64>::new();
    for case in cases.iter().filter(|case| case.flaky) {
        *came.entry(case.verdict).or_default() += 1;
    }
    let all = came.values().sum();
    let came: Vec<_> =
        came.iter().map(|(verdict, count)| format!("{} {verdict}", grouped(*count))).collect();
    (all > 0).then(|| format!("flaky: {}, this time {}", counted(all, "case"), came.join(", ")))
}

/// Operators of unsupported cases that occur in no case with a result, with the number of cases.
fn operators_not_run(cases: &[Case]) -> BTreeMap<&str, u64> {
    let (unsupported, others): (Vec<_>, Vec<_>) =
        cases.iter().partition(|case| case.verdict == Verdict::Unsupported);
    let run: BTreeSet<_> = others
        .iter()
        .filter(|case| case.verdict != Verdict::Skipped)
        .flat_map(|case| list(&case.operator))
        .collect();
    let mut missing = BTreeMap::new();
    for case in unsupported {
        for operator in list(&case.operator).collect::<BTreeSet<_>>() {
            if !run.contains(operator) {
                *missing.entry(operator).or_default() += 1;
            }
        }
    }
    missing
}

//! What a pack does not show, told from what is in it.

use std::collections::BTreeMap;
use std::fmt::Display;
use std::sync::LazyLock;

use serde::Deserialize;

use super::document::{Basis, Limitation, Platform};
use super::locks;
use super::outcome::Outcome;
use super::redact::{HOST, PATH, USER};
use super::requirements::violated;
use super::sources::Sources;
use crate::backend::{Isolation, builtin};
use crate::document::text::counted;
use crate::documents::challenge::Challenge;
use crate::documents::matrix::document::Matrix;
use crate::documents::qualification::document::Tally;
use crate::documents::report::document::{Case, Report, Suite, Tool};
use crate::judge::profile::Profile;
use crate::judge::requirements::Status;
use crate::measure::campaign::Campaign;

/// The limitations that there are, by name.
static KNOWN: LazyLock<BTreeMap<String, Known>> =
    LazyLock::new(|| toml::from_str(include_str!("limitations.toml")).unwrap_or_default());

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Known {
    /// What, with `{}` for values.
    statement: String,
    remedy: Option<String>,
}

pub(super) fn of(
    sources: &Sources,
    tool: &Tool,
    matrix: &Matrix,
    qualification: &Tally,
) -> Vec<Limitation> {
    let mut list = List::default();
    list.add("sample", &[]);
    list.add("not_signed", &[]);
    of_sources(&mut list, sources, tool);
    of_laxer_profiles(&mut list, sources, matrix);
    for (named, report) in sources.reports() {
        of_report(&mut list, &named.path, report);
    }
    for known in Outcome::of(sources).known {
        list.add("known_violation", &[&known.report, &known]);
    }
    for (named, campaign) in sources.campaigns() {
        of_campaign(&mut list, &named.path, campaign);
    }
    of_requirements(&mut list, matrix);
    of_platforms(&mut list, sources);
    of_redaction(&mut list, sources);
    let Tally { defects, killed, .. } = qualification;
    if killed < defects {
        list.add("qualification", &[defects, killed]);
    }
    list.0
}

#[derive(Default)]
struct List(Vec<Limitation>);

impl List {
    /// Adds one by its name, with values in place of each `{}`. A test sets names and values
    /// against those that there are.
    fn add(&mut self, name: &str, values: &[&dyn Display]) {
        let Known { statement, remedy } = &KNOWN[name];
        let mut parts = statement.split("{}");
        let mut statement = parts.next().unwrap_or_default().to_owned();
        for (value, part) in values.iter().zip(parts) {
            statement += &format!("{value}{part}");
        }
        self.0.push(Limitation { statement, remedy: remedy.clone() });
    }

    /// Adds one of a report's cases, if there are any.
    fn add_cases(&mut self, name: &str, path: &str, count: u64) {
        if count > 0 {
            let verb = if count == 1 { "is" } else { "are" };
            self.add(name, &[&path, &format!("{} {verb}", counted(count, "case"))]);
        }
    }
}

/// Of what is not known of the subject, the tool, the corpora and the profiles.
fn of_sources(list: &mut List, sources: &Sources, tool: &Tool) {
    let backend = &sources.subject.backend;
    match (sources.subject.basis, &sources.subject.file) {
        (Basis::Executable, _) => {}
        (Basis::File, Some(file)) => list.add("named_subject", &[&file.name]),
        _ => list.add("described_subject", &[&backend.name, &backend.version]),
    }
    if tool.dirty != Some(false) {
        list.add("dirty_tool", &[&tool.commit]);
    }
    let others = sources.heads().filter(|(_, head)| head.tool != tool);
    let others: Vec<_> = others.map(|(path, _)| path).collect();
    if !others.is_empty() {
        list.add("other_tools", &[&others.join(", ")]);
    }
    for corpus in sources.corpora() {
        match locks::of(&corpus.name) {
            Some(lock) if lock.digest == corpus.digest => {}
            Some(_) => list.add("other_corpus", &[&corpus.name]),
            // Its report names the seed.
            None if Challenge::suite_of(&corpus.name).is_some() => {}
            None => list.add("unknown_corpus", &[&corpus.name, &corpus.digest]),
        }
    }
    for name in sources.profiles().iter().filter(|name| Profile::embedded(name).is_none()) {
        if sources.own_profiles.contains_key(*name) {
            list.add("own_profile", &[name]);
        } else {
            list.add("unknown_profile", &[name]);
        }
    }
}

/// Suites that were judged less strictly than by default, and the requirements that are not verified
/// because of that.
fn of_laxer_profiles(list: &mut List, sources: &Sources, matrix: &Matrix) {
    for (named, report) in sources.reports() {
        for sentence in report.suites.iter().filter_map(Suite::laxer) {
            list.add("laxer_suite", &[&named.path, &sentence]);
        }
    }
    let mut by_reason = BTreeMap::<&str, Vec<&str>>::new();
    for requirement in &matrix.requirements {
        if let Some(reason) = &requirement.reason {
            by_reason.entry(reason).or_default().push(&requirement.id);
        }
    }
    for (reason, ids) in by_reason {
        list.add("laxer_requirements", &[&reason, &ids.join(", ")]);
    }
}

fn of_report(list: &mut List, path: &str, report: &Report) {
    match report.isolation {
        Isolation::None => list.add("not_isolated", &[&path]),
        Isolation::Partial => {
            list.add("partly_isolated", &[&path, &report.isolation_gaps.join("; ")]);
        }
        Isolation::InProcess if report.backend.name != builtin::NAME => {
            list.add("in_process", &[&path, &report.backend.name]);
        }
        Isolation::InProcess | Isolation::Default | Isolation::Strict => {}
    }
    let held = report.corpora.iter().fold(0_u64, |sum, corpus| sum.saturating_add(corpus.cases));
    if let Some(seed) = &report.challenge {
        list.add("challenge", &[&path, seed]);
    }
    let summary = &report.summary;
    if summary.cases < held {
        list.add("filtered", &[&path, &summary.cases, &counted(held, "case")]);
    }
    list.add_cases("unsupported", path, summary.unsupported);
    list.add_cases("skipped", path, summary.skipped);
    list.add_cases("out_of_domain", path, summary.out_of_domain);
    if let Some(used) = &report.expectations_list {
        list.add("expectations_list", &[&path, used]);
    }
    let known = report.cases.iter().filter(|case| case.expected.can_be_known());
    let count = |of: fn(&&Case) -> bool| known.clone().filter(of).count() as u64;
    let violating = count(|case| case.is_known_failure() && !violated(case).is_empty());
    list.add_cases("known_violations", path, violating);
    let others = count(|case| case.is_known_failure() && violated(case).is_empty());
    list.add_cases("known_failures", path, others);
    let passed = count(|case| case.is_unexpected_pass());
    list.add_cases("known_but_passed", path, passed);
    list.add_cases("flaky", path, count(|case| case.flaky));
    let stale = report.expectations.iter().filter(|known| known.stale).count();
    if stale > 0 {
        list.add("stale", &[&path, &counted(stale as u64, "known failure")]);
    }
}

fn of_campaign(list: &mut List, path: &str, campaign: &Campaign) {
    let Campaign { inputs, promised, executed, mismatches, violations, .. } = campaign;
    if !campaign.is_complete() {
        list.add("incomplete", &[&path, executed, promised]);
    }
    if promised < inputs {
        list.add("part", &[&path, promised, inputs]);
    }
    if let Some(confidence) = &campaign.confidence {
        list.add("sampled", &[&path, &confidence.statement]);
    }
    if violations.is_none() && *executed > 0 {
        list.add("undecided", &[&path, &campaign.type_name]);
    } else if *mismatches > 0 && *violations == Some(0) {
        let results = if *mismatches == 1 { "result is" } else { "results are" };
        list.add("within_profile", &[&path, &format!("{mismatches} {results}")]);
    }
}

/// Of the specifications that anything covers, and of the others.
fn of_requirements(list: &mut List, matrix: &Matrix) {
    let (silent, others): (Vec<_>, Vec<_>) = matrix.documents.iter().partition(|document| {
        let summary = &document.summary;
        summary.uncovered + summary.untestable == summary.requirements
    });
    for document in others {
        let open = [
            (Status::Failed, "failed"),
            (Status::Partly, "verified in part"),
            (Status::Uncovered, "not covered"),
            (Status::OutOfDomain, "out of domain, as no specification decides what was asked"),
            (Status::Untestable, "which cannot be verified by execution"),
        ];
        let open = open.map(|(status, word)| (document.summary.count(status), word));
        let open = open.into_iter().filter(|(count, _)| *count > 0);
        let open: Vec<_> = open.map(|(count, word)| format!("{count} {word}")).collect();
        if !open.is_empty() {
            let all = counted(document.summary.requirements, "requirement");
            list.add("open_requirements", &[&all, &document.title, &open.join(", ")]);
        }
    }
    if !silent.is_empty() {
        let titles: Vec<_> = silent.into_iter().map(|one| one.title.as_str()).collect();
        list.add("silent_documents", &[&titles.join(", ")]);
    }
}

fn of_platforms(list: &mut List, sources: &Sources) {
    for platform in &sources.platforms.platforms {
        let Platform { documents, target, os, arch, cpu_features, .. } = platform;
        let Platform { toolchain, rounding_mode, subnormal_policy, .. } = platform;
        let all = [target, os, arch, cpu_features, toolchain, rounding_mode, subnormal_policy];
        if all.into_iter().any(Option::is_none) {
            list.add("platform", &[&documents.join(", ")]);
        }
    }
    if sources.subject.backend.name != builtin::NAME {
        list.add("other_process", &[]);
    }
}

fn of_redaction(list: &mut List, sources: &Sources) {
    let changed = sources.documents.iter().filter(|named| {
        let text = String::from_utf8_lossy(&named.bytes);
        [PATH, HOST, USER].iter().any(|stand_in| text.contains(stand_in))
    });
    let changed: Vec<_> = changed.map(|named| named.path.as_str()).collect();
    if !changed.is_empty() {
        list.add("redacted", &[&changed.join(", "), &PATH, &HOST, &USER]);
    }
}

#[cfg(test)]
mod tests {
    use regex::Regex;

    use super::*;

    #[test]
    fn every_limitation_is_told_by_its_name_with_a_value_for_each_place() {
        let source = include_str!("limitations.rs").split("#[cfg(test)]").next().unwrap();
        let call = Regex::new(r#"list\.add\("(\w+)", &\[(.*)\]\)"#).unwrap();
        let of_cases = Regex::new(r#"list\.add_cases\("(\w+)"#).unwrap();
        // A comma in the arguments of a call within separates no values.
        let within = Regex::new(r"\([^()]*\)").unwrap();
        let calls = call.captures_iter(source).map(|found| {
            let values = within.replace_all(&found[2], "").into_owned();
            (found[1].to_owned(), values.split_terminator(',').count())
        });
        let told: BTreeMap<_, _> = calls
            .chain(of_cases.captures_iter(source).map(|found| (found[1].to_owned(), 2)))
            .collect();
        let known = KNOWN.iter();
        let known =
            known.map(|(name, known)| (name.clone(), known.statement.matches("{}").count()));
        assert_eq!(told, known.collect());
    }
}

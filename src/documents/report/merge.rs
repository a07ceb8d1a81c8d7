//! Merging the reports of shards into that of the whole selection.

use std::collections::BTreeMap;
use std::path::Path;
use std::time::Duration;

use serde::Deserialize;
use serde::de::IgnoredAny;
use serde_json::{Value, json};

use super::build;
use super::build::{requirements, truncated};
use super::document::{Case, Expectation, Provenance, Report, Shard, Summary};
use crate::corpus::shard;
use crate::document::provenance;
use crate::document::{JsonDocument, difference};
use crate::foundation::text::natural_order;
use crate::judge::requirements::{Catalogue, UnknownRequirement};
use crate::limits;

/// Reports, which are named, are not the shards of one selection.
#[derive(Debug, thiserror::Error)]
#[expect(missing_docs, reason = "each variant's message says what it is")]
pub enum MergeError {
    #[error("there is no report to merge")]
    Nothing,
    #[error(
        "`{0}` is the report of a whole run, not of a shard; make shards with `run --shard I/N`"
    )]
    Whole(String),
    #[error("`{one}` and `{other}` are not shards of one selection: {difference}")]
    Mixed { one: String, other: String, difference: Difference },
    #[error(
        "`{0}` is of another program than this one: {1}; merge with the program that ran the shards"
    )]
    Tool(String, Difference),
    #[error("`{0}` and `{1}` are both shard {2}; give each shard once")]
    Repeated(String, String, shard::Shard),
    #[error("of {count} shards {missing} {}", if *.several { "are missing" } else { "is missing" })]
    Missing { missing: String, count: u64, several: bool },
    #[error(
        "the cases of these shards do not match the selection that they name, so a report was edited"
    )]
    Selection,
    #[error(transparent)]
    Requirement(#[from] UnknownRequirement),
    #[error("failed to compare the reports")]
    Serialise(#[from] serde_json::Error),
}

/// A member of two documents that differs.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("`{member}` is {one} and {other}")]
pub struct Difference {
    member: String,
    one: String,
    other: String,
}

/// Whether a file holds a report, of whatever version, and no campaign: it names corpora.
pub fn is_report(path: &Path) -> bool {
    #[derive(Deserialize)]
    struct Marks {
        #[serde(rename = "corpora")]
        _corpora: IgnoredAny,
    }
    Report::read_bytes(path).is_ok_and(|bytes| limits::from_json::<Marks>(&bytes).is_ok())
}

/// The report of the whole selection of which these, each with its name, are the shards: the one that a single
/// run writes, but for its provenance, which tells how long the shards took.
pub fn merge(
    mut parts: Vec<(String, Report)>,
    catalogue: &Catalogue,
) -> Result<Report, MergeError> {
    parts.sort_by_key(|(_, part)| part.shard.as_ref().map(|shard| shard.index));
    let Some((name, first)) = parts.first() else { return Err(MergeError::Nothing) };
    let shard = of_one_selection(name, first, &parts)?;
    all_there(&shard, &parts)?;

    let mut cases: Vec<Case> = parts.iter().flat_map(|(_, part)| part.cases.clone()).collect();
    cases.sort_by(|a, b| natural_order(&a.id, &b.id));
    if Shard::of(shard.shard(), cases.iter().map(|case| case.id.as_str())) != shard {
        return Err(MergeError::Selection);
    }
    Ok(Report {
        shard: None,
        summary: Summary::of(&cases),
        expectations: Expectation::recomputed(&first.expectations, &cases),
        requirements: requirements(catalogue, &cases)?,
        provenance: provenance(first, &parts),
        cases: truncated(cases),
        ..first.clone()
    })
}

/// Whether all are shards of one selection, by this program. Gives the first one.
fn of_one_selection(
    name: &str,
    first: &Report,
    parts: &[(String, Report)],
) -> Result<Shard, MergeError> {
    let is_whole = |(_, part): &&(String, Report)| part.shard.is_none();
    if let Some((whole, _)) = parts.iter().find(is_whole) {
        return Err(MergeError::Whole(whole.clone()));
    }
    let common = in_common(first)?;
    for (other, part) in parts {
        if let Some(difference) = Difference::of(&common, &in_common(part)?) {
            let (one, other) = (name.to_owned(), other.clone());
            return Err(MergeError::Mixed { one, other, difference });
        }
    }
    let [theirs, ours] = [&first.tool, &provenance::tool()].map(|tool| json!({ "tool": tool }));
    if let Some(difference) = Difference::of(&theirs, &ours) {
        return Err(MergeError::Tool(name.to_owned(), difference));
    }
    first.shard.clone().ok_or_else(|| MergeError::Whole(name.to_owned()))
}

/// Whether each shard is there once; they are in order.
fn all_there(shard: &Shard, parts: &[(String, Report)]) -> Result<(), MergeError> {
    let index = |part: &Report| part.shard.as_ref().map_or(0, |shard| shard.index);
    for pair in parts.windows(2) {
        if let [(one, part), (other, next)] = pair
            && index(part) == index(next)
        {
            let shard = shard::Shard { index: index(part), ..shard.shard() };
            return Err(MergeError::Repeated(one.clone(), other.clone(), shard));
        }
    }
    let missing = (1..=shard.count).filter(|at| {
        let found = parts.binary_search_by_key(at, |(_, part)| index(part));
        found.is_err()
    });
    // A document may claim any count: no more are listed than can be read.
    let missing: Vec<_> = missing.take(MISSING_SHOWN + 1).collect();
    if missing.is_empty() {
        return Ok(());
    }
    let several = missing.len() > 1;
    let shown: Vec<_> = missing.iter().take(MISSING_SHOWN).map(u64::to_string).collect();
    let more = if missing.len() > MISSING_SHOWN { " and others" } else { "" };
    let missing = shown.join(", ") + more;
    Err(MergeError::Missing { missing, count: shard.count, several })
}

/// How many missing shards are listed.
const MISSING_SHOWN: usize = 10;

/// What the shards of one selection have in common.
fn in_common(report: &Report) -> serde_json::Result<Value> {
    let shard = report.shard.as_ref().map(|shard| Shard { index: 0, ..shard.clone() });
    let expectation = |known: &Expectation| Expectation {
        matched: 0,
        failures: Vec::new(),
        unexpected_passes: Vec::new(),
        ..known.clone()
    };
    serde_json::to_value(Report {
        shard,
        summary: Summary::default(),
        cases: Vec::new(),
        expectations: report.expectations.iter().map(expectation).collect(),
        requirements: Vec::new(),
        provenance: Provenance::default(),
        format_version: report.format_version,
        tool: report.tool.clone(),
        backend: report.backend.clone(),
        isolation: report.isolation,
        isolation_gaps: report.isolation_gaps.clone(),
        challenge: report.challenge.clone(),
        profile: report.profile.clone(),
        suites: report.suites.clone(),
        corpora: report.corpora.clone(),
        expectations_list: report.expectations_list.clone(),
    })
}

impl Difference {
    /// The first member in which two values differ.
    fn of(one: &Value, other: &Value) -> Option<Self> {
        let (member, one, other) = difference(one, other)?;
        Some(Self { member, one, other })
    }
}

/// Merging runs nothing: where the cases were run is what the shards agree on, and how long they took is the sum.
fn provenance(first: &Report, parts: &[(String, Report)]) -> Provenance {
    let each = || parts.iter().map(|(_, part)| &part.provenance);
    let durations = each().flat_map(|part| part.durations.clone());
    let mut durations: BTreeMap<String, String> = durations.collect();
    let of_runs = each().filter_map(|part| part.durations.get(build::RUN)?.parse().ok());
    let spent = of_runs.filter_map(|seconds: f64| Duration::try_from_secs_f64(seconds).ok());
    let spent = spent.fold(Duration::ZERO, Duration::saturating_add);
    durations.insert(build::RUN.to_owned(), provenance::seconds(spent));
    let stderr = each().flat_map(|part| &part.stderr);
    let now = provenance::since(Duration::ZERO, durations);
    Provenance {
        clock: now.clock,
        durations: now.durations,
        stderr: build::kept(stderr),
        ..provenance::agreed(first.provenance.clone(), each())
    }
}

//! The report document of a run.

use std::collections::BTreeMap;

use super::document::{FORMAT_VERSION, Report, Requirement, Suite, Summary};
use crate::corpus::suite;
use crate::document::provenance::{self, Provenance};
use crate::judge::requirements::{Catalogue, Row, UnknownRequirement};
use crate::run::{CaseResult, Run, SuiteProfile};
use values::text::bounded;

impl Report {
    /// The document of a run's results.
    pub fn of(run: Run, catalogue: &Catalogue) -> Result<Self, UnknownRequirement> {
        let requirements = requirements(catalogue, &run.cases)?;
        let suites: Vec<_> = run.profiles.iter().flat_map(suite).collect();
        let provenance = provenance_of(&run);
        Ok(Self {
            format_version: FORMAT_VERSION,
            tool: provenance::tool(),
            backend: run.backend,
            isolation: run.isolation,
            isolation_gaps: run.isolation_gaps.clone(),
            challenge: run.challenge,
            profile: Suite::profiles(&suites),
            suites,
            corpora: run.corpora,
            shard: run.shard,
            summary: Summary::of(&run.cases),
            cases: truncated(run.cases),
            expectations_list: run.expectations_list,
            expectations: run.expectations,
            requirements,
            provenance,
        })
    }
}

/// What is kept of all that a backend wrote to its standard error, in bytes.
const STDERR_KEPT: usize = 1 << 20;

/// The name of the duration of a whole run.
pub(super) const RUN: &str = "run";

/// What is kept of what a backend wrote there, by case.
pub(super) fn kept<'a>(
    stderr: impl Iterator<Item = (&'a String, &'a String)>,
) -> BTreeMap<String, String> {
    let mut room = STDERR_KEPT;
    stderr.map(|(id, text)| (id.clone(), within(&mut room, text))).collect()
}

/// A text, as far as there is room, which it takes.
fn within(room: &mut usize, text: &str) -> String {
    let kept = bounded(text.to_owned(), *room);
    *room = room.saturating_sub(text.len());
    kept
}

/// The provenance of a run that ends now.
fn provenance_of(run: &Run) -> Provenance {
    let executed = run.cases.iter().filter(|case| !case.outputs.is_empty());
    let durations = executed
        .map(|case| (case.id.clone(), provenance::seconds(case.duration)))
        .chain([(RUN.to_owned(), provenance::seconds(run.duration))])
        .collect();
    let spoke = run.cases.iter().filter(|case| !case.stderr.is_empty());
    let stderr = kept(spoke.map(|case| (&case.id, &case.stderr)));
    Provenance { stderr, ..provenance::since(run.duration, durations) }
}

/// What is kept of the messages of all cases, in bytes; where they take more, each that follows is cut to
/// [`CUT_MESSAGE`].
const MESSAGES_KEPT: usize = 2 << 20;

/// What is kept of a message where there is no room for it whole, in bytes.
const CUT_MESSAGE: usize = 200;

/// The cases with their messages, as far as a report has room.
pub(super) fn truncated(mut cases: Vec<CaseResult>) -> Vec<CaseResult> {
    let mut room = MESSAGES_KEPT;
    for message in cases.iter_mut().filter_map(|case| case.message.as_mut()) {
        let length = message.len();
        if length > room {
            *message = bounded(std::mem::take(message), CUT_MESSAGE);
        }
        room = room.saturating_sub(length);
    }
    cases
}

/// A suite, and its own cases beside it where their profiles are others.
fn suite((suite, [other, own]): (&suite::Suite, &[SuiteProfile; 2])) -> Vec<Suite> {
    let of = |profile: &SuiteProfile, own_cases| Suite {
        name: suite.name().to_owned(),
        own_cases,
        profile: profile.profile.name().to_owned(),
        default: profile.default.name().to_owned(),
        laxer: profile.is_laxer(),
    };
    let all = [of(other, false), of(own, true)];
    let differs = |of: &Suite| !of.own_cases || own != other;
    all.into_iter().filter(differs).collect()
}

/// Every requirement of the catalogues where at least one case covers one; none where the cases
/// are strangers'.
pub(crate) fn requirements(
    catalogue: &Catalogue,
    cases: &[CaseResult],
) -> Result<Vec<Requirement>, UnknownRequirement> {
    let rows = Row::all(catalogue, cases.iter().map(CaseResult::tested))?;
    match rows.iter().all(|row| row.cases.is_empty()) {
        true => Ok(Vec::new()),
        false => Ok(rows.into_iter().map(Requirement::of).collect()),
    }
}

impl Requirement {
    pub(super) fn of(row: Row<'_>) -> Self {
        Self {
            id: row.requirement.id.clone(),
            status: row.verified.status.to_string(),
            reason: row.verified.reason,
            cases: row.cases.into_iter().map(|(id, _)| id).collect(),
        }
    }
}

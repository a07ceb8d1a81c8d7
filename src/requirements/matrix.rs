//! The matrix: requirements against executed cases, and cases against requirements.

use std::collections::{BTreeMap, BTreeSet};
use std::fmt;

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::{Catalogue, Requirement};
use crate::corpus::natural_order;
use crate::verdict::Verdict;

/// Every requirement of a catalogue with its cases, and the cases that have none.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Matrix<'c> {
    /// What the requirements are from.
    pub catalogue: &'c Catalogue,
    /// One row for each requirement, in natural order of the ids.
    pub rows: Vec<Row<'c>>,
    /// Ids of the cases that name no requirement, in natural order.
    pub unlinked: Vec<String>,
}

/// One requirement and the cases that name it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Row<'c> {
    /// The requirement.
    pub requirement: &'c Requirement,
    /// What its cases came to together.
    pub status: Status,
    /// Its cases by id, in natural order, and what each came to.
    pub cases: Vec<(String, Verdict)>,
}

/// What the cases and campaigns that name a requirement came to together.
#[derive(
    Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize, JsonSchema,
)]
#[serde(rename_all = "snake_case")]
pub enum Status {
    /// Something passed; the rest passed or had no decided result.
    Verified,
    /// Something was executed and nothing failed, but not all that was to be executed was.
    Partly,
    /// At least one case failed, or crashed, or gave no answer that could be judged, or a campaign
    /// found a violation.
    Failed,
    /// Something was executed, but the specification decides none of the results.
    OutOfDomain,
    /// Nothing was executed.
    Uncovered,
    /// No execution can verify it, for the reason in the catalogue; what names it does not change
    /// that, unless it fails.
    Untestable,
}

/// What one case or campaign says for the requirements that it names.
#[derive(
    Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize, JsonSchema,
)]
#[serde(rename_all = "snake_case")]
pub enum Support {
    /// All of it was executed and conforms.
    Passed,
    /// A part of it was executed, which conforms.
    Partial,
    /// It was executed, but the specification decides none of the results.
    Undecided,
    /// Nothing of it was executed.
    NotRun,
    /// A result does not conform, or there is none that could be judged.
    Failed,
}

impl From<Verdict> for Support {
    fn from(verdict: Verdict) -> Self {
        match verdict {
            Verdict::Pass => Self::Passed,
            Verdict::OutOfDomain => Self::Undecided,
            Verdict::Unsupported | Verdict::Skipped => Self::NotRun,
            Verdict::Fail | Verdict::Crash | Verdict::Timeout | Verdict::Fault => Self::Failed,
        }
    }
}

impl Status {
    /// Every status, in the order of the counts.
    pub const ALL: [Self; 6] = [
        Self::Verified,
        Self::Partly,
        Self::Failed,
        Self::OutOfDomain,
        Self::Uncovered,
        Self::Untestable,
    ];

    /// The name used in reports.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::Verified => "verified",
            Self::Partly => "partly",
            Self::Failed => "failed",
            Self::OutOfDomain => "out_of_domain",
            Self::Uncovered => "uncovered",
            Self::Untestable => "untestable",
        }
    }

    /// The status of a requirement by all that names it: the one rule of every report and page.
    #[must_use]
    pub fn of(requirement: &Requirement, support: impl IntoIterator<Item = Support>) -> Self {
        let all: BTreeSet<Support> = support.into_iter().collect();
        let has = |support| all.contains(&support);
        let executed = [Support::Passed, Support::Partial, Support::Undecided];
        if has(Support::Failed) {
            Self::Failed
        } else if requirement.untestable.is_some() {
            Self::Untestable
        } else if !executed.into_iter().any(has) {
            Self::Uncovered
        } else if has(Support::Partial) || has(Support::NotRun) {
            Self::Partly
        } else if has(Support::Passed) {
            Self::Verified
        } else {
            Self::OutOfDomain
        }
    }
}

impl fmt::Display for Status {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(self.name())
    }
}

/// A case names a requirement that there is not.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error(
    "case `{case}` names the requirement `{id}`, which no catalogue has; \
     correct the case or add it in testdata/requirements"
)]
pub struct UnknownRequirement {
    /// Id of the case.
    pub case: String,
    /// The id that it names.
    pub id: String,
}

impl<'c> Matrix<'c> {
    /// Sets the cases, given by id, the requirements they name and verdict, against the catalogue.
    ///
    /// # Errors
    /// A case names a requirement that is not in the catalogue.
    pub fn of<'a>(
        catalogue: &'c Catalogue,
        cases: impl IntoIterator<Item = (&'a str, &'a [String], Verdict)>,
    ) -> Result<Self, UnknownRequirement> {
        let mut linked = BTreeMap::<&str, BTreeMap<&str, Verdict>>::new();
        let mut unlinked = Vec::new();
        for (case, ids, verdict) in cases {
            if ids.is_empty() {
                unlinked.push(case.to_owned());
            }
            for id in ids {
                if catalogue.get(id).is_none() {
                    return Err(UnknownRequirement { case: case.to_owned(), id: id.clone() });
                }
                linked.entry(id).or_default().insert(case, verdict);
            }
        }
        unlinked.sort_by(|a, b| natural_order(a, b));
        let row = |requirement: &'c Requirement| {
            let cases = linked.remove(requirement.id.as_str()).unwrap_or_default();
            let mut cases: Vec<_> =
                cases.into_iter().map(|(case, verdict)| (case.to_owned(), verdict)).collect();
            cases.sort_by(|a, b| natural_order(&a.0, &b.0));
            let support = cases.iter().map(|(_, verdict)| Support::from(*verdict));
            Row { requirement, status: Status::of(requirement, support), cases }
        };
        let rows = catalogue.requirements().iter().map(row).collect();
        Ok(Self { catalogue, rows, unlinked })
    }
}

//! The matrix: requirements against executed cases, and cases against requirements.

use std::collections::BTreeMap;
use std::fmt;

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

/// What the cases of a requirement came to together.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Status {
    /// A case passed; the others passed or had no decided result.
    Verified,
    /// Some cases were executed and none failed, but others were unsupported or skipped.
    Partly,
    /// At least one case failed, or crashed, or gave no answer that could be judged.
    Failed,
    /// Cases were executed, but the specification decides the result of none of them.
    OutOfDomain,
    /// No case was executed.
    Uncovered,
    /// No execution can verify it, for the reason in the catalogue; cases that name it do not
    /// change that, unless one fails.
    Untestable,
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

    fn of(requirement: &Requirement, cases: &[(String, Verdict)]) -> Self {
        let count = |verdicts: &[Verdict]| {
            cases.iter().filter(|(_, verdict)| verdicts.contains(verdict)).count()
        };
        let passed = count(&[Verdict::Pass]);
        let undecided = count(&[Verdict::OutOfDomain]);
        let not_run = count(&[Verdict::Unsupported, Verdict::Skipped]);
        if passed + undecided + not_run < cases.len() {
            Self::Failed
        } else if requirement.untestable.is_some() {
            Self::Untestable
        } else if passed + undecided == 0 {
            Self::Uncovered
        } else if not_run > 0 {
            Self::Partly
        } else if passed > 0 {
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
            Row { requirement, status: Status::of(requirement, &cases), cases }
        };
        let rows = catalogue.requirements().iter().map(row).collect();
        Ok(Self { catalogue, rows, unlinked })
    }

    /// The rows of one document.
    pub fn of_document<'m>(&'m self, key: &'m str) -> impl Iterator<Item = &'m Row<'c>> {
        self.rows.iter().filter(move |row| row.requirement.document == key)
    }
}

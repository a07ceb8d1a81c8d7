//! The matrix: requirements against executed cases, and cases against requirements.

use std::collections::BTreeMap;

use super::{Catalogue, Requirement, Support, Tested, Verified};
use crate::corpus::natural_order;

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
    pub verified: Verified,
    /// Its cases by id, in natural order, and what each says for it; nothing where it asks about none
    /// of its aspects.
    pub cases: Vec<(String, Option<Support>)>,
}

/// A case names a requirement that there is not.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error(
    "case `{case}` names the requirement `{id}`, which no catalogue has; \
     correct the case or add it to the operator's catalogue"
)]
pub struct UnknownRequirement {
    /// Id of the case.
    pub case: String,
    /// The id that it names.
    pub id: String,
}

impl<'c> Matrix<'c> {
    /// Sets the cases against the catalogue.
    ///
    /// # Errors
    /// A case names a requirement that is not in the catalogue.
    pub fn of<'a>(
        catalogue: &'c Catalogue,
        cases: impl IntoIterator<Item = Tested<'a>>,
    ) -> Result<Self, UnknownRequirement> {
        let mut linked = BTreeMap::<&str, BTreeMap<&str, Tested<'_>>>::new();
        let mut unlinked = Vec::new();
        for case in cases {
            if case.requirements.is_empty() {
                unlinked.push(case.id.to_owned());
            }
            for id in case.requirements {
                if catalogue.get(id).is_none() {
                    return Err(UnknownRequirement { case: case.id.to_owned(), id: id.clone() });
                }
                linked.entry(id).or_default().insert(case.id, case);
            }
        }
        unlinked.sort_by(|a, b| natural_order(a, b));
        let row = |requirement: &'c Requirement| {
            let cases = linked.remove(requirement.id.as_str()).unwrap_or_default();
            let said = || cases.values().filter_map(|case| requirement.said_by(case));
            let verified = Verified::of(requirement, said());
            let mut cases: Vec<_> = cases
                .iter()
                .map(|(id, case)| ((*id).to_owned(), requirement.support(case)))
                .collect();
            cases.sort_by(|a, b| natural_order(&a.0, &b.0));
            Row { requirement, verified, cases }
        };
        let rows = catalogue.requirements().iter().map(row).collect();
        Ok(Self { catalogue, rows, unlinked })
    }
}

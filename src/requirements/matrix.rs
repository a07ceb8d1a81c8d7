//! The matrix: requirements against executed cases.

use std::collections::BTreeMap;

use super::{Catalogue, Requirement, Support, Tested, Verified};
use crate::corpus::natural_order;

/// Every requirement of a catalogue with its cases.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Matrix<'c> {
    /// One row for each requirement, in natural order of the ids.
    pub rows: Vec<Row<'c>>,
}

/// One requirement and the cases that name it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Row<'c> {
    /// The requirement.
    pub requirement: &'c Requirement,
    /// The result of its cases together.
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
    pub fn of<'a>(
        catalogue: &'c Catalogue,
        cases: impl IntoIterator<Item = Tested<'a>>,
    ) -> Result<Self, UnknownRequirement> {
        let mut linked = BTreeMap::<&str, BTreeMap<&str, Tested<'_>>>::new();
        for case in cases {
            for id in case.requirements {
                if catalogue.get(id).is_none() {
                    return Err(UnknownRequirement { case: case.id.to_owned(), id: id.clone() });
                }
                linked.entry(id).or_default().insert(case.id, case);
            }
        }
        let row = |requirement: &'c Requirement| {
            let cases = linked.remove(requirement.id.as_str()).unwrap_or_default();
            let mut cases: Vec<_> =
                cases.values().map(|case| (*case, requirement.support(case))).collect();
            cases.sort_by(|(a, _), (b, _)| natural_order(a.id, b.id));
            let said = cases.iter().filter_map(|(case, said)| Some(((*said)?, case.profile)));
            let verified = Verified::of(requirement, said);
            let cases = cases.iter().map(|(case, said)| (case.id.to_owned(), *said)).collect();
            Row { requirement, verified, cases }
        };
        Ok(Self { rows: catalogue.requirements().iter().map(row).collect() })
    }
}

//! The matrix: requirements against executed cases.

use std::collections::HashMap;

use rayon::prelude::*;

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
    "case `{case}` names the requirement `{id}`, which is in no catalogue; correct the case or add it to \
     the operator's catalogue"
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
        let mut linked: HashMap<&str, Vec<_>> = HashMap::new();
        for case in cases {
            for id in case.requirements {
                let Some(requirement) = catalogue.get(id) else {
                    return Err(UnknownRequirement { case: case.id.to_owned(), id: id.clone() });
                };
                linked.entry(&requirement.id).or_default().push(case);
            }
        }
        let row = |requirement: &'c Requirement| {
            let mut cases: Vec<Tested<'_>> =
                linked.get(requirement.id.as_str()).cloned().unwrap_or_default();
            cases.sort_by(|a, b| natural_order(a.id, b.id));
            // One that names the requirement twice counts once.
            cases.dedup_by_key(|case| case.id);
            let cases = cases.iter().map(|case| (case, requirement.support(case)));
            let said = cases.clone().filter_map(|(case, said)| Some((said?, case.profile)));
            let verified = Verified::of(requirement, said);
            let cases = cases.map(|(case, said)| (case.id.to_owned(), said)).collect();
            Row { requirement, verified, cases }
        };
        Ok(Self { rows: catalogue.requirements().par_iter().map(row).collect() })
    }
}

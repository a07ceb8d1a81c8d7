//! Requirements against executed cases.

use std::collections::HashMap;

use rayon::prelude::*;

use super::{Catalogue, Requirement, Support, Tested, Verified};
use crate::text::natural_order;

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

impl<'c> Row<'c> {
    /// Every requirement of a catalogue, in natural order of the ids, with the cases that name it.
    pub fn all<'a>(
        catalogue: &'c Catalogue,
        cases: impl IntoIterator<Item = Tested<'a>>,
    ) -> Result<Vec<Self>, UnknownRequirement> {
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
            Self::of(requirement, linked.get(requirement.id.as_str()).cloned().unwrap_or_default())
        };
        Ok(catalogue.requirements().par_iter().map(row).collect())
    }

    /// A requirement with the cases that name it.
    pub fn of(requirement: &'c Requirement, mut cases: Vec<Tested<'_>>) -> Self {
        cases.sort_by(|a, b| natural_order(a.id, b.id));
        // One that names the requirement twice counts once.
        cases.dedup_by_key(|case| case.id);
        let cases = cases.iter().map(|case| (case, requirement.support(case)));
        let said = cases.clone().filter_map(|(case, said)| Some((said?, case.profile)));
        let verified = Verified::of(requirement, said);
        let cases = cases.map(|(case, said)| (case.id.to_owned(), said)).collect();
        Self { requirement, verified, cases }
    }
}

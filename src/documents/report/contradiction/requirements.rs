//! What a report cannot say of requirements: other cases than those that name them, and another status than
//! follows from these.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::LazyLock;

use super::{Contradiction, ensure, in_order};
use crate::document::provenance;
use crate::documents::report::document::{Case, Report, Requirement};
use crate::judge::requirements::{Catalogue, Status, Verified};

/// What a case says it verifies and what is said of the requirement are the same links; where they are those
/// of this program's catalogues, the status is what follows from the cases.
pub(super) fn check(report: &Report) -> Result<(), Contradiction> {
    in_order("requirements", report.requirements.iter().map(|one| one.id.as_str()))?;
    let other =
        |id: &str| format!("the `cases` of `{id}` in `requirements` are not those that name it");
    let mut named = BTreeMap::<&str, BTreeSet<&str>>::new();
    for case in &report.cases {
        for id in &case.requirements {
            named.entry(id).or_default().insert(&case.id);
        }
    }
    for Requirement { id, status, reason, cases } in &report.requirements {
        in_order("cases", cases.iter().map(String::as_str))?;
        let listed = cases.iter().map(String::as_str).collect();
        let naming = named.remove(id.as_str()).unwrap_or_default();
        ensure(naming == listed, || other(id))?;
        let known = Status::ALL.into_iter().find(|known| known.to_string() == *status);
        ensure(known.is_some() && (reason.is_none() || known == Some(Status::Partly)), || {
            format!(
                "`requirements` has a `status` of `{id}` that is none, or does not go with its `reason`"
            )
        })?;
    }
    named.keys().try_for_each(|id| ensure(false, || other(id)))?;
    of_status(report)
}

/// The statuses are those that follow from the cases, and every requirement of the catalogues is there. Another
/// version of the program may have had others, by which nothing follows here; what stands in none is told of
/// elsewhere.
fn of_status(report: &Report) -> Result<(), Contradiction> {
    let Some(catalogue) = &*CATALOGUE else { return Ok(()) };
    if report.requirements.is_empty() || report.tool.version != provenance::tool().version {
        return Ok(());
    }
    let cases: BTreeMap<&str, &Case> =
        report.cases.iter().map(|case| (case.id.as_str(), case)).collect();
    let mut known = BTreeSet::new();
    for Requirement { id, status, reason, cases: naming } in &report.requirements {
        let Some(requirement) = catalogue.get(id) else { continue };
        known.insert(id);
        let naming = naming.iter().filter_map(|id| cases.get(id.as_str()));
        let said = naming
            .filter_map(|case| Some((requirement.support(&case.tested())?, case.profile.as_str())));
        let follows = Verified::of(requirement, said);
        ensure((status, reason) == (&follows.status.to_string(), &follows.reason), || {
            let follows = follows.status;
            format!(
                "`requirements` has a `status` or `reason` of `{id}` that does not follow from its \
                 cases, by which it is {follows}"
            )
        })?;
    }
    let mut all = catalogue.requirements().iter();
    all.find(|one| !known.contains(&one.id)).map_or(Ok(()), |missing| {
        ensure(false, || format!("`requirements` lacks `{}`", missing.id))
    })
}

/// The catalogues of this program.
static CATALOGUE: LazyLock<Option<Catalogue>> = LazyLock::new(|| Catalogue::embedded().ok());

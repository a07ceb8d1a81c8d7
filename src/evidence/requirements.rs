//! Whether the requirements of a report follow from its cases.

use std::sync::LazyLock;

use crate::report;
use crate::report::document::{Case, Report, Requirement};
use crate::requirements::{Catalogue, CatalogueError, Matrix, Support, UnknownRequirement};

/// The requirements of a report are not those of its cases.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum RequirementError {
    #[error(transparent)]
    Unknown(#[from] UnknownRequirement),
    #[error(
        "`requirements` does not list those of this program's catalogues, but {says} of {comes_to}"
    )]
    Listed { says: usize, comes_to: usize },
    #[error("`requirements` has {member} `{says}` of `{id}`, but its cases add up to `{comes_to}`")]
    Member { id: String, member: &'static str, says: String, comes_to: String },
}

/// The catalogues of the program, read once.
pub(super) fn catalogue() -> Result<&'static Catalogue, CatalogueError> {
    static CATALOGUE: LazyLock<Result<Catalogue, CatalogueError>> =
        LazyLock::new(Catalogue::embedded);
    CATALOGUE.as_ref().map_err(Clone::clone)
}

/// The requirements that a case violates, whether that is known or not.
pub(super) fn violated(case: &Case) -> Vec<&String> {
    let catalogue = catalogue().ok();
    let is_violated = |id: &&String| match catalogue.and_then(|all| all.get(id)) {
        Some(requirement) => requirement.support(&case.tested()) == Some(Support::Failed),
        None => case.verdict.is_failure(),
    };
    case.requirements.iter().filter(is_violated).collect()
}

/// Sets the requirements of a report against its cases. Gives the first that does not follow from them.
pub(super) fn check(report: &Report, catalogue: &Catalogue) -> Result<(), RequirementError> {
    let cases = report.cases.iter().map(Case::tested);
    let derived = report::requirements_of(&Matrix::of(catalogue, cases)?);
    let listed = &report.requirements;
    if !listed.iter().map(|one| &one.id).eq(derived.iter().map(|one| &one.id)) {
        return Err(RequirementError::Listed { says: listed.len(), comes_to: derived.len() });
    }
    let reason = |one: &Requirement| one.reason.clone().unwrap_or_else(|| "none".to_owned());
    for (one, derived) in listed.iter().zip(&derived) {
        let (member, says, comes_to) = if one.status != derived.status {
            ("the `status`", one.status.clone(), derived.status.clone())
        } else if one.reason != derived.reason {
            ("the `reason`", reason(one), reason(derived))
        } else if one.cases != derived.cases {
            ("the `cases`", one.cases.join(", "), derived.cases.join(", "))
        } else {
            continue;
        };
        return Err(RequirementError::Member { id: one.id.clone(), member, says, comes_to });
    }
    Ok(())
}

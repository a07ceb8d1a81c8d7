//! Whether the requirements of a report follow from its cases.

use std::sync::LazyLock;

use serde_json::to_value;

use super::canonical::difference;
use crate::documents::report;
use crate::documents::report::document::{Case, Report};
use crate::judge::requirements::{Catalogue, CatalogueError, Matrix, Support, UnknownRequirement};

/// The requirements of a report are not those of its cases.
#[derive(Debug, thiserror::Error)]
pub enum RequirementError {
    #[error(transparent)]
    Unknown(#[from] UnknownRequirement),
    #[error("`requirements{member}` is {says}, but the cases add up to {derived}")]
    Member { member: String, says: String, derived: String },
    #[error("failed to serialise `requirements`")]
    Serialise(#[from] serde_json::Error),
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
    let (says, derived) = (to_value(&report.requirements)?, to_value(&derived)?);
    match difference(&derived, &says) {
        None => Ok(()),
        Some((member, derived, says)) => Err(RequirementError::Member { member, says, derived }),
    }
}

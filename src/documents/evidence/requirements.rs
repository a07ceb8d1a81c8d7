//! Whether the requirements of a report follow from its cases.

use std::sync::LazyLock;

use crate::document::{Contradiction, all_agree};
use crate::documents::report::document::{Case, Report};
use crate::documents::report::requirements_of;
use crate::judge::requirements::{Catalogue, CatalogueError, Support, UnknownRequirement};

/// The requirements of a report are not those of its cases.
#[derive(Debug, thiserror::Error)]
pub enum RequirementError {
    #[error(transparent)]
    Unknown(#[from] UnknownRequirement),
    #[error(transparent)]
    Contradiction(#[from] Contradiction),
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

/// Derives the requirements of a report from its cases, and compares them.
pub(super) fn check(report: &Report, catalogue: &Catalogue) -> Result<(), RequirementError> {
    let derived = requirements_of(catalogue, &report.cases)?;
    Ok(all_agree("requirements", &report.requirements, derived)?)
}

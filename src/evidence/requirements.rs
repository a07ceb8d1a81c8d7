//! Whether the requirements of a report follow from its cases.

use std::sync::LazyLock;

use crate::report;
use crate::report::document::{Case, Report};
use crate::requirements::{Catalogue, CatalogueError, Matrix, Support, UnknownRequirement};

/// The requirements of a report are not those of its cases.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum RequirementError {
    /// A case names one that there is not.
    #[error(transparent)]
    Unknown(#[from] UnknownRequirement),
    /// The report lists others than the catalogues.
    #[error(
        "`requirements` does not list those of this program's catalogues, but {says} of {comes_to}"
    )]
    Listed {
        /// How many it lists.
        says: usize,
        /// How many there are.
        comes_to: usize,
    },
    /// A requirement does not follow from its cases.
    #[error("`requirements` has {member} {says} of `{id}`, but its cases add up to {comes_to}")]
    Member {
        /// Which.
        id: String,
        /// Of which member.
        member: &'static str,
        /// What it says.
        says: String,
        /// What it should say.
        comes_to: String,
    },
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

/// Sets the requirements of a report against its cases.
///
/// # Errors
///
/// The first that does not follow from its cases.
pub(super) fn check(report: &Report, catalogue: &Catalogue) -> Result<(), RequirementError> {
    let cases = report.cases.iter().map(Case::tested);
    let derived = report::requirements_of(&Matrix::of(catalogue, cases)?);
    let listed = &report.requirements;
    let ids = |requirements: &[report::document::Requirement]| {
        requirements.iter().map(|one| one.id.clone()).collect::<Vec<_>>()
    };
    if ids(listed) != ids(&derived) {
        return Err(RequirementError::Listed { says: listed.len(), comes_to: derived.len() });
    }
    let wrong = |id: &String, member, says: &str, comes_to: &str| RequirementError::Member {
        id: id.clone(),
        member,
        says: format!("`{says}`"),
        comes_to: format!("`{comes_to}`"),
    };
    for (one, derived) in listed.iter().zip(&derived) {
        if one.status != derived.status {
            return Err(wrong(&one.id, "the `status`", &one.status, &derived.status));
        }
        if one.reason != derived.reason {
            let said =
                |reason: &Option<String>| reason.clone().unwrap_or_else(|| "none".to_owned());
            return Err(wrong(&one.id, "the `reason`", &said(&one.reason), &said(&derived.reason)));
        }
        if one.cases != derived.cases {
            let [says, comes_to] = [&one.cases, &derived.cases].map(|cases| cases.join(", "));
            return Err(wrong(&one.id, "the `cases`", &says, &comes_to));
        }
    }
    Ok(())
}

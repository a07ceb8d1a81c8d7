//! What cases and campaigns say for a requirement, and the status that follows: the one rule of every
//! report and page.

use std::collections::BTreeSet;
use std::fmt;

use serde::{Deserialize, Serialize};

use super::Requirement;
use crate::profile::Strictness;
use crate::verdict::{AspectResult, Aspects};

/// The status of a requirement by the cases and campaigns that name it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "snake_case")]
pub enum Status {
    /// Something passed under a rule at least as strict as the requirement; the rest did so too or
    /// had no decided result.
    Verified,
    /// Something was executed and nothing failed, but not all that was to be executed was, or it was
    /// judged less strictly than the requirement asks.
    Partly,
    /// At least one case failed in what the requirement states, or gave no answer that could be
    /// judged, or a campaign found a violation.
    Failed,
    /// Something was executed, but the specification decides none of the results.
    OutOfDomain,
    /// Nothing was executed.
    Uncovered,
    /// No execution can verify it, for the reason in the catalogue; what names it does not change
    /// that, unless it fails.
    Untestable,
}

/// What one case or campaign says for a requirement that it names.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "snake_case")]
pub enum Support {
    /// All of it was executed and conforms.
    Passed,
    /// A part of it was executed, which conforms.
    Partial,
    /// It conforms to a rule that is laxer than the requirement.
    Lax,
    /// It was executed, but the specification decides none of the results.
    Undecided,
    /// Nothing of it was executed.
    NotRun,
    /// A result does not conform, or there is none that could be judged.
    Failed,
}

impl Support {
    /// Every one, in the order of the counts.
    pub const ALL: [Self; 6] =
        [Self::Passed, Self::Partial, Self::Lax, Self::Failed, Self::Undecided, Self::NotRun];
}

/// A case that was tested, as far as requirements ask.
#[derive(Clone, Copy, Debug)]
pub struct Tested<'a> {
    /// Its id.
    pub id: &'a str,
    /// The requirements that it names.
    pub requirements: &'a [String],
    /// How each aspect came out.
    pub aspects: Aspects,
    /// The profile by which it was judged.
    pub profile: &'a str,
    /// The laxest rule that an output was judged by; none where no output was.
    pub strictness: Option<Strictness>,
}

/// The status of a requirement, and why it is no better where nothing failed.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Verified {
    /// The status.
    pub status: Status,
    /// The profiles that are laxer than the requirement, in words; none where none is.
    pub reason: Option<String>,
}

impl Requirement {
    /// Whether a profile's rule decides anything that it states.
    pub fn is_of_elements(&self) -> bool {
        self.aspects.iter().any(|aspect| aspect.is_of_elements())
    }

    /// What a case that names it says for it, by the aspects that it states; nothing where the case
    /// asks about none of them. Values and errors verify only what is judged as strictly.
    pub fn support(&self, case: &Tested<'_>) -> Option<Support> {
        let is_lax = case.strictness.is_some_and(|judged| !judged.is_at_least(self.strictness));
        let said = self.aspects.iter().filter_map(|&aspect| match case.aspects.get(aspect) {
            AspectResult::NotAsked => None,
            AspectResult::Passed if is_lax && aspect.is_of_elements() => Some(Support::Lax),
            AspectResult::Passed => Some(Support::Passed),
            AspectResult::Undecided => Some(Support::Undecided),
            AspectResult::NotJudged => Some(Support::NotRun),
            AspectResult::Failed => Some(Support::Failed),
        });
        let has = |support| said.clone().any(|one| one == support);
        let conforms = has(Support::Passed) || has(Support::Lax);
        if has(Support::Failed) {
            Some(Support::Failed)
        } else if conforms && has(Support::NotRun) {
            Some(Support::Partial)
        } else {
            let order = [Support::Lax, Support::Passed, Support::NotRun, Support::Undecided];
            order.into_iter().find(|&support| has(support))
        }
    }
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

    /// The status of a requirement by all that names it: the one rule of every report and page.
    pub fn of(requirement: &Requirement, support: impl IntoIterator<Item = Support>) -> Self {
        let all: BTreeSet<Support> = support.into_iter().collect();
        let has = |support| all.contains(&support);
        let executed = [Support::Passed, Support::Partial, Support::Lax, Support::Undecided];
        if has(Support::Failed) {
            Self::Failed
        } else if requirement.untestable.is_some() {
            Self::Untestable
        } else if !executed.into_iter().any(has) {
            Self::Uncovered
        } else if has(Support::Partial) || has(Support::Lax) || has(Support::NotRun) {
            Self::Partly
        } else if has(Support::Passed) {
            Self::Verified
        } else {
            Self::OutOfDomain
        }
    }
}

impl fmt::Display for Status {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.serialize(f)
    }
}

impl Verified {
    /// The status by what was said under which profile, with the reason where a laxer one keeps it
    /// from being verified.
    pub fn of<'a>(
        requirement: &Requirement,
        said: impl IntoIterator<Item = (Support, &'a str)>,
    ) -> Self {
        let said: Vec<_> = said.into_iter().collect();
        let status = Status::of(requirement, said.iter().map(|(support, _)| *support));
        let lax = said.iter().filter(|(support, _)| *support == Support::Lax);
        let lax: BTreeSet<_> = lax.map(|(_, profile)| format!("`{profile}`")).collect();
        let reason = (status == Status::Partly && !lax.is_empty()).then(|| {
            let profiles: Vec<_> = lax.into_iter().collect();
            format!(
                "judged by {}, which is laxer than the requirement ({})",
                profiles.join(" and "),
                requirement.strictness
            )
        });
        Self { status, reason }
    }
}

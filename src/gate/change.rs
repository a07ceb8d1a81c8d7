//! Changes: what differs between a baseline and a report, each of a kind.

use similar::{ChangeTag, TextDiff};

/// What kind of change.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Kind {
    /// A case fails, crashes, times out or is a fault, unexpectedly, and did not so before.
    NewFailure,
    /// A case passed and is now unsupported, out of domain or skipped.
    LostPass,
    /// A case of the baseline is not in the report.
    LostCase,
    /// Fewer elements of an output were compared, or answered at all.
    LostElements,
    /// The largest distance in ULP of an output grew.
    MoreUlp,
    /// The mismatches in an output grew.
    MoreMismatches,
    /// A corpus has another digest, went or came.
    ChangedCorpus,
    /// The profile is another.
    ChangedProfile,
    /// Cases of a known failure pass.
    UnexpectedPass,
    /// A known failure is that of no case.
    StaleExpectation,
    /// The backend says something else of itself: its version or a detail.
    ChangedBackend,
    /// A case did not fail so before and is a known failure now.
    KnownFailure,
    /// No element of an output has a distance in ULP any more.
    LostUlp,
    /// A case got another verdict that is neither a pass nor a failure, from one that was none.
    ChangedVerdict,
    /// A case passes that did not.
    NewPass,
    /// A case is not in the baseline.
    NewCase,
    /// More elements of an output were compared.
    MoreElements,
    /// The largest distance in ULP of an output shrank.
    LessUlp,
    /// The mismatches in an output shrank.
    FewerMismatches,
}

/// What a change means for the gate.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Weight {
    /// It closes the gate.
    Finding,
    /// It is told.
    Note,
    /// It is better than it was.
    Improvement,
}

/// Something that differs.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Change {
    /// What kind of change.
    pub kind: Kind,
    /// What changed: mostly the id of a case, or the ids of a known failure's cases.
    pub subject: String,
    /// Lines that describe it in the baseline; empty where it is not there.
    pub then: String,
    /// Lines that describe it in the report; empty where it is not there.
    pub now: String,
}

impl Kind {
    /// Every kind, in the order they are told.
    pub const ALL: [Self; 19] = [
        Self::NewFailure,
        Self::LostPass,
        Self::LostCase,
        Self::LostElements,
        Self::MoreUlp,
        Self::MoreMismatches,
        Self::ChangedCorpus,
        Self::ChangedProfile,
        Self::UnexpectedPass,
        Self::StaleExpectation,
        Self::ChangedBackend,
        Self::KnownFailure,
        Self::LostUlp,
        Self::ChangedVerdict,
        Self::NewPass,
        Self::NewCase,
        Self::MoreElements,
        Self::LessUlp,
        Self::FewerMismatches,
    ];

    /// What it means for the gate.
    pub const fn weight(self) -> Weight {
        match self {
            Self::NewFailure
            | Self::LostPass
            | Self::LostCase
            | Self::LostElements
            | Self::MoreUlp
            | Self::MoreMismatches
            | Self::ChangedCorpus
            | Self::ChangedProfile
            | Self::UnexpectedPass
            | Self::StaleExpectation => Weight::Finding,
            Self::ChangedBackend | Self::KnownFailure | Self::LostUlp | Self::ChangedVerdict => {
                Weight::Note
            }
            Self::NewPass
            | Self::NewCase
            | Self::MoreElements
            | Self::LessUlp
            | Self::FewerMismatches => Weight::Improvement,
        }
    }

    /// The heading of its changes.
    pub const fn heading(self) -> &'static str {
        match self {
            Self::NewFailure => "new failures",
            Self::LostPass => "lost passes",
            Self::LostCase => "lost cases",
            Self::LostElements => "lost elements",
            Self::MoreUlp => "larger errors in ULP",
            Self::MoreMismatches => "more mismatches",
            Self::ChangedCorpus => "changed corpora",
            Self::ChangedProfile => "changed profile",
            Self::UnexpectedPass => "known failures that pass",
            Self::StaleExpectation => "known failures of no case",
            Self::ChangedBackend => "changed backend",
            Self::KnownFailure => "new known failures",
            Self::LostUlp => "errors in ULP that are not measured any more",
            Self::ChangedVerdict => "other verdicts",
            Self::NewPass => "new passes",
            Self::NewCase => "new cases",
            Self::MoreElements => "more elements",
            Self::LessUlp => "smaller errors in ULP",
            Self::FewerMismatches => "fewer mismatches",
        }
    }
}

impl Change {
    /// Both as one change of this one's kind.
    pub(super) fn and(mut self, other: &Self) -> Self {
        self.then += &other.then;
        self.now += &other.now;
        self
    }

    /// The lines that differ: those of the baseline with `-`, those of the report with `+`.
    pub fn difference(&self) -> Vec<(char, String)> {
        let difference = TextDiff::from_lines(&self.then, &self.now);
        difference
            .iter_all_changes()
            .filter_map(|change| {
                let sign = match change.tag() {
                    ChangeTag::Equal => return None,
                    ChangeTag::Delete => '-',
                    ChangeTag::Insert => '+',
                };
                Some((sign, change.value().trim_end_matches('\n').to_owned()))
            })
            .collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn kinds_are_ordered_as_they_are_told_and_findings_come_first() {
        assert!(Kind::ALL.is_sorted());
        assert!(Kind::ALL.map(Kind::weight).is_sorted());
    }

    #[test]
    fn a_difference_leaves_out_what_both_say() {
        let change = Change {
            kind: Kind::NewFailure,
            subject: "c/a".to_owned(),
            then: "pass\n3 elements\n".to_owned(),
            now: "fail\n3 elements\nwhy\n".to_owned(),
        };
        let said = [('-', "pass"), ('+', "fail"), ('+', "why")];
        assert_eq!(change.difference(), said.map(|(sign, line)| (sign, line.to_owned())));
    }
}

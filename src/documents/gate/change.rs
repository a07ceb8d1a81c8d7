//! Changes: what differs between a document and its baseline, each of a kind.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use similar::{ChangeTag, TextDiff};

use Weight::{Finding, Improvement, Note, Warning};

/// A kind of change.
pub trait Kind: Copy + PartialEq {
    /// What it means for the gate, and the heading of its changes.
    fn described(self) -> (Weight, &'static str);

    /// What it means for the gate.
    fn weight(self) -> Weight {
        self.described().0
    }

    /// The heading of its changes.
    fn heading(self) -> &'static str {
        self.described().1
    }
}

/// What kind of change, in the order they are told.
#[derive(
    Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize, JsonSchema,
)]
#[serde(rename_all = "snake_case")]
pub enum ChangeKind {
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
    /// Cases pass that are known not to.
    UnexpectedPass,
    /// A known failure is that of no case.
    StaleExpectation,
    /// Less keeps the backend from what is expected of it.
    WeakerIsolation,
    /// The backend says something else of itself: its version or a detail.
    ChangedBackend,
    /// A case did not fail so before and is a known failure now.
    KnownFailure,
    /// No element of an output has a distance in ULP any more.
    LostUlp,
    /// A flaky case came out the other way, as it may.
    FlakyCase,
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
    /// It is told, and closes a strict gate.
    Warning,
    /// It is told.
    Note,
    /// It is better than it was.
    Improvement,
}

/// Something that differs.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Change<K = ChangeKind> {
    /// What kind of change.
    pub kind: K,
    /// What changed: mostly the id of a case, or the ids of a known failure's cases.
    pub what: String,
    /// Lines that describe it in the baseline; empty where it is not there.
    pub then: String,
    /// Lines that describe it now; empty where it is not there.
    pub now: String,
}

impl Kind for ChangeKind {
    fn described(self) -> (Weight, &'static str) {
        match self {
            Self::NewFailure => (Finding, "new failures"),
            Self::LostPass => (Finding, "lost passes"),
            Self::LostCase => (Finding, "lost cases"),
            Self::LostElements => (Finding, "lost elements"),
            Self::MoreUlp => (Finding, "larger errors in ULP"),
            Self::MoreMismatches => (Finding, "more mismatches"),
            Self::ChangedCorpus => (Finding, "changed corpora"),
            Self::ChangedProfile => (Finding, "changed profile"),
            Self::UnexpectedPass => (Warning, "known failures that pass"),
            Self::StaleExpectation => (Warning, "known failures of no case"),
            Self::WeakerIsolation => (Warning, "weaker isolation"),
            Self::ChangedBackend => (Note, "changed backend"),
            Self::KnownFailure => (Note, "new known failures"),
            Self::LostUlp => (Note, "errors in ULP that are not measured any more"),
            Self::FlakyCase => (Note, "flaky cases with another verdict"),
            Self::ChangedVerdict => (Note, "other verdicts"),
            Self::NewPass => (Improvement, "new passes"),
            Self::NewCase => (Improvement, "new cases"),
            Self::MoreElements => (Improvement, "more elements"),
            Self::LessUlp => (Improvement, "smaller errors in ULP"),
            Self::FewerMismatches => (Improvement, "fewer mismatches"),
        }
    }
}

impl<K> Change<K> {
    pub(crate) fn new(kind: K, what: &str, then: String, now: String) -> Self {
        Self { kind, what: what.to_owned(), then, now }
    }

    /// Both as one change of this one's kind.
    pub(crate) fn and(mut self, other: &Self) -> Self {
        self.then += &other.then;
        self.now += &other.now;
        self
    }

    /// The lines that differ: those of the baseline with `-`, those of now with `+`.
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
        let all = [
            ChangeKind::NewFailure,
            ChangeKind::LostPass,
            ChangeKind::LostCase,
            ChangeKind::LostElements,
            ChangeKind::MoreUlp,
            ChangeKind::MoreMismatches,
            ChangeKind::ChangedCorpus,
            ChangeKind::ChangedProfile,
            ChangeKind::UnexpectedPass,
            ChangeKind::StaleExpectation,
            ChangeKind::WeakerIsolation,
            ChangeKind::ChangedBackend,
            ChangeKind::KnownFailure,
            ChangeKind::LostUlp,
            ChangeKind::FlakyCase,
            ChangeKind::ChangedVerdict,
            ChangeKind::NewPass,
            ChangeKind::NewCase,
            ChangeKind::MoreElements,
            ChangeKind::LessUlp,
            ChangeKind::FewerMismatches,
        ];
        assert!(all.is_sorted());
        assert!(all.map(ChangeKind::weight).is_sorted());
    }

    #[test]
    fn a_difference_leaves_out_what_both_say() {
        let change = Change {
            kind: ChangeKind::NewFailure,
            what: "c/a".to_owned(),
            then: "pass\n3 elements\n".to_owned(),
            now: "fail\n3 elements\nwhy\n".to_owned(),
        };
        let said = [('-', "pass"), ('+', "fail"), ('+', "why")];
        assert_eq!(change.difference(), said.map(|(sign, line)| (sign, line.to_owned())));
    }
}

//! What reports say of cases, together.

use std::collections::{BTreeMap, BTreeSet};

use crate::documents::report::document::{Case, Report};
use crate::foundation::printable::on_one_line;
use crate::foundation::text::natural_order;
use crate::judge::expect::{Expectations, Facts, Known};
use crate::judge::verdict::Verdict;

/// The reports do not go together.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[expect(missing_docs, reason = "each variant's message says what it is")]
pub enum SeenError {
    #[error("no report was given")]
    None,
    #[error("the reports are of the backends `{0}` and `{1}`; a list is of one")]
    OtherBackend(String, String),
    #[error("the reports have the corpus `{0}` with two digests; run the same cases")]
    OtherCorpus(String),
    #[error("the reports judge the case `{0}` by two profiles; run it with one")]
    OtherProfile(String),
    #[error(
        "the report is one of a challenge, whose cases no other run has; a list is made from runs of the \
         committed ones"
    )]
    Challenge,
}

/// The cases of reports, in natural order of their ids.
pub(super) struct Seen<'r> {
    backend: String,
    pub(super) cases: Vec<SeenCase<'r>>,
    /// The corpora, and whether every case of theirs is in the reports.
    corpora: BTreeMap<&'r str, bool>,
}

/// A case, and what came of it.
pub(super) struct SeenCase<'r> {
    pub(super) case: &'r Case,
    pub(super) verdicts: BTreeSet<Verdict>,
    /// The message of its failure, if it has one.
    pub(super) message: Option<&'r str>,
}

/// What a list has to say of a case.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Need {
    /// Nothing: it did not fail.
    Nothing,
    /// That it fails so, or does at times.
    Entry {
        /// How it fails.
        verdict: Verdict,
        /// Whether it passed as well.
        flaky: bool,
    },
    /// What no entry can say: it failed in several ways.
    TooMuch,
}

impl<'r> Seen<'r> {
    pub(super) fn of(reports: &'r [Report]) -> Result<Self, SeenError> {
        let [first, others @ ..] = reports else { return Err(SeenError::None) };
        let backend = &first.backend;
        if let Some(other) = others.iter().find(|other| other.backend.name != backend.name) {
            let names = [&backend.name, &other.backend.name].map(Clone::clone);
            return Err(SeenError::OtherBackend(names[0].clone(), names[1].clone()));
        }
        if reports.iter().any(|report| report.challenge.is_some()) {
            return Err(SeenError::Challenge);
        }
        let mut digests = BTreeMap::new();
        let mut sizes = BTreeMap::new();
        for corpus in reports.iter().flat_map(|report| &report.corpora) {
            let name = corpus.name.as_str();
            if *digests.entry(name).or_insert(&corpus.digest) != &corpus.digest {
                return Err(SeenError::OtherCorpus(corpus.name.clone()));
            }
            sizes.insert(name, corpus.cases);
        }
        let mut cases = BTreeMap::<&str, SeenCase<'r>>::new();
        for case in reports.iter().flat_map(|report| &report.cases) {
            let (verdicts, message) = (BTreeSet::new(), None);
            let seen = cases.entry(&case.id).or_insert(SeenCase { case, verdicts, message });
            if seen.case.profile != case.profile {
                return Err(SeenError::OtherProfile(case.id.clone()));
            }
            seen.verdicts.insert(case.verdict);
            if case.verdict.is_failure() && seen.message.is_none() {
                seen.message = case.message.as_deref();
            }
        }
        let mut cases: Vec<_> = cases.into_values().collect();
        cases.sort_by(|a, b| natural_order(&a.case.id, &b.case.id));
        let mut listed = BTreeMap::<&str, u64>::new();
        for seen in &cases {
            *listed.entry(corpus(&seen.case.id)).or_default() += 1;
        }
        let is_whole = |name: &str, size| listed.get(name).is_some_and(|listed| *listed == size);
        let corpora = sizes.into_iter().map(|(name, size)| (name, is_whole(name, size))).collect();
        let backend = format!("{} {}", backend.name, backend.version);
        Ok(Self { backend, cases, corpora })
    }

    /// Whether the reports hold every case that an entry may be meant for, of corpora that they have.
    pub(super) fn holds_all_of(&self, entry: &Known) -> bool {
        match entry.corpus() {
            Some(name) => self.corpora.get(name).copied().unwrap_or(false),
            None => self.corpora.values().all(|is_whole| *is_whole),
        }
    }

    /// What a new list begins with.
    pub(super) fn heading(&self) -> String {
        format!("# Known failures of {}.\n", on_one_line(&self.backend))
    }

    /// What a run by this list would tell as unexpected, where it ends as the reports did.
    pub(super) fn surprises(&self, known: &Expectations) -> Vec<String> {
        let mut told = Vec::new();
        for seen in &self.cases {
            let entry = known.of_case(&seen.case.facts());
            let is_skipped = entry.is_some_and(|entry| entry.verdict == Verdict::Skipped);
            let is_off = |verdict: &Verdict| match entry {
                None => verdict.is_failure(),
                Some(entry) => !is_skipped && !holds(entry, *verdict),
            };
            if seen.verdicts.iter().any(is_off) {
                let all: Vec<_> = seen.verdicts.iter().map(ToString::to_string).collect();
                told.push(format!(
                    "{}: {}, which no entry can say",
                    seen.case.id,
                    all.join(" and ")
                ));
            }
        }
        told
    }
}

impl SeenCase<'_> {
    pub(super) fn facts(&self) -> Facts<'_> {
        self.case.facts()
    }

    pub(super) fn corpus(&self) -> &str {
        corpus(&self.case.id)
    }

    /// Whether it was not run in any of the reports.
    pub(super) fn is_unknown(&self) -> bool {
        self.verdicts.iter().all(|verdict| *verdict == Verdict::Skipped)
    }

    /// Whether it passed.
    pub(super) fn passes(&self) -> bool {
        self.verdicts.contains(&Verdict::Pass)
    }

    /// How it failed.
    pub(super) fn failures(&self) -> impl Iterator<Item = Verdict> {
        self.verdicts.iter().copied().filter(|verdict| verdict.is_failure())
    }

    /// What a list has to say of it.
    pub(super) fn need(&self) -> Need {
        let mut failures = self.failures();
        match (failures.next(), failures.next()) {
            (None, _) => Need::Nothing,
            (Some(verdict), None) if !self.passes() => Need::Entry { verdict, flaky: false },
            (Some(verdict), None) if verdict.comes_and_goes() => {
                Need::Entry { verdict, flaky: true }
            }
            _ => Need::TooMuch,
        }
    }
}

/// Whether a case with this verdict is as an entry says, or at least no surprise by it.
pub(super) fn holds(entry: &Known, verdict: Verdict) -> bool {
    match verdict {
        Verdict::Pass => entry.flaky,
        verdict => !verdict.is_failure() || verdict == entry.verdict,
    }
}

fn corpus(id: &str) -> &str {
    id.split('/').next().unwrap_or_default()
}

//! What the tool knows that corpora have to hold: the locks that come with it, and its own suites.

use std::collections::BTreeMap;
use std::sync::LazyLock;

use crate::corpus::{Digest, Lock};
use crate::embedded;
use crate::report::document::Corpus;
use crate::suite::Suite;

/// A lock, as text and by the digest of its corpus.
pub(super) struct Known {
    pub(super) text: String,
    digest: Digest,
}

impl Known {
    /// Whether the corpus of a report is the one of this lock.
    pub(super) fn fits(&self, corpus: &Corpus) -> bool {
        self.digest.to_string() == corpus.digest
    }
}

/// All of them, by the names of their corpora.
static KNOWN: LazyLock<BTreeMap<String, Known>> = LazyLock::new(|| {
    let committed = embedded::below("testdata/locks").filter_map(|(file, text)| {
        let name = file.strip_suffix(".toml")?;
        let text = str::from_utf8(text).ok()?.to_owned();
        let lock = Lock::parse(file.as_ref(), name, &text).ok()?;
        Some((name.to_owned(), Known { text, digest: lock.digest }))
    });
    let suites = Suite::ALL.into_iter().filter_map(|suite| {
        let lock = Lock::of_suite(suite).ok()?;
        Some((lock.name.clone(), Known { text: lock.to_toml().ok()?, digest: lock.digest }))
    });
    committed.chain(suites).collect()
});

/// That of the corpus of this name.
pub(super) fn of(corpus: &str) -> Option<&'static Known> {
    KNOWN.get(corpus)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_committed_lock_and_every_suite_is_known() {
        let committed =
            embedded::below("testdata/locks").filter(|(file, _)| file.ends_with(".toml"));
        assert_eq!(KNOWN.len(), committed.count() + Suite::ALL.len());
        for suite in Suite::ALL {
            let known = of(suite.name()).unwrap();
            let lock = Lock::parse("x".as_ref(), suite.name(), &known.text).unwrap();
            assert_eq!(lock.digest, known.digest);
            assert!(lock.cases.len() > 50, "{suite}");
        }
        assert!(of("mine").is_none());
    }
}

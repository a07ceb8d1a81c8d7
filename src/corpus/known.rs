//! The corpora that the program knows by their digests: those of its locks, and its own suites.

use std::collections::{BTreeMap, BTreeSet};
use std::path::Path;
use std::sync::{Arc, LazyLock, Mutex, PoisonError};

use super::{CaseDir, Corpus, Digest, Lock};
use crate::corpus::suite::{self, Suite};
use crate::foundation::embedded;

/// The locks that the program carries, by the digest that each states: file and text.
static LOCKS: LazyLock<BTreeMap<&str, (&str, &str)>> = LazyLock::new(|| {
    let lock = |(file, text): (&'static str, &'static [u8])| {
        let text = str::from_utf8(text).ok()?;
        let digest =
            text.lines().find_map(|line| line.strip_prefix("digest = \"")?.strip_suffix('"'));
        Some((digest?, (file, text)))
    };
    embedded::below("testdata/locks").filter_map(lock).collect()
});

/// A corpus of which the program knows what it holds.
#[derive(Clone, Debug)]
pub struct KnownCorpus {
    cases: BTreeSet<String>,
    own: Option<Corpus>,
}

/// Those that were asked for.
static KNOWN: Mutex<BTreeMap<Digest, Arc<KnownCorpus>>> = Mutex::new(BTreeMap::new());

/// The digest of a suite's own cases, as the program carries them.
pub(super) fn of_suite(suite: Suite) -> Option<Digest> {
    suites::embedded::digest(suite.name())?.parse().ok()
}

impl KnownCorpus {
    /// The corpus that has this digest, where it is known.
    pub fn of(digest: Digest) -> Option<Arc<Self>> {
        let mut known = KNOWN.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(known) = known.get(&digest) {
            return Some(Arc::clone(known));
        }
        let text = digest.to_string();
        let found = Arc::new(Self::of_suite(&text).or_else(|| Self::of_lock(&text))?);
        known.insert(digest, Arc::clone(&found));
        Some(found)
    }

    /// The names of its cases.
    pub const fn cases(&self) -> &BTreeSet<String> {
        &self.cases
    }

    /// Its cases as the program carries them, where they are its own.
    pub const fn own(&self) -> Option<&Corpus> {
        self.own.as_ref()
    }

    fn of_suite(digest: &str) -> Option<Self> {
        let suite = suite::named(suites::embedded::with_digest(digest)?).ok()?;
        let own = Corpus::carried(suite);
        let cases = own.cases().iter().map(|case: &CaseDir| case.name().to_owned()).collect();
        Some(Self { cases, own: Some(own) })
    }

    /// Only the text that states the digest is read as a lock.
    fn of_lock(digest: &str) -> Option<Self> {
        let (file, text) = LOCKS.get(digest)?;
        let lock = Lock::parse(Path::new(file), file.strip_suffix(".toml")?, text).ok()?;
        Some(Self { cases: lock.cases.into_keys().collect(), own: None })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_suite_is_known_by_the_digest_that_its_files_have() {
        for suite in Suite::ALL {
            let lock = Lock::of_suite(suite).unwrap();
            let known = KnownCorpus::of(lock.digest).unwrap();
            assert!(known.cases().iter().eq(lock.cases.keys()), "{}", suite.name());
            assert_eq!(known.own().unwrap().name(), suite.name());
        }
    }

    #[test]
    fn every_lock_is_known_by_its_digest_and_nothing_else_is() {
        for (name, cases) in [("onnx-1.22.0", 1765), ("onnx-1.2.1", 290)] {
            let text = embedded::file(&format!("testdata/locks/{name}.toml")).unwrap();
            let text = str::from_utf8(text).unwrap();
            let lock = Lock::parse(Path::new(name), name, text).unwrap();
            let known = KnownCorpus::of(lock.digest).unwrap();
            assert!(known.cases().iter().eq(lock.cases.keys()), "{name}");
            assert_eq!((known.cases().len(), known.own().is_some()), (cases, false));
        }
        assert!(KnownCorpus::of(Digest::of(b"another")).is_none());
    }
}

//! What the tool knows that corpora have to hold: the locks that come with it, and its own suites.

use std::collections::BTreeMap;
use std::sync::LazyLock;

use crate::corpus::Lock;
use crate::corpus::suite::Suite;
use crate::foundation::embedded;

pub(super) struct Known {
    pub(super) text: String,
    pub(super) digest: String,
}

/// All of them, by the names of their corpora.
static KNOWN: LazyLock<BTreeMap<String, Known>> = LazyLock::new(|| {
    let committed = embedded::below("testdata/locks").filter_map(|(file, text)| {
        let text = str::from_utf8(text).ok()?;
        let lock = Lock::parse(file.as_ref(), file.strip_suffix(".toml")?, text).ok()?;
        Some((lock, text.to_owned()))
    });
    let suites = Suite::ALL.into_iter().filter_map(|suite| {
        let lock = Lock::of_suite(suite).ok()?;
        let text = lock.to_toml().ok()?;
        Some((lock, text))
    });
    let known =
        |(lock, text): (Lock, _)| (lock.name, Known { text, digest: lock.digest.to_string() });
    committed.chain(suites).map(known).collect()
});

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
            assert_eq!(lock.digest.to_string(), known.digest);
            assert!(lock.cases.len() > 50, "{suite}");
        }
        assert!(of("mine").is_none());
    }
}

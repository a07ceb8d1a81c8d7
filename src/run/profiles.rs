//! By which profile each suite is judged: its own default one, or one that was named for all. By
//! default [own cases](crate::corpus::case::Case::is_own) among ONNX's, whose expected outputs are exact, are
//! judged exactly, and not within the official runner's tolerance.

use std::collections::BTreeMap;
use std::sync::Arc;

use crate::corpus::suite::Suite;
use crate::corpus::{self, Corpus};
use crate::judge::profile::{NamedError, Profile};

/// The profiles of a run, by suite.
#[derive(Clone, Debug)]
pub struct Profiles {
    /// Of other cases, and of own ones.
    of_suite: BTreeMap<Suite, [SuiteProfile; 2]>,
    /// Of the others.
    fallback: SuiteProfile,
}

/// The profile of one suite, or of the own cases in it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SuiteProfile {
    /// By which its cases are judged.
    pub profile: Arc<Profile>,
    /// By which they are judged where none is named.
    pub default: Arc<Profile>,
}

impl SuiteProfile {
    /// Whether anything is judged less strictly than by default.
    pub fn is_laxer(&self) -> bool {
        self.profile != self.default && self.profile.is_laxer_than(&self.default)
    }
}

/// The default one of each suite, that of ONNX for cases from before 1.23.
impl Default for Profiles {
    #[expect(clippy::expect_used, reason = "they are part of the program, and a test reads them")]
    fn default() -> Self {
        Self::of_suites(Suite::ALL, false, None).expect("the default profiles are there")
    }
}

impl Profiles {
    /// The profiles of the suites of these corpora: each its default one, unless one is `named` for
    /// all.
    pub fn of(
        corpora: &[(Suite, Corpus)],
        named: Option<&Arc<Profile>>,
    ) -> Result<Self, NamedError> {
        let is_newer = |(_, corpus): &(Suite, Corpus)| corpus.release().is_some_and(has_newer_rule);
        let newer = corpora.iter().filter(|(suite, _)| *suite == Suite::Onnx).all(is_newer);
        Self::of_suites(corpora.iter().map(|(suite, _)| *suite), newer, named)
    }

    /// The profiles of these suites, by ONNX's rule in its newer form or not.
    pub(crate) fn of_suites(
        suites: impl IntoIterator<Item = Suite>,
        newer: bool,
        named: Option<&Arc<Profile>>,
    ) -> Result<Self, NamedError> {
        let of = |default| {
            let default = Profile::named(default)?;
            let profile = Arc::clone(named.unwrap_or(&default));
            Ok::<_, NamedError>(SuiteProfile { profile, default })
        };
        let mut of_suite = BTreeMap::new();
        for suite in suites {
            let default = default(suite, newer);
            let own = if suite == Suite::Onnx { "onnx-exact" } else { default };
            of_suite.insert(suite, [of(default)?, of(own)?]);
        }
        let fallback = Profile::named(Profile::NAMES[0])?;
        Ok(Self { of_suite, ..Self::all(named.map_or(fallback, Arc::clone)) })
    }

    /// The same profile for every suite, whatever their default ones.
    pub fn all(profile: Arc<Profile>) -> Self {
        let fallback = SuiteProfile { default: Arc::clone(&profile), profile };
        Self { of_suite: BTreeMap::new(), fallback }
    }

    /// The profile of a suite's own or other cases.
    pub fn get(&self, suite: Suite, is_own: bool) -> &Profile {
        &self.suite(suite)[usize::from(is_own)].profile
    }

    /// The profiles of a suite's other and own cases, with the default ones; the same where no corpora
    /// say which those are.
    pub fn suite(&self, suite: Suite) -> [&SuiteProfile; 2] {
        self.of_suite.get(&suite).map_or([&self.fallback; 2], <[SuiteProfile; 2]>::each_ref)
    }
}

/// Whether the official runner of a release has its rule in the newer form.
pub(crate) fn has_newer_rule(release: &str) -> bool {
    corpus::number(release) >= Some((1, 23))
}

/// The profile of a suite where none is named: for ONNX's cases that of the official runner, in its
/// newer form where all of them come from releases that have it; exact results for all others.
fn default(suite: Suite, newer: bool) -> &'static str {
    match (suite, newer) {
        (Suite::Onnx, true) => "onnx-1.23",
        (Suite::Onnx, false) => "onnx",
        _ => "sonnx",
    }
}

#[cfg(test)]
mod tests {
    use std::path::Path;

    use super::*;
    use crate::corpus::{Digest, LOCK_FORMAT_VERSION, Lock};

    /// A corpus without cases, of a release or a folder of one's own.
    fn corpus(folder: &Path, release: Option<&str>) -> Corpus {
        let Some(release) = release else {
            std::fs::create_dir_all(folder.join("case/test_data_set_0")).unwrap();
            return Corpus::open_dir(folder).unwrap();
        };
        let lock = Lock {
            format_version: LOCK_FORMAT_VERSION,
            name: corpus::name_of_release(release),
            release: release.to_owned(),
            files: 0,
            bytes: 0,
            digest: Digest::of_all([]),
            schema: BTreeMap::new(),
            fetched_by: "",
            computed: None,
            cases: BTreeMap::new(),
        };
        Corpus::open_locked(folder, lock).unwrap()
    }

    const NEW: (Suite, Option<&str>) = (Suite::Onnx, Some("1.23.2"));
    const OLD: (Suite, Option<&str>) = (Suite::Onnx, Some("1.22.0"));
    const OWN: (Suite, Option<&str>) = (Suite::Onnx, None);
    const EXACT: (Suite, Option<&str>) = (Suite::Sonnx, None);

    fn corpora(chosen: &[(Suite, Option<&str>)]) -> Vec<(Suite, Corpus)> {
        let open = |&(suite, release): &(Suite, Option<&str>)| {
            let folder = tempfile::tempdir().unwrap();
            (suite, corpus(folder.path(), release))
        };
        chosen.iter().map(open).collect()
    }

    #[test]
    fn onnx_has_the_profile_of_the_oldest_runner_among_its_corpora() {
        for (chosen, profile) in [
            (vec![NEW], "onnx-1.23"),
            (vec![NEW, (Suite::Onnx, Some("2.0.0")), EXACT], "onnx-1.23"),
            (vec![NEW, OLD], "onnx"),
            (vec![NEW, OWN], "onnx"),
            (vec![OLD, EXACT], "onnx"),
        ] {
            let profiles = Profiles::of(&corpora(&chosen), None).unwrap();
            assert_eq!(profiles.get(Suite::Onnx, false).name(), profile, "{chosen:?}");
            assert_eq!(profiles.get(Suite::Onnx, true).name(), "onnx-exact", "{chosen:?}");
        }
    }

    #[test]
    fn no_suite_takes_its_profile_from_another() {
        for chosen in [vec![EXACT], vec![OLD, EXACT], vec![EXACT, NEW]] {
            let profiles = Profiles::of(&corpora(&chosen), None).unwrap();
            for profile in profiles.suite(Suite::Sonnx) {
                assert_eq!(profile.profile.name(), "sonnx", "{chosen:?}");
                assert!(!profile.is_laxer());
            }
        }
    }

    #[test]
    fn a_profile_that_is_named_is_that_of_all_and_tells_where_it_is_laxer() {
        let corpora = corpora(&[OLD, EXACT]);
        let named = |name| Profiles::of(&corpora, Some(&Profile::named(name).unwrap())).unwrap();
        let laxer = |profiles: &Profiles| {
            [Suite::Onnx, Suite::Sonnx]
                .map(|suite| profiles.suite(suite).map(SuiteProfile::is_laxer))
        };
        assert_eq!(named("onnx").get(Suite::Sonnx, true).name(), "onnx");
        assert_eq!(laxer(&named("onnx")), [[false, true], [true; 2]], "own cases are exact");
        assert_eq!(laxer(&named("ieee754")), [[false; 2]; 2]);
    }
}

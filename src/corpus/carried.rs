//! The suites' own cases, folder by folder: who asks for one case has the others of its operator unpacked,
//! and no more.

use std::path::Path;

use bytes::Bytes;

use super::{CaseDir, case_dir};
use crate::corpus::suite::Suite;
use crate::foundation::embedded;

/// The folder that holds the suites.
const SUITES: &str = "testdata/suites";

/// A folder of a suite's own cases, as the program carries them: those of one version of an operator.
#[derive(Clone, Copy, Debug)]
pub(crate) struct CarriedFolder {
    suite: Suite,
    path: &'static str,
}

impl CarriedFolder {
    /// The folders of a suite.
    pub(crate) fn all(suite: Suite) -> impl Iterator<Item = Self> {
        let folders = embedded::folders(Self::of(suite));
        folders.map(move |path| Self { suite, path })
    }

    /// The folder that holds those of a suite.
    pub(super) fn of(suite: Suite) -> String {
        format!("{SUITES}/{}", suite.name())
    }

    /// The suite.
    pub(crate) const fn suite(self) -> Suite {
        self.suite
    }

    /// How the ids of its cases begin.
    pub(crate) fn prefix(self) -> &'static str {
        self.within(SUITES.len() + 1)
    }

    /// The names of its cases, none of which is unpacked for them.
    pub(crate) fn names(self) -> impl Iterator<Item = &'static str> {
        let start = self.start();
        let paths = embedded::paths(self.path).filter_map(|path| path.strip_suffix("/case.json"));
        paths.filter_map(move |path| path.get(start..))
    }

    /// Its cases.
    pub(crate) fn cases(self) -> Vec<CaseDir> {
        let folder = self.within(self.start());
        let files: Vec<_> = embedded::below(self.path)
            .map(|(path, it)| (format!("{folder}/{path}"), Bytes::from_static(it)))
            .collect();
        let files = files.iter().map(|(path, content)| (path.as_str(), content.clone()));
        case_dir::of_files(files, Path::new(&Self::of(self.suite)))
    }

    /// Where the paths within the suite begin.
    fn start(self) -> usize {
        SUITES.len() + self.suite.name().len() + 2
    }

    fn within(self, start: usize) -> &'static str {
        self.path.get(start..).unwrap_or_default()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::corpus::Corpus;

    #[test]
    fn the_folders_of_a_suite_hold_its_cases_and_tell_their_names_before() {
        for suite in [Suite::Sonnx, Suite::OpenVino] {
            let whole = Corpus::carried(suite);
            let mut names: Vec<_> = whole.cases().iter().map(CaseDir::name).collect();
            names.sort_unstable();
            let folders: Vec<_> = CarriedFolder::all(suite).collect();
            let mut told: Vec<_> = folders.iter().flat_map(|folder| folder.names()).collect();
            told.sort_unstable();
            assert_eq!(told, names);
            let cases = folders.iter().flat_map(|folder| folder.cases());
            let digest = |case: &CaseDir| case.load().unwrap().digest();
            let mut digests: Vec<_> =
                cases.map(|case| (case.name().to_owned(), digest(&case))).collect();
            digests.sort_unstable();
            let mut expected: Vec<_> =
                whole.cases().iter().map(|case| (case.name().to_owned(), digest(case))).collect();
            expected.sort_unstable();
            assert_eq!(digests, expected);
        }
        let div = CarriedFolder::all(Suite::Sonnx).find(|folder| folder.prefix() == "sonnx/div");
        assert!(div.unwrap().names().all(|name| name.starts_with("div/")));
    }
}

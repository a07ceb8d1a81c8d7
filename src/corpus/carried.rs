//! The suites' own cases, folder by folder: who asks for one case has the others of its operator unpacked,
//! and no more.

use std::path::Path;

use bytes::Bytes;
use suites::embedded;

use super::{CaseDir, case_dir};
use crate::corpus::suite::Suite;

/// A group of a suite's own cases, as the program carries them: those of one version of an operator.
#[derive(Clone, Copy, Debug)]
pub(crate) struct CarriedFolder {
    suite: Suite,
    /// Such as `sonnx/div`.
    path: &'static str,
}

impl CarriedFolder {
    /// The groups of a suite.
    pub(crate) fn all(suite: Suite) -> impl Iterator<Item = Self> {
        embedded::groups(suite.name()).map(move |path| Self { suite, path })
    }

    /// The folder that holds those of a suite in a checkout.
    pub(super) fn of(suite: Suite) -> String {
        format!("testdata/suites/{}", suite.name())
    }

    /// The suite.
    pub(crate) const fn suite(self) -> Suite {
        self.suite
    }

    /// How the ids of its cases begin.
    pub(crate) const fn prefix(self) -> &'static str {
        self.path
    }

    /// The names of its cases, none of which is unpacked for them.
    pub(crate) fn names(self) -> impl Iterator<Item = String> {
        let paths = embedded::paths(self.path).filter_map(|path| path.strip_suffix("/case.json"));
        paths.map(move |path| format!("{}/{path}", self.folder()))
    }

    /// Its cases.
    pub(crate) fn cases(self) -> Vec<CaseDir> {
        let files: Vec<_> = embedded::files(self.path)
            .map(|(path, it)| (format!("{}/{path}", self.folder()), Bytes::from_static(it)))
            .collect();
        let files = files.iter().map(|(path, content)| (path.as_str(), content.clone()));
        case_dir::of_files(files, Path::new(&Self::of(self.suite)))
    }

    /// Its folder in the suite, such as `div`.
    fn folder(self) -> &'static str {
        self.path.split_once('/').map_or(self.path, |(_, folder)| folder)
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

//! Reports of one backend on different cases, made one.

use std::collections::BTreeSet;

use super::join::Source;
use crate::report::document::{Case, Report, Suite, Summary};
use crate::report::requirements_of;
use crate::requirements::{Catalogue, Matrix, UnknownRequirement};

/// Combines the reports of the same backend, with the same list of known failures, that have no case
/// in common, whatever their profiles:
/// a suite is judged under the profile that it is for, and a backend is one column all the same.
/// Each keeps the file of its first report; their order is that of the first ones.
///
/// # Errors
///
/// When a case names a requirement that the catalogue does not have.
pub fn combine(
    sources: Vec<Source>,
    catalogue: &Catalogue,
) -> Result<Vec<Source>, UnknownRequirement> {
    let mut combined: Vec<Source> = Vec::new();
    for source in sources {
        let fits = |known: &&mut Source| {
            known.report.backend == source.report.backend
                && known.report.expectations_list == source.report.expectations_list
                && are_apart(&known.report, &source.report)
        };
        match combined.iter_mut().find(fits) {
            None => combined.push(source),
            Some(known) => known.report.take_in(source.report, catalogue)?,
        }
    }
    Ok(combined)
}

fn are_apart(a: &Report, b: &Report) -> bool {
    let ids: BTreeSet<_> = a.cases.iter().map(|case| &case.id).collect();
    b.cases.iter().all(|case| !ids.contains(&case.id))
}

impl Report {
    /// Takes another report's cases in.
    fn take_in(&mut self, other: Self, catalogue: &Catalogue) -> Result<(), UnknownRequirement> {
        for suite in other.suites {
            if !self.suites.contains(&suite) {
                self.suites.push(suite);
            }
        }
        self.profile = Suite::profiles(&self.suites);
        // One that is in both with two digests is kept twice, which joining refuses.
        for corpus in other.corpora {
            if !self.corpora.contains(&corpus) {
                self.corpora.push(corpus);
            }
        }
        self.cases.extend(other.cases);
        self.summary = Summary::of(&self.cases);
        self.expectations.extend(other.expectations);
        let cases = self.cases.iter().map(Case::tested);
        self.requirements = requirements_of(&Matrix::of(catalogue, cases)?);
        Ok(())
    }
}

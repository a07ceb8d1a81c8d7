//! Joining reports by the ids of their cases, where they can be compared at all; those of one backend
//! on different cases are combined into one.

use std::collections::{BTreeMap, BTreeSet};
use std::path::PathBuf;

use crate::corpus::natural_order;
use crate::document::Contradiction;
use crate::documents::report::document::{Backend, Case, Corpus, Report, Suite, Summary};
use crate::documents::report::requirements_of;
use crate::documents::report::validate::of_names;
use crate::judge::requirements::{Catalogue, UnknownRequirement};

/// A report and the file that it was read from.
#[derive(Clone, Debug)]
pub struct Source {
    /// The file.
    pub path: PathBuf,
    /// What it holds.
    pub report: Report,
}

/// Reports that cannot be set side by side.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[expect(missing_docs, reason = "each variant's message says what it is")]
pub enum JoinError {
    #[error(
        "failed to compare `{first}` with `{second}`: both report {backend}, \
         and both have the case `{case}`; leave one of them out"
    )]
    SameBackend { first: PathBuf, second: PathBuf, backend: String, case: String },
    #[error(
        "failed to compare `{first}` with `{second}`: the corpus `{corpus}` has the digests \
         {digests}, so its cases are not the same; run both on the same corpus"
    )]
    OtherCorpus { first: PathBuf, second: PathBuf, corpus: String, digests: String },
    #[error("failed to use `{path}`: {found}; write the report anew")]
    Contradiction { path: PathBuf, found: Contradiction },
}

/// Reports joined by the ids of their cases.
#[derive(Clone, Debug)]
pub struct Joined<'a> {
    /// The reports, in the order given.
    pub(super) reports: Vec<&'a Report>,
    /// Every corpus, in the order of first appearance.
    pub(super) corpora: Vec<&'a Corpus>,
    /// Every case, in natural order of the ids.
    pub(super) rows: Vec<Row<'a>>,
}

/// A case in the reports that have it.
#[derive(Clone, Debug)]
pub(super) struct Row<'a> {
    pub(super) id: &'a str,
    /// For each report.
    pub(super) cells: Vec<Option<&'a Case>>,
}

impl<'a> Joined<'a> {
    /// Joins reports. They may be of other cases and of other profiles than each other.
    pub fn of(sources: &'a [Source]) -> Result<Self, JoinError> {
        let mut rows = BTreeMap::<&str, Vec<Option<&Case>>>::new();
        for (at, source) in sources.iter().enumerate() {
            let Report { corpora, cases, .. } = &source.report;
            of_names(corpora, cases.iter().map(|case| case.id.as_str()))
                .map_err(|found| JoinError::Contradiction { path: source.path.clone(), found })?;
            for case in cases {
                rows.entry(&case.id).or_insert_with(|| vec![None; sources.len()])[at] = Some(case);
            }
        }
        let mut rows: Vec<_> = rows.into_iter().map(|(id, cells)| Row { id, cells }).collect();
        rows.sort_by(|a, b| natural_order(a.id, b.id));
        check_backends(sources, &rows)?;
        let corpora = corpora(sources)?;
        Ok(Self { reports: sources.iter().map(|source| &source.report).collect(), corpora, rows })
    }
}

/// The corpora of all reports, each with one digest.
fn corpora(sources: &[Source]) -> Result<Vec<&Corpus>, JoinError> {
    let mut corpora = Vec::<(&Source, &Corpus)>::new();
    for source in sources {
        for corpus in &source.report.corpora {
            match corpora.iter().find(|(_, known)| known.name == corpus.name) {
                None => corpora.push((source, corpus)),
                Some((first, known)) if known.digest != corpus.digest => {
                    return Err(JoinError::OtherCorpus {
                        first: first.path.clone(),
                        second: source.path.clone(),
                        corpus: corpus.name.clone(),
                        digests: format!("{} and {}", known.digest, corpus.digest),
                    });
                }
                Some(_) => {}
            }
        }
    }
    Ok(corpora.into_iter().map(|(_, corpus)| corpus).collect())
}

/// No case has two answers of one backend under one profile.
fn check_backends(sources: &[Source], rows: &[Row<'_>]) -> Result<(), JoinError> {
    for (second_at, second) in sources.iter().enumerate() {
        let Backend { name, version, .. } = &second.report.backend;
        for (first_at, first) in sources[..second_at].iter().enumerate() {
            let backend = &first.report.backend;
            if backend.name != *name || backend.version != *version {
                continue;
            }
            let both = |row: &Row<'_>| {
                let [first, second] = [row.cells[first_at]?, row.cells[second_at]?];
                (first.profile == second.profile).then(|| first.clone())
            };
            if let Some(Case { id: case, profile, .. }) = rows.iter().find_map(both) {
                let backend = format!("{name} {version} under the profile `{profile}`");
                let [first, second] = [first, second].map(|source| source.path.clone());
                return Err(JoinError::SameBackend { first, second, backend, case });
            }
        }
    }
    Ok(())
}

/// Combines the reports of the same backend, with the same list of known failures, that have no case
/// in common, whatever their profiles: a suite is judged under the profile that it is for, and a backend
/// is one column all the same. Each keeps the file of its first report; their order is that of the first ones.
pub fn combine(
    sources: Vec<Source>,
    catalogue: &Catalogue,
) -> Result<Vec<Source>, UnknownRequirement> {
    let mut combined: Vec<Source> = Vec::new();
    for source in sources {
        let ids: BTreeSet<_> = source.report.cases.iter().map(|case| case.id.clone()).collect();
        let fits = |known: &&mut Source| {
            known.report.backend == source.report.backend
                && known.report.expectations_list == source.report.expectations_list
                && !known.report.cases.iter().any(|case| ids.contains(&case.id))
        };
        match combined.iter_mut().find(fits) {
            None => combined.push(source),
            Some(known) => known.report.take_in(source.report, catalogue)?,
        }
    }
    Ok(combined)
}

fn add_new<T: PartialEq>(all: &mut Vec<T>, others: Vec<T>) {
    let new: Vec<_> = others.into_iter().filter(|other| !all.contains(other)).collect();
    all.extend(new);
}

impl Report {
    fn take_in(&mut self, other: Self, catalogue: &Catalogue) -> Result<(), UnknownRequirement> {
        add_new(&mut self.suites, other.suites);
        self.profile = Suite::profiles(&self.suites);
        // One that is in both with two digests is kept twice, which joining refuses.
        add_new(&mut self.corpora, other.corpora);
        self.cases.extend(other.cases);
        self.summary = Summary::of(&self.cases);
        self.expectations.extend(other.expectations);
        self.requirements = requirements_of(catalogue, &self.cases)?;
        Ok(())
    }
}

//! Joining reports by the ids of their cases, where they can be compared at all.

use std::collections::{BTreeMap, BTreeSet};
use std::path::PathBuf;

use crate::corpus::natural_order;
use crate::report::document::{Case, Corpus, Report};

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
    #[error("failed to use `{path}`: it has {what} twice; write the report anew")]
    Twice { path: PathBuf, what: String },
    #[error(
        "failed to use `{path}`: the case `{case}` is of none of the report's corpora; \
         write the report anew"
    )]
    NoCorpus { path: PathBuf, case: String },
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
    ///
    /// # Errors
    ///
    /// When two are of one backend, version and profile and have a case in common, when a corpus
    /// has two digests, or a report contradicts itself.
    pub fn of(sources: &'a [Source]) -> Result<Self, JoinError> {
        let corpora = corpora(sources)?;
        let mut rows = BTreeMap::<&str, Vec<Option<&Case>>>::new();
        for (at, source) in sources.iter().enumerate() {
            let path = &source.path;
            for case in &source.report.cases {
                if !source.report.corpora.iter().any(|corpus| lies_in(&case.id, &corpus.name)) {
                    return Err(JoinError::NoCorpus { path: path.clone(), case: case.id.clone() });
                }
                let cells = rows.entry(&case.id).or_insert_with(|| vec![None; sources.len()]);
                if cells[at].replace(case).is_some() {
                    let what = format!("the case `{}`", case.id);
                    return Err(JoinError::Twice { path: path.clone(), what });
                }
            }
        }
        let mut rows: Vec<_> = rows.into_iter().map(|(id, cells)| Row { id, cells }).collect();
        rows.sort_by(|a, b| natural_order(a.id, b.id));
        check_backends(sources, &rows)?;
        Ok(Self { reports: sources.iter().map(|source| &source.report).collect(), corpora, rows })
    }
}

/// Whether a case lies in a corpus, whose name may hold slashes.
fn lies_in(case: &str, corpus: &str) -> bool {
    case.strip_prefix(corpus).is_some_and(|rest| rest.starts_with('/'))
}

/// The corpora of all reports, each with one digest.
fn corpora(sources: &[Source]) -> Result<Vec<&Corpus>, JoinError> {
    let mut corpora = Vec::<(&Source, &Corpus)>::new();
    for source in sources {
        let mut own = BTreeSet::new();
        for corpus in &source.report.corpora {
            if !own.insert(&corpus.name) {
                let what = format!("the corpus `{}`", corpus.name);
                return Err(JoinError::Twice { path: source.path.clone(), what });
            }
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
    let key = |source: &'_ Source| {
        let backend = &source.report.backend;
        (backend.name.clone(), backend.version.clone())
    };
    for (second_at, second) in sources.iter().enumerate() {
        for (first_at, first) in sources[..second_at].iter().enumerate() {
            if key(first) != key(second) {
                continue;
            }
            let profile = |row: &Row<'_>, at: usize| row.cells[at].map(|case| case.profile.clone());
            let both = |row: &&Row<'_>| {
                let first = profile(row, first_at);
                first.is_some() && first == profile(row, second_at)
            };
            if let Some(row) = rows.iter().find(both) {
                let (name, version) = key(first);
                let profile = profile(row, first_at).unwrap_or_default();
                return Err(JoinError::SameBackend {
                    first: first.path.clone(),
                    second: second.path.clone(),
                    backend: format!("{name} {version} under the profile `{profile}`"),
                    case: row.id.to_owned(),
                });
            }
        }
    }
    Ok(())
}

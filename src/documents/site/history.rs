//! The reports of a site, in order: by the time at which their runs were started, then by digest.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

use chrono::{DateTime, SecondsFormat, Utc};
use values::text::bounded;

use super::SiteError;
use super::document::Asked;
use crate::corpus::Digest;
use crate::corpus::variant::Variant;
use crate::document::JsonDocument;
use crate::documents::report::document::Report;

/// Most reports that a site is made of.
pub const MOST_REPORTS: usize = 1_000;

/// Most backends that they may be of.
pub const MOST_BACKENDS: usize = 100;

/// A file that holds a report, of which nothing else is kept.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) struct Source {
    time: DateTime<Utc>,
    pub(super) digest: Digest,
    path: PathBuf,
}

/// The series of each backend, each with its reports, the oldest first.
pub(super) type History = BTreeMap<String, BTreeMap<Asked, Vec<Source>>>;

/// Reads the reports, each once however often it is named, and puts them in order.
pub(super) fn of(paths: &[PathBuf]) -> Result<History, SiteError> {
    if paths.len() > MOST_REPORTS {
        return Err(SiteError::Reports(paths.len()));
    }
    let mut history = History::new();
    for path in paths {
        let (digest, report) = read(path)?;
        let time = time_of(path, &report)?;
        if let Some(shard) = &report.shard {
            let shard = shard.shard().to_string();
            return Err(SiteError::Shard { path: path.clone(), shard });
        }
        let asked = Asked::of(&report);
        let series = history.entry(report.backend.name).or_default().entry(asked).or_default();
        series.push(Source { time, digest, path: path.clone() });
    }
    if history.len() > MOST_BACKENDS {
        return Err(SiteError::Backends(history.len()));
    }
    for series in history.values_mut().flat_map(BTreeMap::values_mut) {
        series.sort_unstable();
        series.dedup_by_key(|source| source.digest);
    }
    Ok(history)
}

fn read(path: &Path) -> Result<(Digest, Report), SiteError> {
    let bytes = Report::read_bytes(path)?;
    Ok((Digest::of(&bytes), Report::from_bytes(path, &bytes)?))
}

fn time_of(path: &Path, report: &Report) -> Result<DateTime<Utc>, SiteError> {
    let clock = &report.provenance.clock;
    let time = DateTime::parse_from_rfc3339(clock);
    time.map(|time| time.to_utc()).map_err(|_| SiteError::Undated {
        path: path.to_owned(),
        clock: bounded(clock.clone(), 64),
    })
}

impl Source {
    /// The report, read once more.
    pub(super) fn report(&self) -> Result<Report, SiteError> {
        let (digest, report) = read(&self.path)?;
        match digest == self.digest {
            true => Ok(report),
            false => Err(SiteError::Altered(self.path.clone())),
        }
    }

    pub(super) fn path(&self) -> &Path {
        &self.path
    }

    /// When its run was started.
    pub(super) fn clock(&self) -> String {
        self.time.to_rfc3339_opts(SecondsFormat::AutoSi, true)
    }
}

impl Asked {
    fn of(report: &Report) -> Self {
        let variants = report.corpora.iter().filter_map(|corpus| Variant::split(&corpus.name));
        Self {
            suites: report.suites.iter().map(|suite| suite.name.clone()).collect(),
            variants: variants.map(|(variant, _)| variant.to_string()).collect(),
            challenge: report.challenge.clone(),
        }
    }
}

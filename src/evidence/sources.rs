//! What a pack is made of: reports and campaigns without provenance, the subject and the platforms.
//!
//! All else in a pack follows from these and from the tool.

use std::collections::{BTreeMap, BTreeSet};

use super::canonical;
use super::document::{Platforms, Seed, Subject};
use super::named::{Named, plain};
use super::outcome::Outcome;
use crate::campaign::Document as Campaign;
use crate::corpus::Digest;
use crate::report::document::{Backend, Corpus, Report, Tool};

/// What a pack is made of.
#[derive(Clone, Debug)]
pub(super) struct Sources {
    /// In order of their names.
    pub(super) reports: Vec<Named<Report>>,
    /// In order of their names.
    pub(super) campaigns: Vec<Named<Campaign>>,
    pub(super) subject: Subject,
    pub(super) platforms: Platforms,
    /// The text of each profile of the user's own that the pack holds, by its name.
    pub(super) own_profiles: BTreeMap<String, String>,
}

impl Sources {
    /// The paths of all reports and campaigns in the pack.
    pub(super) fn paths(&self) -> Vec<String> {
        let campaigns = self.campaigns.iter().map(Named::<Campaign>::path);
        self.reports.iter().map(Named::<Report>::path).chain(campaigns).collect()
    }

    /// What each report and campaign says of tool, backend and profile, with its path.
    pub(super) fn heads(&self) -> impl Iterator<Item = Head<'_>> {
        let reports = self.reports.iter().map(|report| Head {
            path: report.path(),
            tool: &report.document.tool,
            backend: &report.document.backend,
            profiles: report.document.suites.iter().map(|suite| suite.profile.as_str()).collect(),
        });
        reports.chain(self.campaigns.iter().map(|campaign| Head {
            path: campaign.path(),
            tool: &campaign.document.tool,
            backend: &campaign.document.backend,
            profiles: vec![campaign.document.profile.as_str()],
        }))
    }

    /// The profiles under which reports and campaigns were made, each once.
    pub(super) fn profiles(&self) -> BTreeSet<&str> {
        self.heads().flat_map(|head| head.profiles).collect()
    }

    /// The corpora of all reports, each once.
    pub(super) fn corpora(&self) -> Vec<&Corpus> {
        let mut corpora: Vec<&Corpus> = Vec::new();
        for corpus in self.reports.iter().flat_map(|report| &report.document.corpora) {
            if !corpora.contains(&corpus) {
                corpora.push(corpus);
            }
        }
        corpora.sort_by(|a, b| {
            crate::text::natural_order(&a.name, &b.name).then_with(|| a.digest.cmp(&b.digest))
        });
        corpora
    }

    /// Whatever was drawn at random was drawn from these.
    pub(super) fn seeds(&self) -> Vec<Seed> {
        let reports = self.reports.iter().map(|one| (one.path(), &one.document.provenance.seeds));
        let campaigns =
            self.campaigns.iter().map(|one| (one.path(), &one.document.provenance.seeds));
        let seeds = reports.chain(campaigns).flat_map(|(path, seeds)| {
            seeds.iter().map(move |(name, &value)| Seed {
                document: path.clone(),
                name: name.clone(),
                value,
            })
        });
        seeds.collect()
    }

    /// The path of the subject's document in the pack.
    pub(super) fn subject_path(&self) -> String {
        let name = match &self.subject.file {
            Some(file) => &file.name,
            None => &self.subject.backend.name,
        };
        format!("subjects/{}.json", plain(name))
    }

    /// The subject's name and digest, as a statement has them.
    pub(super) fn subject(&self) -> Result<(String, Digest), serde_json::Error> {
        Ok(match &self.subject.file {
            Some(file) => (file.name.clone(), file.sha256),
            None => (self.subject_path(), Digest::of(&canonical::to_bytes(&self.subject)?)),
        })
    }

    /// What all of it came to.
    pub(super) fn outcome(&self) -> Outcome {
        Outcome::of(&self.reports, &self.campaigns)
    }
}

/// The path of a profile's text in the pack.
pub(super) fn profile_path(name: &str) -> String {
    format!("profiles/{}.toml", plain(name))
}

/// What a report or campaign says of tool, backend and profiles.
pub(super) struct Head<'a> {
    pub(super) path: String,
    pub(super) tool: &'a Tool,
    pub(super) backend: &'a Backend,
    pub(super) profiles: Vec<&'a str>,
}

/// A member in which two backends differ, with what stands in each.
pub(super) fn differing(one: &Backend, other: &Backend) -> Option<(String, String, String)> {
    let (Backend { name, version, details }, Backend { details: others, .. }) = (one, other);
    if *name != other.name {
        return Some(("backend.name".to_owned(), name.clone(), other.name.clone()));
    }
    if *version != other.version {
        return Some(("backend.version".to_owned(), version.clone(), other.version.clone()));
    }
    let keys: BTreeSet<_> = details.keys().chain(others.keys()).collect();
    let key = keys.into_iter().find(|&key| details.get(key) != others.get(key))?;
    let value = |details: &std::collections::BTreeMap<String, String>| {
        details.get(key).cloned().unwrap_or_else(|| "nothing".to_owned())
    };
    Some((format!("backend.details.{key}"), value(details), value(others)))
}

//! What a pack is made of: reports and campaigns without provenance, the subject and the platforms.
//!
//! All else in a pack follows from these and from the tool.

use std::collections::{BTreeMap, BTreeSet};

use super::document::{Origin, Platform, Platforms, Seed, Subject};
use super::models::Inspected;
use super::named::{Evidence, Head, Named, plain};
use crate::corpus::Digest;
use crate::document::JsonDocument;
use crate::document::provenance::FEATURES;
use crate::documents::report::document::{Backend, Corpus, Provenance, Report};
use crate::foundation::text::natural_order;
use crate::measure::campaign::Campaign;

#[derive(Clone, Debug)]
pub(super) struct Sources {
    /// The reports and then the campaigns, each in order of their names.
    pub(super) documents: Vec<Named>,
    pub(super) subject: Subject,
    pub(super) platforms: Platforms,
    /// The text of each profile of the user's own that the pack holds, by its name.
    pub(super) own_profiles: BTreeMap<String, String>,
    /// The models that were inspected, in order of their names.
    pub(super) models: Vec<Inspected>,
}

impl Sources {
    pub(super) fn reports(&self) -> impl Iterator<Item = (&Named, &Report)> {
        self.documents.iter().filter_map(|named| match &named.document {
            Evidence::Report(report) => Some((named, report.as_ref())),
            Evidence::Campaign(_) => None,
        })
    }

    pub(super) fn campaigns(&self) -> impl Iterator<Item = (&Named, &Campaign)> {
        self.documents.iter().filter_map(|named| match &named.document {
            Evidence::Report(_) => None,
            Evidence::Campaign(campaign) => Some((named, campaign.as_ref())),
        })
    }

    /// What each document says, with its path.
    pub(super) fn heads(&self) -> impl Iterator<Item = (&str, Head<'_>)> {
        self.documents.iter().map(|named| (named.path.as_str(), named.document.head()))
    }

    /// The profiles under which the documents were made, each once.
    pub(super) fn profiles(&self) -> BTreeSet<&str> {
        self.heads().flat_map(|(_, head)| head.profiles).collect()
    }

    /// The corpora of all reports, each once.
    pub(super) fn corpora(&self) -> Vec<&Corpus> {
        let mut corpora: Vec<_> = self.reports().flat_map(|(_, report)| &report.corpora).collect();
        corpora.sort_by(|a, b| {
            natural_order(&a.name, &b.name)
                .then_with(|| (&a.digest, a.cases).cmp(&(&b.digest, b.cases)))
        });
        corpora.dedup();
        corpora
    }

    /// Whatever was drawn at random was drawn from these.
    pub(super) fn seeds(&self) -> Vec<Seed> {
        let of_document = |(path, head): (&str, Head<'_>)| {
            let seed = |(name, &value): (&String, &u64)| Seed {
                document: path.to_owned(),
                name: name.clone(),
                value,
            };
            head.provenance.seeds.iter().map(seed).collect::<Vec<_>>()
        };
        self.heads().flat_map(of_document).collect()
    }

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
            None => (self.subject_path(), Digest::of(&self.subject.to_bytes()?)),
        })
    }
}

pub(super) fn profile_path(name: &str) -> String {
    format!("profiles/{}.toml", plain(name))
}

impl Platforms {
    /// The platforms that documents were made on. `platform.json` holds what may bear on results and is
    /// the same for every run on a machine; what is different from run to run or bears on nothing (time,
    /// durations, number of CPUs, standard error) stays in `provenance.json`.
    pub(super) fn of(origins: &[Origin]) -> Self {
        let mut platforms: Vec<Platform> = Vec::new();
        for Origin { path, provenance, .. } in origins {
            let found = Platform::of(provenance);
            let same = |known: &&mut Platform| {
                Platform { documents: Vec::new(), ..(**known).clone() } == found
            };
            match platforms.iter_mut().find(same) {
                Some(known) => known.documents.push(path.clone()),
                None => platforms.push(Platform { documents: vec![path.clone()], ..found }),
            }
        }
        Self::new(platforms)
    }
}

impl Platform {
    fn of(provenance: &Provenance) -> Self {
        let known = |text: &String| (!text.is_empty()).then(|| text.clone());
        let host = |name: &str| provenance.host.get(name).and_then(known);
        Self {
            documents: Vec::new(),
            target: host("target"),
            os: host("os"),
            arch: host("arch"),
            cpu_features: host(FEATURES),
            toolchain: known(&provenance.toolchain),
            rounding_mode: known(&provenance.rounding_mode),
            subnormal_policy: known(&provenance.subnormal_policy),
        }
    }
}

/// A member in which two backends differ, with what stands in each.
pub(super) fn differing(one: &Backend, other: &Backend) -> Option<(String, String, String)> {
    let (Backend { name, version, details }, Backend { details: others, .. }) = (one, other);
    for (member, one, other) in [("name", name, &other.name), ("version", version, &other.version)]
    {
        if one != other {
            return Some((format!("backend.{member}"), one.clone(), other.clone()));
        }
    }
    let keys: BTreeSet<_> = details.keys().chain(others.keys()).collect();
    let key = keys.into_iter().find(|&key| details.get(key) != others.get(key))?;
    let value = |details: &BTreeMap<String, String>| {
        details.get(key).cloned().unwrap_or_else(|| "nothing".to_owned())
    };
    Some((format!("backend.details.{key}"), value(details), value(others)))
}

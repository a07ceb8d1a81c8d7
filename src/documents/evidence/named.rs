//! The reports and campaigns of a pack, and their names in it.

use std::collections::BTreeSet;
use std::path::Path;

use serde::Serialize;

use crate::corpus::Digest;
use crate::document::{JsonDocument, ReadError, to_bytes};
use crate::documents::report::document::{Backend, Provenance, Report, Tool};
use crate::measure::campaign::{self, Campaign};

/// Longest name of a document, in bytes.
const LONGEST_NAME: usize = 80;

/// What a document may be.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum DocumentKind {
    Report,
    Campaign,
}

#[derive(Clone, Debug, Serialize)]
#[serde(untagged)]
pub(super) enum Evidence {
    Report(Box<Report>),
    Campaign(Box<Campaign>),
}

impl DocumentKind {
    /// In a pack the folder of all, and the names of a document and its page.
    const fn names(self) -> [&'static str; 3] {
        match self {
            Self::Report => ["reports", "report.json", "report.html"],
            Self::Campaign => ["campaigns", campaign::DOCUMENT, campaign::PAGE],
        }
    }

    /// What lies at a path of a pack, where that is the one of a document in a folder of its own.
    pub(super) fn at(path: &str) -> Option<Self> {
        let &[folder, _, name] = path.split('/').collect::<Vec<_>>().as_slice() else {
            return None;
        };
        let is_of = |kind: &Self| kind.names()[..2] == [folder, name];
        [Self::Report, Self::Campaign].into_iter().find(is_of)
    }

    /// The document in the bytes of a file; `path` names it in errors.
    pub(super) fn document(self, path: &Path, bytes: &[u8]) -> Result<Evidence, ReadError> {
        Ok(match self {
            Self::Report => Evidence::Report(Report::from_bytes(path, bytes)?.into()),
            Self::Campaign => Evidence::Campaign(Campaign::from_bytes(path, bytes)?.into()),
        })
    }
}

/// What every document says.
pub(super) struct Head<'a> {
    pub(super) tool: &'a Tool,
    pub(super) backend: &'a Backend,
    pub(super) profiles: Vec<&'a str>,
    /// Elements or inputs whose results were compared.
    pub(super) compared: u64,
    pub(super) provenance: &'a Provenance,
}

impl Evidence {
    pub(super) fn head(&self) -> Head<'_> {
        match self {
            Self::Report(report) => Head {
                tool: &report.tool,
                backend: &report.backend,
                profiles: report.suites.iter().map(|suite| suite.profile.as_str()).collect(),
                compared: report.summary.elements_compared,
                provenance: &report.provenance,
            },
            Self::Campaign(campaign) => Head {
                tool: &campaign.tool,
                backend: &campaign.backend,
                profiles: vec![&campaign.profile],
                compared: campaign.executed,
                provenance: &campaign.provenance,
            },
        }
    }

    pub(super) const fn provenance_mut(&mut self) -> &mut Provenance {
        match self {
            Self::Report(report) => &mut report.provenance,
            Self::Campaign(campaign) => &mut campaign.provenance,
        }
    }

    /// What its name is made of.
    fn base_name(&self) -> String {
        match self {
            Self::Report(report) => {
                let Report { cases, profile, .. } = report.as_ref();
                let suites: BTreeSet<_> = cases.iter().map(|case| case.suite.as_str()).collect();
                let suites: Vec<_> = suites.into_iter().collect();
                format!("{}-under-{}", suites.join("-"), profile.replace(", ", "-"))
            }
            Self::Campaign(campaign) => {
                let Campaign { operator, type_name, strategy, profile, .. } = campaign.as_ref();
                format!("{operator}-{type_name}-{strategy}-under-{profile}")
            }
        }
    }
}

/// A document with its place in the pack.
#[derive(Clone, Debug)]
pub(super) struct Named {
    pub(super) name: String,
    pub(super) folder: String,
    pub(super) path: String,
    pub(super) page: String,
    pub(super) document: Evidence,
    /// Its content in the pack.
    pub(super) bytes: Vec<u8>,
}

impl Named {
    /// Names documents, the reports first, and keeps what comes with each.
    pub(super) fn all<G>(documents: Vec<(Evidence, G)>) -> serde_json::Result<Vec<(Self, G)>> {
        let is_report = |(document, _): &(Evidence, G)| matches!(document, Evidence::Report(_));
        let (reports, campaigns): (Vec<_>, Vec<_>) = documents.into_iter().partition(is_report);
        let mut all = Vec::new();
        for (documents, kind) in
            [(reports, DocumentKind::Report), (campaigns, DocumentKind::Campaign)]
        {
            let [within, file, page] = kind.names();
            let with_bytes = |(document, given): (Evidence, G)| {
                Ok((document.base_name(), to_bytes(&document)?, (document, given)))
            };
            let documents = documents.into_iter().map(with_bytes);
            let documents = documents.collect::<serde_json::Result<_>>()?;
            for (name, bytes, (document, given)) in numbered(documents) {
                let folder = format!("{within}/{name}");
                let (path, page) = (format!("{folder}/{file}"), format!("{folder}/{page}"));
                all.push((Self { name, folder, path, page, document, bytes }, given));
            }
        }
        Ok(all)
    }
}

/// Gives documents, which come with what they say of themselves and their content, their names: from
/// what they say, and where that is the same from their content, so that neither the names nor the
/// order of the files that were given matter.
fn numbered<D>(documents: Vec<(String, Vec<u8>, D)>) -> Vec<(String, Vec<u8>, D)> {
    let plain = |(base, bytes, document): (String, _, _)| (plain(&base), bytes, document);
    let mut documents: Vec<_> = documents.into_iter().map(plain).collect();
    documents.sort_by_cached_key(|(base, bytes, _)| (base.clone(), Digest::of(bytes)));
    let mut taken = BTreeSet::new();
    for (name, ..) in &mut documents {
        let numbered = (2..).map(|number: u64| format!("{name}-{number}"));
        let mut names = std::iter::once(name.clone()).chain(numbered);
        *name = names.find(|name| taken.insert(name.clone())).unwrap_or_default();
    }
    documents
}

/// A name that is a plain one of a file everywhere.
pub(super) fn plain(name: &str) -> String {
    let is_plain = |c: char| c.is_ascii_lowercase() || c.is_ascii_digit() || "-_.".contains(c);
    let name: String = name
        .to_lowercase()
        .chars()
        .map(|c| if is_plain(c) { c } else { '_' })
        .take(LONGEST_NAME)
        .collect();
    let name = name.trim_start_matches(['.', '-']).trim_end_matches('.');
    if name.is_empty() { "unnamed".to_owned() } else { name.to_owned() }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_are_plain_whatever_they_are_made_of() {
        for (name, expected) in [
            ("Div-float16-exhaustive", "div-float16-exhaustive"),
            ("../../etc/passwd", "_.._etc_passwd"),
            ("", "unnamed"),
            ("...", "unnamed"),
            ("a b:c\u{202e}é", "a_b_c__"),
            ("-rf", "rf"),
        ] {
            assert_eq!(plain(name), expected);
        }
        assert_eq!(plain(&"x".repeat(1000)).len(), LONGEST_NAME);
    }

    #[test]
    fn documents_of_one_name_are_numbered_whatever_their_order() {
        let name = |bytes: &[&'static str]| {
            let document = |&text: &&'static str| ("a".to_owned(), text.as_bytes().to_vec(), text);
            let named = numbered(bytes.iter().map(document).collect());
            named.into_iter().map(|(name, _, text)| (name, text)).collect::<Vec<_>>()
        };
        assert_eq!(name(&["x", "y", "z"]), name(&["z", "x", "y"]));
        let names: Vec<_> = name(&["x", "y", "z"]).into_iter().map(|(name, _)| name).collect();
        assert_eq!(names, ["a", "a-2", "a-3"]);
    }
}

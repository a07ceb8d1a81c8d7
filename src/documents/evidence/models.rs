//! The models of a pack, as they were inspected: their uses of operators, and what the pack's documents have of these.

use std::collections::BTreeSet;

use super::named::{Evidence, Named, plain};
use crate::corpus::Digest;
use crate::document::JsonDocument;
use crate::document::provenance::Provenance;
use crate::models::inspect::document::Inspection;
use crate::models::inspect::{self, Results};

/// The folder of all.
const FOLDER: &str = "models";

/// A model's inspection with its place in the pack.
#[derive(Clone, Debug)]
pub(super) struct Inspected {
    pub(super) path: String,
    pub(super) page: String,
    pub(super) document: Inspection,
    /// Its content in the pack.
    pub(super) bytes: Vec<u8>,
}

impl Inspected {
    /// Names inspections after their models and takes out where and when they were made.
    pub(super) fn all(documents: Vec<Inspection>) -> serde_json::Result<Vec<Self>> {
        let mut documents: Vec<(String, Inspection)> = documents
            .into_iter()
            .map(|document| {
                let name = plain(&document.model.name);
                (name, Inspection { provenance: Provenance::default(), ..document })
            })
            .collect();
        documents
            .sort_by(|(one, a), (other, b)| (one, &a.model.digest).cmp(&(other, &b.model.digest)));
        let mut taken = BTreeSet::new();
        let mut all = Vec::new();
        for (name, document) in documents {
            let numbered = (2..).map(|number: u64| format!("{name}-{number}"));
            let mut names = std::iter::once(name.clone()).chain(numbered);
            let name = names.find(|name| taken.insert(name.clone())).unwrap_or_default();
            let [path, page] =
                [inspect::DOCUMENT, inspect::PAGE].map(|file| format!("{FOLDER}/{name}/{file}"));
            let bytes = document.to_bytes()?;
            all.push(Self { path, page, document, bytes });
        }
        Ok(all)
    }

    /// Whether the document of a model lies at a path of a pack.
    pub(super) fn is_at(path: &str) -> bool {
        let parts: Vec<&str> = path.split('/').collect();
        matches!(*parts, [FOLDER, _, inspect::DOCUMENT])
    }

    /// The digest of the model's file.
    pub(super) fn digest(&self) -> Option<Digest> {
        self.document.model.digest.parse().ok()
    }
}

/// What the documents of a pack have of uses.
pub(super) fn results(documents: &[Named]) -> Results<'_> {
    let mut results = Results::default();
    for Named { document, bytes, .. } in documents {
        match document {
            Evidence::Report(report) => results.reports.push((report, Digest::of(bytes))),
            Evidence::Campaign(campaign) => results.campaigns.push((campaign, Digest::of(bytes))),
        }
    }
    results
}

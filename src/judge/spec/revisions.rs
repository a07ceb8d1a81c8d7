//! Newer revisions of documents beside the older ones: requirement by requirement what changed, and which findings
//! came and went.

use std::collections::BTreeMap;

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::{Cause, DefectKind, Finding, Unreadable};
use reference::operators::{OPERATORS, REVISIONS};

/// A newer revision of a document beside the older one.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Revision {
    /// Key of the older document, such as `sonnx-div`.
    pub older: String,
    /// Key of the newer one, such as `sonnx-div-newer`.
    pub newer: String,
    /// What the newer one is called.
    pub title: String,
    /// Digest of its file.
    pub sha256: String,
    /// How many requirements both state alike.
    pub alike: u64,
    /// All others.
    pub changes: Vec<Change>,
    /// The findings that only one of the two has, or that affect more or less in one.
    pub effects: Vec<Effect>,
}

/// A requirement that is not stated alike.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Change {
    /// Its tag.
    pub requirement: String,
    /// What became of it.
    pub change: ChangeKind,
    /// What the older document states.
    pub older: Option<String>,
    /// What the newer one states.
    pub newer: Option<String>,
    /// What has to be known of it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub note: Option<String>,
}

/// What became of a requirement.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum ChangeKind {
    /// It states something else.
    Changed,
    /// Only the newer document has it.
    Added,
    /// A new one stands for it.
    Replaced,
    /// Only the older document has it.
    Dropped,
}

impl ChangeKind {
    /// The kind in a word.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Changed => "changed",
            Self::Added => "added",
            Self::Replaced => "replaced",
            Self::Dropped => "dropped",
        }
    }
}

/// A finding on what it is in either document.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Effect {
    /// Tag of the requirement.
    pub requirement: String,
    /// What it was found on.
    pub domain: String,
    /// What is the matter.
    pub kind: DefectKind,
    /// What it has in common with others, in a sentence.
    pub cause: String,
    /// How many operands, shapes or printed results it affects in the older document, and in the newer one.
    pub counts: [u64; 2],
}

/// The catalogue of a newer document, of which the statements are only those that differ.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
struct Newer {
    key: String,
    older: String,
    title: String,
    sha256: String,
    alike: Vec<String>,
    #[serde(default)]
    requirement: Vec<Entry>,
}

#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
struct Entry {
    id: String,
    #[expect(dead_code, reason = "for readers of the catalogue")]
    section: String,
    statement: String,
    /// What it replaces.
    #[serde(default)]
    replaces: Vec<String>,
    note: Option<String>,
}

/// What is read of the catalogue of an older document.
#[derive(Deserialize)]
struct Older {
    requirement: Vec<OlderEntry>,
}

#[derive(Deserialize)]
struct OlderEntry {
    id: String,
    statement: String,
}

/// Every newer revision beside the older one, with the findings of both.
pub fn revisions(findings: &[Finding]) -> Result<Vec<Revision>, Unreadable> {
    let revision = |&(name, text): &(&'static str, &'static str)| {
        let unreadable = |source| Unreadable { name, source };
        let newer: Newer = toml::from_str(text).map_err(unreadable)?;
        let mut documents = OPERATORS.iter().flat_map(|operator| operator.documents);
        let older = match documents.find(|document| document.key == newer.older) {
            Some(older) => toml::from_str(older.catalogue).map_err(unreadable)?,
            None => Older { requirement: Vec::new() },
        };
        Ok(compared(&older, newer, findings))
    };
    REVISIONS.iter().map(revision).collect()
}

fn compared(older: &Older, newer: Newer, findings: &[Finding]) -> Revision {
    let older_statement = |id: &str| {
        older.requirement.iter().find(|entry| entry.id == id).map(|entry| entry.statement.clone())
    };
    let is_alike = |entry: &&OlderEntry| {
        let same = |now: &Entry| now.id == entry.id && now.statement == entry.statement;
        newer.alike.contains(&entry.id) || newer.requirement.iter().any(same)
    };
    let mut changes = Vec::new();
    for entry in older.requirement.iter().filter(|entry| !is_alike(entry)) {
        let now = newer.requirement.iter().find(|now| now.id == entry.id);
        let successor = newer.requirement.iter().find(|now| now.replaces.contains(&entry.id));
        let (change, stated) = match (now, successor) {
            (Some(now), _) => (ChangeKind::Changed, Some(now.statement.clone())),
            (None, Some(successor)) => {
                let told = format!("{}: {}", successor.id, successor.statement);
                (ChangeKind::Replaced, Some(told))
            }
            (None, None) => (ChangeKind::Dropped, None),
        };
        let (requirement, older) = (entry.id.clone(), Some(entry.statement.clone()));
        let note = now.and_then(|now| now.note.clone());
        changes.push(Change { requirement, change, older, newer: stated, note });
    }
    for now in &newer.requirement {
        if older_statement(&now.id).is_none() {
            let (requirement, stated) = (now.id.clone(), Some(now.statement.clone()));
            let change = ChangeKind::Added;
            let note = now.note.clone();
            changes.push(Change { requirement, change, older: None, newer: stated, note });
        }
    }
    let alike = older.requirement.iter().filter(is_alike).count() as u64;
    let effects = effects(&newer.older, &newer.key, findings);
    Revision {
        older: newer.older,
        newer: newer.key,
        title: newer.title,
        sha256: newer.sha256,
        alike,
        changes,
        effects,
    }
}

/// The findings that differ in what they affect, older ones first. What either document is set against in other
/// documents is no effect of the revision.
fn effects(older: &str, newer: &str, findings: &[Finding]) -> Vec<Effect> {
    type Key<'a> = (Cause, &'a str, &'a str, DefectKind);
    let mut counts: BTreeMap<Key<'_>, [u64; 2]> = BTreeMap::new();
    for finding in findings.iter().filter(|finding| finding.cause != Cause::OtherDocument) {
        let Some(at) = [older, newer].iter().position(|key| *key == finding.document) else {
            continue;
        };
        let key = (finding.cause, &*finding.requirement, finding.domain, finding.kind);
        if let Some(count) = counts.entry(key).or_default().get_mut(at) {
            *count = count.saturating_add(finding.count);
        }
    }
    let effect = |((cause, requirement, domain, kind), counts): (Key<'_>, [u64; 2])| {
        let [before, after] = counts;
        (before != after).then(|| Effect {
            requirement: requirement.to_owned(),
            domain: domain.to_owned(),
            kind,
            cause: cause.says().to_owned(),
            counts,
        })
    };
    counts.into_iter().filter_map(effect).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    const OLDER: &str = r#"
        [[requirement]]
        id = "P_A"
        statement = "a"
        [[requirement]]
        id = "P_B"
        statement = "b"
        [[requirement]]
        id = "P_C"
        statement = "c"
        [[requirement]]
        id = "P_D"
        statement = "d"
    "#;
    const NEWER: &str = r#"
        key = "newer"
        older = "older"
        title = "Newer"
        sha256 = ""
        alike = ["P_A"]
        [[requirement]]
        id = "P_B"
        section = ""
        statement = "b, but otherwise"
        [[requirement]]
        id = "P_E"
        section = ""
        statement = "e"
        replaces = ["P_C"]
    "#;

    #[test]
    fn what_became_of_each_requirement_follows_from_the_two_catalogues() {
        let revision =
            compared(&toml::from_str(OLDER).unwrap(), toml::from_str(NEWER).unwrap(), &[]);
        let changes: Vec<_> = revision
            .changes
            .iter()
            .map(|change| (&*change.requirement, change.change, change.newer.as_deref()))
            .collect();
        assert_eq!(
            changes,
            [
                ("P_B", ChangeKind::Changed, Some("b, but otherwise")),
                ("P_C", ChangeKind::Replaced, Some("P_E: e")),
                ("P_D", ChangeKind::Dropped, None),
                ("P_E", ChangeKind::Added, Some("e")),
            ]
        );
        assert_eq!(revision.alike, 1);
    }

    #[test]
    fn every_requirement_that_is_named_is_one_of_the_older_document() {
        for (name, text) in REVISIONS {
            let newer: Newer = toml::from_str(text).unwrap();
            let mut documents = OPERATORS.iter().flat_map(|operator| operator.documents);
            let older = documents.find(|document| document.key == newer.older).unwrap();
            let older: Older = toml::from_str(older.catalogue).unwrap();
            let replaced = newer.requirement.iter().flat_map(|entry| &entry.replaces);
            for id in newer.alike.iter().chain(replaced) {
                assert!(older.requirement.iter().any(|entry| entry.id == *id), "{name}: {id}");
            }
            for entry in &newer.requirement {
                let same = |older: &OlderEntry| older.statement == entry.statement;
                assert!(
                    !older.requirement.iter().any(same),
                    "{name}: {} is stated alike",
                    entry.id
                );
            }
        }
    }
}

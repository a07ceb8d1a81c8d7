//! The documents of a pack with their names in it.

use std::collections::BTreeSet;

use crate::campaign::Document as Campaign;
use crate::corpus::Digest;
use crate::document::JsonDocument;
use crate::report::document::Report;

/// Longest name of a document, in bytes.
const LONGEST_NAME: usize = 80;

/// A document with its name in the pack.
#[derive(Clone, Debug)]
pub(super) struct Named<T> {
    pub(super) name: String,
    pub(super) document: T,
    /// Its content in the pack.
    pub(super) bytes: Vec<u8>,
}

impl<T> Named<T> {
    /// Gives documents their names: from what they say, and where that is the same from their
    /// content, so that neither the names nor the order of the files that were given matter.
    pub(super) fn all(documents: Vec<(T, Vec<u8>)>, base: impl Fn(&T) -> String) -> Vec<Self> {
        let mut named: Vec<_> = documents
            .into_iter()
            .map(|(document, bytes)| (plain(&base(&document)), Digest::of(&bytes), document, bytes))
            .collect();
        named.sort_by(|a, b| (&a.0, a.1).cmp(&(&b.0, b.1)));
        let mut taken = BTreeSet::new();
        named
            .into_iter()
            .map(|(base, _, document, bytes)| {
                let numbered = (2..).map(|number: u64| format!("{base}-{number}"));
                let mut names = std::iter::once(base.clone()).chain(numbered);
                let name = names.find(|name| taken.insert(name.clone())).unwrap_or(base);
                Self { name, document, bytes }
            })
            .collect()
    }
}

impl Named<Report> {
    /// The path of its document in the pack.
    pub(super) fn path(&self) -> String {
        format!("{}/report.json", self.folder())
    }

    /// The path of its folder in the pack.
    pub(super) fn folder(&self) -> String {
        format!("reports/{}", self.name)
    }

    /// Reports with their names.
    pub(super) fn reports(reports: Vec<Report>) -> Result<Vec<Self>, serde_json::Error> {
        let with_bytes = |report: Report| report.to_bytes().map(|bytes| (report, bytes));
        let reports = reports.into_iter().map(with_bytes).collect::<Result<_, _>>()?;
        Ok(Self::all(reports, |report| {
            let suites: BTreeSet<_> = report.cases.iter().map(|case| case.suite.as_str()).collect();
            let suites: Vec<_> = suites.into_iter().collect();
            format!("{}-under-{}", suites.join("-"), report.profile.replace(", ", "-"))
        }))
    }
}

impl Named<Campaign> {
    /// The path of its document in the pack.
    pub(super) fn path(&self) -> String {
        format!("{}/campaign.json", self.folder())
    }

    /// The path of its folder in the pack.
    pub(super) fn folder(&self) -> String {
        format!("campaigns/{}", self.name)
    }

    /// Campaigns with their names.
    pub(super) fn campaigns(campaigns: Vec<Campaign>) -> Result<Vec<Self>, serde_json::Error> {
        let with_bytes = |campaign: Campaign| campaign.to_bytes().map(|bytes| (campaign, bytes));
        let campaigns = campaigns.into_iter().map(with_bytes).collect::<Result<_, _>>()?;
        Ok(Self::all(campaigns, |campaign| {
            let Campaign { operator, type_name, strategy, profile, .. } = campaign;
            format!("{operator}-{type_name}-{strategy}-under-{profile}")
        }))
    }
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
            let documents = bytes.iter().map(|&text| (text, text.as_bytes().to_vec())).collect();
            let named = Named::all(documents, |_| "a".to_owned());
            named.into_iter().map(|one| (one.name, one.document)).collect::<Vec<_>>()
        };
        assert_eq!(name(&["x", "y", "z"]), name(&["z", "x", "y"]));
        let names: Vec<_> = name(&["x", "y", "z"]).into_iter().map(|(name, _)| name).collect();
        assert_eq!(names, ["a", "a-2", "a-3"]);
    }
}

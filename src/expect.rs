//! Expectations: the known failures of a backend, each with its reason.
//!
//! A known failure is run all the same, and its verdict is compared with the known one: a pass is then
//! unexpected, and an entry that matches no case is stale.

use std::fmt;
use std::path::Path;

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::corpus::Digest;
use crate::limits;
use crate::text;
use crate::verdict::Verdict;

/// The known failures of one backend, in the order of their file.
#[derive(Clone, Debug, Default)]
pub struct Expectations {
    list: Option<List>,
    entries: Vec<Known>,
}

/// A list of known failures.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
#[schemars(rename = "ExpectationsList")]
pub struct List {
    /// Name of its file, without the folder.
    pub name: String,
    /// SHA-256 of its text.
    pub sha256: String,
}

impl List {
    /// Its name with as many digits of the digest as tell lists apart, for a line of a terminal.
    pub fn short(&self) -> String {
        let digest: String = self.sha256.chars().take(16).collect();
        format!("{}, SHA-256 {digest}...", self.name)
    }
}

impl fmt::Display for List {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} (SHA-256 {})", self.name, self.sha256)
    }
}

/// Cases that are known to fail, and why.
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Known {
    /// Their ids; `*` stands for any characters.
    pub cases: String,
    /// Their verdict.
    pub verdict: Verdict,
    /// Why.
    pub reason: String,
    /// Where that is reported or discussed.
    pub link: Option<String>,
}

/// The text is no list of expectations.
#[derive(Debug, thiserror::Error)]
#[expect(missing_docs, reason = "each variant's message says what it is")]
pub enum ExpectError {
    #[error("failed to read the expectations `{file}`; see testdata/README.md for their form")]
    Toml { file: String, source: Box<toml::de::Error> },
    #[error("{file}: the entry `{cases}` {problem}")]
    Entry { file: String, cases: String, problem: String },
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct File {
    #[serde(default)]
    known: Vec<Known>,
}

impl Expectations {
    /// The expectations that a TOML text states; `file` goes into errors.
    pub fn parse(file: &str, text: &str) -> Result<Self, ExpectError> {
        let File { known: entries } = limits::from_toml(text)
            .map_err(|source| ExpectError::Toml { file: file.to_owned(), source: source.into() })?;
        for Known { cases, verdict, reason, .. } in &entries {
            let problem = if !verdict.is_failure() {
                format!("expects `{verdict}`; a known failure is fail, crash, timeout or fault")
            } else if reason.trim().is_empty() {
                "has no reason; say why the cases fail".to_owned()
            } else if cases.split_once('/').is_none_or(|(corpus, _)| corpus.contains('*')) {
                "does not begin with the name of a corpus, as in `sonnx/div/*`".to_owned()
            } else {
                continue;
            };
            let (file, cases) = (file.to_owned(), cases.clone());
            return Err(ExpectError::Entry { file, cases, problem });
        }
        let name = Path::new(file).file_name().unwrap_or_default().to_string_lossy().into_owned();
        let list = Some(List { name, sha256: Digest::of(text.as_bytes()).to_string() });
        Ok(Self { list, entries })
    }

    /// The list that they come from; none where the run was given none.
    pub const fn list(&self) -> Option<&List> {
        self.list.as_ref()
    }

    /// The entries in the order of their file.
    pub fn entries(&self) -> &[Known] {
        &self.entries
    }

    /// The same known failures of other corpora, as far as these stand for the ones that the entries name; the
    /// others are left out.
    pub(crate) fn of_corpora(&self, other: impl Fn(&str) -> Option<String>) -> Self {
        let entry = |entry: &Known| {
            let cases = entry.cases.strip_prefix(entry.corpus())?;
            Some(Known { cases: other(entry.corpus())? + cases, ..entry.clone() })
        };
        Self { entries: self.entries.iter().filter_map(entry).collect(), ..self.clone() }
    }

    /// Place of the first entry that matches a case.
    pub fn position(&self, id: &str) -> Option<usize> {
        self.entries.iter().position(|entry| text::matches(&entry.cases, id))
    }
}

impl Known {
    /// Name of the corpus that its cases belong to.
    pub fn corpus(&self) -> &str {
        self.cases.split('/').next().unwrap_or_default()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn parse(text: &str) -> Result<Expectations, String> {
        Expectations::parse("x.toml", text).map_err(|error| error.to_string())
    }

    fn entry(cases: &str, verdict: &str, reason: &str) -> Result<Expectations, String> {
        parse(&format!("[[known]]\ncases='{cases}'\nverdict='{verdict}'\nreason='{reason}'"))
    }

    #[test]
    fn a_star_stands_for_any_characters_and_nothing_else_does() {
        let known = entry("sonnx/div/int*/min_?.1", "fail", "wraps").unwrap();
        assert_eq!(known.position("sonnx/div/int32/a/min_?.1"), Some(0));
        assert_eq!(known.position("sonnx/div/int32/min_?x1"), None);
        assert_eq!(known.position("sonnx/div/uint8/min_?.1"), None);
        assert_eq!(known.position("sonnx/div/int32/min_?.11"), None);
        assert_eq!(known.entries()[0].corpus(), "sonnx");
    }

    #[test]
    fn stars_match_what_a_regular_expression_would() {
        let texts = ["", "a/", "a/b", "a/ab", "a/bb", "a/bab", "a/abcab", "a/c\nb", "xa/b"];
        for pattern in
            ["a/b", "a/*", "a/*b", "a/b*b", "a/*b*b", "a/*ab*ab", "a/**", "a/*\n*", "a/*c*"]
        {
            let pieces: Vec<_> = pattern.split('*').map(regex::escape).collect();
            let regex = regex::Regex::new(&format!("^(?s:{})$", pieces.join(".*"))).unwrap();
            for text in texts {
                assert_eq!(
                    text::matches(pattern, text),
                    regex.is_match(text),
                    "{pattern} on {text:?}"
                );
            }
        }
    }

    #[test]
    fn the_first_entry_that_matches_decides() {
        let text = "[[known]]\ncases='a/b'\nverdict='crash'\nreason='x'\n\
                    [[known]]\ncases='a/*'\nverdict='fail'\nreason='y'\nlink='https://b'";
        let known = parse(text).unwrap();
        assert_eq!((known.position("a/b"), known.position("a/c")), (Some(0), Some(1)));
    }

    #[test]
    fn an_entry_says_a_failure_its_reason_and_a_corpus() {
        assert!(entry("a/b", "pass", "x").unwrap_err().contains("expects `pass`"));
        assert!(entry("a/b", "fail", " ").unwrap_err().contains("no reason"));
        for cases in ["*", "*/b", "a", ""] {
            assert!(entry(cases, "fail", "x").unwrap_err().contains("begin with"), "{cases}");
        }
        assert!(parse("[[unknown]]").unwrap_err().contains("x.toml"));
        assert!(parse("").unwrap().entries().is_empty());
    }

    #[test]
    fn a_list_is_known_by_the_name_of_its_file_and_the_digest_of_its_text() {
        let text = "[[known]]\ncases='a/b'\nverdict='fail'\nreason='x'\n";
        let known = Expectations::parse("some/folder/mine.toml", text).unwrap();
        let list =
            List { name: "mine.toml".to_owned(), sha256: Digest::of(text.as_bytes()).to_string() };
        assert_eq!(known.list(), Some(&list));
        // A list without entries is one all the same, and no list is none.
        assert_eq!(parse("").unwrap().list().map(|list| list.name.as_str()), Some("x.toml"));
        assert_eq!(Expectations::default().list(), None);
    }
}

//! Expectations: the known failures of a backend, each with its reason.
//!
//! A known failure is run all the same, and its verdict is compared with the known one: a pass is then
//! unexpected, and an entry that matches no case is stale. What is known to be unsupported is run, too; what
//! is flaky may fail so or pass; and what is to be skipped is not run at all.

#[cfg(feature = "cli")]
pub mod import;
mod known;

use std::fmt;
use std::path::Path;

use serde::de::DeserializeOwned;
use serde::{Deserialize, Serialize};
use toml::Spanned;

use crate::corpus::Digest;
use crate::limits;

pub use known::{Facts, Known};

/// The known failures of one backend, in the order of their file.
#[derive(Clone, Debug, Default)]
pub struct Expectations {
    list: Option<List>,
    entries: Vec<Known>,
}

/// A list of known failures.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "cli", derive(schemars::JsonSchema))]
#[serde(deny_unknown_fields)]
#[cfg_attr(feature = "cli", schemars(rename = "ExpectationsList"))]
pub struct List {
    /// Name of its file, without the folder.
    pub name: String,
    /// SHA-256 of its text.
    pub sha256: String,
}

impl List {
    /// Its name with as many digits of the digest as distinguish lists, for a line of a terminal.
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
struct File<T> {
    #[serde(default = "Vec::new")]
    known: Vec<T>,
}

impl Expectations {
    /// The expectations that a TOML text states; `file` goes into errors.
    pub fn parse(file: &str, text: &str) -> Result<Self, ExpectError> {
        let entries = read::<Known>(file, text)?;
        for entry in &entries {
            if let Some(problem) = entry.problem() {
                let (file, cases) = (file.to_owned(), entry.cases.clone());
                return Err(ExpectError::Entry { file, cases, problem });
            }
        }
        let name = Path::new(file).file_name().unwrap_or_default().to_string_lossy().into_owned();
        let list = Some(List { name, sha256: Digest::of(text.as_bytes()).to_string() });
        Ok(Self { list, entries })
    }

    /// Where in a text that [`Self::parse`] takes the entries begin: each with its header, or, where they are
    /// elements of an array, with a brace.
    pub(crate) fn places(file: &str, text: &str) -> Result<Vec<usize>, ExpectError> {
        let entries = read::<Spanned<Known>>(file, text)?;
        Ok(entries.iter().map(|entry| entry.span().start).collect())
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
    /// others are left out, but for those of any corpus.
    pub fn of_corpora(&self, other: impl Fn(&str) -> Option<String>) -> Self {
        let entry = |entry: &Known| {
            let Some(corpus) = entry.corpus() else { return Some(entry.clone()) };
            let cases = entry.cases.strip_prefix(corpus)?;
            Some(Known { cases: other(corpus)? + cases, ..entry.clone() })
        };
        Self { entries: self.entries.iter().filter_map(entry).collect(), ..self.clone() }
    }

    /// Place of the first entry that matches a case.
    pub fn position(&self, case: &Facts<'_>) -> Option<usize> {
        self.entries.iter().position(|entry| entry.matches(case))
    }

    /// The entry that decides what is expected of a case: the first that matches it.
    pub fn of_case(&self, case: &Facts<'_>) -> Option<&Known> {
        self.entries.get(self.position(case)?)
    }

    /// Places of the entries one of which may decide, where nothing but the id of a case is known.
    pub fn possible(&self, id: &str) -> Vec<usize> {
        let mut places = Vec::new();
        for (at, entry) in self.entries.iter().enumerate() {
            if entry.matches_id(id) {
                places.push(at);
                if entry.asks_for_ids_alone() {
                    break;
                }
            }
        }
        places
    }
}

/// The entries of a text, of which nothing but their form is known.
fn read<T: DeserializeOwned>(file: &str, text: &str) -> Result<Vec<T>, ExpectError> {
    let read: Result<File<T>, _> = limits::from_toml(text);
    let error = |source: toml::de::Error| ExpectError::Toml {
        file: file.to_owned(),
        source: source.into(),
    };
    read.map(|file| file.known).map_err(error)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::foundation::text;
    use crate::judge::verdict::Verdict;

    fn of(id: &str) -> Facts<'_> {
        Facts { id, ..Facts::default() }
    }

    fn parse(text: &str) -> Result<Expectations, String> {
        Expectations::parse("x.toml", text).map_err(|error| error.to_string())
    }

    fn entry(cases: &str, verdict: &str, reason: &str) -> Result<Expectations, String> {
        parse(&format!("[[known]]\ncases='{cases}'\nverdict='{verdict}'\nreason='{reason}'"))
    }

    #[test]
    fn a_star_stands_for_any_characters_and_nothing_else_does() {
        let known = entry("sonnx/div/int*/min_?.1", "fail", "wraps").unwrap();
        assert_eq!(known.position(&of("sonnx/div/int32/a/min_?.1")), Some(0));
        assert_eq!(known.position(&of("sonnx/div/int32/min_?x1")), None);
        assert_eq!(known.position(&of("sonnx/div/uint8/min_?.1")), None);
        assert_eq!(known.position(&of("sonnx/div/int32/min_?.11")), None);
        assert_eq!(known.entries()[0].corpus(), Some("sonnx"));
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
        assert_eq!((known.position(&of("a/b")), known.position(&of("a/c"))), (Some(0), Some(1)));
    }

    #[test]
    fn an_entry_says_what_is_known_of_which_cases_and_why() {
        for verdict in ["pass", "out_of_domain"] {
            let told = entry("a/b", verdict, "x").unwrap_err();
            assert!(told.contains(&format!("expects `{verdict}`")), "{told}");
        }
        for verdict in ["fail", "crash", "timeout", "fault", "unsupported", "skipped"] {
            assert!(entry("a/b", verdict, "x").is_ok(), "{verdict}");
        }
        assert!(entry("a/b", "fail", " ").unwrap_err().contains("no reason"));
        for cases in ["/b", ""] {
            assert!(entry(cases, "fail", "x").unwrap_err().contains("names no case"), "{cases}");
        }
        assert!(parse("[[unknown]]").unwrap_err().contains("x.toml"));
        assert!(parse("").unwrap().entries().is_empty());
    }

    #[test]
    fn what_is_wrong_with_an_entry_is_told() {
        let with = |verdict: &str, more: &str| {
            parse(&format!("[[known]]\ncases='a/b'\nverdict='{verdict}'\nreason='x'\n{more}\n"))
        };
        let more = "op='Div'\ntype='float16'\nsince_opset=7\nuntil_opset=13\nflaky=true";
        assert!(with("timeout", more).is_ok());
        for (verdict, more, problem) in [
            // What the harness is at fault for never comes and goes unseen.
            ("fault", "flaky=true", "is flaky and expects `fault`"),
            ("unsupported", "flaky=true", "is flaky and expects `unsupported`"),
            ("skipped", "flaky=true", "is flaky and expects `skipped`"),
            ("fail", "type='float17'", "`float17`, which is not an element type"),
            ("fail", "op=' '", "an empty `op`"),
            ("fail", "since_opset=0", "an operator set below 1"),
            ("fail", "since_opset=8\nuntil_opset=7", "later than the last one"),
        ] {
            let told = with(verdict, more).unwrap_err();
            assert!(told.contains(problem), "{more}: {told}");
        }
        assert!(with("fail", "until_opsets=7").is_err());
    }

    #[test]
    fn of_an_id_alone_every_entry_may_decide_up_to_the_first_that_asks_for_no_more() {
        let entry = |cases: &str, more: &str| {
            format!("[[known]]\ncases='{cases}'\nverdict='fail'\nreason='x'\n{more}\n")
        };
        let text =
            entry("c/*", "op='Div'") + &entry("c/b", "") + &entry("c/*", "") + &entry("c/*", "");
        let known = parse(&text).unwrap();
        assert_eq!(known.possible("c/a"), [0, 2]);
        assert_eq!(known.possible("c/b"), [0, 1]);
        assert!(known.possible("d/a").is_empty());
        let case = Facts { id: "c/b", operator: "Add", ..Facts::default() };
        assert_eq!(known.position(&case), Some(1));
        assert_eq!(known.of_case(&case).map(|entry| entry.verdict), Some(Verdict::Fail));
    }

    #[test]
    fn known_failures_of_any_corpus_stay_so_when_corpora_stand_for_others() {
        let entry =
            |cases: &str| format!("[[known]]\ncases='{cases}'\nverdict='fail'\nreason='x'\n");
        let known = parse(&(entry("a/b") + &entry("c/b") + &entry("*/b") + &entry("b*"))).unwrap();
        let others = known.of_corpora(|corpus| (corpus == "a").then(|| "z".to_owned()));
        let cases: Vec<_> = others.entries().iter().map(|entry| entry.cases.as_str()).collect();
        assert_eq!(cases, ["z/b", "*/b", "b*"]);
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

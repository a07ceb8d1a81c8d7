//! The numbers of operators, cases and defects that pages state: put there from the committed qualification and the registry.

use std::fs;
use std::path::{Path, PathBuf};

use judge::text::{grouped, words};
use onnx_conformance::document::{JsonDocument, ReadError};
use onnx_conformance::documents::qualification::document::{ColumnKind, Tally};
use onnx_conformance::documents::qualification::{self, Qualification};
use onnx_conformance::reference::operator::Domain;
use onnx_conformance::reference::operators::OPERATORS;

use crate::generated;

/// What is counted.
#[derive(Clone, Copy)]
enum Count {
    /// Operators of all documents.
    Operators,
    /// Operators of ONNX's default domain.
    OnnxOperators,
    /// Cases of all own suites.
    OwnCases,
    /// Cases of the column of this name.
    Cases(&'static str),
    /// Defects that the column of this name finds.
    FoundBy(&'static str),
    /// Of the defects of the class at this place, or of all.
    Defects(Option<usize>, fn(&Tally) -> u64),
}

use Count::{Cases, Defects, FoundBy, Operators, OwnCases};

const SEEDED: fn(&Tally) -> u64 = |tally| tally.defects;
const KILLED: fn(&Tally) -> u64 = |tally| tally.killed;
const BY_SUITES: fn(&Tally) -> u64 = |tally| tally.killed_by_suites;
const BY_OFFICIAL: fn(&Tally) -> u64 = |tally| tally.killed_by_official;

/// Pages, each with the sentences that count something: `{}` stands for the number.
const SENTENCES: &[(&str, &[(&str, Count)])] = &[
    ("docs/challenge.md", &[("of the {} cases, which the tests check with one seed", OwnCases)]),
    ("docs/robustness.md", &[("with `cargo xtask ci --full` | {} cases each", OwnCases)]),
    (
        "docs/own-runtime.md",
        &[
            ("own cases of ONNX, for every operator: {}.", Cases("onnx")),
            ("listing the {} tests", Cases("onnx")),
        ],
    ),
    (
        "docs/suites.md",
        &[
            ("| `sonnx` | {} |", Cases("sonnx")),
            ("| `sonnx-draft` | {} |", Cases("sonnx-draft")),
            ("| `openvino` | {} |", Cases("openvino")),
            ("| `onnx` | {} |", Cases("onnx")),
            ("The exact reference judges {} operators", Count::OnnxOperators),
            ("With OpenVINO's Divide-1, {} operators", Operators),
        ],
    ),
    (
        "docs/qualification.md",
        &[
            ("implementation of [{} operators]", Operators),
            ("(suites.md#operators), {} of ONNX", Count::OnnxOperators),
            ("| seeded defects | {} in", Defects(None, SEEDED)),
            ("fault classes and all {} operators", Operators),
            ("none gets past the gate; {} by a suite", Defects(None, BY_SUITES)),
            ("by `adapter-check`; {} by ONNX's node cases alone", Defects(None, BY_OFFICIAL)),
        ],
    ),
    (
        "docs/mutants.md",
        &[
            ("The ONNX corpus is the {} node cases", Cases("onnx-1.22.0")),
            ("the same cases find {}.", FoundBy("onnx-1.22.0-exact")),
        ],
    ),
];

/// The page that has a row of counts for each fault class, and one for all.
const TALLIES: &str = "docs/mutants.md";

/// A number is not where it should be, or cannot be counted.
#[derive(Debug, thiserror::Error)]
pub(crate) enum Error {
    #[error(transparent)]
    Read(#[from] ReadError),
    #[error("failed to read {}: {source}", path.display())]
    Page { path: PathBuf, source: std::io::Error },
    #[error("{} does not state `{sentence}`; adjust the page, or the list in xtask/src/counts.rs", path.display())]
    Sentence { path: PathBuf, sentence: String },
    #[error("the qualification has no column `{0}`")]
    Column(&'static str),
    #[error(transparent)]
    Generated(#[from] generated::Error),
}

/// Writes the counts into the pages below `root`, or with `check` compares them.
pub(crate) fn run(root: &Path, check: bool) -> Result<(), Error> {
    let document = Qualification::read(&root.join(qualification::PATH))?;
    for (page, sentences) in SENTENCES {
        let path = root.join(page);
        let read = |source| Error::Page { path: path.clone(), source };
        let mut text = fs::read_to_string(&path).map_err(read)?;
        let mut state = |sentence: &str, count: Count| -> Result<(), Error> {
            let unstated = || Error::Sentence { path: path.clone(), sentence: sentence.to_owned() };
            text = with_number(&text, sentence, count.of(&document)?).ok_or_else(unstated)?;
            Ok(())
        };
        for (sentence, count) in *sentences {
            state(sentence, *count)?;
        }
        if *page == TALLIES {
            for at in (0..document.classes.len()).map(Some).chain([None]) {
                let name =
                    at.map_or_else(|| "total".to_owned(), |at| words(document.classes[at].class));
                let mut row = format!("| {name} |");
                for count in [SEEDED, KILLED, BY_SUITES, BY_OFFICIAL] {
                    let count = Defects(at, count);
                    state(&format!("{row} {{}} |"), count)?;
                    row += &format!(" {} |", grouped(count.of(&document)?));
                }
            }
        }
        generated::write_or_check(&path, &text, check)?;
    }
    Ok(())
}

impl Count {
    fn of(self, document: &Qualification) -> Result<u64, Error> {
        let column = |id: &'static str| {
            let column = document.columns.iter().find(|column| column.id == id);
            column.ok_or(Error::Column(id))
        };
        Ok(match self {
            Self::Operators => OPERATORS.len() as u64,
            Self::OnnxOperators => {
                OPERATORS.iter().filter(|operator| operator.domain == Domain::Onnx).count() as u64
            }
            Self::OwnCases => {
                let own = document.columns.iter().filter(|it| it.kind == ColumnKind::Suite);
                own.map(|column| column.cases).sum()
            }
            Self::Cases(id) => column(id)?.cases,
            Self::FoundBy(id) => column(id)?.killed,
            Self::Defects(class, of) => {
                of(&class.map_or(document.summary, |at| document.classes[at].tally))
            }
        })
    }
}

/// A text with a number at the place of each `{}` of a sentence, whose words may go over the end of a line; `None` where the text has no
/// such sentence.
fn with_number(text: &str, sentence: &str, number: u64) -> Option<String> {
    let (before, after) = sentence.split_once("{}")?;
    let is_digit = |letter: char| letter.is_ascii_digit() || letter == ',';
    // A blank of the sentence may be the end of a line.
    let flat = text.replace('\n', " ");
    let mut from = 0;
    loop {
        let start = from + flat[from..].find(before)? + before.len();
        let digits = flat[start..].len() - flat[start..].trim_start_matches(is_digit).len();
        let end = start + flat[start..start + digits].trim_end_matches(',').len();
        if end > start && flat[end..].starts_with(after) {
            return Some([&text[..start], &grouped(number), &text[end..]].concat());
        }
        from = start;
    }
}

#[cfg(test)]
mod tests {
    use super::with_number;

    #[test]
    fn a_number_is_put_where_its_sentence_is() {
        let text = "the 12 dogs, of the\n1,234 cases, 5.";
        let stated = with_number(text, "of the {} cases", 1_000_001);
        assert_eq!(stated.as_deref(), Some("the 12 dogs, of the\n1,000,001 cases, 5."));
        assert_eq!(with_number(text, "of the {} dogs", 3), None);
        assert_eq!(with_number(text, "the {} cases", 7), Some(text.replace("1,234", "7")));
    }
}

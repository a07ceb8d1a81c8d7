//! Challenges: own suites with the same classes of cases, made at run time from a seed.
//!
//! The cases of the committed suites lie readable in the repository and in the program, so that who copies
//! their expected results passes them. Those of a challenge do not exist before the run: inputs are drawn from the
//! seed, expected results come from the reference, and neither is written to a disk. Whoever knows the seed can
//! make the same bytes again, with any build of the same commit, on any machine.

use std::str::FromStr;

use values::random::Random;

use crate::corpus::generate::{self, GenerateError};
use crate::corpus::suite::{self, Suite};
use crate::corpus::{Corpus, CorpusError, Digest};
use crate::documents::report::document::Report;
use crate::foundation::printable::is_hidden;
use crate::judge::expect::Expectations;

/// What the name of a suite is followed by in that of a challenge's corpus.
const SUFFIX: &str = "-challenge";

/// Most characters of a seed.
const MOST: usize = 128;

/// A seed with the suites that are challenged.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Challenge {
    seed: String,
}

/// The text is no seed.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error(
    "a seed is a text of 1 to {MOST} printable characters, without `::` and without those that change the \
     direction of text"
)]
pub struct SeedError;

/// The cases cannot be made.
#[derive(Debug, thiserror::Error)]
#[expect(missing_docs, reason = "each variant's message says what it is")]
pub enum ChallengeError {
    #[error("failed to make the cases of a challenge")]
    Generate(#[from] GenerateError),
    #[error(transparent)]
    Corpus(#[from] CorpusError),
}

impl FromStr for Challenge {
    type Err = SeedError;

    fn from_str(seed: &str) -> Result<Self, SeedError> {
        let is_printable = |char: char| !char.is_control() && !is_hidden(char) && !is_blank(char);
        let count = seed.chars().count();
        if !(1..=MOST).contains(&count) || !seed.chars().all(is_printable) || seed.contains("::") {
            return Err(SeedError);
        }
        Ok(Self { seed: seed.to_owned() })
    }
}

/// Whether a character is shown as nothing, or changes how the one before it is: fillers and selectors.
const fn is_blank(char: char) -> bool {
    matches!(char, '\u{115f}' | '\u{1160}' | '\u{3164}' | '\u{fe00}'..='\u{fe0f}' | '\u{ffa0}'
        | '\u{fff0}'..='\u{fff8}')
}

impl Challenge {
    /// The text that everything is drawn from.
    pub fn seed(&self) -> &str {
        &self.seed
    }

    /// The cases of a suite, made in memory under the names that the committed ones have.
    pub fn corpus(&self, suite: Suite) -> Result<Corpus, ChallengeError> {
        let of_case = |path: &str| {
            let text = format!("{}\n{}\n{path}", self.seed, suite.name());
            let digest = Digest::of(text.as_bytes()).to_string();
            let number = u64::from_str_radix(&digest[..16], 16).unwrap_or_default();
            // The model's name reveals nothing about its case.
            (Random::new(number), format!("challenge_{}", &digest[16..32]))
        };
        Ok(Corpus::made(Self::name_of(suite), &generate::varied_files(suite, of_case)?))
    }

    /// The name of a suite's corpus in any challenge.
    pub fn name_of(suite: Suite) -> String {
        format!("{}{SUFFIX}", suite.name())
    }

    /// The suite that a corpus is made after, where its name is that of a challenge's.
    pub fn suite_of(corpus: &str) -> Option<Suite> {
        suite::named(corpus.strip_suffix(SUFFIX)?).ok()
    }

    /// The known failures of suites as those of their challenges: what fails, fails by the class of the case.
    pub fn expectations(known: &Expectations) -> Expectations {
        known.of_corpora(|corpus| suite::named(corpus).ok().map(Self::name_of))
    }

    /// What a report says of a challenge that is not so: the cases of its corpora are made again from the seed
    /// that it names.
    pub fn contradiction(report: &Report) -> Result<Option<String>, ChallengeError> {
        let Some(seed) = &report.challenge else {
            let of_none = report.corpora.iter().find(|it| Self::suite_of(&it.name).is_some());
            return Ok(of_none.map(|corpus| {
                format!(
                    "`{}` is the name of a challenge's corpus, but `challenge` is null",
                    corpus.name
                )
            }));
        };
        let challenge: Self = match seed.parse() {
            Ok(challenge) => challenge,
            Err(error) => return Ok(Some(format!("`challenge` is not a valid seed: {error}"))),
        };
        for corpus in &report.corpora {
            let Some(suite) = Self::suite_of(&corpus.name) else {
                let name = &corpus.name;
                return Ok(Some(format!("no challenge makes the corpus `{name}`")));
            };
            let made = challenge.corpus(suite)?.verify()?;
            if (made.cases, made.digest.to_string()) != (corpus.cases, corpus.digest.clone()) {
                return Ok(Some(format!(
                    "the cases of `{}` are not those that the seed `{seed}` makes, whose digest is {}",
                    corpus.name, made.digest
                )));
            }
        }
        Ok(None)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_seed_is_a_short_printable_text() {
        for seed in ["1", "audit 2026-11-23, Ms. Smith", "\u{e9}\u{4e2d}", &"x".repeat(128)] {
            assert_eq!(seed.parse::<Challenge>().unwrap().seed(), seed);
        }
        let long = "x".repeat(129);
        for seed in ["", &long, "a\nb", "\u{1b}[0m", "::error", "\u{202e}x", "\u{200b}", "\u{7f}"] {
            assert_eq!(seed.parse::<Challenge>(), Err(SeedError), "{seed:?}");
        }
    }

    #[test]
    fn a_corpus_of_a_challenge_is_told_from_that_of_its_suite_by_name() {
        for suite in Suite::ALL {
            assert_eq!(Challenge::suite_of(&Challenge::name_of(suite)), Some(suite));
            assert_eq!(Challenge::suite_of(suite.name()), None);
        }
        assert_eq!(Challenge::suite_of("mine-challenge"), None);
    }
}

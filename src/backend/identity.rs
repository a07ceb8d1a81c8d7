//! The identity that a backend reports. Reports, pages and logs of others show it, so it has a grammar.

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};

/// The name of this program's own kernels, which no adapter may have.
pub(super) const BUILTIN: &str = "builtin";

/// Longest name, in bytes.
const NAME_LIMIT: usize = 64;

/// Longest version, in bytes.
const VERSION_LIMIT: usize = 128;

/// Most details.
const DETAILS_LIMIT: usize = 64;

/// Longest name of a detail, in bytes.
const KEY_LIMIT: usize = 64;

/// Longest text of a detail, in bytes.
const TEXT_LIMIT: usize = 1024;

/// The system under test.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "cli", derive(schemars::JsonSchema))]
#[serde(deny_unknown_fields)]
#[cfg_attr(feature = "cli", schemars(rename = "Backend"))]
pub struct Identity {
    /// `builtin`, or the name an adapter gives.
    pub name: String,
    /// Its version.
    pub version: String,
    /// What else it says of itself.
    #[serde(default)]
    pub details: BTreeMap<String, String>,
}

/// An identity is against the grammar.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[expect(missing_docs, reason = "each variant's message says what it is")]
pub enum IdentityError {
    #[error("its {0} is empty")]
    Empty(&'static str),
    #[error("its {what} has {bytes} bytes; at most {limit} are allowed")]
    TooLong { what: &'static str, bytes: usize, limit: usize },
    #[error("its {0} begins or ends with a blank")]
    Blank(&'static str),
    #[error("its {what} has the character U+{:04X}, and {allowed} are allowed", u32::from(*character))]
    Character { what: &'static str, character: char, allowed: &'static str },
    #[error("its {0} has `::`, which begins commands in the logs of CI systems")]
    Colons(&'static str),
    #[error("it has {0} details; at most {DETAILS_LIMIT} are allowed")]
    Details(usize),
}

impl Identity {
    /// Of this name and version, with nothing else said.
    pub fn new(name: impl Into<String>, version: impl Into<String>) -> Self {
        Self { name: name.into(), version: version.into(), details: BTreeMap::new() }
    }

    /// Whether the identity keeps to the grammar: a name, a version and the names of details in
    /// ASCII, of a limited length and without blanks around them; texts of details in printable
    /// characters; `::` nowhere.
    pub fn check(&self) -> Result<(), IdentityError> {
        label("name", &self.name, NAME_LIMIT)?;
        label("version", &self.version, VERSION_LIMIT)?;
        if self.details.len() > DETAILS_LIMIT {
            return Err(IdentityError::Details(self.details.len()));
        }
        for (key, text) in &self.details {
            label("detail's name", key, KEY_LIMIT)?;
            let what = "detail";
            bounded(what, text, TEXT_LIMIT)?;
            characters(what, text, is_printable, "only printable ones")?;
        }
        Ok(())
    }

    /// Whether the name is, or looks like, that of this program's own kernels: `Built-in` does.
    pub fn is_reserved(&self) -> bool {
        let letters = self.name.chars().filter(|c| c.is_alphanumeric());
        letters.flat_map(char::to_lowercase).eq(BUILTIN.chars())
    }
}

/// Checks a text that appears in headings and tables.
fn label(what: &'static str, text: &str, limit: usize) -> Result<(), IdentityError> {
    if text.is_empty() {
        return Err(IdentityError::Empty(what));
    }
    bounded(what, text, limit)?;
    characters(what, text, |c| matches!(c, ' '..='~'), "only printable ASCII ones")?;
    if text.trim() != text { Err(IdentityError::Blank(what)) } else { Ok(()) }
}

fn bounded(what: &'static str, text: &str, limit: usize) -> Result<(), IdentityError> {
    let bytes = text.len();
    if bytes > limit { Err(IdentityError::TooLong { what, bytes, limit }) } else { Ok(()) }
}

fn characters(
    what: &'static str,
    text: &str,
    is_allowed: impl Fn(char) -> bool,
    allowed: &'static str,
) -> Result<(), IdentityError> {
    if let Some(character) = text.chars().find(|c| !is_allowed(*c)) {
        return Err(IdentityError::Character { what, character, allowed });
    }
    if text.contains("::") { Err(IdentityError::Colons(what)) } else { Ok(()) }
}

/// Whether a character has a shape of its own: no control, no format character, nothing that
/// joins the one before it, no separator but the blank. The standard library escapes all others
/// for debugging, and quotes and the backslash besides.
fn is_printable(c: char) -> bool {
    matches!(c, '"' | '\'' | '\\') || c.escape_debug().len() == 1
}

#[cfg(test)]
mod tests {
    use super::*;

    fn identity(name: &str, version: &str, details: &[(&str, &str)]) -> Identity {
        let details = details.iter().map(|&(key, text)| (key.to_owned(), text.to_owned()));
        Identity { name: name.into(), version: version.into(), details: details.collect() }
    }

    #[test]
    fn labels_and_printable_texts_are_an_identity() {
        let details = [
            ("execution mode", "accuracy (the model's own types)"),
            ("path", r#"C:\"x"; größer als ≤ 1"#),
            ("empty", ""),
        ];
        assert_eq!(identity("my-runtime 2", "1.2.3+build:7", &details).check(), Ok(()));
        let limits = (&"n".repeat(64), &"v".repeat(128), &"k".repeat(64), &"t".repeat(1024));
        let (name, version, key, text) = limits;
        assert_eq!(identity(name, version, &[(key, text)]).check(), Ok(()));
        for (name, version, key, text) in [
            (&(name.to_owned() + "n"), version, key, text),
            (name, &(version.to_owned() + "v"), key, text),
            (name, version, &(key.to_owned() + "k"), text),
            (name, version, key, &(text.to_owned() + "t")),
        ] {
            let error = identity(name, version, &[(key, text)]).check().unwrap_err();
            assert!(matches!(error, IdentityError::TooLong { .. }), "{error}");
        }
    }

    #[test]
    fn what_could_mislead_a_reader_or_a_log_is_no_identity() {
        for bad in ["", " x", "x ", "a\nb", "a\tb", "\x1b[31m", "::error", "π", "a\u{a0}b"] {
            assert!(identity(bad, "1", &[]).check().is_err(), "{bad:?}");
            assert!(identity("x", bad, &[]).check().is_err(), "{bad:?}");
            assert!(identity("x", "1", &[(bad, "")]).check().is_err(), "{bad:?}");
        }
        for bad in [
            "a\nb",
            "a\rb",
            "\u{85}",
            "\u{1b}[31m",
            "\u{200b}",
            "\u{202e}",
            "\u{2066}",
            "\u{2028}",
            "\u{feff}",
            "\u{ad}",
            "\u{e000}",
            "\u{e0041}",
            "e\u{301}",
            "x::y",
        ] {
            assert!(identity("x", "1", &[("key", bad)]).check().is_err(), "{bad:?}");
        }
        let many: Vec<_> = (0..65).map(|k| k.to_string()).collect();
        let many: Vec<_> = many.iter().map(|key| (key.as_str(), "")).collect();
        assert_eq!(identity("x", "1", &many).check(), Err(IdentityError::Details(65)));
        assert_eq!(identity("x", "1", &many[1..]).check(), Ok(()));
    }

    #[test]
    fn the_kernels_own_name_is_reserved_however_it_is_written() {
        for name in ["builtin", "BuiltIn", "built-in", " builtin ", "Built in"] {
            assert!(identity(name, "1", &[]).is_reserved(), "{name}");
        }
        for name in ["builtin2", "my builtin", "built"] {
            assert!(!identity(name, "1", &[]).is_reserved(), "{name}");
        }
    }
}

//! JSON and TOML, decoded within a budget.

use serde::de::{DeserializeOwned, Error};

use super::strict::Strict;
use super::{Budget, JSON_TIMES, TooMuch, growth, string};

/// Longest TOML text that is decoded, in bytes: twice the longest of this project, the list of the cases of a suite.
pub const TOML_LIMIT: u64 = 4 << 20;

/// The value that a JSON text holds: no array in the place of an object, and no name twice in one.
pub fn from_json<T: DeserializeOwned>(text: &[u8]) -> Result<T, serde_json::Error> {
    let mut budget = Budget::default();
    budget.admit((JSON_TIMES - 2) * text.len());
    from_json_within(text, &mut budget)
}

/// Whether [`from_json`] has the memory for a well-formed text.
pub fn has_room_for_json(text: &[u8]) -> Result<(), TooMuch> {
    let mut budget = Budget::default();
    budget.admit((JSON_TIMES - 1) * text.len());
    charge(text, &mut budget)
}

/// As [`from_json`], of a text that is a part of an input.
pub fn from_json_within<T: DeserializeOwned>(
    text: &[u8],
    budget: &mut Budget,
) -> Result<T, serde_json::Error> {
    budget.admit(text.len());
    charge(text, budget).map_err(serde_json::Error::custom)?;
    let mut json = serde_json::Deserializer::from_slice(text);
    let value = T::deserialize(Strict(&mut json))?;
    json.end().map(|()| value)
}

/// The value that a TOML text of at most [`TOML_LIMIT`] bytes holds.
pub fn from_toml<T: DeserializeOwned>(text: &str) -> Result<T, toml::de::Error> {
    if text.len() as u64 > TOML_LIMIT {
        let message = format!("the text is larger than {TOML_LIMIT} bytes, which none here is");
        return Err(toml::de::Error::custom(message));
    }
    let cost = text.bytes().fold(0_usize, |sum, byte| sum.saturating_add(toml_cost(byte)));
    Budget::of_input(text.len()).take(cost).map_err(toml::de::Error::custom)?;
    toml::from_str(text)
}

/// What a byte of a TOML text takes at most, wherever it stands: measured in `tests/memory`, on the
/// texts in which it takes most.
const fn toml_cost(byte: u8) -> usize {
    match byte {
        // A table.
        b'{' => 1800,
        // A table within a table.
        b'.' => 1400,
        // A member.
        b'=' => 500,
        // An element, or the header of a table.
        b',' | b'[' => 300,
        // A token of another kind.
        byte if byte.is_ascii_punctuation() || byte == b'\n' => 60,
        _ => 10,
    }
}

/// Largest share of a vector of pointers, lengths and small records that one value takes.
const RECORD: usize = growth(1, 32, false);

/// What the members of an object take beside their names and values: the fields of a struct that
/// hold nothing, or nodes of a map.
const OBJECT: usize = 256;

/// What a name takes where it is the key of a map, and once more while the map is read.
const KEY: usize = 48 + 56;

/// Takes what the values of a JSON text take, token by token. Where the text is malformed the
/// tokens before are too many at most.
fn charge(text: &[u8], budget: &mut Budget) -> Result<(), TooMuch> {
    let mut longest = 0;
    let mut at = 0;
    while let Some(&byte) = text.get(at) {
        let rest = &text[at + 1..];
        let length = match byte {
            b'"' => {
                let length = string_length(rest);
                longest = longest.max(length);
                let is_name =
                    rest[length..].iter().skip(1).find(|byte| !byte.is_ascii_whitespace())
                        == Some(&b':');
                // One with escapes is copied once more, to separate it from those that follow.
                let copies = 1 + usize::from(is_name && rest[..length].contains(&b'\\'));
                budget.take(copies * string(length) + if is_name { KEY } else { RECORD })?;
                length + 1
            }
            b'{' => budget.take(OBJECT + RECORD).map(|()| 0)?,
            b'[' => budget.take(RECORD).map(|()| 0)?,
            // A null represents whatever is missing.
            b'n' => budget.take(RECORD).map(|()| word_length(rest))?,
            b'-' | b'0'..=b'9' | b't' | b'f' => {
                budget.take(growth(1, 8, false)).map(|()| word_length(rest))?
            }
            _ => 0,
        };
        at += 1 + length;
    }
    // An escaped string is copied once before it is kept, and the message of an error quotes it.
    budget.take(longest.saturating_mul(4))
}

/// Length of the string that begins with these bytes, up to its closing quotation mark.
fn string_length(text: &[u8]) -> usize {
    let mut at = 0;
    while let Some(&byte) = text.get(at) {
        match byte {
            b'"' => return at,
            b'\\' => at += 2,
            _ => at += 1,
        }
    }
    text.len()
}

/// Length of the rest of a number, `true`, `false` or `null`.
fn word_length(text: &[u8]) -> usize {
    let is_of_word = |byte: &&u8| byte.is_ascii_alphanumeric() || b"+-.".contains(byte);
    text.iter().take_while(is_of_word).count()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn cost(text: &str) -> usize {
        let mut budget = Budget::of_input(1 << 30);
        let before = budget.left;
        charge(text.as_bytes(), &mut budget).unwrap();
        before - budget.left
    }

    #[test]
    fn values_are_told_from_names_and_from_what_stands_in_strings() {
        assert_eq!(cost(" 12.5e+3 "), 24);
        assert_eq!(cost("null"), RECORD);
        assert_eq!(cost(r#""[{,\"1""#), string(6) + RECORD + 4 * 6);
        assert_eq!(cost(r#"{"a" : 1}"#), OBJECT + RECORD + string(1) + KEY + 24 + 4);
        assert_eq!(cost(r#""open"#), string(4) + RECORD + 4 * 4);
        assert_eq!(cost(r#""open\"#), string(5) + RECORD + 4 * 5);
        assert_eq!(cost(""), 0);
    }

    #[test]
    fn many_small_values_are_refused_and_few_are_not() {
        let list = |count: usize| format!("[{}\"\"]", r#""","#.repeat(count));
        assert_eq!(from_json::<Vec<String>>(list(1000).as_bytes()).unwrap().len(), 1001);
        let error = from_json::<Vec<String>>(list(1_000_000).as_bytes()).unwrap_err();
        assert!(
            error.to_string().contains("more than 64 MB of memory and twice its size"),
            "{error}"
        );
    }

    #[test]
    fn a_toml_text_of_many_tables_is_refused() {
        let text = |count: usize| format!("a=[{}]", "{},".repeat(count));
        assert!(from_toml::<toml::Table>(&text(1000)).is_ok());
        let error = from_toml::<toml::Table>(&text(100_000)).unwrap_err();
        assert!(
            error.to_string().contains("more than 64 MB of memory and twice its size"),
            "{error}"
        );
    }

    #[test]
    fn a_large_toml_text_is_refused() {
        let text = "x".repeat(TOML_LIMIT as usize - 1).replacen('x', "#", 1) + "\n";
        assert!(from_toml::<toml::Table>(&text).is_ok());
        let error = from_toml::<toml::Table>(&(text + "\n")).unwrap_err();
        assert!(error.to_string().contains("larger than 4194304 bytes"));
    }
}

//! Where bytes differ from those that a document is written as, and where two documents differ.

use std::io::{self, Write};

use serde::Serialize;
use serde_json::Value;

/// The first line in which bytes differ from those of a document; none where they are its bytes.
pub(super) fn differing_line<T: Serialize>(document: &T, bytes: &[u8]) -> Option<usize> {
    let mut rest = Rest { bytes, line: 1 };
    // Nothing but the difference itself ends the writing of what was read.
    let is_written = serde_json::to_writer_pretty(&mut rest, document).is_ok();
    let is_same = is_written && rest.write_all(b"\n").is_ok() && rest.bytes.is_empty();
    (!is_same).then_some(rest.line)
}

/// How many bytes two texts have in common at their beginning, and how many lines end in them.
pub(super) fn common(one: &[u8], other: &[u8]) -> (usize, usize) {
    let same = one.iter().zip(other).take_while(|(a, b)| a == b).count();
    (same, one[..same].iter().filter(|&&byte| byte == b'\n').count())
}

/// What is still to come of bytes that are written again, none of them kept.
struct Rest<'a> {
    bytes: &'a [u8],
    /// The line where they begin.
    line: usize,
}

impl Write for Rest<'_> {
    fn write(&mut self, written: &[u8]) -> io::Result<usize> {
        let (same, lines) = common(written, self.bytes);
        self.line += lines;
        self.bytes = &self.bytes[same..];
        match same == written.len() {
            true => Ok(same),
            false => Err(io::ErrorKind::InvalidData.into()),
        }
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}

/// Where two documents differ first, as a path of members such as `predicate.passedTests[3]`, and
/// what stands there in each.
pub(super) fn difference(expected: &Value, found: &Value) -> Option<(String, String, String)> {
    let (path, expected, found) = differing(Some(expected), Some(found))?;
    Some((path.trim_start_matches('.').to_owned(), shown(expected), shown(found)))
}

type Differing<'a> = (String, Option<&'a Value>, Option<&'a Value>);

fn differing<'a>(expected: Option<&'a Value>, found: Option<&'a Value>) -> Option<Differing<'a>> {
    let members: Vec<Differing<'a>> = match (expected, found) {
        (Some(Value::Object(one)), Some(Value::Object(other))) => {
            let names = one.keys().chain(other.keys().filter(|name| !one.contains_key(*name)));
            names.map(|name| (format!(".{name}"), one.get(name), other.get(name))).collect()
        }
        (Some(Value::Array(one)), Some(Value::Array(other))) => (0..one.len().max(other.len()))
            .map(|at| (format!("[{at}]"), one.get(at), other.get(at)))
            .collect(),
        _ => return (expected != found).then_some((String::new(), expected, found)),
    };
    members.into_iter().find_map(|(name, expected, found)| {
        let (path, expected, found) = differing(expected, found)?;
        Some((name + &path, expected, found))
    })
}

/// Longest value that is shown, in characters.
const SHOWN: usize = 80;

fn shown(value: Option<&Value>) -> String {
    let Some(value) = value else { return "nothing".to_owned() };
    let text = match value {
        Value::Array(items) => format!("a list of {}", items.len()),
        Value::Object(_) => "an object".to_owned(),
        value => value.to_string(),
    };
    match text.char_indices().nth(SHOWN) {
        Some((end, _)) => format!("{}...", &text[..end]),
        None => text,
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;
    use crate::document::to_bytes;

    #[test]
    fn the_first_difference_is_told_by_its_path() {
        let one = json!({"a": {"b": [1, 2, {"c": "x"}]}, "d": null});
        let told = |other: Value| difference(&one, &other).map(|(path, ..)| path);
        assert_eq!(told(one.clone()), None);
        assert_eq!(told(json!({"a": {"b": [1, 2, {"c": "y"}]}, "d": null})).unwrap(), "a.b[2].c");
        assert_eq!(told(json!({"a": {"b": [1, 2]}, "d": null})).unwrap(), "a.b[2]");
        assert_eq!(told(json!({"a": {"b": [1, 2, {"c": "x"}]}})).unwrap(), "d");
        let (path, expected, found) = difference(&json!({}), &json!({"e": [1]})).unwrap();
        assert_eq!((&*path, &*expected, &*found), ("e", "nothing", "a list of 1"));
    }

    #[test]
    fn bytes_differ_from_a_document_in_their_first_line_that_does() {
        let document = json!({"a": [1, 2], "b": "x"});
        let bytes = to_bytes(&document).unwrap();
        assert_eq!(differing_line(&document, &bytes), None);
        let edited = |from: &str, to: &str| {
            let text = String::from_utf8(bytes.clone()).unwrap().replacen(from, to, 1);
            differing_line(&document, text.as_bytes())
        };
        assert_eq!(edited("{", "["), Some(1));
        assert_eq!(edited("2", "3"), Some(4));
        assert_eq!(edited("}", "} "), Some(7));
        assert_eq!(edited("}\n", "}"), Some(7));
        assert_eq!(edited("}\n", "}\n\n"), Some(8));
        assert_eq!(edited("x", "x\", \"c\": \""), Some(6));
    }

    #[test]
    fn a_long_value_is_cut_between_characters() {
        let (_, _, found) = difference(&json!(1), &json!("é".repeat(100))).unwrap();
        assert_eq!(found.chars().count(), SHOWN + 3);
    }
}

//! The one form that a document of a pack has as bytes, and where two documents differ.

use serde::Serialize;
use serde_json::Value;

/// The bytes of a document: indented, members in their order, and a line feed at the end.
pub(super) fn to_bytes<T: Serialize>(document: &T) -> Result<Vec<u8>, serde_json::Error> {
    let mut bytes = serde_json::to_vec_pretty(document)?;
    bytes.push(b'\n');
    Ok(bytes)
}

/// Where two documents differ first, as a path of members such as `predicate.passedTests[3]`, and
/// what stands there in each.
pub(super) fn difference(expected: &Value, found: &Value) -> Option<(String, String, String)> {
    let mut path = String::new();
    let (expected, found) = differing(expected, found, &mut path)?;
    let path = path.trim_start_matches('.').to_owned();
    Some((path, shown(expected), shown(found)))
}

type Pair<'a> = (Option<&'a Value>, Option<&'a Value>);

fn differing<'a>(expected: &'a Value, found: &'a Value, path: &mut String) -> Option<Pair<'a>> {
    match (expected, found) {
        (Value::Object(expected), Value::Object(found)) => {
            let names =
                expected.keys().chain(found.keys().filter(|name| !expected.contains_key(*name)));
            for name in names {
                let pair = (expected.get(name), found.get(name));
                if let Some(pair) = step(pair, &format!(".{name}"), path) {
                    return Some(pair);
                }
            }
            None
        }
        (Value::Array(expected), Value::Array(found)) => {
            for at in 0..expected.len().max(found.len()) {
                let pair = (expected.get(at), found.get(at));
                if let Some(pair) = step(pair, &format!("[{at}]"), path) {
                    return Some(pair);
                }
            }
            None
        }
        _ => (expected != found).then_some((Some(expected), Some(found))),
    }
}

fn step<'a>(pair: Pair<'a>, name: &str, path: &mut String) -> Option<Pair<'a>> {
    let length = path.len();
    path.push_str(name);
    let differs = match pair {
        (Some(expected), Some(found)) => differing(expected, found, path),
        (None, None) => None,
        pair => Some(pair),
    };
    if differs.is_none() {
        path.truncate(length);
    }
    differs
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
    fn a_long_value_is_cut_between_characters() {
        let (_, _, found) = difference(&json!(1), &json!("é".repeat(100))).unwrap();
        assert_eq!(found.chars().count(), SHOWN + 3);
    }
}

//! One rule for the consistency of documents: primary facts are stored; whatever follows from them is derived again,
//! by the functions that wrote it, and compared. Of the primary facts themselves only bounds are checked.

use std::fmt::Display;

use serde::Serialize;
use serde_json::Value;

use super::JsonDocument;
use crate::foundation::digest::Digest;

/// Why a document cannot be as it is: it was edited, or is damaged.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum Contradiction {
    /// The rest of the document gives another value.
    #[error("`{path}` is {stored}, but has to be {derived}, by the rest of the document")]
    Derived {
        /// Path of the member, such as `cases[3].verdict`.
        path: String,
        /// The value that the document has.
        stored: String,
        /// The value that follows from the rest.
        derived: String,
    },
    /// A fact is out of its bounds.
    #[error("{0}")]
    Impossible(String),
}

impl Contradiction {
    /// The contradiction in a part of a document, by the path of the part.
    pub(crate) fn within(self, part: impl Display) -> Self {
        match self {
            Self::Derived { path, stored, derived } => {
                Self::Derived { path: format!("{part}.{path}"), stored, derived }
            }
            Self::Impossible(what) => Self::Impossible(format!("`{part}`: {what}")),
        }
    }
}

impl From<serde_json::Error> for Contradiction {
    fn from(error: serde_json::Error) -> Self {
        Self::Impossible(error.to_string())
    }
}

/// Compares a member with the value that follows from the rest of its document.
pub(crate) fn agrees<T: PartialEq + Serialize + ?Sized>(
    path: impl Display,
    stored: &T,
    derived: &T,
) -> Result<(), Contradiction> {
    if stored == derived {
        return Ok(());
    }
    let [stored, derived] = [stored, derived].map(serde_json::to_value);
    Err(contradiction(path, Some(&stored?), Some(&derived?)))
}

/// The same of a list, element by element: nothing is derived beyond the first one that differs.
pub(crate) fn all_agree<T: PartialEq + Serialize>(
    path: &str,
    stored: &[T],
    derived: impl IntoIterator<Item = T>,
) -> Result<(), Contradiction> {
    let mut derived = derived.into_iter();
    for at in 0.. {
        let both = (stored.get(at), derived.next());
        let (stored, derived) = match &both {
            (None, None) => break,
            (Some(stored), Some(derived)) if *stored == derived => continue,
            (stored, derived) => (*stored, derived.as_ref()),
        };
        let [stored, derived] = [stored, derived].map(|one| one.map(serde_json::to_value));
        let (stored, derived) = (stored.transpose()?, derived.transpose()?);
        let path = format!("{path}[{at}]");
        return Err(contradiction(path, stored.as_ref(), derived.as_ref()));
    }
    Ok(())
}

/// Elements ascend by a key, so that none is there twice.
pub(crate) fn ascend<'a, T, K: Ord>(
    path: &str,
    all: &'a [T],
    key: impl Fn(&'a T) -> K,
) -> Result<(), Contradiction> {
    let at = all.windows(2).position(|pair| key(&pair[0]) >= key(&pair[1]));
    at.map_or(Ok(()), |at| {
        ensure(false, || format!("`{path}[{}]` is out of order, or a second one", at + 1))
    })
}

/// The contradiction, where something does not hold.
pub(crate) fn ensure(
    holds: bool,
    contradiction: impl FnOnce() -> String,
) -> Result<(), Contradiction> {
    if holds { Ok(()) } else { Err(Contradiction::Impossible(contradiction())) }
}

/// The contradiction in the first of several facts about one thing that does not hold.
pub(crate) fn ensure_all<const N: usize>(
    of: impl Display,
    facts: [(bool, &str); N],
) -> Result<(), Contradiction> {
    let broken = facts.into_iter().find(|(holds, _)| !holds);
    broken.map_or(Ok(()), |(_, what)| Err(Contradiction::Impossible(format!("{of} {what}"))))
}

fn contradiction(
    path: impl Display,
    stored: Option<&Value>,
    derived: Option<&Value>,
) -> Contradiction {
    let (member, derived, stored) =
        differing(derived, stored).unwrap_or((String::new(), derived, stored));
    let path = format!("{path}{member}").trim_start_matches('.').to_owned();
    Contradiction::Derived { path, stored: shown(stored), derived: shown(derived) }
}

/// Where two documents differ first, as a path of members such as `predicate.passedTests[3]`, and
/// what stands there in each.
pub(crate) fn difference(expected: &Value, found: &Value) -> Option<(String, String, String)> {
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

/// A document with a digest of its own contents.
pub trait Sealed: JsonDocument {
    /// Members that the digest does not cover.
    const UNSEALED: &'static [&'static str] = &["digest", "provenance"];

    /// The digest that it has.
    fn digest_mut(&mut self) -> &mut Digest;

    /// The digest of its contents: SHA-256 over the document without the members that it does not cover, as JSON
    /// without spaces and with sorted members.
    fn contents_digest(&self) -> serde_json::Result<Digest> {
        let mut contents = serde_json::to_value(self)?;
        if let Some(members) = contents.as_object_mut() {
            for member in Self::UNSEALED {
                members.remove(*member);
            }
        }
        contents.sort_all_objects();
        Ok(Digest::of(&serde_json::to_vec(&contents)?))
    }

    /// The document with the digest of its contents.
    fn sealed(mut self) -> serde_json::Result<Self> {
        *self.digest_mut() = self.contents_digest()?;
        Ok(self)
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

    #[test]
    fn what_does_not_follow_is_named_by_its_path_with_both_values() {
        let (stored, derived) = ([json!({"a": [1]}), json!(2)], [json!({"a": [3]}), json!(2)]);
        let message = |result: Result<(), Contradiction>| result.unwrap_err().to_string();
        let told = "`list[0].a[0]` is 1, but has to be 3, by the rest of the document";
        assert_eq!(message(all_agree("list", &stored, derived.clone())), told);
        assert_eq!(message(agrees("list", &stored, &derived)), told);
        let told = "`list[1]` is 2, but has to be nothing, by the rest of the document";
        assert_eq!(message(all_agree("list", &stored, stored[..1].to_vec())), told);
        assert_eq!(all_agree("list", &stored, stored.clone()), Ok(()));
        let checks = |holds| ensure_all("the case", [(true, "is one"), (holds, "is two")]);
        assert_eq!(checks(true), Ok(()));
        assert_eq!(message(checks(false)), "the case is two");
    }
}

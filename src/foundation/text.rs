//! Numbers and names for readers.

use std::error::Error;
use std::iter::successors;

pub(crate) use judge::text::{counted, grouped, is_integer, matches, natural_order, unit, words};

/// A text as a part of an address: every byte but letters, digits and `-._~` as `%` and two
/// hexadecimal digits.
pub(crate) fn percent_encoded(text: &str) -> String {
    let encoded = |byte: u8| match byte {
        b'a'..=b'z' | b'A'..=b'Z' | b'0'..=b'9' | b'-' | b'.' | b'_' | b'~' => {
            char::from(byte).into()
        }
        _ => format!("%{byte:02X}"),
    };
    text.bytes().map(encoded).collect()
}

/// The first names of a list, and how many more there are.
pub(crate) fn enumerated<'a>(names: impl IntoIterator<Item = &'a str>, most: usize) -> String {
    let mut names = names.into_iter();
    let told = names.by_ref().take(most).collect::<Vec<_>>().join(", ");
    match names.count() as u64 {
        0 => told,
        more => format!("{told} and {} more", grouped(more)),
    }
}

/// The name that a word most likely stands for: one of which it has the first letter and others in their order, as
/// `f16` has of `float16`, or in which few letters are others. Upper or lower case does not matter.
pub fn nearest<'a>(word: &str, names: impl IntoIterator<Item = &'a str>) -> Option<&'a str> {
    let word = word.to_lowercase();
    let likeness = |name: &str| {
        let name = name.to_lowercase();
        let mut rest = name.chars();
        let is_short = word.chars().all(|c| rest.any(|other| other == c))
            && name.chars().next() == word.chars().next();
        let likeness = strsim::normalized_damerau_levenshtein(&word, &name);
        if is_short { 1.0 + likeness } else { likeness }
    };
    let rated = names.into_iter().map(|name| (likeness(name), name));
    let like = rated.filter(|(likeness, _)| *likeness >= LIKE);
    like.max_by(|(a, _), (b, _)| a.total_cmp(b)).map(|(_, name)| name)
}

/// The share of a word that has to match a name for it to be suggested.
const LIKE: f64 = 0.6;

/// A message with those of an error's causes, on one line.
pub(crate) fn with_causes(message: String, error: &dyn Error) -> String {
    let causes = successors(error.source(), |&cause| cause.source());
    causes.fold(message, |line, cause| format!("{line}: {cause}"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_word_stands_for_the_name_that_it_abbreviates_or_is_most_like() {
        let types = ["float16", "bfloat16", "float32", "int8", "uint8", "int16", "uint16"];
        for (word, name) in
            [("f16", "float16"), ("bf16", "bfloat16"), ("u8", "uint8"), ("Flaot32", "float32")]
        {
            assert_eq!(nearest(word, types), Some(name), "{word}");
        }
        assert_eq!(nearest("Dvi", ["Add", "Div", "Sub"]), Some("Div"));
        assert_eq!(nearest("quaternion", types), None);
        assert_eq!(nearest("", types), None);
    }

    #[test]
    fn of_many_names_the_first_are_told() {
        assert_eq!(enumerated(["a", "b", "c"], 2), "a, b and 1 more");
        assert_eq!(enumerated(["a", "b"], 2), "a, b");
    }
}

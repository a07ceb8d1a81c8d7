//! Numbers and names for readers.

use std::cmp::Ordering;
use std::error::Error;
use std::fmt::Display;
use std::iter::successors;

/// Order of names in which digits count as numbers: `test_9` before `test_10`.
pub fn natural_order(a: &str, b: &str) -> Ordering {
    // What two names begin with alike is nothing to their order, but for digits, which are one number.
    let alike = a.bytes().zip(b.bytes()).take_while(|(a, b)| a == b).count();
    let ends_alike = |byte: &u8| byte.is_ascii_graphic() && !byte.is_ascii_digit();
    let from = a.as_bytes()[..alike].iter().rposition(ends_alike).map_or(0, |at| at + 1);
    natord::compare(&a[from..], &b[from..]).then_with(|| a.cmp(b))
}

/// A name of several words, such as `out_of_domain`, as they are written.
pub(crate) fn words(name: impl Display) -> String {
    name.to_string().replace('_', " ")
}

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

/// A count with its thousands grouped, as in `1,765`.
pub(crate) fn grouped(count: u64) -> String {
    let digits = count.to_string();
    let mut text = String::with_capacity(digits.len() * 4 / 3);
    for (at, digit) in digits.chars().enumerate() {
        if at > 0 && (digits.len() - at).is_multiple_of(3) {
            text.push(',');
        }
        text.push(digit);
    }
    text
}

/// A count with its noun, as in `1 case` and `1,765 cases`.
pub(crate) fn counted(count: u64, noun: &str) -> String {
    format!("{} {noun}{}", grouped(count), if count == 1 { "" } else { "s" })
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

/// What follows a distance between elements of this type: integers are counted by themselves.
pub(crate) fn unit(type_name: &str) -> &'static str {
    if is_integer(type_name) { "" } else { " ULP" }
}

/// Whether the element type of this name is one of integers.
pub(crate) fn is_integer(type_name: &str) -> bool {
    type_name.starts_with("int") || type_name.starts_with("uint")
}

/// Whether a text matches the pattern, in which `*` matches any characters.
pub(crate) fn matches(pattern: &str, text: &str) -> bool {
    let Some((start, pattern)) = pattern.split_once('*') else { return text == pattern };
    let (middle, end) = pattern.rsplit_once('*').unwrap_or(("", pattern));
    let rest = text.strip_prefix(start).and_then(|rest| rest.strip_suffix(end));
    // The earliest place of a piece leaves the most for those after it.
    rest.is_some_and(|rest| {
        middle
            .split('*')
            .try_fold(rest, |rest, piece| rest.split_once(piece).map(|(_, rest)| rest))
            .is_some()
    })
}

/// A message with those of an error's causes, on one line.
pub(crate) fn with_causes(message: String, error: &dyn Error) -> String {
    let causes = successors(error.source(), |&cause| cause.source());
    causes.fold(message, |line, cause| format!("{line}: {cause}"))
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    proptest! {
        #[test]
        fn names_that_begin_alike_are_ordered_as_by_all_their_characters(
            start in "[a/0-9 _é]{0,8}",
            ends in ["[a/0-9 _é]{0,6}", "[a/0-9 _é]{0,6}"],
        ) {
            let [a, b] = ends.map(|end| format!("{start}{end}"));
            let whole = natord::compare(&a, &b).then_with(|| a.cmp(&b));
            prop_assert_eq!(natural_order(&a, &b), whole);
        }
    }

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
    fn thousands_are_grouped() {
        let counts = [0, 999, 1_000, 12_345, 123_456, 1_234_567, u64::MAX].map(grouped);
        let told =
            ["0", "999", "1,000", "12,345", "123,456", "1,234,567", "18,446,744,073,709,551,615"];
        assert_eq!(counts, told);
    }

    #[test]
    fn of_many_names_the_first_are_told() {
        assert_eq!(enumerated(["a", "b", "c"], 2), "a, b and 1 more");
        assert_eq!(enumerated(["a", "b"], 2), "a, b");
    }
}

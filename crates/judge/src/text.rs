//! Numbers and names for readers.

use std::cmp::Ordering;
use std::fmt::Display;

/// Order of names in which digits count as numbers: `test_9` before `test_10`.
pub fn natural_order(a: &str, b: &str) -> Ordering {
    // What two names begin with alike is nothing to their order, but for digits, which are one number.
    let alike = a.bytes().zip(b.bytes()).take_while(|(a, b)| a == b).count();
    let ends_alike = |byte: &u8| byte.is_ascii_graphic() && !byte.is_ascii_digit();
    let from = a.as_bytes()[..alike].iter().rposition(ends_alike).map_or(0, |at| at + 1);
    natord::compare(&a[from..], &b[from..]).then_with(|| a.cmp(b))
}

/// A name of several words, such as `out_of_domain`, as they are written.
pub fn words(name: impl Display) -> String {
    name.to_string().replace('_', " ")
}

/// A count with its thousands grouped, as in `1,765`.
pub fn grouped(count: u64) -> String {
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
pub fn counted(count: u64, noun: &str) -> String {
    format!("{} {noun}{}", grouped(count), if count == 1 { "" } else { "s" })
}

/// What follows a distance between elements of this type: integers are counted by themselves.
pub fn unit(type_name: &str) -> &'static str {
    if is_integer(type_name) { "" } else { " ULP" }
}

/// Whether the element type of this name is one of integers.
pub fn is_integer(type_name: &str) -> bool {
    type_name.starts_with("int") || type_name.starts_with("uint")
}

/// Whether a text matches the pattern, in which `*` matches any characters.
pub fn matches(pattern: &str, text: &str) -> bool {
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
    fn thousands_are_grouped() {
        let counts = [0, 999, 1_000, 12_345, 123_456, 1_234_567, u64::MAX].map(grouped);
        let told =
            ["0", "999", "1,000", "12,345", "123,456", "1,234,567", "18,446,744,073,709,551,615"];
        assert_eq!(counts, told);
    }
}

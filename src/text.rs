//! Numbers and names for readers.

use std::cmp::Ordering;
use std::fmt::Display;

/// Order of names in which digits count as numbers: `test_9` before `test_10`.
#[must_use]
pub fn natural_order(a: &str, b: &str) -> Ordering {
    natord::compare(a, b).then_with(|| a.cmp(b))
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
    let mut grouped = String::with_capacity(digits.len() + digits.len() / 3);
    for (at, digit) in digits.char_indices() {
        if at > 0 && (digits.len() - at).is_multiple_of(3) {
            grouped.push(',');
        }
        grouped.push(digit);
    }
    grouped
}

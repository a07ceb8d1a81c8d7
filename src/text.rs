//! Numbers and names for readers.

use std::cmp::Ordering;

/// Order of names in which digits count as numbers: `test_9` before `test_10`.
#[must_use]
pub fn natural_order(a: &str, b: &str) -> Ordering {
    natord::compare(a, b).then_with(|| a.cmp(b))
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

//! Text in documents: numbers grouped, ids and values taken apart.

pub(crate) use crate::foundation::printable::visible;
pub(crate) use crate::foundation::text::{counted, grouped, is_integer};

/// A distance between two results: in ULP, or, of integers, by how much one is off.
pub(crate) fn distance(type_name: &str, distance: u64) -> String {
    let distance = grouped(distance);
    if is_integer(type_name) { format!("off by {distance}") } else { format!("{distance} ULP") }
}

/// An error without its exact fraction.
pub(crate) fn short(error: &str) -> &str {
    error.split_once(" (").map_or(error, |(decimal, _)| decimal)
}

/// An id as the folder it lies in, with the last slash, and the name.
pub(crate) fn folder_and_name(id: &str) -> (&str, &str) {
    id.split_at(id.rfind('/').map_or(0, |slash| slash + 1))
}

/// The parts of a name, each with the separator that ends it.
pub(crate) fn at_separators(name: &str) -> impl Iterator<Item = &str> {
    name.split_inclusive(['/', '_'])
}

/// The parts of a list such as `Div, Sqrt`.
pub(crate) fn list(text: &str) -> impl Iterator<Item = &str> {
    text.split(", ").filter(|part| !part.is_empty())
}

/// Numbers in brackets, as in `[2, 3]`.
pub(crate) fn bracketed(numbers: &[u64]) -> String {
    format!("{numbers:?}")
}

/// A value taken apart: `0.1 (0x3dcccccd)` is decimal and bits; any other text has no bits.
pub(crate) fn decimal_and_bits(value: &str) -> (&str, &str) {
    value
        .strip_suffix(')')
        .and_then(|value| value.rsplit_once(" ("))
        .filter(|(_, bits)| {
            bits.strip_prefix("0x").is_some_and(|digits| {
                !digits.is_empty() && digits.bytes().all(|digit| digit.is_ascii_hexdigit())
            })
        })
        .unwrap_or((value, ""))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn counts_are_grouped_by_thousands() {
        let counts = [0, 999, 1000, 1_234_567, u64::MAX].map(grouped);
        assert_eq!(counts, ["0", "999", "1,000", "1,234,567", "18,446,744,073,709,551,615"]);
        assert_eq!([counted(1, "case"), counted(2, "case")], ["1 case", "2 cases"]);
    }

    #[test]
    fn integers_are_off_by_units_and_everything_else_by_ulp() {
        assert_eq!(distance("uint8", 252), "off by 252");
        assert_eq!(distance("int64", 1), "off by 1");
        assert_eq!(distance("float32", 1_234), "1,234 ULP");
    }

    #[test]
    fn an_id_without_a_slash_is_all_name() {
        assert_eq!(folder_and_name("a/b/c"), ("a/b/", "c"));
        assert_eq!(folder_and_name("c"), ("", "c"));
        assert_eq!(Vec::from_iter(at_separators("a/b_c__")), ["a/", "b_", "c_", "_"]);
        assert_eq!(at_separators("").count(), 0);
    }

    #[test]
    fn only_hexadecimal_in_brackets_counts_as_bits() {
        assert_eq!(decimal_and_bits("0.1 (0x3dcccccd)"), ("0.1", "0x3dcccccd"));
        assert_eq!(decimal_and_bits("NaN (0x7fc0)"), ("NaN", "0x7fc0"));
        for text in ["0.1", "\"a (0xzz)", "x (0x)", "\"a (b)\""] {
            assert_eq!(decimal_and_bits(text), (text, ""));
        }
    }
}

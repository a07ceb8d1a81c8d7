//! Strings as evidence shows them: escaped and cut, and what differs between them.

use std::fmt::Write;
use std::iter;

use bytes::Bytes;
use similar::TextDiff;

/// Bytes of a string that are shown before it is cut.
const STRING_SHOWN: usize = 120;
/// Bytes of a string that one line of a difference holds.
const LINE: usize = 60;
/// Lines of each side that are compared, counted from the first difference.
const LINES_COMPARED: usize = 64;
/// Lines of a difference that are shown.
const LINES_SHOWN: usize = 12;

/// The string in quotes, escaped; cut after 120 bytes.
pub(crate) fn quoted(string: &[u8]) -> String {
    let (shown, rest) = string.split_at(boundary(string, STRING_SHOWN));
    let mut text = format!("\"{}\"", escaped(shown));
    if !rest.is_empty() {
        // Writing to a string does not fail.
        let _ = write!(text, " and {} more bytes", rest.len());
    }
    text
}

/// What differs between two lists of strings, as a unified difference of a few lines that starts
/// where they first differ; empty where they do not.
///
/// A line holds the index of an element and, in quotes and escaped, one of its lines or 60 bytes of
/// it.
#[must_use]
pub fn text_difference(expected: &[Bytes], actual: &[Bytes]) -> String {
    let pairs = expected.iter().zip(actual);
    let first = pairs.clone().take_while(|(expected, actual)| expected == actual).count();
    let common = expected.get(first).zip(actual.get(first)).map_or(0, |(expected, actual)| {
        let same = expected.iter().zip(actual).take_while(|(a, b)| a == b).count();
        boundary(expected, same / LINE * LINE)
    });
    let [old, new] = [expected, actual].map(|strings| lines(strings, first, common));
    let [old, new] = [&old, &new].map(|lines| lines.iter().map(String::as_str).collect::<Vec<_>>());
    let difference = TextDiff::from_slices(&old, &new);
    let mut unified = difference.unified_diff();
    let shown: Vec<String> = unified
        .context_radius(1)
        .iter_hunks()
        .flat_map(|hunk| {
            let lines =
                hunk.iter_changes().map(|change| format!("{}{}", change.tag(), change.value()));
            lines.collect::<Vec<_>>()
        })
        .take(LINES_SHOWN + 1)
        .collect();
    let mut text = shown[..shown.len().min(LINES_SHOWN)].join("\n");
    if shown.len() > LINES_SHOWN {
        text.push_str("\n...");
    }
    text
}

/// The strings from element `first` on in lines, less the first bytes of that element.
fn lines(strings: &[Bytes], first: usize, skipped: usize) -> Vec<String> {
    let indexed = strings.iter().enumerate().skip(first);
    indexed
        .flat_map(|(index, string)| {
            let skipped = if index == first { skipped } else { 0 };
            let label = if skipped == 0 { format!("[{index}]") } else { format!("[{index}] ...") };
            pieces(&string[skipped..]).map(move |piece| format!("{label} \"{}\"", escaped(piece)))
        })
        .take(LINES_COMPARED)
        .collect()
}

/// A string in lines of at most [`LINE`] bytes; one empty line where it is empty.
fn pieces(string: &[u8]) -> impl Iterator<Item = &[u8]> {
    let mut rest = Some(string);
    iter::from_fn(move || {
        let string = rest?;
        let line = &string[..boundary(string, LINE)];
        let end = line.iter().position(|&byte| byte == b'\n').map_or(line.len(), |at| at + 1);
        let (piece, after) = string.split_at(end);
        rest = Some(after).filter(|after| !after.is_empty());
        Some(piece)
    })
}

/// The largest index of at most `limit` that does not cut a character of UTF-8.
fn boundary(string: &[u8], limit: usize) -> usize {
    let is_start = |&index: &usize| string.get(index).is_none_or(|byte| byte & 0xc0 != 0x80);
    let limit = limit.min(string.len());
    (limit.saturating_sub(3)..=limit).rev().find(is_start).unwrap_or(limit)
}

/// The string with everything escaped that is not printed as itself.
fn escaped(string: &[u8]) -> String {
    let mut text = String::new();
    for chunk in string.utf8_chunks() {
        text.extend(chunk.valid().chars().flat_map(char::escape_debug));
        for byte in chunk.invalid() {
            // Writing to a string does not fail.
            let _ = write!(text, "\\x{byte:02x}");
        }
    }
    text
}

#[cfg(test)]
mod tests {
    use super::*;

    fn strings<const N: usize>(strings: [&str; N]) -> Vec<Bytes> {
        strings.map(|string| Bytes::from(string.to_owned())).to_vec()
    }

    #[test]
    fn strings_are_quoted_escaped_and_cut_between_characters() {
        assert_eq!(quoted(b"a\tb\"\n"), r#""a\tb\"\n""#);
        assert_eq!(quoted("d\u{fc}r\u{200b}".as_bytes()), "\"d\u{fc}r\\u{200b}\"");
        assert_eq!(quoted(b"\xff\xfea"), r#""\xff\xfea""#);
        assert_eq!(quoted(&[b'x'; 200]), format!("\"{}\" and 80 more bytes", "x".repeat(120)));
        let wide = |characters| format!("x{}", "\u{fc}".repeat(characters));
        let cut = format!("\"{}\" and 4 more bytes", wide(59));
        assert_eq!(quoted(wide(61).as_bytes()), cut);
        assert_eq!(quoted(&[0x80; 121]), format!("\"{}\" and 1 more bytes", "\\x80".repeat(120)));
    }

    #[test]
    fn a_difference_shows_the_elements_that_differ_and_their_neighbours() {
        let expected = strings(["same", "kitten", "next", "far"]);
        let actual = strings(["same", "sitting", "next", "far"]);
        insta::assert_snapshot!(text_difference(&expected, &actual), @r#"
        -[1] "kitten"
        +[1] "sitting"
         [2] "next"
        "#);
        assert_eq!(text_difference(&expected, &expected), "");
    }

    #[test]
    fn a_difference_within_a_long_string_starts_at_the_line_that_differs() {
        let long = "0123456789".repeat(100_000);
        let expected = strings([&format!("{long}abc\nsecond\n"), "tail"]);
        let actual = strings([&format!("{long}abd\nsecond\n"), "tail"]);
        insta::assert_snapshot!(text_difference(&expected, &actual), @r#"
        -[0] ... "0123456789012345678901234567890123456789abc\n"
        +[0] ... "0123456789012345678901234567890123456789abd\n"
         [0] ... "second\n"
        "#);
    }

    #[test]
    fn a_difference_is_bounded() {
        let numbered = |name: &str, count: usize| -> Vec<Bytes> {
            (0..count).map(|i| Bytes::from(format!("{name}{i}"))).collect()
        };
        let (expected, actual) = (numbered("a", 1000), numbered("b", 1000));
        let text = text_difference(&expected, &actual);
        assert_eq!(text.lines().count(), LINES_SHOWN + 1);
        assert!(text.ends_with("\n..."));
        let as_many = numbered("a", LINES_SHOWN);
        assert!(text_difference(&as_many, &[]).ends_with("-[11] \"a11\""));
        assert!(text_difference(&expected, &[]).starts_with("-[0] \"a0\""));
    }
}

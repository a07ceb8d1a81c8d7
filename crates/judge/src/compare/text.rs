//! Strings as evidence shows them: escaped and cut, and what differs between them.

use std::iter;

use bytes::Bytes;
use similar::TextDiff;
use values::text::{boundary, escaped};

/// Bytes of a string that one line of a difference holds.
const LINE: usize = 60;
/// Lines of each side that are compared, counted from the first difference.
const LINES_COMPARED: usize = 64;
/// Lines of a difference that are shown.
const LINES_SHOWN: usize = 12;

/// What differs between two lists of strings, as a unified difference of a few lines that starts
/// where they first differ; empty where they do not.
///
/// A line holds the index of an element and, in quotes and escaped, one of its lines or 60 bytes of
/// it.
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

#[cfg(test)]
mod tests {
    use super::*;

    fn strings<const N: usize>(strings: [&str; N]) -> Vec<Bytes> {
        strings.map(|string| Bytes::from(string.to_owned())).to_vec()
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

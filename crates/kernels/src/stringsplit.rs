//! StringSplit: strings taken apart byte by byte, at a delimiter or at ASCII's whitespace.
//!
//! A string of whitespace alone has no word, while without a delimiter in it an empty string is one substring; a negative limit is none.
//! What is left after the last split keeps the whitespace at its end.

use super::elementwise::checked_len;
use super::reshaping::integer;
use super::signature::{AttributeSpec, Domain, Input, Version};
use super::{Attribute, Call, Kernel, KernelError};
use bytes::Bytes;
use values::dtype::DType::{Int64, String};
use values::tensor::Tensor;

pub(super) static STRINGSPLIT: Kernel = Kernel {
    domain: Domain::Onnx,
    name: "StringSplit",
    inputs: &[Input::new("X")],
    is_elementwise: false,
    slices: None,
    versions: &[Version::with(20, &[String], &[text("delimiter"), integer("maxsplit")])],
    restricted: &[],
    run,
};

/// An attribute that is a text.
pub(super) const fn text(name: &'static str) -> AttributeSpec {
    let accepts = |value: &Attribute| matches!(value, Attribute::Text(_));
    AttributeSpec { name, accepts, expected: "a text in UTF-8" }
}

fn run(call: &Call<'_>) -> Result<Vec<Tensor>, KernelError> {
    let [data] = call.inputs()?;
    let delimiter = match call.attributes.get("delimiter") {
        Some(Attribute::Text(text)) => text.as_bytes(),
        _ => &[],
    };
    let limit = usize::try_from(call.int("maxsplit", -1)).unwrap_or(usize::MAX);
    let strings = data.strings().unwrap_or_default().iter();
    let split = |string: &Bytes| match delimiter {
        [] => words(string, limit),
        _ => parts(string, delimiter, limit),
    };
    let split: Vec<Vec<Bytes>> = strings.map(split).collect();
    let width = split.iter().map(Vec::len).max().unwrap_or(0);
    let shape = [data.shape(), &[width]].concat();
    let mut all = Vec::with_capacity(checked_len(&shape, String, size_of::<Bytes>())?);
    let counts = split.iter().map(|parts| parts.len() as i64).collect();
    for parts in split {
        let padding = width - parts.len();
        all.extend(parts);
        all.extend(std::iter::repeat_n(Bytes::new(), padding));
    }
    let counts = Tensor::from_values(Int64, data.shape().to_vec(), counts)?;
    Ok(vec![Tensor::from_strings(shape, all)?, counts])
}

/// What is between delimiters, found by a comparison at every byte.
fn parts(string: &Bytes, delimiter: &[u8], limit: usize) -> Vec<Bytes> {
    let (mut parts, mut start, mut at) = (Vec::new(), 0, 0);
    while parts.len() < limit && at + delimiter.len() <= string.len() {
        if string[at..].starts_with(delimiter) {
            parts.push(string.slice(start..at));
            at += delimiter.len();
            start = at;
        } else {
            at += 1;
        }
    }
    parts.push(string.slice(start..));
    parts
}

/// Words, with a state for each byte: whether it is in one.
fn words(string: &Bytes, limit: usize) -> Vec<Bytes> {
    let (mut words, mut start) = (Vec::new(), None);
    for (at, byte) in string.iter().enumerate() {
        let is_space = matches!(byte, 9..=13 | b' ');
        match start {
            None if !is_space && words.len() >= limit => {
                words.push(string.slice(at..));
                return words;
            }
            None if !is_space => start = Some(at),
            Some(first) if is_space => {
                words.push(string.slice(first..at));
                start = None;
            }
            _ => {}
        }
    }
    words.extend(start.map(|first| string.slice(first..)));
    words
}

#[cfg(test)]
mod tests {
    use super::{parts, words};
    use bytes::Bytes;

    fn joined(all: &[Bytes]) -> String {
        all.iter().map(|part| str::from_utf8(part).unwrap()).collect::<Vec<_>>().join("|")
    }

    #[test]
    fn parts_are_between_delimiters() {
        for (string, delimiter, limit, expected) in [
            ("a--b-", "-", usize::MAX, "a||b|"),
            ("aaaaa", "aa", usize::MAX, "||a"),
            ("aabaaab", "aab", usize::MAX, "|a|"),
            ("a-b-c", "-", 1, "a|b-c"),
            ("a-b-c", "-", 0, "a-b-c"),
            ("a", "abc", 5, "a"),
            ("", "-", 5, ""),
        ] {
            let string = Bytes::from_static(string.as_bytes());
            assert_eq!(joined(&parts(&string, delimiter.as_bytes(), limit)), expected);
        }
    }

    #[test]
    fn words_are_between_whitespace() {
        for (string, limit, expected) in [
            (" \ta\u{b}\u{c}b\r\nc ", usize::MAX, "a|b|c"),
            (" a  b  c ", 1, "a|b  c "),
            (" a b", 0, "a b"),
            ("a b ", 2, "a|b"),
        ] {
            let string = Bytes::from_static(string.as_bytes());
            assert_eq!(joined(&words(&string, limit)), expected);
        }
        assert!(words(&Bytes::from_static(b" \n"), 3).is_empty());
    }
}

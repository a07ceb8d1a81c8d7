//! Of RegexFullMatch.

use super::*;
use crate::operator::{AttributeValue, Attributes, Specification};

/// Whether each string matches, as far as that is decided.
fn matched(pattern: Option<&str>, strings: &[&'static [u8]]) -> Option<Vec<Option<u128>>> {
    let all = strings.iter().map(|bytes| (*bytes).into()).collect();
    let inputs = vec![Some(Tensor::from_strings(vec![strings.len()], all).unwrap())];
    let pattern = pattern.map(|it| ("pattern".to_owned(), AttributeValue::Text(it.to_owned())));
    let (version, onnx) = (REGEXFULLMATCH.newest(), Specification::Onnx);
    let attributes = Attributes::from_iter(pattern);
    let (call, types) = Call::new(&REGEXFULLMATCH, version, onnx, attributes, inputs).ok()?;
    let allowed = REGEXFULLMATCH.reference.allowed(&call, &types);
    let one = |index| {
        let one = allowed[0].at(index);
        one.is_decided().then(|| one.example().unwrap())
    };
    Some((0..types[0].shape.iter().product()).map(one).collect())
}

#[test]
fn each_string_matches_or_does_not() {
    assert_eq!(matched(Some("a+"), &[b"aa", b"", b"ab"]), Some(vec![Some(1), Some(0), Some(0)]));
    assert_eq!(matched(Some("a+"), &[]), Some(vec![]));
}

#[test]
fn letters_beyond_ascii_without_case_are_open() {
    let kelvin = "\u{212a}".as_bytes();
    assert_eq!(matched(Some("(?i)k"), &[kelvin, b"K"]), Some(vec![None, Some(1)]));
    assert_eq!(matched(Some("k"), &[kelvin]), Some(vec![Some(0)]));
}

#[test]
fn other_bytes_other_forms_and_no_pattern_are_open_and_no_expression_is_refused() {
    assert_eq!(matched(Some("a"), &[b"a", b"\xff"]), Some(vec![None; 2]));
    assert_eq!(matched(Some(r"\pL"), &[b"a"]), Some(vec![None]));
    assert_eq!(matched(None, &[]), Some(vec![None]));
    assert_eq!(matched(Some("("), &[b"a"]), None);
}

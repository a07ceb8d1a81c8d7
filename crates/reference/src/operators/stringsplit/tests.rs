//! Of StringSplit.

use super::*;
use crate::operator::{AttributeValue, Attributes, Specification};

/// The shape of the substrings, and what is allowed of each output; nothing of what is open.
fn split(
    shape: &[usize],
    strings: &[&'static [u8]],
    delimiter: Option<&str>,
    most: Option<i64>,
) -> Option<(Vec<usize>, [Vec<Conforming>; 2])> {
    let strings = strings.iter().map(|bytes| (*bytes).into()).collect();
    let inputs = vec![Some(Tensor::from_strings(shape.to_vec(), strings).unwrap())];
    let delimiter = delimiter.map(|it| ("delimiter", AttributeValue::Text(it.to_owned())));
    let most = most.map(|most| ("maxsplit", AttributeValue::Int(most)));
    let attributes = delimiter.into_iter().chain(most);
    let attributes: Attributes = attributes.map(|(name, value)| (name.to_owned(), value)).collect();
    let (version, onnx) = (STRINGSPLIT.newest(), Specification::Onnx);
    let (call, types) = Call::new(&STRINGSPLIT, version, onnx, attributes, inputs).unwrap();
    let allowed = STRINGSPLIT.reference.allowed(&call, &types);
    let all = |at: usize| -> Vec<Conforming> {
        (0..types[at].shape.iter().product()).map(|index| allowed[at].at(index)).collect()
    };
    let [y, z] = [all(0), all(1)];
    let is_open = y.iter().chain(&z).all(|one| !one.is_decided());
    assert!(!is_open || !y.is_empty() && !z.is_empty());
    (!is_open).then(|| (types[0].shape.clone(), [y, z]))
}

/// The substrings of a single string, where one reading alone is allowed.
fn pieces(text: &'static str, delimiter: Option<&str>, most: Option<i64>) -> Vec<String> {
    let (shape, [y, z]) = split(&[], &[text.as_bytes()], delimiter, most).unwrap();
    assert_eq!((shape, z), (vec![y.len()], vec![Conforming::One(y.len() as u64)]));
    let text = |one: Conforming| match one {
        Conforming::Same(Element::String(bytes)) => String::from_utf8(bytes.to_vec()).unwrap(),
        other => panic!("{other:?}"),
    };
    y.into_iter().map(text).collect()
}

#[test]
fn delimiters_that_follow_each_other_have_empty_strings_between_them() {
    assert_eq!(pieces("a--b-", Some("-"), None), ["a", "", "b", ""]);
    assert_eq!(pieces("-", Some("-"), None), ["", ""]);
    assert_eq!(pieces("a", Some("ab"), None), ["a"]);
    assert_eq!(pieces(" a  b ", Some(" "), None), ["", "a", "", "b", ""]);
    assert_eq!(pieces("aaaaa", Some("aa"), None), ["", "", "a"]);
    assert_eq!(pieces("\u{e9}a\u{e9}", Some("\u{e9}"), None), ["", "a", ""]);
    assert_eq!(pieces("a-b-c", Some("-"), Some(1)), ["a", "b-c"]);
    assert_eq!(pieces("a-b-c", Some("-"), Some(0)), ["a-b-c"]);
    assert_eq!(pieces("a-b-c", Some("-"), Some(i64::MAX)), ["a", "b", "c"]);
}

#[test]
fn whitespace_of_any_length_is_one_separator_and_removed_at_the_ends() {
    for delimiter in [None, Some("")] {
        assert_eq!(pieces(" \ta\u{b}\u{c}b\r\nc ", delimiter, None), ["a", "b", "c"]);
        assert_eq!(pieces("a\u{0}b", delimiter, None), ["a\u{0}b"]);
        assert_eq!(pieces(" a  b", delimiter, Some(2)), ["a", "b"]);
        assert_eq!(pieces(" a  b ", delimiter, Some(2)), ["a", "b"]);
        assert_eq!(pieces("a  b   c", delimiter, Some(1)), ["a", "b   c"]);
        assert_eq!(pieces(" a b", delimiter, Some(0)), ["a b"]);
    }
}

#[test]
fn whitespace_behind_the_last_split_may_stay_or_not() {
    let (shape, [y, z]) = split(&[], &[b"a b  c "], None, Some(1)).unwrap();
    let same = |text: &str| Conforming::Same(element(text));
    assert_eq!((shape, z), (vec![2], vec![Conforming::One(2)]));
    assert_eq!(y, [same("a"), Conforming::OneOf(vec![same("b  c "), same("b  c")])]);
}

#[test]
fn a_string_of_nothing_has_one_substring_or_none() {
    let (shape, [y, z]) = split(&[3, 1], &[b" ", b"a b", b""], None, None).unwrap();
    let same = |text: &str| Conforming::Same(element(text));
    assert_eq!(shape, [3, 1, 2]);
    assert_eq!(y, [same(""), same(""), same("a"), same("b"), same(""), same("")]);
    let either = Conforming::OneOf(vec![Conforming::One(1), Conforming::One(0)]);
    assert_eq!(z, [either.clone(), Conforming::One(2), either]);
    assert_eq!(split(&[2], &[b"", b" "], None, None), None);
    assert_eq!(split(&[1], &[b""], Some("-"), None), None);
    assert_eq!(pieces(" ", Some("-"), None), [" "]);
}

#[test]
fn doubtful_whitespace_no_strings_other_bytes_and_negative_numbers_are_open() {
    assert_eq!(split(&[0], &[], Some("-"), None), None);
    assert_eq!(split(&[1], &[b"a\xff"], Some("-"), None), None);
    assert_eq!(split(&[1], &[b"a b"], None, Some(-1)), None);
    for doubtful in ["\u{a0}", "\u{85}", "\u{1c}", "\u{2003}", "\u{200b}", "\u{3000}"] {
        let text: &'static [u8] = format!("a{doubtful}b c").leak().as_bytes();
        assert_eq!(split(&[2], &[b"a b", text], None, None), None);
        assert!(split(&[2], &[b"a b", text], Some(" "), None).is_some());
    }
}

//! Calls of the operators on strings, of few different characters, so that delimiters and words are often beside each other.

use onnx_conformance::dtype::DType;
use onnx_conformance::reference::operator::AttributeValue::Int;
use onnx_conformance::tensor::Tensor;

use super::drawn::{Draw, Drawn, Draws, text};

/// How calls of an operator are drawn.
pub(super) fn draw(operator: &str) -> Option<Draw> {
    Some(match operator {
        "RegexFullMatch" => matched,
        "StringSplit" => split,
        _ => return None,
    })
}

/// A text of at most so many of these pieces.
fn pieces(draws: &mut Draws, pieces: &[&str], most: usize) -> String {
    let count = draws.below(most + 1);
    (0..count).map(|_| draws.one_of(pieces)).collect()
}

/// Strings of delimiters, parts of them and other characters, one of which at least has a substring.
fn split(draws: &mut Draws, _: DType) -> Drawn {
    // ONNX's evaluator takes no scalars.
    let shape = draws.filled_shape([1, 4], 60);
    let delimiter = draws.one_of(&["", ",", "ab", "aa", "aab", " ", "\u{e9}", "::", "."]);
    let is_left_out = delimiter.is_empty() && draws.is_one_in(2);
    let parts = [delimiter, "a", "b", " ", "  ", "\t", "\n", ":", "\u{e9}", "\u{1f600}", delimiter];
    let count = shape.iter().product();
    let mut strings: Vec<String> = (0..count).map(|_| pieces(draws, &parts, 9)).collect();
    let some = draws.below(count);
    strings[some].push('b');
    let strings = strings.into_iter().map(Into::into).collect();
    let most = draws.between(0, 5);
    let is_limited = draws.is_one_in(2);
    Drawn::new(vec![Some(Tensor::from_strings(shape, strings).unwrap())])
        .with_some("delimiter", (!is_left_out).then(|| text(delimiter)))
        .with_some("maxsplit", is_limited.then_some(Int(most)))
}

/// Patterns that Python reads as RE2 does, with what strings of them are made of.
const PATTERNS: [(&str, &[&str]); 14] = [
    ("a|ab|abc", &["a", "b", "c"]),
    ("(a|ab)(c|bcd)*", &["a", "ab", "c", "bcd"]),
    ("a*?b+c?", &["a", "b", "c"]),
    ("(ab){1,2}a?", &["ab", "a"]),
    ("a.c", &["a", "b", "c", "\u{e9}", "\u{1f600}", "\n"]),
    ("(?s)a.+c", &["a", "c", "\n", "\u{e9}"]),
    ("[a-c0-2_]+", &["a", "c", "d", "0", "3", "_"]),
    ("[^a-c]*", &["a", "d", "\n", "\u{e9}"]),
    ("[]a\\\\^-]+", &["]", "a", "\\", "^", "-", "b"]),
    (r"\w+\W\d*", &["a", "Z", "_", "9", "-", " "]),
    (r"a\b.b?", &["a", " ", "b", "_"]),
    (r"\Aa\Bb\.", &["a", "b", ".", "c"]),
    ("(?i:a)[b-c]", &["a", "A", "b", "B", "c"]),
    ("(?P<name>a)(?:b|)", &["a", "b"]),
];

/// Strings of the parts of a pattern, in any order.
fn matched(draws: &mut Draws, _: DType) -> Drawn {
    let shape = draws.shape([1, 4], 60);
    let (pattern, parts) = draws.one_of(&PATTERNS);
    let strings = (0..shape.iter().product::<usize>()).map(|_| pieces(draws, parts, 4).into());
    let strings = strings.collect();
    Drawn::new(vec![Some(Tensor::from_strings(shape, strings).unwrap())])
        .with("pattern", text(pattern))
}

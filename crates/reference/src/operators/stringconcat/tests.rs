//! Of StringConcat.

use values::tensor::Tensor;

use super::*;
use crate::operator::{Attributes, Specification};

fn concatenated(x: &[u8], y: &[u8]) -> Conforming {
    let text = |bytes: &[u8]| Element::String(bytes.to_vec().into());
    Concatenation.conforming(Text, &[text(x), text(y)])
}

fn called(shapes: [&[usize]; 2], text: &'static str) -> Result<Vec<usize>, Invalid> {
    let strings = |shape: &[usize]| {
        let count = shape.iter().product();
        Some(Tensor::from_strings(shape.to_vec(), vec![text.into(); count]).unwrap())
    };
    let (version, onnx) = (STRINGCONCAT.newest(), Specification::Onnx);
    let inputs = shapes.map(strings).into();
    let made = Call::new(&STRINGCONCAT, version, onnx, Attributes::new(), inputs);
    made.map(|(_, types)| types[0].shape.clone())
}

#[test]
fn the_second_string_follows_the_first_with_every_byte() {
    for (x, y, expected) in [
        ("ab", "c", "abc"),
        ("", "", ""),
        ("a\0", "\0b", "a\0\0b"),
        ("e", "\u{301}", "e\u{301}"),
        ("\u{1f600}", " ", "\u{1f600} "),
    ] {
        let same = Conforming::Same(texts::element(expected));
        assert_eq!(concatenated(x.as_bytes(), y.as_bytes()), same);
    }
    assert!(!concatenated(b"a", b"b").accepts_element(&texts::element("ba")));
}

#[test]
fn what_is_not_utf_8_is_open_even_where_both_together_are() {
    assert!(!concatenated(b"\xc3", b"\xa9").is_decided());
    assert!(!concatenated(b"a", b"\xff").is_decided());
    assert_eq!(Concatenation.conforming(DType::Bool, &[]), FOREIGN);
}

#[test]
fn shapes_are_broadcast_and_outputs_of_many_bytes_refused() {
    assert_eq!(called([&[2, 1], &[3]], "a"), Ok(vec![2, 3]));
    assert!(called([&[2], &[3]], "a").is_err());
    assert_eq!(called([&[0, 1], &[1 << 12]], "a"), Ok(vec![0, 1 << 12]));
    assert!(called([&[1 << 15, 1], &[1 << 15]], "abc").is_err());
}

//! How bits and errors are written in campaign documents, so that nothing is lost in reading.

use crate::dtype::{DType, Kind};
use crate::oracle::{Deviation, Ulps};
use values::element::Element;
use values::text::{escaped, unescaped};

/// An element: a number as [`number`] has it, a string whole, in quotes and escaped.
pub(crate) fn element(element: &Element) -> String {
    match element {
        Element::Bits(dtype, bits) => number(*dtype, *bits as u64),
        Element::String(string) => format!("\"{}\"", escaped(string)),
    }
}

/// The element of a type that [`element`] wrote.
pub(crate) fn read_element(dtype: DType, text: &str) -> Option<Element> {
    if dtype == DType::String {
        let string = text.strip_prefix('"')?.strip_suffix('"')?;
        return Some(Element::String(unescaped(string)?.into()));
    }
    Some(Element::Bits(dtype, read_number(dtype, text)?.into()))
}

/// A number as decimal and bits: `0.1 (0x3dcccccd)`, `-128 (0x80)`, `true (0x01)`.
pub(crate) fn number(dtype: DType, bits: u64) -> String {
    let shown = Element::Bits(dtype, bits.into()).to_string();
    let width = match dtype.kind() {
        Kind::Int { bits, .. } => bits,
        Kind::Bool => u8::BITS,
        Kind::Float(_) | Kind::Complex(_) | Kind::String => return shown,
    };
    let digits = 2 + width as usize / 4;
    format!("{shown} ({bits:#0digits$x})")
}

/// The bits of a number that [`number`] wrote.
pub(crate) fn read_number(dtype: DType, text: &str) -> Option<u64> {
    let digits = text.strip_suffix(')')?.rsplit_once("(0x")?.1;
    let bits = u64::from_str_radix(digits, 16).ok()?;
    let fits = dtype.bits().is_some_and(|width| bits.leading_zeros() >= u64::BITS - width);
    (fits && number(dtype, bits) == text).then_some(bits)
}

/// An error, as [`Ulps::with_fraction`] or in words.
pub(crate) fn error(deviation: Deviation) -> String {
    match deviation {
        Deviation::NoRealResult => "no real result".to_owned(),
        Deviation::Unbounded => "unbounded".to_owned(),
        Deviation::Ulps(ulps) => ulps.with_fraction(),
    }
}

/// The error that [`error`] wrote.
pub(crate) fn read_error(text: &str) -> Option<Deviation> {
    match text {
        "no real result" => Some(Deviation::NoRealResult),
        "unbounded" => Some(Deviation::Unbounded),
        _ => Ulps::parse(text).map(Deviation::Ulps),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn elements_read_back_as_they_were() {
        for (dtype, bits, text) in [
            (DType::Int8, 0x80, "-128 (0x80)"),
            (DType::Uint16, 7, "7 (0x0007)"),
            (DType::Float16, 0x3555, "0.3333 (0x3555)"),
            (DType::Float64, 1 << 63, "-0 (0x8000000000000000)"),
            (DType::Float32, 0x7fc0_0001, "NaN (0x7fc00001)"),
            (DType::Int4, 0xf, "-1 (0xf)"),
            (DType::Bool, 1, "true (0x01)"),
            (DType::Bool, 0, "false (0x00)"),
        ] {
            let one = Element::Bits(dtype, bits);
            assert_eq!(element(&one), text);
            assert_eq!(read_element(dtype, text), Some(one));
        }
        for text in ["", "1", "1 (0x02)", "-128 (0x180)", "-128 (0x80) "] {
            assert_eq!(read_element(DType::Int8, text), None, "{text}");
        }
    }

    #[test]
    fn strings_are_written_whole_and_read_back() {
        let long = format!("\"{}\"", "9".repeat(1000));
        for text in ["\"\"", r#""a\"\u{301}\xff""#, &long] {
            let read = read_element(DType::String, text).unwrap();
            assert_eq!(element(&read), text);
        }
        for text in ["", "\"", "a", "\"a", "a\"", "\"\"\"", r#""\x41""#] {
            assert_eq!(read_element(DType::String, text), None, "{text}");
        }
    }

    #[test]
    fn errors_read_back_as_they_were_and_edited_ones_do_not() {
        for (ulps, text) in [
            (Ulps::ZERO, "0 (=0/2^20)"),
            (Ulps::HALF, "0.5 (=524288/2^20)"),
            (Ulps::new(349_526, false), "0.333334 (<349526/2^20)"),
        ] {
            let deviation = Deviation::Ulps(ulps);
            assert_eq!(error(deviation), text);
            assert_eq!(read_error(text), Some(deviation));
        }
        for deviation in [Deviation::NoRealResult, Deviation::Unbounded] {
            assert_eq!(read_error(&error(deviation)), Some(deviation));
        }
        for text in [
            "0.5",
            "0.4 (=524288/2^20)",
            "0.5 (=524288/2^21)",
            "1 (>1048576/2^20)",
            "0 (<0/2^20)",
            ")(",
        ] {
            assert_eq!(read_error(text), None, "{text}");
        }
    }
}

//! One element of a tensor as evidence shows it.

use std::fmt;

use bytes::Bytes;

use crate::dtype::{DType, Kind, integer};
use crate::tensor::Tensor;
use crate::text::quoted;

/// One element with its type.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Element {
    /// A number, as bits in the low end.
    Bits(DType, u128),
    /// A string, as bytes.
    String(Bytes),
}

impl Element {
    /// Its element type.
    pub const fn dtype(&self) -> DType {
        match self {
            Self::Bits(dtype, _) => *dtype,
            Self::String(_) => DType::String,
        }
    }

    /// The element at a row-major index; `None` past the end.
    pub fn of(tensor: &Tensor, index: usize) -> Option<Self> {
        match tensor.strings() {
            Some(strings) => strings.get(index).cloned().map(Self::String),
            None => tensor.element(index).map(|bits| Self::Bits(tensor.dtype(), bits)),
        }
    }

    /// The number of this type that is written so; `None` where none is, decimal and bits are not those
    /// of one number, or the type is that of strings.
    pub fn parse(dtype: DType, text: &str) -> Option<Self> {
        let width = dtype.bits()?;
        let hex = |digits: &str| u128::from_str_radix(digits.strip_prefix("0x")?, 16).ok();
        let in_brackets = || Some(text.strip_suffix(')')?.rsplit_once(" (")?.1);
        let bits = match dtype.kind() {
            Kind::Float(_) => hex(in_brackets()?)?,
            Kind::Complex(format) => {
                let (real, imaginary) = in_brackets()?.split_once(", ")?;
                hex(real)? | hex(imaginary)?.checked_shl(format.width())?
            }
            Kind::Int { .. } => {
                let outside = 128_u32.checked_sub(width)?;
                (text.parse::<i128>().ok()?.cast_unsigned() << outside) >> outside
            }
            Kind::Bool => u128::from(text.parse::<bool>().ok()?),
            Kind::String => return None,
        };
        let element = Self::Bits(dtype, bits);
        let fits = bits.checked_shr(width).is_none_or(|rest| rest == 0);
        (fits && element.to_string() == text).then_some(element)
    }
}

/// Floating point as the shortest decimal that reads back and the bits, `0.1 (0x3dcccccd)`; complex
/// numbers as `1-2i (0x3f800000, 0xc0000000)`; integers in decimal; `true` and `false`; strings
/// quoted and escaped, bytes that are not UTF-8 as `\xff`, cut after 120 bytes.
impl fmt::Display for Element {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let (dtype, bits) = match self {
            Self::Bits(dtype, bits) => (dtype, *bits),
            Self::String(bytes) => return f.write_str(&quoted(bytes)),
        };
        match dtype.kind() {
            Kind::Float(format) => f.write_str(&format.with_bits(format.parts(bits)[0])),
            Kind::Complex(format) => {
                let [real, imaginary] = format.parts(bits);
                let part = format.decimal(imaginary);
                let sign = if part.starts_with('-') { "" } else { "+" };
                let width = format.hex_width();
                let decimal = format.decimal(real);
                write!(f, "{decimal}{sign}{part}i ({real:#0width$x}, {imaginary:#0width$x})")
            }
            Kind::Int { signed, bits: width } => write!(f, "{}", integer(bits, signed, width)),
            Kind::Bool => write!(f, "{}", bits != 0),
            // A string has no bits: never made by `Element::of`, but the type allows it.
            Kind::String => write!(f, "{bits:#x}"),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn number(dtype: DType, bits: u128) -> String {
        Element::Bits(dtype, bits).to_string()
    }

    #[test]
    fn numbers_show_decimal_and_where_they_are_inexact_their_bits() {
        assert_eq!(number(DType::Float32, 0x3dcc_cccd), "0.1 (0x3dcccccd)");
        assert_eq!(number(DType::Float8E8M0, 0xff), "NaN (0xff)");
        assert_eq!(number(DType::Int4, 0xf), "-1");
        assert_eq!(number(DType::Uint4, 0xf), "15");
        assert_eq!(number(DType::Int64, 1 << 63), "-9223372036854775808");
        assert_eq!(number(DType::Uint64, u128::from(u64::MAX)), "18446744073709551615");
        assert_eq!(number(DType::Bool, 1), "true");
    }

    #[test]
    fn complex_numbers_show_both_parts_and_their_signs() {
        let one_minus_two = 0xc000_0000_3f80_0000;
        assert_eq!(number(DType::Complex64, one_minus_two), "1-2i (0x3f800000, 0xc0000000)");
        let zero_and_nan = 0x7fc0_0000_8000_0000;
        assert_eq!(number(DType::Complex64, zero_and_nan), "-0+NaNi (0x80000000, 0x7fc00000)");
        assert_eq!(
            number(DType::Complex128, u128::from(1.5_f64.to_bits())),
            "1.5+0i (0x3ff8000000000000, 0x0000000000000000)"
        );
    }

    #[test]
    fn a_number_is_read_from_the_very_text_that_it_is_shown_as() {
        for dtype in DType::ALL.into_iter().filter(|&dtype| dtype != DType::String) {
            let width = dtype.bits().unwrap();
            for bits in [0, 1, 2, 5, u128::MAX, u128::MAX / 3, u128::MAX / 7 * 2, 1 << 127] {
                let bits = if dtype == DType::Bool { bits & 1 } else { bits >> (128 - width) };
                let text = number(dtype, bits);
                assert_eq!(
                    Element::parse(dtype, &text),
                    Some(Element::Bits(dtype, bits)),
                    "{text}"
                );
            }
        }
        for (dtype, text) in [
            (DType::Float32, "0.2 (0x3dcccccd)"),
            (DType::Float32, "0.1 (0x3DCCCCCD)"),
            (DType::Float32, "0.1 (0x03dcccccd)"),
            (DType::Float32, "0.1"),
            (DType::Float16, "0.1 (0x3dcccccd)"),
            (DType::Float16, "0.1 (0x12e66)"),
            (DType::Complex64, "1-2i (0x3f800000, 0x40000000)"),
            (DType::Complex64, "1-2i (0x3f800000)"),
            (DType::Int8, "128"),
            (DType::Int8, "-129"),
            (DType::Int8, "+1"),
            (DType::Int64, "01"),
            (DType::Uint64, "18446744073709551616"),
            (DType::Bool, "1"),
            (DType::String, "\"a\""),
        ] {
            assert_eq!(Element::parse(dtype, text), None, "{dtype} {text}");
        }
    }

    #[test]
    fn strings_are_quoted() {
        assert_eq!(Element::String(Bytes::from_static(b"a\n")).to_string(), r#""a\n""#);
    }
}

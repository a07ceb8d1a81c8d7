//! One element of a tensor as evidence shows it.

use std::fmt;

use bytes::Bytes;

use crate::dtype::{DType, Kind, integer};
use crate::tensor::Tensor;
use crate::text::quoted;

/// One element with its type.
#[derive(Clone, Debug, PartialEq, Eq)]
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
    fn strings_are_quoted() {
        assert_eq!(Element::String(Bytes::from_static(b"a\n")).to_string(), r#""a\n""#);
    }
}

//! Judging the bits of an element by the bits that were expected.

use super::{Closeness, Tolerance};
use crate::dtype::{DType, Kind};
use crate::float::{Class, FloatFormat};

/// When an element of one type conforms to the expected one.
#[derive(Clone, Copy, Debug)]
pub enum Expected {
    /// When its bits are the expected ones.
    SameBits,
    /// When its bits, or those of both parts of a complex number, are the expected ones, or both
    /// are NaN in this format.
    SameNumber(&'static FloatFormat),
    /// When NumPy finds it close.
    Close(Closeness),
}

impl Expected {
    /// The expected bits, or any NaN for a NaN; `None` for strings, which have no bits.
    pub const fn bits(dtype: DType) -> Option<Self> {
        match dtype.kind() {
            Kind::Float(format) | Kind::Complex(format) => Some(Self::SameNumber(format)),
            Kind::Int { .. } | Kind::Bool => Some(Self::SameBits),
            Kind::String => None,
        }
    }

    /// What NumPy finds close; `None` for strings.
    pub fn close(dtype: DType, tolerance: Tolerance) -> Option<Self> {
        Closeness::new(dtype, tolerance).map(Self::Close)
    }

    /// As [`Self::close`], bfloat16 widened; see [`Closeness::widened`].
    pub fn close_widened(dtype: DType, tolerance: Tolerance) -> Option<Self> {
        Closeness::widened(dtype, tolerance).map(Self::Close)
    }

    /// Whether an element with the bits `actual` conforms where `expected` was expected.
    pub fn accepts(&self, expected: u128, actual: u128) -> bool {
        match self {
            Self::SameBits => expected == actual,
            Self::SameNumber(format) => {
                let is_nan = |bits| format.class(bits) == Class::Nan;
                let same = |(a, b)| a == b || (is_nan(a) && is_nan(b));
                let (expected, actual) = (format.parts(expected), format.parts(actual));
                expected.into_iter().zip(actual).all(same)
            }
            Self::Close(closeness) => closeness.accepts(expected, actual),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn strings_alone_have_no_bits_to_judge() {
        for dtype in DType::ALL {
            let is_string = dtype == DType::String;
            assert_eq!(Expected::bits(dtype).is_none(), is_string, "{dtype}");
            let close = Expected::close(dtype, Tolerance::default());
            assert_eq!(close.is_none(), is_string, "{dtype}");
        }
    }

    #[test]
    fn any_nan_is_taken_for_a_nan_in_each_part_but_no_other_bits_are() {
        let accepts =
            |dtype, expected, actual| Expected::bits(dtype).unwrap().accepts(expected, actual);
        assert!(accepts(DType::Float16, 0x7e00, 0xfc01));
        assert!(!accepts(DType::Float16, 0x7e00, 0x7c00));
        assert!(!accepts(DType::Float16, 0x0000, 0x8000));
        assert!(!accepts(DType::Float16, 0x3c00, 0x3c01));
        assert!(accepts(DType::Complex64, 0x7fc0_0000_3f80_0000, 0xffc0_0001_3f80_0000));
        assert!(!accepts(DType::Complex64, 0x7fc0_0000_3f80_0000, 0x7fc0_0000_3f80_0001));
        assert!(!accepts(DType::Complex64, 0x7fc0_0000_3f80_0000, 0x3f80_0000_7fc0_0000));
        assert!(!accepts(DType::Float8E4M3Fnuz, 0x80, 0x00));
        assert!(!accepts(DType::Int64, 1 << 53, (1 << 53) + 1));
        assert!(!accepts(DType::Bool, 0, 1));
    }
}

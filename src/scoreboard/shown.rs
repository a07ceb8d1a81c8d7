//! Elements as reports show them, read back and written.

use crate::compare::Element;
use crate::dtype::{DType, Kind};
use crate::oracle::Conforming;
use crate::report::text::decimal_and_bits;

/// The bits of an element in a report, of the types that the oracle knows.
pub(super) fn bits(dtype: DType, text: &str) -> Option<u64> {
    match dtype.kind() {
        Kind::Float(_) => {
            u64::from_str_radix(decimal_and_bits(text).1.strip_prefix("0x")?, 16).ok()
        }
        Kind::Int { signed, bits } => {
            let value: i128 = text.parse().ok()?;
            let pattern = (value as u64) & (u64::MAX >> (64 - bits));
            (crate::dtype::integer(pattern.into(), signed, bits) == value).then_some(pattern)
        }
        Kind::Bool | Kind::Complex(_) | Kind::String => None,
    }
}

/// What the reference allows, in words.
pub(super) fn allowed(dtype: DType, conforming: &Conforming) -> String {
    crate::verdict::allowed(&Element::Bits(dtype, 0), conforming)
}

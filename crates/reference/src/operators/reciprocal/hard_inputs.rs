//! Hard reciprocals of floats.

use values::dtype::{DType, Kind};
use values::float::FloatFormat;

use super::boundaries::Reciprocals;
use crate::inputs::Parts;
use crate::inputs::patterns::{at_boundaries, exponents, listed, specials, with_every_exponent};
use crate::inputs::{Indexed, Space};

/// Significands next to each end of a binade.
const NEAR: u64 = 1 << 12;

/// Those of a type.
pub(super) fn parts(dtype: DType) -> Option<Parts> {
    let Kind::Float(format) = dtype.kind() else { return None };
    Some(vec![
        ("special values", listed(specials(format))),
        ("exponents", with_every_exponent(*format)),
        ("near midpoints", near_midpoints(*format)),
        ("thresholds", at_boundaries(&Reciprocals, dtype)),
    ])
}

/// Significands next to the ends of the binade, of every exponent up to 8 bits of it, and of others every 64th. With
/// p bits of precision, 1 / (2^p - j) is 2^-p (1 + j 2^-p + j^2 2^-2p + ..), which is above a number where j is even
/// and above a midpoint where it is odd, by j^2 units of the place p + 1 after the last; above the other end reciprocals
/// lie as close above numbers.
fn near_midpoints(format: FloatFormat) -> Box<dyn Space> {
    let step = if format.exponent_bits <= 8 { 1 } else { 64 };
    let field = format.significand_bits;
    let near = NEAR.min(1 << (field - 1));
    let number = move |index: u64| {
        let (at, exponent) = (index % (2 * near), index / (2 * near) * step);
        let significand = if at < near { at } else { (1 << field) + near - 1 - at };
        [exponent << field | significand, 0]
    };
    Box::new(Indexed::new(2 * near * exponents(&format).div_ceil(step), number))
}

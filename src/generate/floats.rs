//! The equivalence classes of floating-point operands: the special values here, and below the
//! operands of quotients and roots that lie where rounding, overflow and underflow are decided.

pub(super) mod pairs;
pub(super) mod radicands;

use crate::float::FloatFormat;
use crate::random::Random;
pub(super) use reference::inputs::specials;

/// A class of operands that are drawn for it.
pub(super) struct Class<T> {
    pub(super) name: &'static str,
    /// What it is about.
    pub(super) note: &'static str,
    pub(super) draw: fn(&FloatFormat, &mut Random) -> Vec<T>,
}

/// Operands drawn for a class where nothing else bounds their number.
const DRAWN: usize = 64;

/// The number 1.
const fn one(format: &FloatFormat) -> u64 {
    (format.bias as u64) << format.significand_bits
}

/// The largest number.
const fn largest(format: &FloatFormat) -> u64 {
    (((1 << format.exponent_bits) - 1) << format.significand_bits) - 1
}

/// Exponent of the smallest normal number.
const fn normal_exponent(format: &FloatFormat) -> i32 {
    1 - format.bias
}

/// Exponent of the smallest subnormal number.
const fn smallest_exponent(format: &FloatFormat) -> i32 {
    normal_exponent(format) - format.significand_bits as i32
}

/// A significand of `bits` bits, the first of which is set.
fn significand(random: &mut Random, bits: u32) -> u64 {
    random.bits() >> (u64::BITS - bits) | 1 << (bits - 1)
}

//! Equivalence classes of floating-point operands, and the numbers that they are made of.

use values::float::FloatFormat;
use values::random::Random;

/// Operands drawn for a class where nothing else bounds their number.
pub(super) const DRAWN: usize = 64;

/// The number 1.
pub(super) const fn one(format: &FloatFormat) -> u64 {
    (format.bias as u64) << format.significand_bits
}

/// A significand of `bits` bits, the first of which is set.
pub(super) fn significand(random: &mut Random, bits: u32) -> u64 {
    random.bits() >> (u64::BITS - bits) | 1 << (bits - 1)
}

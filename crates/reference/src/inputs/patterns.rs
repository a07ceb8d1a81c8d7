//! What hard quotients and roots have in common: special values, boundary significands, exponents.

use std::collections::BTreeSet;

use crate::inputs::{Indexed, Space};
use values::float::FloatFormat;

/// The space of the parts of a chain.
pub type Parts = Vec<(&'static str, Box<dyn Space>)>;

/// The seed of what is drawn; each draws from an index of its own.
pub(crate) const SEED: u64 = 0x6861_7264_6573_7400;

/// The special values and edges of every class, with both signs, and their neighbours.
pub(crate) fn specials(format: &FloatFormat) -> Vec<u64> {
    let top = 1_u64 << (format.width() - 1);
    let magnitudes: BTreeSet<u64> = super::specials(format)
        .into_iter()
        .flat_map(|(_, values)| values)
        .map(|bits| format.magnitude(bits))
        .flat_map(|bits| [bits.saturating_sub(1), bits, (bits + 1).min(top - 1)])
        .collect();
    magnitudes.into_iter().flat_map(|bits| [bits, bits | top]).collect()
}

/// Integers of at most `bits` bits with a single run of ones or zeros at either end, or a single one
/// or zero.
pub(crate) fn fields(bits: u32) -> Vec<u64> {
    let mask = (1 << bits) - 1;
    let edges = (0..bits).map(|bit| 1_u64 << bit).flat_map(|one| [one, one - 1]);
    let both: BTreeSet<u64> = edges.flat_map(|field| [field, mask ^ field]).collect();
    both.into_iter().collect()
}

/// Number of the exponent fields of finite numbers, of which 0 is that of zero and the subnormals.
pub(crate) const fn exponents(format: &FloatFormat) -> u64 {
    (1 << format.exponent_bits) - 1
}

/// Exponents of divisors from the smallest to the largest, such that dividends whose exponent is
/// `above` that, or one more, are normal too.
pub(crate) fn spread(format: &FloatFormat, above: i32) -> [i32; 3] {
    let (min, max) = (1 - format.bias, format.bias);
    let (low, high) = (min.max(min - above), max.min(max - above - 1));
    [low, i32::midpoint(low, high), high]
}

/// Every value.
pub(crate) fn listed(values: Vec<u64>) -> Box<dyn Space> {
    Box::new(Indexed::new(values.len() as u64, move |index| [values[index as usize], 0]))
}

/// Every pair of values, the dividend changing fastest.
pub(crate) fn pairs(values: Vec<u64>) -> Box<dyn Space> {
    let len = values.len() as u64;
    let pair = move |index| [values[(index % len) as usize], values[(index / len) as usize]];
    Box::new(Indexed::new(len * len, pair))
}

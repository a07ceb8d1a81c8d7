//! The operands of the cases of Floor, Ceil and Round, by class.

use values::dtype::DType;
use values::float::FloatFormat;

use super::unary;
use crate::case_table::Own;
use crate::inputs::Tuple;

/// What they make themselves for their cases.
pub(crate) const OWN: Own = Own {
    class: |class, dtype: DType, _| {
        let format = unary::format(dtype);
        let operands = |of: fn(&FloatFormat) -> Vec<u64>| {
            format.map_or_else(Vec::new, of).into_iter().map(|x| [x, 0]).collect::<Vec<Tuple>>()
        };
        match class {
            "around_integers" => Some(operands(around_integers)),
            "around_halves" => Some(operands(around_halves)),
            _ => None,
        }
    },
    ..Own::NONE
};

/// Small integers, and those about each power of two up to where all numbers are integers; with their neighbours,
/// of both signs.
pub(super) fn around_integers(format: &FloatFormat) -> Vec<u64> {
    integers(format, format.precision() + 1).flat_map(|whole| around(format, whole, 0)).collect()
}

/// The halves above such integers, and above 0.
pub(super) fn around_halves(format: &FloatFormat) -> Vec<u64> {
    let odd = integers(format, format.precision() - 1).map(|whole| 2 * whole + 1);
    std::iter::once(1).chain(odd).flat_map(|halves| around(format, halves, -1)).collect()
}

/// Integers of at most so many bits, as far as the format has them.
fn integers(format: &FloatFormat, bits: u32) -> impl Iterator<Item = u64> {
    let bits = bits.min(format.bias.unsigned_abs());
    let powers = (4..bits).map(|bit| 1_u64 << bit);
    (1..10).chain(powers.flat_map(|power| [power - 1, power, power + 1]))
}

/// `significand * 2^exponent` and its neighbours, of both signs; none where the format does not hold it.
fn around(format: &FloatFormat, significand: u64, exponent: i32) -> Vec<u64> {
    let number = format.encode(significand, exponent);
    let all = number.into_iter().flat_map(|bits| [bits - 1, bits, bits + 1]);
    all.flat_map(|bits| [bits, format.negated(bits)]).collect()
}

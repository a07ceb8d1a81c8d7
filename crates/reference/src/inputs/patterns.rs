//! What hard inputs have in common: special values, boundary significands, exponents.

use std::collections::BTreeSet;

use crate::boundaries::{BoundaryInputs, solved};
use crate::exact::number::Int;
use crate::inputs::{Indexed, Parts, Space, Tuple};
use values::dtype::DType;
use values::float::FloatFormat;

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

/// Every one of these pairs.
pub(crate) fn listed_pairs(pairs: Vec<Tuple>) -> impl Space + 'static {
    Indexed::new(pairs.len() as u64, move |index| pairs[index as usize])
}

/// Every pair of values, the dividend changing fastest.
pub(crate) fn pairs(values: Vec<u64>) -> Box<dyn Space> {
    let len = values.len() as u64;
    let pair = move |index| [values[(index % len) as usize], values[(index / len) as usize]];
    Box::new(Indexed::new(len * len, pair))
}

/// The triple at an index among all of these, the first operand changing fastest and the last one slowest.
pub(crate) fn triple([first, second, third]: [&[u64]; 3], index: u64) -> [u64; 3] {
    let rest = index / first.len() as u64;
    [
        first[(index % first.len() as u64) as usize],
        second[(rest % second.len() as u64) as usize],
        third[(rest / second.len() as u64) as usize],
    ]
}

/// Every exponent, zero's and the subnormals' among them, with boundary significands and both signs.
pub(crate) fn with_every_exponent(format: FloatFormat) -> Box<dyn Space> {
    let numbers = EveryExponent::new(format);
    Box::new(Indexed::new(numbers.len(), move |index| [numbers.number(index), 0]))
}

/// The numbers of a format that are hard for most operators: special values, and every exponent.
pub(crate) fn single_numbers(format: &FloatFormat) -> Parts {
    vec![("special values", listed(specials(format))), ("exponents", with_every_exponent(*format))]
}

/// The numbers of every exponent, with boundary significands and both signs.
struct EveryExponent {
    format: FloatFormat,
    fields: Vec<u64>,
}

impl EveryExponent {
    fn new(format: FloatFormat) -> Self {
        Self { format, fields: fields(format.significand_bits) }
    }

    fn len(&self) -> u64 {
        2 * self.fields.len() as u64 * exponents(&self.format)
    }

    fn number(&self, index: u64) -> u64 {
        let len = self.fields.len() as u64;
        let (negative, index) = (index % 2, index / 2);
        let exponent = (index / len) << self.format.significand_bits;
        let field = self.fields[(index % len) as usize];
        negative << (self.format.width() - 1) | exponent | field
    }
}

/// Every exponent, as [`with_every_exponent`] has it, against itself, the elements beside it by their bits, its negation, and
/// the number of twice its size.
pub(crate) fn with_neighbours(format: FloatFormat) -> Box<dyn Space> {
    let numbers = EveryExponent::new(format);
    let len = 5 * numbers.len();
    let (sign, next) = (1 << (format.width() - 1), 1 << format.significand_bits);
    let ones = u64::MAX >> (u64::BITS - format.width());
    let pair = move |index: u64| {
        let number = numbers.number(index / 5);
        let beside = match index % 5 {
            0 => number.wrapping_sub(1),
            1 => number,
            2 => number + 1,
            3 => number ^ sign,
            _ => number + next,
        };
        [number, beside & ones]
    };
    Box::new(Indexed::new(len, pair))
}

/// Every pair of exponents, zero's and the subnormals' among them, with the significand fields 0, 1
/// and all ones of each operand.
pub(crate) fn with_every_pair_of_exponents(format: FloatFormat) -> Box<dyn Space> {
    let field = format.significand_bits;
    let exponents = exponents(&format);
    let operand = move |exponent: u64, which: u64| {
        exponent << field | [0, 1, (1 << field) - 1][which as usize]
    };
    let pair = move |index: u64| {
        let (fields, index) = (index % 9, index / 9);
        [operand(index % exponents, fields % 3), operand(index / exponents, fields / 3)]
    };
    Box::new(Indexed::new(9 * exponents * exponents, pair))
}

/// Numbers of these exponents whose significands are these integers, of as many bits as the
/// precision (or the power of two that is next).
pub(crate) fn numbers(
    format: &FloatFormat,
    significands: Tuple,
    exponents: [i32; 2],
) -> Option<Tuple> {
    let number = |which: usize| {
        format.encode(significands[which], exponents[which] - format.significand_bits as i32)
    };
    Some([number(0)?, number(1)?])
}

/// Powers of two of an integer type, its ends and one above the largest among them, and their
/// neighbours, of both signs; so zero as well.
pub(crate) fn corners(int: Int) -> Vec<i128> {
    let powers = (0..=int.bits).map(|bit| 1_i128 << bit);
    let around = powers.flat_map(|power| [power - 1, power, power + 1]);
    let both: BTreeSet<i128> = around.flat_map(|value| [value, -value]).collect();
    both.into_iter().filter(|&value| int.element(value).is_some()).collect()
}

/// Every pair of them.
pub(crate) fn corner_pairs(int: Int) -> Box<dyn Space> {
    pairs(corners(int).into_iter().map(|value| int.wrap(value)).collect())
}

/// The operands whose results lie just below, on and just above every boundary of a type; empty where
/// the search does not end, which a test of the boundaries tells.
pub(crate) fn at_boundaries(inputs: &dyn BoundaryInputs, dtype: DType) -> Box<dyn Space> {
    let solved = solved(inputs, dtype).unwrap_or_default();
    Box::new(listed_pairs(solved.iter().flat_map(|solved| solved.sides).flatten().collect()))
}

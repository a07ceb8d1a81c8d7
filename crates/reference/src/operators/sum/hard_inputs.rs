//! Hard sums: of floats those near midpoints and of numbers that cancel, of integers those around each end of the
//! type.

use values::dtype::{DType, Kind};
use values::float::FloatFormat;
use values::random::Random;

use super::{Addition, boundaries::Sums};
use crate::exact::number::Int;
use crate::inputs::patterns::{
    Parts, SEED, at_boundaries, corner_pairs, corners, exponents, numbers, pairs, specials,
};
use crate::inputs::{Indexed, Sieve, Signed, Space, Tuple};

/// Numbers that are drawn for sums near midpoints, and for such as cancel.
const DRAWN: u64 = 1 << 8;

/// Those of a type.
pub(crate) fn parts(addition: Addition, dtype: DType) -> Option<Parts> {
    let thresholds = ("thresholds", at_boundaries(&Sums(addition), dtype));
    match dtype.kind() {
        Kind::Float(format) => Some(vec![
            ("special values", pairs(specials(format))),
            ("exponents", with_near_exponents(*format)),
            ("near midpoints", near_midpoints(*format)),
            ("cancellation", cancellation(*format)),
            thresholds,
        ]),
        Kind::Int { signed, bits } => {
            let int = Int { signed, bits };
            Some(vec![
                ("boundaries", corner_pairs(int)),
                ("next to ends", around_ends(addition, int)),
                thresholds,
            ])
        }
        Kind::Bool | Kind::Complex(_) | Kind::String => None,
    }
}

/// Every exponent, zero's and the subnormals' among them, with each below it down to where the smaller number is
/// less than a quarter of the larger one's last place, and with the lowest one; significand fields 0, 1 and all
/// ones of each operand, in all signs and both orders.
fn with_near_exponents(format: FloatFormat) -> Box<dyn Space> {
    let field = format.significand_bits;
    let apart = u64::from(format.precision()) + 3;
    let number = move |exponent: u64, which: u64| {
        exponent << field | [0, 1, (1 << field) - 1][which as usize]
    };
    let pair = move |index: u64| {
        let (fields, index) = (index % 9, index / 9);
        let (swapped, index) = (index % 2, index / 2);
        let larger = index / apart;
        let smaller =
            if index % apart == apart - 1 { Some(0) } else { larger.checked_sub(index % apart) };
        let pair = [number(larger, fields % 3), number(smaller.unwrap_or(0), fields / 3)];
        if swapped == 1 { [pair[1], pair[0]] } else { pair }
    };
    let space = Indexed::new(18 * apart * exponents(&format), pair);
    Box::new(Signed::new(format, space))
}

/// Sums exactly halfway between two numbers, or one unit of the smaller number's last place below or above that, of
/// numbers at every distance at which there are such sums. The larger number's exponent is in the middle, at
/// the smallest normal number or at the largest.
fn near_midpoints(format: FloatFormat) -> Box<dyn Space> {
    let precision = format.precision();
    let (low, high) = (1_u64 << (precision - 1), 1_u64 << precision);
    let distances = i32::try_from(precision).unwrap_or(i32::MAX) + 1;
    let exponents = [1 - format.bias + distances, 0, format.bias - 1, format.bias];
    let choices = 6 * exponents.len() as u64 * distances as u64;
    let solve = move |candidate: u64| -> Option<Tuple> {
        let (choice, drawn) = (candidate % choices, candidate / choices);
        let (end, choice) = (choice % 3, choice / 3);
        let (is_less, choice) = (choice % 2 == 1, choice / 2);
        let exponent = exponents[(choice % exponents.len() as u64) as usize];
        let apart = (choice / exponents.len() as u64) as u32 + 1;
        let mut random = Random::at(SEED, drawn << 8 | u64::from(apart));
        let larger = low + random.below(low);
        // The bits of the smaller number that are below the larger one's last place, in whose units it counts.
        let cut = (1_u64 << (apart - 1)) + end - 1;
        let above = (low + random.below(low)) >> apart << apart;
        let smaller = if is_less { above + (1 << apart) - cut } else { above + cut };
        let is_of_precision = (low..high).contains(&smaller);
        let lower = exponent - apart as i32;
        numbers(&format, [larger, smaller], [exponent, lower]).filter(|_| is_of_precision)
    };
    Box::new(Signed::new(format, Sieve::new(choices * DRAWN, solve)))
}

/// Numbers of every sixteenth of the exponents, the lowest and the highest among them, with their neighbours and with
/// those that differ from them in one bit.
fn cancellation(format: FloatFormat) -> Box<dyn Space> {
    const EXPONENTS: u64 = 16;
    let (field, last) = (format.significand_bits, exponents(&format) - 1);
    let others = u64::from(field) + 3;
    let candidates = others * EXPONENTS * DRAWN;
    let pair = move |index: u64| {
        let (other, index) = (index % others, index / others);
        let exponent = last * (index % EXPONENTS) / (EXPONENTS - 1);
        let drawn = Random::at(SEED, index).below(1 << field);
        let number = (exponent << field | drawn).max(1);
        let other = match other {
            0 => number,
            1 => number - 1,
            2 => number + 1,
            bit => number ^ 1 << (bit - 3),
        };
        [number, other]
    };
    Box::new(Signed::new(format, Indexed::new(candidates, pair)))
}

/// Integers whose result lies next to an end of the type or of all sums or differences: for each corner as the first
/// operand, what brings it there, and its neighbours.
fn around_ends(addition: Addition, int: Int) -> Box<dyn Space> {
    let (min, max) = (int.min(), int.max());
    let corners = corners(int);
    let ends = [min, max, 2 * min, 2 * max, min - max, max - min];
    let candidates = (corners.len() * ends.len()) as u64;
    Box::new(Sieve::new(candidates, move |candidate| {
        let first = corners[(candidate % corners.len() as u64) as usize];
        let end = ends[(candidate / corners.len() as u64) as usize];
        let second = match addition {
            Addition::Sum => end - first,
            Addition::Difference => first - end,
        };
        (second - 2..=second + 2).filter_map(move |second| -> Option<Tuple> {
            Some([int.element(first)?, int.element(second)?])
        })
    }))
}

//! Pairs of operands of every class of a type, for suites that do not tell the classes apart.

use super::GenerateError;
use super::floats::pairs::CLASSES;
use super::floats::{radicands, specials};
use super::integers::{self, Int};
use crate::dtype::{DType, Kind};
use crate::float::Class;
use crate::random::Random;
use crate::tensor::Tensor;
use reference::elements::{tensor, whole};

/// The classes of integers without a decided quotient.
const UNDECIDED: [&str; 2] = ["minimum_by_minus_one", "zero_divisor"];

/// Dividends and divisors with decided quotients: of integers all classes, of floats a part of each
/// (the suite `sonnx` has them in full).
pub(super) fn pairs(dtype: DType, random: &mut Random) -> Result<Vec<[u64; 2]>, GenerateError> {
    let mut pairs = Vec::new();
    match dtype.kind() {
        Kind::Float(format) => {
            let some = || specials(format).into_iter().flat_map(|(_, values)| values).step_by(3);
            pairs.extend(some().flat_map(|a| some().map(move |b| [a, b])));
            for class in &CLASSES {
                pairs.extend((class.draw)(format, random).into_iter().step_by(4));
            }
        }
        Kind::Int { signed, bits } => {
            for class in integers::CLASSES.iter().filter(|c| !UNDECIDED.contains(&c.name)) {
                for [a, b] in (class.draw)(Int { signed, bits }, random) {
                    pairs.push([whole(dtype, a)?, whole(dtype, b)?]);
                }
            }
        }
        Kind::Bool | Kind::Complex(_) | Kind::String => {}
    }
    Ok(pairs)
}

/// The shape of long operands: more elements than any block or vector of a kernel holds, a multiple of
/// neither, in three dimensions that tell rows from columns.
const LONG: [usize; 3] = [3, 7, 61];

/// Long dividends and divisors: of floats every pair of special values, zero divisors left out unless
/// they are decided; of integers multiples of the divisor and what is next to them, which an inexact
/// reciprocal brings to the wrong side.
pub(super) fn long_pairs(dtype: DType, by_zero: bool) -> Result<[Tensor; 2], GenerateError> {
    let count = LONG.iter().product();
    let mut pairs: Vec<[u64; 2]> = match dtype.kind() {
        Kind::Float(format) => {
            let all = || specials(format).into_iter().flat_map(|(_, values)| values);
            let is_meant = |&b: &u64| by_zero || format.class(b) != Class::Zero;
            all().flat_map(|a| all().filter(is_meant).map(move |b| [a, b])).collect()
        }
        Kind::Int { signed, bits } => {
            let pair = |k: usize| {
                let int = Int { signed, bits };
                let (k, most) = (k as i128, int.max().min(1 << 20));
                let b = 1 + k % 127;
                let multiple = b * (1 + k / 127 % (most / b));
                let a = (multiple - k % 2).max(1);
                let sign = |negative: bool| if signed && negative { -1 } else { 1 };
                Ok([whole(dtype, a * sign(k & 2 != 0))?, whole(dtype, b * sign(k & 4 != 0))?])
            };
            (0..count).map(pair).collect::<Result<_, GenerateError>>()?
        }
        Kind::Bool | Kind::Complex(_) | Kind::String => Vec::new(),
    };
    pairs = pairs.iter().copied().cycle().take(count).collect();
    let operand = |which: usize| {
        let elements: Vec<u64> = pairs.iter().map(|pair| pair[which]).collect();
        tensor(dtype, &LONG, &elements)
    };
    Ok([operand(0)?, operand(1)?])
}

/// Long radicands: special values and operands of every class, again and again.
pub(super) fn long_radicands(dtype: DType, random: &mut Random) -> Result<Tensor, GenerateError> {
    let mut elements: Vec<u64> = Vec::new();
    if let Kind::Float(format) = dtype.kind() {
        elements.extend(specials(format).into_iter().flat_map(|(_, values)| values));
        for class in &radicands::CLASSES {
            elements.extend((class.draw)(format, random));
        }
    }
    let count = LONG.iter().product();
    Ok(tensor(dtype, &LONG, &elements.iter().copied().cycle().take(count).collect::<Vec<_>>())?)
}

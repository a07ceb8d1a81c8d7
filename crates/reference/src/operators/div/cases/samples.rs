//! Pairs of operands of every class of a type, for suites that do not tell the classes apart.

use values::dtype::{DType, Kind};
use values::float::Class;
use values::random::Random;
use values::tensor::Tensor;

use super::float_pairs::{self, Pair};
use super::int_pairs;
use crate::elements::{ElementError, tensor, whole};
use crate::exact::number::Int;
use crate::inputs::specials;
use crate::operators::size_cases::LONG;

/// The classes of integers without a decided quotient.
const UNDECIDED: [&str; 2] = ["minimum_by_minus_one", "zero_divisor"];

/// Dividends and divisors with decided quotients: of integers all classes, of floats a part of each
/// (the suite `sonnx` has them in full).
pub(in crate::operators) fn pairs(
    dtype: DType,
    random: &mut Random,
) -> Result<Vec<Pair>, ElementError> {
    let mut pairs = Vec::new();
    match dtype.kind() {
        Kind::Float(format) => {
            let some = || specials(format).into_iter().flat_map(|(_, values)| values).step_by(3);
            pairs.extend(some().flat_map(|a| some().map(move |b| [a, b])));
            for class in &float_pairs::CLASSES {
                pairs.extend((class.draw)(format, random).into_iter().step_by(4));
            }
        }
        Kind::Int { signed, bits } => {
            for class in int_pairs::CLASSES.iter().filter(|c| !UNDECIDED.contains(&c.name)) {
                for [a, b] in (class.draw)(Int { signed, bits }, random) {
                    pairs.push([whole(dtype, a)?, whole(dtype, b)?]);
                }
            }
        }
        Kind::Bool | Kind::Complex(_) | Kind::String => {}
    }
    Ok(pairs)
}

/// Long dividends and divisors: of floats every pair of special values, zero divisors left out unless
/// they are decided; of integers multiples of the divisor and what is next to them, which an inexact
/// reciprocal brings to the wrong side.
pub(in crate::operators) fn long_pairs(
    dtype: DType,
    by_zero: bool,
) -> Result<Vec<Tensor>, ElementError> {
    let count = LONG.iter().product();
    let mut pairs: Vec<Pair> = match dtype.kind() {
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
            (0..count).map(pair).collect::<Result<_, ElementError>>()?
        }
        Kind::Bool | Kind::Complex(_) | Kind::String => Vec::new(),
    };
    pairs = pairs.iter().copied().cycle().take(count).collect();
    let operand = |which: usize| {
        let elements: Vec<u64> = pairs.iter().map(|pair| pair[which]).collect();
        tensor(dtype, &LONG, &elements)
    };
    Ok(vec![operand(0)?, operand(1)?])
}

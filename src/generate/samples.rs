//! Pairs of operands of every class of a type, for suites that do not tell the classes apart.

use super::GenerateError;
use super::elements::{Random, whole};
use super::floats::pairs::CLASSES;
use super::floats::specials;
use super::integers::{self, Int};
use crate::dtype::{DType, Kind};

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

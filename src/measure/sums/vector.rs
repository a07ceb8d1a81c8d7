//! The vectors that every operator of a type is given.

use crate::dtype::{DType, Kind};
use crate::float::FloatFormat;
use crate::random::Random;
use reference::conditioned::{self, Order, Term};
use reference::exact::sum::Terms;

/// How many terms there are.
const LENGTHS: [usize; 13] = [2, 3, 4, 8, 16, 31, 64, 127, 256, 1000, 4096, 16_384, 65_536];

/// The seed where none is given.
pub const SEED: u64 = 0;

/// The float types whose vectors there are.
pub(super) const TYPES: [DType; 4] =
    [DType::Float16, DType::Bfloat16, DType::Float32, DType::Float64];

/// Terms of so many, with about so large a condition number, in one order.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Vector {
    /// The number of terms.
    pub length: usize,
    /// The logarithm of the requested condition number, to base 2; 0 for terms that are all positive.
    pub asked: u32,
    /// Their order.
    pub order: Order,
}

impl Vector {
    /// Lengths and condition numbers, each of which has a vector of every order. A type has them up to the square of what its
    /// precision makes good.
    pub(super) fn groups(dtype: DType) -> Vec<(usize, u32)> {
        let precision = format(dtype).map_or(0, FloatFormat::precision);
        let asked = (0..5).map(|halves| halves * precision / 2);
        let asked: Vec<u32> = asked.collect();
        LENGTHS.iter().flat_map(|&length| asked.iter().map(move |&asked| (length, asked))).collect()
    }

    /// How many there are of a type.
    pub(super) fn count(dtype: DType) -> u64 {
        (Self::groups(dtype).len() * Order::ALL.len()) as u64
    }
}

/// The format of a float type.
pub(super) const fn format(dtype: DType) -> Option<&'static FloatFormat> {
    match dtype.kind() {
        Kind::Float(format) => Some(format),
        _ => None,
    }
}

/// The terms of the vectors of a length and a condition number, shuffled.
pub(super) fn terms(
    format: &'static FloatFormat,
    kind: Terms,
    (length, asked): (usize, u32),
    (seed, dtype): (u64, DType),
) -> Vec<Term> {
    let path = format!("sums/{seed}/{dtype}/{kind:?}/{length}/{asked}");
    conditioned::drawn(format, kind, length, asked, &mut Random::for_case(&path))
}

//! Hard square roots of floats.

use std::collections::BTreeSet;

use crate::hard::{Radicand, radicands, rest_of_odd_square};
use crate::inputs::Parts;
use crate::inputs::patterns::{SEED, fields, listed, specials, with_every_exponent};
use crate::inputs::{Indexed, Sieve, Space, Tuple};
use values::dtype::{DType, Kind};
use values::float::FloatFormat;
use values::random::Random;

/// Rests of each sign at most.
const RESTS: u64 = 1 << 12;

/// Roots whose squares are taken at most, of each choice.
const SQUARES: u64 = 1 << 12;

/// Those of a type.
pub(super) fn parts(dtype: DType) -> Option<Parts> {
    let Kind::Float(&format) = dtype.kind() else { return None };
    let precision = format.precision();
    // What the number theory allows, and what it finds.
    let limit = 1_u64 << (precision - 5);
    Some(vec![
        ("special values", listed(specials(&format))),
        ("exponents", with_every_exponent(format)),
        (
            "near midpoints",
            near(format, precision + 1, (limit / 4).clamp(1, 2 * RESTS), rest_of_odd_square),
        ),
        (
            "near numbers",
            near(format, precision, 2 * limit.min(RESTS), |index| {
                let rest = 1 + (index / 2) as i64;
                if index % 2 == 0 { rest } else { -rest }
            }),
        ),
        ("squares", squares(format)),
        ("subnormal", subnormal(format)),
    ])
}

/// Radicands whose roots miss an integer of so many bits by so many rests.
fn near(
    format: FloatFormat,
    bits: u32,
    rests: u64,
    rest: impl Fn(u64) -> i64 + Send + Sync + 'static,
) -> Box<dyn Space> {
    Box::new(Sieve::new(rests, move |index| {
        let found = radicands(format.precision(), bits, rest(index));
        found.into_iter().flat_map(move |radicand| placed(&format, radicand))
    }))
}

/// A radicand in the middle of the exponents, at the smallest and the largest one, between these, and
/// below the smallest normal number as far as its trailing zeros reach.
fn placed(format: &FloatFormat, Radicand { significand, odd }: Radicand) -> Vec<Tuple> {
    let parity = i32::from(odd);
    let even = |exponent: i32| exponent - (exponent - parity).rem_euclid(2);
    let (smallest, largest) = (even(2 - format.bias), even(format.bias));
    let normal = [smallest, even(smallest / 2), parity, even(largest / 2), largest];
    let below = (1..=6).map(|step| smallest - 2 * step);
    let exponents: BTreeSet<i32> = normal.into_iter().chain(below).collect();
    let unit = format.significand_bits as i32;
    let number = |exponent| Some([format.encode(significand, exponent - unit)?, 0]);
    exponents.into_iter().filter_map(number).collect()
}

/// Squares of odd integers, whose roots are exact, and their neighbours, over all exponents: every one
/// whose square has no more bits than the precision, or the smallest, the largest and random ones.
fn squares(format: FloatFormat) -> Box<dyn Space> {
    const EXPONENTS: i32 = 8;
    let largest = (1_u64 << format.precision()).isqrt();
    let mut random = Random::new(SEED);
    let drawn = (0..SQUARES).map(|_| random.below(largest));
    let ends = (0..SQUARES).flat_map(|k| [2 * k, largest.saturating_sub(2 * k)]);
    let odd = ends.chain(drawn).map(|root| root | 1);
    let roots: BTreeSet<u64> = odd.filter(|root| root.pow(2) >> format.precision() == 0).collect();
    let roots: Vec<u64> = roots.into_iter().collect();
    let (choices, count) = (3, roots.len() as u64);
    Box::new(Sieve::new(choices * count * EXPONENTS as u64, move |candidate| {
        let (neighbour, candidate) = (candidate % choices, candidate / choices);
        let square = roots[(candidate % count) as usize].pow(2);
        // From the smallest subnormal number up, in even steps.
        let step = (candidate / count) as i32 * (2 * format.bias / EXPONENTS);
        let unit = 2 - format.bias - format.precision() as i32 + step;
        let unit = unit + unit.rem_euclid(2);
        let bits = format.encode(square, unit);
        bits.map(|bits| [bits + neighbour - 1, 0])
    }))
}

/// Every subnormal number where they have at most 24 bits, and such of every length with boundary and
/// random significands.
fn subnormal(format: FloatFormat) -> Box<dyn Space> {
    let bits = format.significand_bits;
    if bits <= 24 {
        return Box::new(Indexed::new((1 << bits) - 1, |index| [index + 1, 0]));
    }
    let of_length = |length: u32| {
        let top = 1 << (length - 1);
        let mut random = Random::at(SEED, length.into());
        let drawn = (0..64).map(move |_| random.bits());
        fields(length - 1).into_iter().chain(drawn).map(move |field| top | field & (top - 1))
    };
    let all: BTreeSet<u64> = (1..=bits).flat_map(of_length).collect();
    listed(all.into_iter().collect())
}

//! The exact search for operands at a boundary.

use std::cmp::Ordering;

use num_bigint::BigInt;
use num_traits::{Signed, ToPrimitive, Zero};
use values::dtype::DType;
use values::element::Element;
use values::float::FloatFormat;
use values::random::Random;

use super::{BoundaryInputs, Side};
use crate::exact::Number;
use crate::exact::number::{Int, largest, signed, smallest_exponent};
use crate::exact::real::{Enclosure, Rational, value};
use crate::inputs::Tuple;
use crate::inputs::patterns::SEED;

/// Second operands that are drawn.
const DRAWN: u64 = 24;

/// The elements of a type next to a number: the one that is equal to it and its neighbours, or the two
/// that it lies between; at the ends of the type those that there are.
pub(crate) fn around(dtype: DType, number: &Rational) -> Vec<u64> {
    match Number::of(dtype) {
        Some(Number::Float(format)) => float_around(dtype, format, number),
        Some(Number::Int(int)) => int_around(int, number),
        None => Vec::new(),
    }
}

fn float_around(dtype: DType, format: &FloatFormat, number: &Rational) -> Vec<u64> {
    let last = largest(format).cast_signed();
    let magnitude = below(format, &number.abs()).cast_signed();
    let ordinal = if number.is_negative() { -magnitude } else { magnitude };
    let neighbours = match value(dtype, element(format, ordinal)) {
        Some(equal) if equal == *number => vec![ordinal - 1, ordinal, ordinal + 1],
        _ => vec![ordinal, ordinal + if number.is_negative() { -1 } else { 1 }],
    };
    let within = neighbours.into_iter().filter(|ordinal| ordinal.abs() <= last);
    within.map(|ordinal| element(format, ordinal)).collect()
}

/// The bits of the largest magnitude that is at most a number that is not negative.
fn below(format: &FloatFormat, number: &Rational) -> u64 {
    if number.is_zero() {
        return 0;
    }
    // The number lies between 2^(length - 1) and 2^(length + 1).
    let length = number.numer().bits() as i64 - number.denom().bits() as i64;
    let unit = (length - i64::from(format.precision())).max(smallest_exponent(format).into());
    let shifted = |integer: &BigInt, by: i64| integer << by.max(0);
    let units = shifted(number.numer(), -unit) / shifted(number.denom(), unit);
    let unit = i32::try_from(unit).unwrap_or(i32::MAX);
    match units.to_u64() {
        Some(0) => 0,
        // One bit more than the precision is dropped, which rounds down.
        Some(units) => {
            let carry = (u64::BITS - units.leading_zeros()).saturating_sub(format.precision());
            format.encode(units >> carry, unit + carry as i32).unwrap_or(largest(format))
        }
        None => largest(format),
    }
}

/// The element of an ordinal.
pub(crate) const fn element(format: &FloatFormat, ordinal: i64) -> u64 {
    signed(format, ordinal.is_negative(), ordinal.unsigned_abs())
}

fn int_around(int: Int, number: &Rational) -> Vec<u64> {
    let floor = number.floor().to_integer();
    let neighbours = if number.is_integer() { -1..=1 } else { 0..=1 };
    let near = neighbours.filter_map(|step| (&floor + BigInt::from(step)).to_i128());
    near.filter_map(|near| int.element(near)).collect()
}

/// Of the operands whose result a specification decides, those with exact results below, on and above a
/// number that are closest to it; the first of equal ones.
pub(crate) fn closest(
    inputs: &dyn BoundaryInputs,
    dtype: DType,
    at: &Rational,
    candidates: impl IntoIterator<Item = Tuple>,
) -> [Option<Tuple>; 3] {
    let mut best: [Option<(Rational, Tuple)>; 3] = [None, None, None];
    for candidate in candidates {
        let operands = candidate.map(|bits| Element::Bits(dtype, bits.into()));
        let exact = inputs.exact(dtype, &operands);
        let Some(exact) = exact.as_ref().and_then(Enclosure::exact) else { continue };
        let distance = (exact - at).abs();
        let best = &mut best[Side::of(exact.cmp(at)) as usize];
        if best.as_ref().is_none_or(|(least, _)| distance < *least) {
            *best = Some((distance, candidate));
        }
    }
    best.map(|best| best.map(|(_, operands)| operands))
}

/// The same among pairs: of second operands of floats as given, or of [`integers`], each with the first operands
/// next to the one that solves for the number.
pub(crate) fn closest_pairs(
    inputs: &dyn BoundaryInputs,
    dtype: DType,
    at: &Rational,
    seconds: impl Fn(&FloatFormat, &Rational) -> Vec<u64>,
    first: impl Fn(&Rational) -> Option<Rational>,
) -> [Option<Tuple>; 3] {
    let seconds = match Number::of(dtype) {
        Some(Number::Float(format)) => seconds(format, at),
        Some(Number::Int(int)) => integers(int, at),
        None => Vec::new(),
    };
    let pairs = seconds.into_iter().flat_map(|b| {
        let first = value(dtype, b).and_then(|second| first(&second));
        let firsts = first.map(|first| around(dtype, &first)).unwrap_or_default();
        firsts.into_iter().map(move |a| [a, b])
    });
    closest(inputs, dtype, at, pairs)
}

/// The operands of a function that falls nowhere from `low` to `high`, given as ordinals, at which its results
/// cease to lie below a number, begin to lie on it and begin to lie above, by the order of result and number.
pub(crate) fn monotone(
    format: &FloatFormat,
    (low, high): (i64, i64),
    order: impl Fn(u64) -> Ordering,
) -> [Option<Tuple>; 3] {
    let order = |ordinal| order(element(format, ordinal));
    // The first operand from one on of which this does not hold, or one past the last.
    let first = |from: i64, holds: fn(Ordering) -> bool| {
        let (mut first, mut end) = (from, high + 1);
        while first < end {
            let middle = first.saturating_add_unsigned(end.abs_diff(first) / 2);
            if holds(order(middle)) { first = middle + 1 } else { end = middle }
        }
        first
    };
    let reached = first(low, Ordering::is_lt);
    let is_on = reached <= high && order(reached).is_eq();
    // Where the function rises with every step, the operand next to it.
    let next = reached + i64::from(is_on);
    let is_above = next > high || order(next).is_gt();
    let above = if is_above { next } else { first(next, Ordering::is_le) };
    let tuple = |ordinal| [element(format, ordinal), 0];
    [
        (reached > low).then(|| tuple(reached - 1)),
        is_on.then(|| tuple(reached)),
        (above <= high).then(|| tuple(above)),
    ]
}

/// The odd part of a number's numerator: the significand of a number of any float format.
pub(crate) fn odd_part(number: &Rational) -> BigInt {
    let numerator = number.numer().abs();
    let zeros = numerator.trailing_zeros().unwrap_or(0);
    numerator >> zeros
}

/// Whether a number has more significant bits than those of a format.
pub(crate) fn is_finer(format: &FloatFormat, number: &Rational) -> bool {
    odd_part(number).bits() > u64::from(format.precision())
}

/// Exponent of the leading bit of a number that is not 0, or one more.
pub(crate) fn exponent(number: &Rational) -> i32 {
    (number.numer().bits() as i64 - number.denom().bits() as i64) as i32
}

/// Significands of second operands for every boundary: small odd ones, those at the ends of the binade,
/// and drawn ones; up to 8 bits of precision all.
pub(crate) fn significands(format: &FloatFormat) -> Vec<u64> {
    let precision = format.precision();
    let (low, high) = (1_u64 << (precision - 1), 1_u64 << precision);
    if precision <= 8 {
        return (low..high).collect();
    }
    let drawn = (0..DRAWN).map(|index| (low + Random::at(SEED, index).below(low)) | 1);
    let ends = [high - 1, high - 3, low + 1, low + 3];
    (3..32).step_by(2).chain(ends).chain([1]).chain(drawn).collect()
}

/// The numbers of a format with these significands and an exponent, as near as it has one.
pub(crate) fn numbers(
    format: &FloatFormat,
    exponent: i32,
    significands: impl IntoIterator<Item = u64>,
) -> Vec<u64> {
    let exponent = exponent.clamp(1 - format.bias, format.bias - 1);
    let number = |significand: u64| {
        format.encode(significand, exponent - significand.checked_ilog2()? as i32)
    };
    significands.into_iter().filter_map(number).collect()
}

/// Second operands of integers: every one of 8 bits; else the small ones, the ends, the powers of two, those
/// next to the root of the boundary, and drawn ones, of both signs; zero comes last.
fn integers(int: Int, at: &Rational) -> Vec<u64> {
    if int.bits == 8 {
        return (0..256).collect();
    }
    let root = at.to_integer().abs().sqrt().to_i128().unwrap_or_default();
    let (minimum, maximum) = (int.min(), int.max());
    let drawn = (0..DRAWN).map(|index| {
        let mut random = Random::at(SEED, index);
        let length = random.between(1, (int.bits - 2).into());
        random.between(1, 1 << length)
    });
    let numbers = (1..=10).chain([maximum, maximum - 1, root - 1, root, root + 1]).chain(drawn);
    let powers = (4..int.bits - 1).map(|bit| 1 << bit);
    let both = numbers.chain(powers).flat_map(|number| [number, -number]);
    let all = both.chain([minimum, minimum + 1, 0]);
    all.filter_map(|number| int.element(number)).collect()
}

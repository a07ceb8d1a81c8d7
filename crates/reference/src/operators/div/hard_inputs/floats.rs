//! Hard quotients of floats.

use std::collections::BTreeSet;

use crate::exact::number::smallest_exponent;
use crate::hard::dividend;
use crate::inputs::Parts;
use crate::inputs::patterns::{
    SEED, numbers, pairs, specials, spread, with_every_pair_of_exponents,
};
use crate::inputs::{Sieve, Signed, Space};
use values::float::FloatFormat;
use values::random::Random;

/// The largest odd divisors whose nearest quotients are taken: all there are up to 24 bits.
const NEAREST: u64 = 1 << 22;

/// Odd divisors of each choice: the largest, the smallest, random ones.
const CHOSEN: u64 = 512;
/// The same where every length of a subnormal quotient has its turn.
const CHOSEN_SUBNORMAL: u64 = 64;

/// Operands of every class of ties: so many dividends' and divisors' factors.
const FACTORS: u64 = 8;

pub(crate) fn parts(format: FloatFormat) -> Parts {
    let precision = format.precision();
    let all = 1 << (precision - 2);
    let nearest = |bits| {
        let largest = move |index: u64| (1_u64 << precision) - 1 - 2 * index;
        let targets = vec![Target { bits, unit: 1 - bits as i32, divisor: 0 }];
        near(format, targets, (NEAREST.min(all), largest), vec![1, -1])
    };
    let chosen = |each, targets, rests| {
        let divisors = divisors(precision, each);
        let len = divisors.len() as u64;
        near(format, targets, (len, move |index: u64| divisors[index as usize]), rests)
    };
    let odd = |limit: i64| (1..=limit).step_by(2).flat_map(|rest| [rest, -rest]).collect();
    let any = |limit: i64| (1..=limit).flat_map(|rest| [rest, -rest]).collect();
    vec![
        ("special values", pairs(specials(&format))),
        ("exponents", with_every_pair_of_exponents(format)),
        ("nearest to midpoints", nearest(precision + 1)),
        ("nearest to numbers", nearest(precision)),
        ("near midpoints", chosen(CHOSEN, normal(&format, precision + 1), odd(31))),
        ("near numbers", chosen(CHOSEN, normal(&format, precision), any(16))),
        ("subnormal ties", ties(format)),
        (
            "near subnormal midpoints",
            chosen(CHOSEN_SUBNORMAL, subnormal(&format, 1..=precision, -1), odd(7)),
        ),
        (
            "near subnormal numbers",
            chosen(CHOSEN_SUBNORMAL, subnormal(&format, 1..=precision - 1, 0), any(4)),
        ),
        ("thresholds", thresholds(format)),
    ]
}

/// What quotients are to lie near: `m * 2^unit` with an m of so many bits, and the divisor's exponent.
#[derive(Clone, Copy)]
struct Target {
    bits: u32,
    unit: i32,
    divisor: i32,
}

/// An `m` of so many bits in the middle of the exponents, and next to the smallest normal and the
/// largest number.
fn normal(format: &FloatFormat, bits: u32) -> Vec<Target> {
    let exponents = [0, 1 - format.bias, format.bias].into_iter();
    exponents.flat_map(|exponent| targets(format, bits, exponent - bits as i32 + 1)).collect()
}

/// An `m` of each of these lengths in units of the smallest subnormal number, or times a power of two.
fn subnormal(format: &FloatFormat, bits: std::ops::RangeInclusive<u32>, below: i32) -> Vec<Target> {
    let unit = smallest_exponent(format) + below;
    bits.flat_map(|bits| targets(format, bits, unit)).collect()
}

fn targets(format: &FloatFormat, bits: u32, unit: i32) -> [Target; 3] {
    let divisors = spread(format, unit + bits as i32 - 1);
    divisors.map(|divisor| Target { bits, unit, divisor })
}

/// Quotients near the targets, by these rests at so many divisors, with all signs.
fn near(
    format: FloatFormat,
    targets: Vec<Target>,
    (count, divisor): (u64, impl Fn(u64) -> u64 + Send + Sync + 'static),
    rests: Vec<i64>,
) -> Box<dyn Space> {
    let (precision, choices) = (format.precision(), 2 * rests.len() as u64);
    let candidates = choices * count * targets.len() as u64;
    let solve = move |candidate: u64| {
        let (choice, candidate) = (candidate % choices, candidate / choices);
        let Target { bits, unit, divisor: exponent } = targets[(candidate / count) as usize];
        let (shift, b) = (bits - 1 + (choice % 2) as u32, divisor(candidate % count));
        dividend(precision, bits, b, rests[(choice / 2) as usize], shift)
            .and_then(|a| numbers(&format, [a, b], [exponent + unit + shift as i32, exponent]))
    };
    Box::new(Signed::new(format, Sieve::new(candidates, solve)))
}

/// Odd divisors of `precision` bits: the largest (the primes next to the top among them), the
/// smallest, those next to a power of two away from either end, and random ones.
fn divisors(precision: u32, each: u64) -> Vec<u64> {
    let (low, high) = (1_u64 << (precision - 1), 1_u64 << precision);
    let near_powers = (1..precision - 1)
        .map(|bit| 1 << bit)
        .flat_map(|power| [low + power - 1, low + power + 1, high - power - 1, high - power + 1]);
    let mut random = Random::new(SEED);
    let drawn = (0..each).map(|_| (low + random.below(low)) | 1);
    let largest = (0..each).map(|index| high.saturating_sub(1 + 2 * index));
    let smallest = (0..each).map(|index| low + 1 + 2 * index);
    let all = largest.chain(smallest).chain(near_powers).chain(drawn);
    let divisors: BTreeSet<u64> =
        all.filter(|divisor| (low..high).contains(divisor) && divisor % 2 == 1).collect();
    divisors.into_iter().collect()
}

/// Quotients exactly halfway between two subnormal numbers, or zero or the smallest normal number and
/// their neighbours, of every class: `m b / b`, in units of half the smallest subnormal number, for
/// odd m and b of every length whose product has no more bits than the precision. The quotient is
/// short by as many bits as m has less than the precision, and one more.
fn ties(format: FloatFormat) -> Box<dyn Space> {
    let precision = format.precision();
    let lengths = (1..=precision).flat_map(|m| (1..=precision + 1 - m).map(move |b| (m, b)));
    let classes: Vec<(u32, u32)> = lengths.collect();
    let (per_class, half) = (FACTORS * FACTORS * 4, smallest_exponent(&format) - 1);
    let candidates = classes.len() as u64 * per_class;
    let solve = move |candidate: u64| {
        let (m_bits, b_bits) = classes[(candidate / per_class) as usize];
        let (m, candidate) = (candidate % FACTORS, candidate / FACTORS);
        let (b, exponent) = (candidate % FACTORS, candidate / FACTORS % 4);
        let high = format.bias - b_bits as i32 + 1;
        let exponent = [1, precision as i32, high / 2, high][exponent as usize];
        odd(m_bits, m).zip(odd(b_bits, b)).and_then(|(m, b)| {
            let a = format.encode(m * b, exponent + half)?;
            Some([a, format.encode(b, exponent)?])
        })
    };
    Box::new(Signed::new(format, Sieve::new(candidates, solve)))
}

/// One of [`FACTORS`] odd integers of so many bits: the smallest, the largest, then random ones; all
/// of them where there are no more.
fn odd(bits: u32, which: u64) -> Option<u64> {
    let count = 1_u64 << bits.saturating_sub(2);
    let index = match which {
        _ if count <= FACTORS => which,
        0 => 0,
        1 => count - 1,
        _ => 1 + Random::at(SEED, u64::from(bits) << 8 | which).below(count - 2),
    };
    (index < count).then(|| (1 << (bits - 1) | 1) + 2 * index)
}

/// Quotients next to the thresholds: to where overflow begins, the largest number, the smallest normal
/// and the smallest subnormal one, and half of that. The dividend's significand is the divisor's or
/// twice that but for a little, so that the quotient is next to a power of two.
fn thresholds(format: FloatFormat) -> Box<dyn Space> {
    const APART: u64 = 8;
    let precision = format.precision();
    let ends = (0..64.min(1 << (precision - 2)))
        .flat_map(move |k| [(1_u64 << (precision - 1)) + k, (1 << precision) - 1 - k]);
    let divisors: Vec<u64> = ends.chain(divisors(precision, 0)).collect();
    let (min, max, smallest) = (1 - format.bias, format.bias, smallest_exponent(&format));
    let exponents =
        [max + 1, max, max - 1, min + 1, min, min - 1, smallest + 1, smallest, smallest - 1];
    let places: Vec<[i32; 2]> = exponents
        .into_iter()
        .flat_map(|above| spread(&format, above).map(|divisor| [divisor + above, divisor]))
        .collect();
    let choices = 2 * (2 * APART + 1);
    let count = divisors.len() as u64;
    let candidates = choices * count * places.len() as u64;
    let solve = move |candidate: u64| {
        let (choice, candidate) = (candidate % choices, candidate / choices);
        // Twice the divisor but for an odd number, too: of the smallest one that is the largest
        // significand.
        let (twice, apart) = (choice % 2, choice / 2);
        let b = divisors[(candidate % count) as usize];
        let [dividend, divisor] = places[(candidate / count) as usize];
        let exponents = [dividend - twice as i32, divisor];
        let is_new = twice == 0 || apart % 2 == 1;
        numbers(&format, [(b << twice) + apart - APART, b], exponents).filter(|_| is_new)
    };
    Box::new(Signed::new(format, Sieve::new(candidates, solve)))
}

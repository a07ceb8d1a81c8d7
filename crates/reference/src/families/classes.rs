//! What the classes of operands of several operators are made of: drawn numbers, and the quotients and roots
//! that are hardest to round, as many as a case holds.

use std::ops::Range;

use values::float::FloatFormat;
use values::random::Random;

use crate::hard::{Radicand, dividend};

/// Operands drawn for a class where nothing else bounds their number.
pub(crate) const DRAWN: usize = 64;

/// The number 1.
pub(crate) const fn one(format: &FloatFormat) -> u64 {
    (format.bias as u64) << format.significand_bits
}

/// A significand of `bits` bits, the first of which is set.
pub(crate) fn significand(random: &mut Random, bits: u32) -> u64 {
    random.bits() >> (u64::BITS - bits) | 1 << (bits - 1)
}

/// Dividends and divisors, as integers of `precision` bits, whose quotient
/// divisor, the least that is possible: `dividend * 2^n = midpoint * divisor + 1` or `- 1`, with an
/// odd midpoint of `kept + 1` bits. The divisors are the largest ones, then random ones.
pub(crate) fn hardest_quotients(
    precision: u32,
    kept: u32,
    count: usize,
    random: &mut Random,
) -> Vec<[u64; 2]> {
    let significands: Range<u64> = 1 << (precision - 1)..1 << precision;
    let largest = (0..count as u64 / 4).map(|k| significands.end - 1 - 2 * k);
    let largest = largest.filter(|&divisor| divisor > significands.start);
    let anywhere = std::iter::from_fn(move || Some(random.bits() >> (u64::BITS - precision)));
    let found = |divisor| {
        // Dividends below the divisor lose a bit of the quotient, so they are shifted by one more.
        let shifts = [kept + 1, kept].into_iter().flat_map(|shift| [(shift, 1), (shift, -1)]);
        shifts.filter_map(move |(shift, rest)| {
            Some([dividend(precision, kept + 1, divisor, rest, shift)?, divisor])
        })
    };
    largest
        .chain(anywhere.map(|bits| bits | 1 | 1 << (precision - 1)))
        .flat_map(found)
        .take(count)
        .collect()
}

/// Radicands whose roots come closest to midpoints, by rests of rising magnitude. An odd square is 1
/// modulo 8, and so is then every rest.
pub(crate) fn hardest_radicands(precision: u32, count: usize) -> Vec<Radicand> {
    let rests = (0..).flat_map(|k| [1 + 8 * k, -7 - 8 * k]);
    rests
        .flat_map(|rest| crate::hard::radicands(precision, precision + 1, rest))
        .take(count)
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn quotients_miss_a_midpoint_by_one_part_in_the_divisor() {
        for (precision, kept) in [(11, 11), (11, 5), (24, 24), (24, 1), (53, 53), (53, 30)] {
            let found = hardest_quotients(precision, kept, 40, &mut Random::for_case("test"));
            assert_eq!(found.len(), 40);
            for [dividend, divisor] in found {
                let shift = kept + u32::from(dividend < divisor);
                let scaled = u128::from(dividend) << shift;
                let midpoint = (scaled + 1) / u128::from(divisor);
                assert_eq!(scaled.abs_diff(midpoint * u128::from(divisor)), 1);
                assert_eq!(midpoint % 2, 1);
                assert_eq!(midpoint.ilog2(), kept);
            }
        }
    }

    #[test]
    fn no_float16_quotient_comes_closer_to_a_midpoint_than_the_hardest_ones() {
        let hardest = hardest_quotients(11, 11, 8, &mut Random::for_case("test"));
        let closest = (1024_u64..2048).flat_map(|a| (1024..2048).map(move |b| (a, b)));
        let distance = |a: u64, b: u64| {
            let scaled = a << (11 + u64::from(a < b));
            let down = scaled / b;
            // In parts of 2^-20 of half a unit, from the nearest odd multiple.
            let from = |odd: u64| (scaled.abs_diff(odd * b) << 20) / b;
            [down, down + 1].into_iter().filter(|n| n % 2 == 1).map(from).min().unwrap()
        };
        let least = closest.map(|(a, b)| distance(a, b)).filter(|&d| d != 0).min().unwrap();
        let found = hardest.iter().map(|&[a, b]| distance(a, b)).min().unwrap();
        assert_eq!(found, least);
    }

    #[test]
    fn no_float16_root_comes_closer_to_a_midpoint_than_the_hardest_ones() {
        // The distance of 4x from the nearest odd square, over the root.
        let distance = |radicand: Radicand| {
            let x = radicand.significand << (10 + u64::from(radicand.odd));
            let root = (4 * x).isqrt();
            let odd = root | 1;
            [odd, odd - 2].map(|m| ((4 * x).abs_diff(m * m) << 20) / m).into_iter().min().unwrap()
        };
        let mut all: Vec<_> = (1024..2048)
            .flat_map(|significand| [false, true].map(|odd| Radicand { significand, odd }))
            .map(|r| (distance(r), r))
            .collect();
        all.sort_unstable();
        let found = hardest_radicands(11, 12);
        assert!(found.contains(&all[0].1), "{:?} is not among {found:?}", all[0]);
    }
}

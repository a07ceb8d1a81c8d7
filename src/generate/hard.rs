//! The quotients and roots that are hardest to round: those closest to a midpoint between two
//! numbers of a format without being one, found by arithmetic modulo the divisor or a power of two.

use std::ops::Range;

use super::elements::Random;

/// Dividends and divisors, as integers of `precision` bits, whose quotient has `kept` bits up to a midpoint and misses that by one part in the
/// divisor, the least that is possible: `dividend * 2^n = midpoint * divisor + 1` or `- 1`, with an
/// odd midpoint of `kept + 1` bits. The divisors are the largest ones, then random ones; the
/// dividends follow from them, as `+-2^-n` modulo the divisor. (Two odd integers of `precision` bits
/// miss an odd multiple by at least 1, so nothing comes closer at this divisor.)
pub(super) fn quotients(
    precision: u32,
    kept: u32,
    count: usize,
    random: &mut Random,
) -> Vec<[u64; 2]> {
    let significands: Range<u64> = 1 << (precision - 1)..1 << precision;
    let largest = (0..count as u64 / 4).map(|k| significands.end - 1 - 2 * k);
    let largest = largest.filter(|&divisor| divisor > significands.start);
    let anywhere = std::iter::from_fn(move || Some(random.bits() >> (u64::BITS - precision)));
    largest
        .chain(anywhere.map(|bits| bits | 1 | 1 << (precision - 1)))
        .flat_map(|divisor| {
            // Dividends below the divisor lose a bit of the quotient, so they are shifted by one more.
            let found = [kept + 1, kept].map(|shift| {
                let above = inverse_power(shift, divisor);
                [above, divisor - above]
                    .map(|residue| if shift == kept { residue + divisor } else { residue })
            });
            let fitting = found.into_iter().flatten().map(move |dividend| [dividend, divisor]);
            fitting.collect::<Vec<_>>()
        })
        .filter(|[dividend, _]| significands.contains(dividend))
        .take(count)
        .collect()
}

/// The inverse of `2^exponent` modulo an odd number below 2^63: halved so many times.
fn inverse_power(exponent: u32, modulus: u64) -> u64 {
    (0..exponent).fold(1, |x, _| if x % 2 == 0 { x / 2 } else { u64::midpoint(x, modulus) })
}

/// A radicand whose root lies next to a midpoint: `significand`, an integer of as many bits as the
/// format's precision, times an even power of two, or an odd one.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) struct Radicand {
    pub(super) significand: u64,
    pub(super) odd: bool,
}

/// Radicands whose roots come closest to midpoints: `midpoint^2 = 4 * radicand + rest` for the rests
/// of least magnitude. An odd square is 1 modulo 8, and so is then every rest; each has four roots
/// modulo a power of two, which lift from one power to the next (Hensel).
pub(super) fn radicands(precision: u32, count: usize) -> Vec<Radicand> {
    let significands: Range<u128> = 1 << (precision - 1)..1 << precision;
    let rests = (0..).flat_map(|k: i128| [1 + 8 * k, -7 - 8 * k]);
    let mut found: Vec<Radicand> = Vec::new();
    for rest in rests {
        for odd in [false, true] {
            let bits = precision + 1 + u32::from(odd);
            for midpoint in square_roots(rest, bits) {
                let four_radicands = (midpoint * midpoint) as i128 - rest;
                let significand = four_radicands.unsigned_abs() >> bits;
                let fits = significands.contains(&significand) && four_radicands > 0;
                if fits && midpoint >> precision == 1 {
                    found.push(Radicand { significand: significand as u64, odd });
                }
            }
        }
        if found.len() >= count {
            found.truncate(count);
            return found;
        }
    }
    found
}

/// The four square roots modulo `2^bits` of a number that is 1 modulo 8.
fn square_roots(square: i128, bits: u32) -> [u128; 4] {
    let modulus = 1_u128 << bits;
    let mut root = 1_i128;
    for bit in 3..bits {
        if (root * root - square) >> bit & 1 == 1 {
            root += 1 << (bit - 1);
        }
    }
    let root = root as u128 % modulus;
    let other = (root + modulus / 2) % modulus;
    [root, modulus - root, other, modulus - other]
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn quotients_miss_a_midpoint_by_one_part_in_the_divisor() {
        for (precision, kept) in [(11, 11), (11, 5), (24, 24), (24, 1), (53, 53), (53, 30)] {
            let found = quotients(precision, kept, 40, &mut Random::for_case("test"));
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
        let hardest = quotients(11, 11, 8, &mut Random::for_case("test"));
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
    fn roots_are_roots_modulo_the_power() {
        for (square, bits) in [(17, 12), (-7, 25), (41, 54)] {
            for root in square_roots(square, bits) {
                let square = square.rem_euclid(1 << bits) as u128;
                assert_eq!(root * root % (1 << bits), square);
            }
        }
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
        let found = radicands(11, 12);
        assert!(found.contains(&all[0].1), "{:?} is not among {found:?}", all[0]);
    }
}

//! Pi, to as many bits as asked.
//!
//! By Machin's formula, pi = 16 arctan(1/5) - 4 arctan(1/239), in integers. What was computed once is kept, and shorter
//! enclosures are cut from it.

use std::sync::{PoisonError, RwLock};

use num_bigint::BigInt;
use num_traits::{One, Zero};

use super::Interval;
use crate::exact::interval::integer::Integer;

/// Bits beyond those asked for: the errors of all terms are less than `2^GUARD` steps.
const GUARD: u64 = 32;

/// The bits after the binary point, and the integers below and above pi in steps of that size.
type Known = (u64, [BigInt; 2]);

/// The longest that was asked for.
static KNOWN: RwLock<Known> = RwLock::new((0, [BigInt::ZERO, BigInt::ZERO]));

impl Interval {
    /// Pi, less than `2^(4 - precision)` wide.
    pub fn pi(precision: u32) -> Self {
        let bits = u64::from(precision);
        {
            let known = KNOWN.read().unwrap_or_else(PoisonError::into_inner);
            if known.0 >= bits && known.0 > 0 {
                return cut(&known, bits, precision);
            }
        }
        let longer = machin(bits + 64);
        let pi = cut(&longer, bits, precision);
        let mut known = KNOWN.write().unwrap_or_else(PoisonError::into_inner);
        if known.0 < longer.0 {
            *known = longer;
        }
        pi
    }
}

/// The known bounds with this many bits after the point.
fn cut((known, [lower, upper]): &Known, bits: u64, precision: u32) -> Interval {
    let surplus = known - bits;
    let [lower, upper] = [lower >> surplus, (upper >> surplus) + 1].map(Integer::from);
    let exponent = -i64::try_from(bits).unwrap_or(i64::MAX);
    Interval { lower, upper, exponent, precision }.rounded()
}

/// Pi between two integers in steps of `2^-bits`.
fn machin(bits: u64) -> Known {
    let ([fifth, small], [terms, more]) = {
        let [(a, m), (b, n)] = [5, 239].map(|n| arctangent_of_reciprocal(n, bits + GUARD));
        ([a, b], [m, n])
    };
    let pi = fifth * 16 - small * 4;
    let error = BigInt::from(16 * terms + 4 * more);
    let bounds = [(&pi - &error) >> GUARD, ((pi + error) >> GUARD) + 1];
    (bits, bounds)
}

/// arctan(1/n) in steps of `2^-bits`, and more steps than it is wrong by.
///
/// The series is the sum of (-1)^i / ((2i + 1) n^(2i + 1)). A power that was rounded down and is divided again is
/// the power rounded down, so each term is too small by less than one step; and what is left out of an alternating
/// series of falling terms is less than the first term of it, here less than one step.
fn arctangent_of_reciprocal(n: u32, bits: u64) -> (BigInt, u64) {
    let mut power = (BigInt::one() << bits) / n;
    let (mut sum, mut i) = (BigInt::zero(), 0_u64);
    while !power.is_zero() {
        let term = &power / (2 * i + 1);
        sum = if i % 2 == 0 { sum + term } else { sum - term };
        power /= n * n;
        i += 1;
    }
    (sum, i + 1)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The first 256 bits of pi after its integer part, as they are printed in many places (Bailey, Borwein and
    /// Plouffe, *On the Rapid Computation of Various Polylogarithmic Constants*, 1997).
    const DIGITS: &str = "243f6a8885a308d313198a2e03707344a4093822299f31d0082efa98ec4e6c89";

    #[test]
    fn pi_has_the_digits_that_are_known() {
        let digits = BigInt::parse_bytes(format!("3{DIGITS}").as_bytes(), 16).unwrap();
        let below = Interval::new(digits.clone(), -256, 4000);
        let around = below.hull(&Interval::new(digits + 1, -256, 4000));
        for precision in [300, 1000, 777, 3000] {
            assert!(around.contains(&Interval::pi(precision)), "{precision} bits");
        }
        for precision in [1, 8, 64, 128, 200] {
            let pi = Interval::pi(precision);
            assert!(pi.contains(&around), "{precision} bits");
            let width = &pi.upper() - &pi.lower();
            assert!(width.binade().unwrap() < 4 - i64::from(precision), "{precision} bits");
        }
    }
}

//! Sizes of errors, as far as a record tells them apart.
//!
//! Of all errors of a binade the largest is wanted, and there may be millions that next to nothing tells apart: a function that is
//! nearly constant has nearly the same error everywhere. So errors have the same size that differ by less than
//! 2^-10 of themselves, or of 1 ULP, unless a limit that specifications state lies between them.

use std::cmp::Ordering;

use crate::exact::{Deviation, Ulps};

/// A size. A larger error has no smaller one.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) struct Size(u128);

/// Bits that sizes are told apart by.
const BITS: u32 = 10;

/// Sizes end this far beyond the multiples of 2^-10, in steps: errors that many results share, such as 1/2 or 1, lie in their midst.
const AFTER: u128 = 391;

/// What is written of limits: in halves of a unit.
const HALVES: [u128; 42] = {
    let mut halves = [0; 42];
    let mut at = 0;
    while at < halves.len() {
        // Up to 16 units each half of one, then the powers of two up to 2^14.
        halves[at] = if at < 32 { at as u128 + 1 } else { 1 << (at - 26) };
        at += 1;
    }
    halves
};

impl Size {
    /// The size of an error.
    pub(super) fn of(deviation: Deviation) -> Self {
        match deviation {
            Deviation::NoRealResult => Self(0),
            Deviation::Ulps(ulps) => Self::of_ulps(ulps),
            Deviation::Unbounded => Self(u128::MAX),
        }
    }

    pub(super) fn of_ulps(ulps: Ulps) -> Self {
        let steps = ulps.steps();
        let number = steps.saturating_sub(AFTER).div_ceil(1 << (Ulps::FRACTION_BITS - BITS));
        let shift = (u128::BITS - number.leading_zeros()).saturating_sub(BITS + 1);
        let bucket = (u128::from(shift) << BITS) + (number >> shift);
        // At a limit an error may be less, the same, or more; one that is not exact is less than it says.
        let reached = |half: &u128| {
            let limit = half << (Ulps::FRACTION_BITS - 1);
            limit < steps || limit == steps && ulps.is_exact()
        };
        let passed = |half: &u128| half << (Ulps::FRACTION_BITS - 1) < steps;
        let limits = HALVES.partition_point(reached) + HALVES.partition_point(passed);
        Self(bucket + limits as u128)
    }

    /// The least and the greatest one that an error between two numbers of units can have.
    #[expect(
        clippy::cast_possible_truncation,
        clippy::cast_sign_loss,
        reason = "numbers from 0 on, which are rounded outwards"
    )]
    pub(super) fn between(least: f64, most: f64) -> [Self; 2] {
        let one = (1_u64 << Ulps::FRACTION_BITS) as f64;
        let below = Ulps::new((least * one).floor().max(0.0) as u128, false);
        let most = most * one;
        // What is less than a step is less than the next one.
        let above = Ulps::new(most.ceil() as u128, most == most.ceil());
        [below, above].map(Self::of_ulps)
    }
}

/// The order of two errors, which is that of none where a record does not tell them apart.
pub fn by_size(a: Deviation, b: Deviation) -> Ordering {
    Size::of(a).cmp(&Size::of(b))
}

/// Whether errors below a limit, at it and beyond it are told apart.
pub fn tells_apart(limit: Ulps) -> bool {
    let steps = limit.steps();
    let [below, at, beyond] = [(steps, false), (steps, true), (steps + 1, false)]
        .map(|(steps, exact)| Size::of_ulps(Ulps::new(steps, exact)));
    below < at && at < beyond
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_larger_error_has_no_smaller_size_and_one_that_is_larger_by_a_thousandth_has_a_larger_one()
    {
        let all = (0..6000_u128).chain((12..100).map(|bits| 1 << bits));
        let all: Vec<u128> = all.flat_map(|steps| [steps, 3 * steps, 521 * steps]).collect();
        let sizes = |steps: u128| [false, true].map(|exact| Size::of_ulps(Ulps::new(steps, exact)));
        for steps in all {
            let [inexact, exact] = sizes(steps);
            let [next, _] = sizes(steps + 1);
            assert!(inexact <= exact && exact <= next, "{steps}");
            let more = steps + (steps >> BITS).max(1 << (Ulps::FRACTION_BITS - BITS));
            assert!(sizes(more)[1] > exact, "{steps}");
        }
        assert!(Size::of(Deviation::Unbounded) > Size::of(Deviation::Ulps(Ulps::MAX)));
    }

    #[test]
    fn errors_below_at_and_beyond_a_limit_have_different_sizes() {
        for half in [1_u128, 2, 3, 5, 8, 32, 1 << 14] {
            let steps = half << (Ulps::FRACTION_BITS - 1);
            assert!(tells_apart(Ulps::new(steps, true)), "{half}");
        }
        // Where no limit is, one error next to another has its size.
        assert!(!tells_apart(Ulps::new(100_000, true)));
    }

    #[test]
    fn the_size_of_a_number_is_between_those_of_its_bounds() {
        for steps in [0, 1, 390, 391, 392, 1 << 19, (1 << 19) + 1, 3 << 20, 12_345_678] {
            let error = steps as f64 / (1_u64 << Ulps::FRACTION_BITS) as f64;
            let [least, most] = Size::between(error - 1e-9, error + 1e-9);
            let size = Size::of_ulps(Ulps::new(steps, true));
            assert!(least <= size && size <= most, "{steps}");
            assert!(Size::between(error - 1e-9, error + 1e-9)[0] <= least);
        }
    }
}

//! The largest error so far in a sweep: only what may exceed it needs a measurement.

use num_traits::PrimInt;

use super::tally::Tally;
use crate::exact::{Deviation, Ulps};

/// How large an error must be to be larger than all before.
///
/// A larger error than the largest so far is one with a larger [`Ulps`]. That is, with a largest
/// of `steps` steps, an error of more than so many if they are exact, else of at least so many.
/// Every such error may exceed; that others do too only takes time.
#[derive(Clone, Copy)]
pub(crate) struct ErrorThreshold {
    /// `32 high + low` are the steps, and `over` is 1 if an error must be more than these.
    high: u32,
    low: u32,
    over: u32,
    /// The steps in 2^-32 units, one less if `over` is 0.
    ratio: u32,
    /// 1, or 0 if any error is larger.
    beyond: u32,
}

/// Bits of [`ErrorThreshold::low`].
const LOW: usize = 5;

/// Half a unit in 2^-32 units.
pub(crate) const HALF: u32 = 1 << 31;

impl ErrorThreshold {
    /// The threshold after these elements.
    pub(crate) fn of(tally: &Tally) -> Self {
        let Some(largest) = tally.largest else {
            return Self { high: 0, low: 0, over: 0, ratio: 0, beyond: 0 };
        };
        // No result that conforms has an error of 1 or more.
        let (steps, exact) = match largest.deviation {
            Deviation::Ulps(ulps) if ulps < Ulps::ONE => (ulps.steps() as u32, ulps.is_exact()),
            _ => (Ulps::ONE.steps() as u32, true),
        };
        let over = u32::from(exact);
        let ratio = (u64::from(steps) << (u32::BITS - Ulps::FRACTION_BITS)) + u64::from(over);
        Self {
            high: steps >> LOW,
            low: steps & ((1 << LOW) - 1),
            over,
            ratio: ratio.saturating_sub(1).min(u32::MAX.into()) as u32,
            beyond: 1,
        }
    }

    /// Whether `error / unit` may exceed, for numbers of 16 bits in 32, or of 48 in 64: it is at least
    /// `(32 high + low) / 2^20`, or more than that where `over` is 1.
    #[inline(always)]
    pub(crate) fn may_exceed<T: PrimInt + From<u32>>(self, error: T, unit: T) -> bool {
        let (high, low): (T, T) = (self.high.into(), self.low.into());
        let below: T = (self.over + (1 << LOW) - 1).into();
        let least = high * unit + ((low * unit + below) >> LOW);
        error << (Ulps::FRACTION_BITS as usize - LOW) >= least
    }

    /// The same for numbers of 32 bits, in these: it is above the whole part of `unit * ratio / 2^32`.
    ///
    /// What is more than `unit * steps / 2^20` is above that, and with a ratio of one less what is as much, too.
    #[inline(always)]
    pub(crate) fn may_exceed_u32(self, error: u32, unit: u32) -> bool {
        let product = u64::from(unit) * u64::from(self.ratio);
        error >= (product >> u32::BITS) as u32 + self.beyond
    }

    /// From which error on, in 2^-32 units, one of half a unit at most may exceed, if it is off by this at most, and
    /// not at all if it is 0.
    pub(crate) fn least(self, slack: u32) -> u32 {
        match self.ratio {
            HALF.. => u32::MAX,
            ratio => (ratio + self.beyond).saturating_sub(slack).max(self.beyond),
        }
    }
}

#[cfg(test)]
mod tests {
    use values::dtype::DType;
    use values::random::Random;

    use super::*;
    use crate::operators::div::div_error;
    use crate::sweep::MAX_ARITY;
    use crate::sweep::tally::Largest;

    /// The error of `error` parts of a unit of so many.
    fn of(error: u64, unit: u64) -> Deviation {
        div_error(DType::Int64, error, unit, 0).unwrap()
    }

    #[test]
    fn every_larger_error_may_exceed_and_none_that_is_two_parts_smaller() {
        let mut random = Random::at(1, 0);
        let mut below = |limit| random.below(limit);
        let mut larger = 0;
        for bits in [15, 28] {
            for _ in 0..20_000 {
                let [so_far, unit] = [0; 2].map(|_| (1 << (bits - 1)) + below(1 << (bits - 1)));
                // Some are whole steps, which are exact.
                let so_far = if below(2) == 0 { so_far } else { 1 << (bits - 1) };
                let largest = below(so_far / 2) + 1;
                let deviation = of(largest, so_far);
                let threshold = after(deviation);
                let as_large = largest * unit / so_far;
                for error in as_large.saturating_sub(2)..as_large + 3 {
                    let [narrow, wide] = [error, unit].map(|number| number as u32);
                    let may =
                        [threshold.may_exceed_u32(narrow, wide), threshold.may_exceed(error, unit)];
                    let is_larger = of(error, unit) > deviation;
                    larger += u32::from(is_larger);
                    assert!(
                        !is_larger || may == [true; 2],
                        "{error}/{unit}, {largest}/{so_far}: {may:?}"
                    );
                    // A step is 2^-20 of a unit.
                    let is_far = (error + 2 + (unit >> 19)) * so_far <= largest * unit;
                    assert!(
                        !is_far || may == [false; 2],
                        "{error}/{unit}, {largest}/{so_far}: {may:?}"
                    );
                }
            }
        }
        assert!(larger > 40_000, "{larger}");
    }

    /// The threshold after an error.
    fn after(deviation: Deviation) -> ErrorThreshold {
        let largest = Some(Largest { deviation, operands: [0; MAX_ARITY], result: 0 });
        ErrorThreshold::of(&Tally { largest, ..Tally::default() })
    }

    #[test]
    fn whole_steps_exceed_what_is_rounded_up_to_them_and_not_themselves() {
        let mut random = Random::at(2, 0);
        let unit = 1 << 27;
        for _ in 0..1_000 {
            let steps = 1 + random.below(1 << 19);
            let error = steps << 7;
            // Less than that by less than a step.
            let less = after(of(error * 5 - 1, unit * 5));
            assert!(less.may_exceed_u32(error as u32, unit as u32) && less.may_exceed(error, unit));
            assert!(less.least(0) as u64 <= steps << 12);
            let same = after(of(error, unit));
            assert!(!same.may_exceed_u32(error as u32, unit as u32));
            assert!(!same.may_exceed(error, unit));
            assert!(steps == 1 << 19 || same.least(0) as u64 == (steps << 12) + 1);
        }
    }

    #[test]
    fn every_error_exceeds_none_even_that_of_an_exact_result() {
        let threshold = ErrorThreshold::of(&Tally::default());
        assert!(threshold.may_exceed_u32(0, 1 << 28) && threshold.may_exceed(0_u64, 1 << 28));
    }
}

//! The largest error so far in a sweep: only what may exceed it needs a measurement.

use num_traits::PrimInt;

use super::tally::Tally;
use crate::exact::{Deviation, Ulps};

/// How large an error must be to be larger than all before: at least `(32 high + low) / 2^20`
/// units, and more than that where `over` is 1.
///
/// A larger error than the largest so far is one with a larger [`Ulps`]. That is, with a largest
/// of `steps` steps, an error of more than so many if they are exact, else of at least so many.
#[derive(Clone, Copy)]
pub(crate) struct ErrorThreshold {
    high: u32,
    low: u32,
    over: u32,
}

/// Bits of [`ErrorThreshold::low`].
const LOW: usize = 5;

impl ErrorThreshold {
    /// The threshold after these elements.
    pub(crate) fn of(tally: &Tally) -> Self {
        let Some(largest) = tally.largest else {
            return Self { high: 0, low: 0, over: 0 };
        };
        // No result that conforms has an error of 1 or more.
        let (steps, exact) = match largest.deviation {
            Deviation::Ulps(ulps) if ulps < Ulps::ONE => (ulps.steps() as u32, ulps.is_exact()),
            _ => (Ulps::ONE.steps() as u32, true),
        };
        Self { high: steps >> LOW, low: steps & ((1 << LOW) - 1), over: u32::from(exact) }
    }

    /// Whether `error / unit` is large enough, for an error and a unit of 16 bits in 32 bits, or of
    /// 32 in 64.
    #[inline(always)]
    pub(crate) fn may_exceed<T: PrimInt + From<u32>>(self, error: T, unit: T) -> bool {
        let (high, low): (T, T) = (self.high.into(), self.low.into());
        let below: T = (self.over + (1 << LOW) - 1).into();
        let least = high * unit + ((low * unit + below) >> LOW);
        error << (Ulps::FRACTION_BITS as usize - LOW) >= least
    }

    /// The same in steps of 2^-20 units, rounded down.
    #[inline(always)]
    pub(crate) fn steps(self) -> u32 {
        self.high << LOW | self.low
    }
}

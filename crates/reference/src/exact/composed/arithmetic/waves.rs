//! Sines and cosines of computed values.

use super::super::super::interval::Interval;
use super::super::{Computed, Exact};
use super::Arithmetic;

impl Arithmetic {
    /// The cosine of a value, to within so many ULP of the format, and exactly where it is a number that the format holds.
    pub(crate) fn cos(&self, a: &Computed, ulps: u32) -> Computed {
        self.wave(a, ulps, Interval::cosines)
    }

    /// The sine of a value, likewise.
    pub(crate) fn sin(&self, a: &Computed, ulps: u32) -> Computed {
        self.wave(a, ulps, Interval::sines)
    }

    fn wave(&self, a: &Computed, ulps: u32, wave: fn(&Interval) -> Interval) -> Computed {
        if let Some(why) = a.open {
            return Computed::open(Exact::Undefined, why);
        }
        let exact = match &a.exact {
            Exact::Number(number) => Exact::Number(wave(number)),
            Exact::Infinite { .. } | Exact::Undefined => Exact::Undefined,
        };
        let near = |numbers: &Interval| self.approximated(&wave(numbers), ulps);
        Computed {
            nan: a.nan || a.infinities != [false; 2],
            ..Computed::within(exact, a.numbers.as_ref().map(near))
        }
    }
}

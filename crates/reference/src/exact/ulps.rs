//! The error of a result against the real one, in units in the last place.

use std::fmt;

/// How far a result is from the real quotient or root.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Deviation {
    /// There is no real quotient or root to be far from: an operand is a NaN or an infinity, the
    /// divisor is zero, the radicand is negative. Only the class of the result can be judged.
    NoRealResult,
    /// The distance. It is 0 for an infinity (in formats without infinities, a NaN) that the real
    /// result rounds to.
    Ulps(Ulps),
    /// A NaN or an infinity that the real result does not round to.
    Unbounded,
}

/// A distance in units in the last place (ULP) of the format at the real result; for integer types
/// the unit is 1.
///
/// The distance is held rounded up to a multiple of 2^-20 ULP, together with whether rounding was
/// needed, so a limit that is such a multiple is decided exactly. A correctly rounded result has at
/// most 0.5 ULP, and any other at least 0.5: exactly that on the other side of a tie, and next below
/// a power of two that is the real result. Whether a result is the correctly rounded one is
/// therefore for [`Conforming`](super::Conforming) to say.
///
/// Distances from 2^108 ULP on are held as [`Ulps::MAX`]. For a result whose magnitude is less than
/// 2^-18 of the real one's, the last step may be one too many.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Ulps {
    steps: u128,
    /// Ordered after the inexact distance of as many steps, which is the smaller one.
    exact: bool,
}

impl Ulps {
    /// Bits after the binary point.
    pub const FRACTION_BITS: u32 = 20;

    /// No distance.
    pub const ZERO: Self = Self { steps: 0, exact: true };

    /// Half a unit: the most that a correctly rounded result has.
    pub const HALF: Self = Self { steps: 1 << (Self::FRACTION_BITS - 1), exact: true };

    /// One unit: more than any truncated integer quotient has.
    pub const ONE: Self = Self { steps: 1 << Self::FRACTION_BITS, exact: true };

    /// 2^108 units (less one step) or any number more.
    pub const MAX: Self = Self { steps: u128::MAX, exact: true };

    /// The distance of so many steps of 2^-20 ULP: exactly, or less by less than a step.
    pub const fn new(steps: u128, exact: bool) -> Self {
        Self { steps, exact: exact || steps == u128::MAX }
    }

    /// The distance in steps of 2^-20 ULP, rounded up.
    pub const fn steps(self) -> u128 {
        self.steps
    }

    /// What is left of this distance, a multiple of a step, beyond a smaller one.
    pub const fn less(self, other: Self) -> Self {
        // The other is rounded up, so that what is left is one step more.
        let rounded = if other.exact { 0 } else { 1 };
        Self::new(self.steps.saturating_sub(other.steps) + rounded, other.exact)
    }

    /// Whether the distance is exactly [`Ulps::steps`]; if not, it is less, but by less than a step.
    pub const fn is_exact(self) -> bool {
        self.exact
    }

    /// Rounded up to a millionth of a unit, then as a fraction of 2^-20 with nothing lost: the exact
    /// one, or the next above where it is none. `0.5 (=524288/2^20)`, `0.333334 (<349526/2^20)`, and `2^108 or more`, which
    /// has no fraction.
    pub fn with_fraction(self) -> String {
        if self == Self::MAX {
            return self.to_string();
        }
        let relation = if self.exact { '=' } else { '<' };
        format!("{self} ({relation}{}/2^{})", self.steps, Self::FRACTION_BITS)
    }

    /// The distance that [`Self::with_fraction`] writes so; `None` where it writes none so.
    pub fn parse(text: &str) -> Option<Self> {
        if [LARGEST, FORMERLY_LARGEST].contains(&text) {
            return Some(Self::MAX);
        }
        let (_, fraction) = text.strip_suffix(")")?.split_once(" (")?;
        let (steps, _) = fraction.get(1..)?.split_once('/')?;
        let read = Self::new(steps.parse().ok()?, fraction.starts_with('='));
        // Nothing is less than no step.
        (read.with_fraction() == text && (read.exact || read.steps > 0)).then_some(read)
    }
}

/// What [`Ulps::MAX`] is written as.
const LARGEST: &str = "2^108 or more";

/// What it was written as by versions before, whose documents are read still.
const FORMERLY_LARGEST: &str =
    "324518553658426726783156020576256 (=340282366920938463463374607431768211455/2^20)";

/// In decimal with six places, rounded up: `0.5`, `1.000001`, `12`.
impl fmt::Display for Ulps {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        const PLACES: u128 = 1_000_000;
        if *self == Self::MAX {
            return f.pad(LARGEST);
        }
        let whole = self.steps >> Self::FRACTION_BITS;
        let below = self.steps & (Self::ONE.steps - 1);
        let millionths = (below * PLACES).div_ceil(Self::ONE.steps);
        let (whole, millionths) = (whole + millionths / PLACES, millionths % PLACES);
        let decimal = format!("{whole}.{millionths:06}");
        f.pad(decimal.trim_end_matches('0').trim_end_matches('.'))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn distances_order_by_size_and_the_inexact_ones_lie_below_their_steps() {
        let just_below_half = Ulps::new(Ulps::HALF.steps, false);
        assert!(Ulps::ZERO < just_below_half);
        assert!(just_below_half < Ulps::HALF);
        assert!(Ulps::HALF < Ulps::new(Ulps::HALF.steps + 1, false));
        assert!(Deviation::Ulps(Ulps::new(u128::MAX, true)) < Deviation::Unbounded);
    }

    #[test]
    fn distances_print_rounded_up_to_a_millionth() {
        assert_eq!(Ulps::ZERO.to_string(), "0");
        assert_eq!(Ulps::HALF.to_string(), "0.5");
        assert_eq!(Ulps::ONE.to_string(), "1");
        assert_eq!(Ulps::new(Ulps::HALF.steps + 1, false).to_string(), "0.500001");
        assert_eq!(Ulps::new(10 * Ulps::ONE.steps, true).to_string(), "10");
        assert_eq!(Ulps::new(2 * Ulps::ONE.steps - 1, true).to_string(), "2");
        assert_eq!(Ulps::new(u128::MAX, false).to_string(), "2^108 or more");
    }

    #[test]
    fn a_distance_is_read_from_the_very_text_that_it_is_written_as() {
        for one in [Ulps::ZERO, Ulps::HALF, Ulps::MAX, Ulps::new(349_526, false)] {
            assert_eq!(Ulps::parse(&one.with_fraction()), Some(one));
        }
        for text in [
            "",
            "0.5",
            "0 (<0/2^20)",
            "0.5 (=524289/2^20)",
            "0.5 (524288/2^20)",
            "0.50 (=524288/2^20)",
        ] {
            assert_eq!(Ulps::parse(text), None, "{text}");
        }
    }
}

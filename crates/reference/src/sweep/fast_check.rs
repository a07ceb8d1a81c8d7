//! The fast check of an element: what can be told of it in integers of its own width and twice that.

use super::threshold::{ErrorThreshold, HALF};

/// A check of one element in integers, without a branch.
///
/// `check` and what it calls must be `#[inline(always)]`: only what is inlined into a copy of the
/// loop is compiled for its instruction set.
pub(crate) trait FastCheck<const W: usize, const R: usize = W>: Copy {
    /// Checks an element of `R` bytes from operands of `W` bytes; an operation on one operand has it twice.
    fn check(self, a: [u8; W], b: [u8; W], result: [u8; R]) -> Checked;
}

/// What is known of one element. All but `decided` are to be relied on only if it is.
#[derive(Clone, Copy)]
pub(crate) struct Checked {
    /// The result conforms, and its error is not beyond the
    /// [`ErrorThreshold`](crate::sweep::threshold::ErrorThreshold).
    pub(crate) decided: bool,
    pub(crate) class: Class,
    /// There is a real result, in the domain.
    pub(crate) real: bool,
    /// The error, if there is a real result, is above so many eighths of a unit.
    pub(crate) above: [bool; EIGHTHS],
    /// The error is half a unit.
    pub(crate) half: bool,
}

/// An exact result without its sign, cut at its unit in the last place.
#[derive(Clone, Copy)]
pub(crate) struct Cut {
    /// The bits of the greatest number that is not above it, as if there were no largest one.
    pub(crate) floor: u32,
    /// What is above that, in 2^-32 units.
    pub(crate) rest: u32,
}

impl Cut {
    /// The bits of the nearest number, ties to even, as if there were no largest one, and its error in 2^-32 units.
    #[inline(always)]
    pub(crate) fn nearest(self) -> (u32, u32) {
        let Self { floor, rest } = self;
        let is_up = rest > HALF - (floor & 1);
        (floor + u32::from(is_up), if is_up { rest.wrapping_neg() } else { rest })
    }
}

impl Checked {
    /// That of a rounded result with an error in 2^-32 units.
    #[inline(always)]
    pub(crate) fn rounded(decided: bool, real: bool, class: Class, error: u32) -> Self {
        let above = |eighths: u32| error > eighths << 29;
        Self {
            decided,
            class,
            real,
            above: [above(0), above(1), above(2), above(3), false, false, false, false],
            half: error == HALF,
        }
    }

    /// That of a result which conforms only if it is exact, if there is a real one.
    #[inline(always)]
    pub(crate) fn exact(
        threshold: ErrorThreshold,
        conforms: bool,
        real: bool,
        class: Class,
    ) -> Self {
        Self {
            decided: conforms & !(real & threshold.may_exceed_u32(0, 0)),
            class,
            real,
            above: [false; EIGHTHS],
            half: false,
        }
    }
}

/// The class of the result that conforms.
#[derive(Clone, Copy)]
pub(crate) struct Class {
    pub(crate) nan: bool,
    /// Infinite, or a NaN.
    pub(crate) huge: bool,
    /// Subnormal, or a zero.
    pub(crate) tiny: bool,
    pub(crate) zero: bool,
    pub(crate) out_of_domain: bool,
}

impl Class {
    pub(crate) const NUMBER: Self =
        Self { nan: false, huge: false, tiny: false, zero: false, out_of_domain: false };

    /// That of an integer.
    #[inline(always)]
    pub(crate) fn of_integer(zero: bool) -> Self {
        Self { tiny: zero, zero, ..Self::NUMBER }
    }

    /// That of a result of a float type without its sign, by its infinity and smallest normal number.
    #[inline(always)]
    pub(crate) fn of_float<T: Ord + Copy + Default>(result: T, infinity: T, normal: T) -> Self {
        let (nan, huge) = (result > infinity, result >= infinity);
        Self {
            nan,
            huge,
            tiny: result < normal,
            zero: result == T::default(),
            out_of_domain: false,
        }
    }
}

/// Edges of bins below 1.
pub(crate) const EIGHTHS: usize = 8;

//! Floats of 16 and 32 bits in lanes of 32: how they are taken apart, and how a result is compared with an exact one.
//! `docs/numerics.md` derives it.

use std::marker::PhantomData;

use values::dtype::DType;

use super::fast_check::{Checked, Class, Cut, FastCheck};
use super::run::Run;
use super::threshold::ErrorThreshold;

/// An operation on one or two floats, which is exact, or rounded to the nearest number, ties to even.
pub(crate) trait FloatOperation: Copy {
    /// What is exact, without a branch; `#[inline(always)]`. An operation on one operand has it twice.
    fn exact<const FIELD: u32, const BIAS: u32>(a: u32, b: u32) -> Exact;

    /// By how much the rest is off at most, in 2^-32 units.
    fn slack<const FIELD: u32>() -> u32;
}

/// Checks the results of an operation on floats of a type; false for other types.
pub(crate) fn run<O: FloatOperation>(dtype: DType, run: &mut Run<'_>, columns: [&[u8]; 3]) -> bool {
    match dtype {
        DType::Float16 => run.fast::<2, 2, _>(FloatCheck::<O, 10, 15>::new, columns),
        DType::Bfloat16 => run.fast::<2, 2, _>(FloatCheck::<O, 7, 127>::new, columns),
        DType::Float32 => run.fast::<4, 4, _>(FloatCheck::<O, 23, 127>::new, columns),
        _ => return false,
    }
    true
}

/// A float format with so many bits in the trailing significand field.
#[derive(Clone, Copy)]
pub(crate) struct FloatLanes<const FIELD: u32, const BIAS: u32>;

/// An exact result, or that there is none.
#[derive(Clone, Copy)]
pub(crate) struct Exact {
    pub(crate) negative: bool,
    /// The rest is off by the slack at most, but on the right side of each eighth of a unit.
    pub(crate) cut: Cut,
    /// It is infinite, as an operand is.
    pub(crate) infinite: bool,
    /// There is none.
    pub(crate) nan: bool,
}

impl<const FIELD: u32, const BIAS: u32> FloatLanes<FIELD, BIAS> {
    pub(crate) const HIDDEN: u32 = 1 << FIELD;
    pub(crate) const INFINITY: u32 = (2 * BIAS + 1) << FIELD;
    pub(crate) const SIGN: u32 = Self::INFINITY + Self::HIDDEN;

    /// A number without its sign.
    #[inline(always)]
    pub(crate) const fn magnitude(bits: u32) -> u32 {
        bits & (Self::SIGN - 1)
    }

    /// The significand and the biased exponent of a finite number without its sign; the exponent of subnormal ones is 1.
    #[inline(always)]
    pub(crate) fn parts(magnitude: u32) -> (u32, u32) {
        let field = magnitude >> FIELD;
        let hidden = if field == 0 { 0 } else { Self::HIDDEN };
        (magnitude & (Self::HIDDEN - 1) | hidden, field.max(1))
    }

    /// The same with a significand of `HIDDEN` at least, unless it is 0, as if there were exponents below 1.
    #[inline(always)]
    pub(crate) fn normalized(magnitude: u32) -> (u32, i32) {
        let (significand, exponent) = Self::parts(magnitude);
        let shift = significand.leading_zeros() - Self::HIDDEN.leading_zeros();
        (significand << (shift & 31), exponent as i32 - shift as i32)
    }

    /// Checks a result against the number nearest to an exact one; errors from the least on are left undecided.
    #[inline(always)]
    pub(crate) fn check(exact: Exact, result: u32, least: u32) -> Checked {
        let Exact { negative, cut, infinite, nan } = exact;
        let (nearest, error) = cut.nearest();
        let overflows = infinite | (nearest >= Self::INFINITY);
        let expected = if overflows { Self::INFINITY } else { nearest };
        let expected = expected | if negative { Self::SIGN } else { 0 };
        let magnitude = Self::magnitude(result);
        let conforms = if nan { magnitude > Self::INFINITY } else { result == expected };

        let real = !(nan | infinite);
        let error = if real & !overflows { error } else { 0 };
        let decided = conforms & !(real & (error >= least));
        let class = Class::of_float(magnitude, Self::INFINITY, Self::HIDDEN);
        Checked::rounded(decided, real, class, error)
    }
}

/// The check of an operation on floats.
#[derive(Clone, Copy)]
struct FloatCheck<O, const FIELD: u32, const BIAS: u32> {
    least: u32,
    operation: PhantomData<O>,
}

impl<O: FloatOperation, const FIELD: u32, const BIAS: u32> FloatCheck<O, FIELD, BIAS> {
    fn new(threshold: ErrorThreshold) -> Self {
        Self { least: threshold.least(O::slack::<FIELD>()), operation: PhantomData }
    }
}

macro_rules! widths {
    ($($width:literal bytes: $bits:ty;)*) => {$(
        impl<O: FloatOperation, const FIELD: u32, const BIAS: u32> FastCheck<$width>
            for FloatCheck<O, FIELD, BIAS>
        {
            #[inline(always)]
            fn check(self, a: [u8; $width], b: [u8; $width], result: [u8; $width]) -> Checked {
                let (a, b) = (<$bits>::from_le_bytes(a), <$bits>::from_le_bytes(b));
                let result = <$bits>::from_le_bytes(result);
                let exact = O::exact::<FIELD, BIAS>(a.into(), b.into());
                FloatLanes::<FIELD, BIAS>::check(exact, result.into(), self.least)
            }
        }
    )*};
}

widths! {
    2 bytes: u16;
    4 bytes: u32;
}

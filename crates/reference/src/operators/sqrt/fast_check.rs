//! The fast checks of square roots, by element type.

use values::dtype::DType;

use crate::sweep::fast_check::{Checked, Class, FastCheck};
use crate::sweep::float_lanes::FloatLanes;
use crate::sweep::run::{FastChecks, Run};
use crate::sweep::threshold::ErrorThreshold;

/// The check of a float type.
#[derive(Clone, Copy)]
pub(crate) struct Root<const FIELD: u32, const BIAS: u32>(pub(crate) ErrorThreshold);

impl<const FIELD: u32, const BIAS: u32> Root<FIELD, BIAS> {
    const HIDDEN: u32 = FloatLanes::<FIELD, BIAS>::HIDDEN;
    const INFINITY: u32 = FloatLanes::<FIELD, BIAS>::INFINITY;
    const SIGN: u32 = FloatLanes::<FIELD, BIAS>::SIGN;

    #[inline(always)]
    fn check(self, x: u32, result: u32) -> Checked {
        let magnitude = x & (Self::SIGN - 1);
        let nan = (magnitude > Self::INFINITY) | (x > Self::SIGN);
        let real = !nan & (magnitude != Self::INFINITY);
        // Zeros and infinity are their own roots.
        let itself = (magnitude == 0) | (magnitude == Self::INFINITY);

        let (significand, exponent) = FloatLanes::<FIELD, BIAS>::parts(magnitude);
        let shift = significand.leading_zeros() - Self::HIDDEN.leading_zeros();
        // The sum of the exponent and the bias is twice the root's exponent, or one more.
        let twice = exponent + 2 * BIAS - shift - BIAS;
        let radicand = u64::from(significand << shift) << (FIELD + (twice & 1));
        let binade = (twice >> 1) - 1;
        let root = result.wrapping_sub(binade << FIELD).min(2 * Self::HIDDEN);
        let rest = radicand as i64 - (u64::from(root) * u64::from(root)) as i64;
        // That of the nearest fits in 32 bits.
        let rest = rest.clamp(i32::MIN.into(), i32::MAX.into()) as i32;

        let nearest = (-(root as i32) < rest) & (rest <= root as i32);
        let conforms = if nan {
            result & (Self::SIGN - 1) > Self::INFINITY
        } else if itself {
            result == x
        } else {
            nearest
        };
        let rest = if nearest & real & !itself { rest } else { 0 };
        // The error is above so many eighths if four times the rest is more than as many roots, or,
        // below 0, as many or more: 64 rests are compared with 16 * eighths * root + eighths^2.
        let fourfold = 4 * rest - 1;
        let fourfold = (fourfold ^ (fourfold >> (i32::BITS - 1))) as u32;
        // Eight roots times the error are four times the rest, but for four squares of the error, which are 1 at most.
        let passed = self.0.may_exceed_u32(fourfold + 1, 8 * root);
        let above = |eighths: u32| fourfold >= eighths * root;
        let result = result & (Self::SIGN - 1);
        Checked {
            decided: conforms & !(real & passed),
            class: Class::of_float(result, Self::INFINITY, Self::HIDDEN),
            real,
            above: [rest != 0, above(1), above(2), above(3), false, false, false, false],
            half: false,
        }
    }
}

macro_rules! widths {
    ($($width:literal, $bits:ty;)*) => {$(
        impl<const FIELD: u32, const BIAS: u32> FastCheck<$width> for Root<FIELD, BIAS> {
            #[inline(always)]
            fn check(self, x: [u8; $width], _: [u8; $width], result: [u8; $width]) -> Checked {
                let x = <$bits>::from_le_bytes(x);
                Self::check(self, x.into(), <$bits>::from_le_bytes(result).into())
            }
        }
    )*};
}

widths! {
    2, u16;
    4, u32;
}

/// Those of Sqrt.
pub(super) struct Roots;

impl FastChecks for Roots {
    fn run(&self, dtype: DType, run: &mut Run<'_>, columns: [&[u8]; 3]) -> bool {
        match dtype {
            DType::Float16 => run.fast::<2, 2, _>(Root::<10, 15>, columns),
            DType::Bfloat16 => run.fast::<2, 2, _>(Root::<7, 127>, columns),
            DType::Float32 => run.fast::<4, 4, _>(Root::<23, 127>, columns),
            _ => return false,
        }
        true
    }
}

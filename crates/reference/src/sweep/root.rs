//! A look at a square root of floats.

use super::look::{Class, Look, Seen};
use super::reach::Reach;
use crate::exact::Ulps;

/// The check of a float type.
#[derive(Clone, Copy)]
pub(super) struct Root<const FIELD: u32, const BIAS: u64>(pub(super) Reach);

impl<const FIELD: u32, const BIAS: u64> Root<FIELD, BIAS> {
    const HIDDEN: u64 = 1 << FIELD;
    const INFINITY: u64 = (2 * BIAS + 1) << FIELD;
    const SIGN: u64 = Self::INFINITY + Self::HIDDEN;

    #[inline(always)]
    fn look(self, x: u64, result: u64) -> Seen {
        let magnitude = x & (Self::SIGN - 1);
        let nan = (magnitude > Self::INFINITY) | (x > Self::SIGN);
        let real = !nan & (magnitude != Self::INFINITY);
        // Zeros and infinity are their own roots.
        let itself = (magnitude == 0) | (magnitude == Self::INFINITY);

        let field = magnitude >> FIELD;
        let hidden = if field == 0 { 0 } else { Self::HIDDEN };
        let significand = magnitude & (Self::HIDDEN - 1) | hidden;
        let shift = u64::from(significand.leading_zeros()) - u64::from(u64::BITS - 1 - FIELD);
        // The sum of the exponent and the bias is twice the root's exponent, or one more.
        let twice = field.max(1) + 2 * BIAS - shift - BIAS;
        let radicand = (significand << shift) << (u64::from(FIELD) + (twice & 1));
        let binade = (twice >> 1) - 1;
        let root = result.wrapping_sub(binade << FIELD).min(2 * Self::HIDDEN);
        let rest = radicand as i64 - (root * root) as i64;
        let root = root as i64;

        let nearest = (-root < rest) & (rest <= root);
        let conforms = if nan {
            result & (Self::SIGN - 1) > Self::INFINITY
        } else if itself {
            result == x
        } else {
            nearest
        };
        let rest = if nearest & real & !itself { rest } else { 0 };
        let size = rest.unsigned_abs();
        let passed = (size << (Ulps::FRACTION_BITS - 1)) + (1 << (Ulps::FRACTION_BITS - 3))
            > u64::from(self.0.steps()) * root as u64;
        let above = |eighths: i64| (64 * rest - eighths * eighths).abs() > 16 * eighths * root;
        let result = result & (Self::SIGN - 1);
        Seen {
            settled: conforms & !(real & passed),
            class: Class {
                nan: result > Self::INFINITY,
                huge: result >= Self::INFINITY,
                tiny: result < Self::HIDDEN,
                zero: result == 0,
                out_of_domain: false,
            },
            real,
            above: [rest != 0, above(1), above(2), above(3), false, false, false, false],
            half: false,
        }
    }
}

macro_rules! look {
    ($($width:literal, $bits:ty;)*) => {$(
        impl<const FIELD: u32, const BIAS: u64> Look<$width> for Root<FIELD, BIAS> {
            #[inline(always)]
            fn look(self, x: [u8; $width], _: [u8; $width], result: [u8; $width]) -> Seen {
                let x = <$bits>::from_le_bytes(x);
                Self::look(self, x.into(), <$bits>::from_le_bytes(result).into())
            }
        }
    )*};
}

look! {
    2, u16;
    4, u32;
}

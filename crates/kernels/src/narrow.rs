//! float16 and bfloat16: computed in float32 and rounded once more, which is exact.
//!
//! An operation on a format of precision p, computed in a wider format of precision p' and then
//! rounded to the first, gives the correctly rounded result for division and square root if
//! p' >= 2p + 2 (S. A. Figueroa, "When is double rounding innocuous?", ACM SIGNUM Newsletter 30
//! (3), 1995): float16 has p = 11, bfloat16 p = 8, float32 p' = 24. The theorem leaves subnormal
//! numbers aside:
//!
//! - Operands: a subnormal is a number of fewer digits, and normal in float32 or (bfloat16)
//!   subnormal there with the same value. Both count as numbers of at most p digits with an
//!   exponent of their own below.
//! - Square roots are never subnormal, for the exponent is halved.
//! - Quotients: two roundings differ from one only if the first ends on a midpoint m between two
//!   neighbours of the narrow format while the exact quotient q is not m. Write the operands as
//!   a = A 2^i and b = B 2^j with 2^(p-1) <= A, B < 2^p, and a midpoint in the subnormal range as
//!   m = M 2^k with 1 <= M < 2^p, where 2^k is half the smallest subnormal (M odd). Where q is
//!   near m, A 2^i is near M B 2^(j+k), and M B >= 2^(p-1) > A / 2, so i >= j + k - 1. Hence
//!   a - m b is a multiple of 2^(j+k-1), and if it is not zero,
//!   |q - m| = |a - m b| / b > 2^(j+k-1) / 2^(j+p) = 2^(k-1-p).
//!   The first rounding moves q by at most half a unit of float32. For float16 k = -25, so
//!   |q - m| > 2^-37, and a quotient below 2^-14 moves by 2^-39 at most. For bfloat16 k = -134, so
//!   |q - m| > 2^-143, and a quotient below 2^-126 moves by 2^-150, half of float32's smallest
//!   subnormal. It never gets to m.
//! - Overflow: the bound beyond which a result becomes infinite is the midpoint above the largest
//!   finite number, and float32 rounds to it, or itself overflows, as with any other midpoint.
//!
//! A product needs no theorem: that of two significands of p bits has 2p bits at most, no more than
//! float32's 24, so that only float32's range can make it inexact.
//!
//! - float16: the product is zero or lies between 2^-48 and 2^32, in the range. It is exact, and rounded
//!   once.
//! - bfloat16, beyond the range: what overflows in float32 is infinite in bfloat16 too.
//! - bfloat16, below: a product of 16 bits of at least 2^-134 is a multiple of 2^-149, float32's
//!   smallest subnormal, and so exact. A smaller one, rounded in float32 or not, is at most 2^-134,
//!   half of bfloat16's smallest subnormal, and is rounded to zero, a tie being rounded to even.
//!
//! For a sum the theorem holds with the same precisions (2 * 11 + 2 = 24). It leaves subnormal numbers aside
//! here as well, and need not say more: a sum of numbers is a multiple of the smallest subnormal one, so that below
//! the normal numbers it is exact in both formats.
//!
//! The conversions are branch-free so that they vectorise.

use half::{bf16, f16};

/// The value in float32, exactly; a NaN stays a NaN.
#[inline(always)]
pub(super) fn widen_float16(value: f16) -> f32 {
    /// What the exponents of the two formats differ by for one number.
    const REBIAS: u32 = (127 - 15) << 23;
    /// The smallest normal float16, 2^-14.
    const NORMAL: f32 = f32::from_bits((127 - 14) << 23);
    let bits = u32::from(value.to_bits());
    let fields = (bits & 0x7fff) << 13;
    // Read as the fraction of 1.f 2^-14, a subnormal 0.f 2^-14 is 2^-14 too large. (Scaling it by
    // a product would be shorter, but arithmetic on float32's subnormals is slow.)
    let subnormal = (f32::from_bits(fields | NORMAL.to_bits()) - NORMAL).to_bits();
    let magnitude = match fields >> 23 {
        0 => subnormal,
        31 => fields | f32::INFINITY.to_bits(),
        _ => fields + REBIAS,
    };
    f32::from_bits(magnitude | (bits & 0x8000) << 16)
}

/// The nearest float16, ties to even; a NaN becomes a quiet NaN of the same sign.
#[inline(always)]
pub(super) fn narrow_to_float16(value: f32) -> f16 {
    /// 65536, above every float16.
    const OVERFLOW: u32 = (127 + 16) << 23;
    /// The smallest normal float16, 2^-14.
    const NORMAL: u32 = (127 - 14) << 23;
    /// A unit in the last place of float32 in [0.5, 1) is 2^-24, float16's smallest subnormal.
    const ALIGN: f32 = 0.5;
    let bits = value.to_bits();
    let magnitude = bits & 0x7fff_ffff;
    let rebiased = magnitude.wrapping_sub((127 - 15) << 23);
    let normal = rebiased.wrapping_add(0xfff + (magnitude >> 13 & 1)) >> 13;
    let subnormal = (f32::from_bits(magnitude) + ALIGN).to_bits().wrapping_sub(ALIGN.to_bits());
    let special = if magnitude > f32::INFINITY.to_bits() { 0x7e00 } else { 0x7c00 };
    let finite = if magnitude < NORMAL { subnormal } else { normal };
    let rounded = if magnitude >= OVERFLOW { special } else { finite };
    f16::from_bits((rounded | bits >> 16 & 0x8000) as u16)
}

/// The value in float32, exactly.
#[inline(always)]
pub(super) fn widen_bfloat16(value: bf16) -> f32 {
    f32::from_bits(u32::from(value.to_bits()) << 16)
}

/// The nearest bfloat16, ties to even; a NaN becomes a quiet NaN of the same sign.
#[inline(always)]
pub(super) fn narrow_to_bfloat16(value: f32) -> bf16 {
    let bits = value.to_bits();
    let quiet = bits >> 16 | 0x40;
    let rounded = bits.wrapping_add(0x7fff + (bits >> 16 & 1)) >> 16;
    bf16::from_bits(if value.is_nan() { quiet } else { rounded } as u16)
}

/// A float type, to which attributes of type float32 are converted.
pub(super) trait Nearest {
    /// The number nearest to a float32.
    fn nearest(value: f32) -> Self;
}

macro_rules! nearest {
    ($($type:ty: $convert:expr;)*) => {$(
        impl Nearest for $type {
            fn nearest(value: f32) -> Self {
                $convert(value)
            }
        }
    )*};
}

nearest! {
    f64: f64::from;
    f32: std::convert::identity;
    f16: narrow_to_float16;
    bf16: narrow_to_bfloat16;
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn widening_is_exact() {
        for bits in 0..=u16::MAX {
            let (narrow, wide) = (f16::from_bits(bits), widen_float16(f16::from_bits(bits)));
            assert!(
                wide.to_bits() == narrow.to_f32().to_bits() || wide.is_nan() && narrow.is_nan()
            );
            let (narrow, wide) = (bf16::from_bits(bits), widen_bfloat16(bf16::from_bits(bits)));
            assert!(
                wide.to_bits() == narrow.to_f32().to_bits() || wide.is_nan() && narrow.is_nan()
            );
        }
    }

    /// Every number of the narrow format, every midpoint, and their float32 neighbours.
    fn about(bits: u16, wide: f32, next: f32) -> impl Iterator<Item = f32> {
        let middle = if next.is_infinite() { wide } else { wide / 2.0 + next / 2.0 };
        [wide, middle]
            .into_iter()
            .flat_map(|x| {
                [-1_i32, 0, 1].map(|step| f32::from_bits(x.to_bits().wrapping_add_signed(step)))
            })
            .filter(move |_| bits & 0x7fff < 0x7fff)
    }

    #[test]
    fn narrowing_rounds_to_nearest_ties_to_even() {
        for bits in 0..=u16::MAX {
            let (x, next) = (f16::from_bits(bits), f16::from_bits(bits.wrapping_add(1)));
            for value in about(bits, x.to_f32(), next.to_f32()) {
                let (ours, theirs) = (narrow_to_float16(value), f16::from_f32(value));
                assert!(ours.to_bits() == theirs.to_bits() || ours.is_nan() && value.is_nan());
            }
            let (x, next) = (bf16::from_bits(bits), bf16::from_bits(bits.wrapping_add(1)));
            for value in about(bits, x.to_f32(), next.to_f32()) {
                let (ours, theirs) = (narrow_to_bfloat16(value), bf16::from_f32(value));
                assert!(ours.to_bits() == theirs.to_bits() || ours.is_nan() && value.is_nan());
            }
        }
    }

    #[test]
    fn narrowing_overflows_at_the_midpoint_above_the_largest_number() {
        assert_eq!(narrow_to_float16(65519.996), f16::MAX);
        assert_eq!(narrow_to_float16(65520.0), f16::INFINITY);
        assert_eq!(narrow_to_float16(f32::MAX), f16::INFINITY);
        let bound = f32::from_bits(0x7f7f_8000);
        assert_eq!(narrow_to_bfloat16(bound), bf16::INFINITY);
        assert_eq!(narrow_to_bfloat16(bound.next_down()), bf16::MAX);
        assert_eq!(narrow_to_bfloat16(f32::NEG_INFINITY), bf16::NEG_INFINITY);
    }
}

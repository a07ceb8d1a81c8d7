//! Element-wise division of slices: IEEE 754 for the float types, truncation for the integers.
//!
//! Integers of up to 32 bits divide in floating point, where processors divide vectors. Let n and
//! d > 0 be integers exact in a format of precision p, q their truncated quotient (signs apart, the
//! format being symmetric) and n + d < 2^p. Then n / d <= q + 1 - 1/d. Rounding is monotone and
//! q + 1 is a number of the format, so the rounded quotient is at least q, at most q + 1, and
//! q + 1 only if that is at most half a unit in the last place away. Below q + 1 that half unit is
//! at most (q + 1) 2^-p, and (q + 1) d <= n + d < 2^p makes it less than 1/d. So the rounded
//! quotient is below q + 1, and truncated it is q. Operands of 8 and 16 bits (n + d <= 2^17) fit
//! float32 (p = 24), those of 32 bits (n + d <= 2^33) float64 (p = 53).

use bytemuck::Pod;
use half::{bf16, f16};

use super::narrow::{narrow_to_bfloat16, narrow_to_float16, widen_bfloat16, widen_float16};
use super::simd::{Task, dispatch};

/// Elements divided between two looks for undefined quotients; the three slices of 64-bit elements
/// stay in the first-level cache.
const BLOCK: usize = 1024;

/// An element type that Div takes.
pub trait Divide: Pod {
    /// The quotient; any value where it is undefined.
    #[must_use]
    fn quotient(self, divisor: Self) -> Self;

    /// Whether no value of the type is the quotient: an integer divided by zero, or a signed
    /// type's minimum divided by -1.
    #[must_use]
    fn is_undefined(self, divisor: Self) -> bool;
}

/// Divides `dividends` by `divisors` element by element, as many as the shortest slice has.
///
/// # Errors
///
/// The index of the first element whose quotient is undefined; what `quotients` then holds from
/// there on is unspecified.
pub fn divide<T: Divide>(
    dividends: &[T],
    divisors: &[T],
    quotients: &mut [T],
) -> Result<(), usize> {
    dispatch(Division { dividends, divisors, quotients })
}

struct Division<'a, T> {
    dividends: &'a [T],
    divisors: &'a [T],
    quotients: &'a mut [T],
}

impl<T: Divide> Task for Division<'_, T> {
    type Output = Result<(), usize>;

    #[inline(always)]
    fn run(self) -> Self::Output {
        let operands = self.dividends.chunks(BLOCK).zip(self.divisors.chunks(BLOCK));
        let blocks = operands.zip(self.quotients.chunks_mut(BLOCK));
        for (block, ((dividends, divisors), quotients)) in blocks.enumerate() {
            let pairs = || dividends.iter().zip(divisors);
            if pairs().fold(false, |any, (a, b)| any | a.is_undefined(*b)) {
                let first = pairs().position(|(a, b)| a.is_undefined(*b)).unwrap_or(0);
                return Err(block * BLOCK + first);
            }
            for (quotient, (a, b)) in quotients.iter_mut().zip(pairs()) {
                *quotient = a.quotient(*b);
            }
        }
        Ok(())
    }
}

macro_rules! divide_float {
    ($type:ty, |$a:ident, $b:ident| $quotient:expr) => {
        impl Divide for $type {
            #[inline(always)]
            fn quotient(self, divisor: Self) -> Self {
                let ($a, $b) = (self, divisor);
                $quotient
            }

            #[inline(always)]
            fn is_undefined(self, _: Self) -> bool {
                false
            }
        }
    };
}

divide_float!(f64, |a, b| a / b);
divide_float!(f32, |a, b| a / b);
divide_float!(f16, |a, b| narrow_to_float16(widen_float16(a) / widen_float16(b)));
divide_float!(bf16, |a, b| narrow_to_bfloat16(widen_bfloat16(a) / widen_bfloat16(b)));

/// A number whose unit in the last place is 1, in the middle of its binade: the sum with an integer
/// of at most 22 bits is exact and holds that integer, in two's complement, in its low bits.
const UNIT_F32: f32 = 1.5 * (1_u32 << 23) as f32;
/// As [`UNIT_F32`], for integers of at most 51 bits.
const UNIT_F64: f64 = 1.5 * (1_u64 << 52) as f64;

macro_rules! divide_integers {
    ($($type:ty: |$a:ident, $b:ident| $quotient:expr;)*) => {$(
        impl Divide for $type {
            #[inline(always)]
            fn quotient(self, divisor: Self) -> Self {
                let ($a, $b) = (self, divisor);
                $quotient
            }

            #[inline(always)]
            fn is_undefined(self, divisor: Self) -> bool {
                const SIGNED: bool = <$type>::MIN != 0;
                // All bits set are -1. No `&&`: a vector loop has no branches.
                let overflows = SIGNED & (self == Self::MIN) & (divisor == !0);
                (divisor == 0) | overflows
            }
        }
    )*};
}

divide_integers! {
    i8: |a, b| ((f32::from(a) / f32::from(b)).trunc() + UNIT_F32).to_bits() as Self;
    u8: |a, b| ((f32::from(a) / f32::from(b)).trunc() + UNIT_F32).to_bits() as Self;
    i16: |a, b| ((f32::from(a) / f32::from(b)).trunc() + UNIT_F32).to_bits() as Self;
    u16: |a, b| ((f32::from(a) / f32::from(b)).trunc() + UNIT_F32).to_bits() as Self;
    i32: |a, b| ((f64::from(a) / f64::from(b)).trunc() + UNIT_F64).to_bits() as Self;
    u32: |a, b| ((f64::from(a) / f64::from(b)).trunc() + UNIT_F64).to_bits() as Self;
    i64: |a, b| if a.is_undefined(b) { 0 } else { a / b };
    u64: |a, b| if a.is_undefined(b) { 0 } else { a / b };
}

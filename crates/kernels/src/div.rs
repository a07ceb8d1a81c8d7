//! Div: IEEE 754 for the float types, truncation towards zero for the integers. A quotient that no
//! value of the type is (a divisor of zero, a signed type's minimum divided by -1) is refused,
//! naming the element.
//!
//! Integers of up to 32 bits divide in floating point, where processors divide vectors. Let n and
//! d > 0 be integers exact in a format of precision p, q their truncated quotient (signs apart, the
//! format being symmetric) and n + d < 2^p. Then n / d <= q + 1 - 1/d. Rounding is monotone and
//! q + 1 is a number of the format, so the rounded quotient is at least q, at most q + 1, and
//! q + 1 only if that is at most half a unit in the last place away. Below q + 1 that half unit is
//! at most (q + 1) 2^-p, and (q + 1) d <= n + d < 2^p makes it less than 1/d. So the rounded
//! quotient is below q + 1, and truncated it is q. Operands of 8 and 16 bits (n + d <= 2^17) fit
//! float32 (p = 24), those of 32 bits (n + d <= 2^33) and those of 64 bits that are no larger than
//! 2^51 (n + d <= 2^52) fit float64 (p = 53).

use bytemuck::Pod;
use half::{bf16, f16};

use super::elementwise::{computed, on_bytes};
use super::narrow::{narrow_to_bfloat16, narrow_to_float16, widen_bfloat16, widen_float16};
use super::signature::{
    Document, Domain, Input, NUMBER_VERSIONS, Restriction, SONNX_NUMBERS, Slices,
};
use super::simd::{SimdTask, dispatch};
use super::types::{NUMBERS, implement, with_type};
use super::{BLOCK, Kernel};
use values::dtype::DType;

pub(super) static DIV: Kernel = Kernel {
    domain: Domain::Onnx,
    name: "Div",
    inputs: &[Input::new("A"), Input::new("B")],
    is_elementwise: true,
    slices: Some(SLICES),
    versions: &NUMBER_VERSIONS,
    restricted: &[
        SONNX_NUMBERS,
        Restriction { document: Document::SonnxDraft, types: &[NUMBERS, NUMBERS], ..SONNX_NUMBERS },
    ],
    run: |call| computed::<2>(call, SLICES),
};

pub(super) const SLICES: Slices = |dtype, operands, results| {
    with_type!(numbers, dtype, T => {
        on_bytes::<T, 2>(operands, results, |[a, b], quotients| divide(a, b, quotients))
    }, else None)
};

/// An element type that Div takes.
pub trait Divide: Pod {
    /// The quotient; any value where it is undefined.
    fn quotient(self, divisor: Self) -> Self;

    /// Whether no value of the type is the quotient: an integer divided by zero, or a signed
    /// type's minimum divided by -1.
    #[inline(always)]
    fn is_undefined(self, _divisor: Self) -> bool {
        false
    }

    /// The quotient of a division, rounded down, from the truncated one; unchanged for floats, which are not
    /// rounded to an integer.
    #[inline(always)]
    fn floored(quotient: Self, _dividend: Self, _divisor: Self) -> Self {
        quotient
    }

    /// Divides a block of equally long slices, and says whether a quotient is undefined.
    #[inline(always)]
    fn divide_block(dividends: &[Self], divisors: &[Self], quotients: &mut [Self]) -> bool {
        divide_each(dividends, divisors, quotients, Self::quotient)
    }
}

/// Divides each by each in one pass, so that memory is read while the divider works.
#[inline(always)]
fn divide_each<T: Divide>(
    dividends: &[T],
    divisors: &[T],
    quotients: &mut [T],
    mut quotient_of: impl FnMut(T, T) -> T,
) -> bool {
    let mut undefined = false;
    for (quotient, (a, b)) in quotients.iter_mut().zip(dividends.iter().zip(divisors)) {
        undefined |= a.is_undefined(*b);
        *quotient = quotient_of(*a, *b);
    }
    undefined
}

/// Divides `dividends` by `divisors` element by element, as many as the shortest slice has. The
/// error is the index of the first one whose quotient is undefined; what `quotients` then holds is
/// unspecified.
pub fn divide<T: Divide>(
    dividends: &[T],
    divisors: &[T],
    quotients: &mut [T],
) -> Result<(), usize> {
    divided::<T, false>(dividends, divisors, quotients)
}

/// As [`divide`], with integer quotients rounded down where that is said.
pub(super) fn divided<T: Divide, const FLOORED: bool>(
    dividends: &[T],
    divisors: &[T],
    quotients: &mut [T],
) -> Result<(), usize> {
    let len = dividends.len().min(divisors.len()).min(quotients.len());
    dispatch(Division::<T, FLOORED> {
        dividends: &dividends[..len],
        divisors: &divisors[..len],
        quotients: &mut quotients[..len],
    })
}

/// Slices of one length.
struct Division<'a, T, const FLOORED: bool> {
    dividends: &'a [T],
    divisors: &'a [T],
    quotients: &'a mut [T],
}

impl<T: Divide, const FLOORED: bool> SimdTask for Division<'_, T, FLOORED> {
    type Output = Result<(), usize>;

    #[inline(always)]
    fn run(self) -> Self::Output {
        let operands = self.dividends.chunks(BLOCK).zip(self.divisors.chunks(BLOCK));
        let blocks = operands.zip(self.quotients.chunks_mut(BLOCK));
        for (block, ((dividends, divisors), quotients)) in blocks.enumerate() {
            if T::divide_block(dividends, divisors, quotients) {
                let mut pairs = dividends.iter().zip(divisors);
                let first = pairs.position(|(a, b)| a.is_undefined(*b)).unwrap_or(0);
                return Err(block * BLOCK + first);
            }
            if FLOORED {
                let operands = dividends.iter().zip(divisors);
                for (quotient, (a, b)) in quotients.iter_mut().zip(operands) {
                    *quotient = T::floored(*quotient, *a, *b);
                }
            }
        }
        Ok(())
    }
}

implement! {
    Divide::quotient(a, b);
    f64: a / b;
    f32: a / b;
    f16: narrow_to_float16(widen_float16(a) / widen_float16(b));
    bf16: narrow_to_bfloat16(widen_bfloat16(a) / widen_bfloat16(b));
}

/// The truncated number, of magnitude 2^22 at most, in two's complement.
#[inline(always)]
fn truncate_f32(number: f32) -> u32 {
    // Next to this the unit in the last place is 1: the sum is exact and holds the integer in its
    // low bits. A plain conversion would have to saturate, for which there is no instruction.
    const UNIT: f32 = 1.5 * (1_u32 << 23) as f32;
    (number.trunc() + UNIT).to_bits().wrapping_sub(UNIT.to_bits())
}

/// The truncated number, of magnitude 2^51 at most, in two's complement.
#[inline(always)]
fn truncate_f64(number: f64) -> u64 {
    const UNIT: f64 = 1.5 * (1_u64 << 52) as f64;
    (number.trunc() + UNIT).to_bits().wrapping_sub(UNIT.to_bits())
}

/// What all integers have in common. The truncated quotient is the floored one, or one more: that is where the
/// remainder is not zero and differs in sign from the divisor.
macro_rules! of_integers {
    () => {
        #[inline(always)]
        fn is_undefined(self, divisor: Self) -> bool {
            self.checked_div(divisor).is_none()
        }

        #[inline(always)]
        fn floored(quotient: Self, dividend: Self, divisor: Self) -> Self {
            let remainder = dividend.wrapping_sub(quotient.wrapping_mul(divisor));
            let differ = (remainder ^ divisor) >> (Self::BITS - 1) != 0;
            quotient.wrapping_sub(Self::from(Self::MIN != 0 && remainder != 0 && differ))
        }
    };
}

macro_rules! divide_in_float {
    ($($type:ty: |$a:ident, $b:ident| $quotient:expr;)*) => {$(
        impl Divide for $type {
            #[inline(always)]
            fn quotient(self, divisor: Self) -> Self {
                let ($a, $b) = (self, divisor);
                $quotient as Self
            }

            of_integers!();
        }
    )*};
}

divide_in_float! {
    i8: |a, b| truncate_f32(f32::from(a) / f32::from(b));
    u8: |a, b| truncate_f32(f32::from(a) / f32::from(b));
    i16: |a, b| truncate_f32(f32::from(a) / f32::from(b));
    u16: |a, b| truncate_f32(f32::from(a) / f32::from(b));
    i32: |a, b| truncate_f64(f64::from(a) / f64::from(b));
    u32: |a, b| truncate_f64(f64::from(a) / f64::from(b));
}

/// 64-bit integers: in float64 where a whole block is of magnitude 2^51 at most, as most tensors
/// are, else by the processor's own division. `$excess` is zero for an integer within the limit.
macro_rules! divide_long {
    ($($type:ty: |$x:ident| $excess:expr;)*) => {$(
        impl Divide for $type {
            #[inline(always)]
            fn quotient(self, divisor: Self) -> Self {
                self.checked_div(divisor).unwrap_or(0)
            }

            of_integers!();

            #[inline(always)]
            fn divide_block(
                dividends: &[Self],
                divisors: &[Self],
                quotients: &mut [Self],
            ) -> bool {
                let excess = |$x: Self| $excess;
                // The first pair tells whether a try in float64 is worth while.
                let mut any = match (dividends, divisors) {
                    (&[a, ..], &[b, ..]) => excess(a) | excess(b),
                    _ => 0,
                };
                if any == 0 {
                    let undefined = divide_each(dividends, divisors, quotients, |a, b| {
                        any |= excess(a) | excess(b);
                        truncate_f64(a as f64 / b as f64) as Self
                    });
                    if any == 0 {
                        return undefined;
                    }
                }
                for (quotient, (a, b)) in quotients.iter_mut().zip(dividends.iter().zip(divisors)) {
                    // Leaving the loop here keeps it scalar, as the processor's division is.
                    match a.checked_div(*b) {
                        Some(defined) => *quotient = defined,
                        None => return true,
                    }
                }
                false
            }
        }
    )*};
}

divide_long! {
    i64: |x| x.wrapping_add(1 << 51) as u64 >> 52;
    u64: |x| x >> 51;
}

#[cfg(test)]
mod tests;

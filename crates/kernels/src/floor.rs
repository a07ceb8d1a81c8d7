//! Element-wise division of slices that rounds integer quotients down, as Python's `//` does.
//!
//! The truncated quotient is the floored one, or one more: that is where the remainder is not zero
//! and differs in sign from the divisor.

use half::{bf16, f16};

use super::BLOCK;
use super::div::{Divide, Division};
use super::simd::{Task, dispatch};

/// An element type that Divide-1 takes.
pub trait FloorDivide: Divide {
    /// The quotient of a division, rounded down, from the truncated one; unchanged for floats,
    /// which are not rounded to an integer, and for unsigned integers.
    #[must_use]
    fn floored(quotient: Self, dividend: Self, divisor: Self) -> Self;
}

/// Divides `dividends` by `divisors` element by element, as many as the shortest slice has.
///
/// # Errors
///
/// The index of the first element whose quotient is undefined; what `quotients` then holds from
/// there on is unspecified.
pub fn floor_divide<T: FloorDivide>(
    dividends: &[T],
    divisors: &[T],
    quotients: &mut [T],
) -> Result<(), usize> {
    let len = dividends.len().min(divisors.len()).min(quotients.len());
    dispatch(FloorDivision(Division {
        dividends: &dividends[..len],
        divisors: &divisors[..len],
        quotients: &mut quotients[..len],
    }))
}

struct FloorDivision<'a, T>(Division<'a, T>);

impl<T: FloorDivide> Task for FloorDivision<'_, T> {
    type Output = Result<(), usize>;

    #[inline(always)]
    fn run(self) -> Self::Output {
        let Division { dividends, divisors, quotients } = self.0;
        let operands = dividends.chunks(BLOCK).zip(divisors.chunks(BLOCK));
        let blocks = operands.zip(quotients.chunks_mut(BLOCK));
        for (block, ((dividends, divisors), quotients)) in blocks.enumerate() {
            Division { dividends, divisors, quotients }
                .run()
                .map_err(|first| block * BLOCK + first)?;
            for (quotient, (a, b)) in quotients.iter_mut().zip(dividends.iter().zip(divisors)) {
                *quotient = T::floored(*quotient, *a, *b);
            }
        }
        Ok(())
    }
}

macro_rules! unchanged {
    ($($type:ty)*) => {$(
        impl FloorDivide for $type {
            #[inline(always)]
            fn floored(quotient: Self, _: Self, _: Self) -> Self {
                quotient
            }
        }
    )*};
}

macro_rules! floored {
    ($($type:ty)*) => {$(
        impl FloorDivide for $type {
            #[inline(always)]
            fn floored(quotient: Self, dividend: Self, divisor: Self) -> Self {
                let remainder = dividend.wrapping_sub(quotient.wrapping_mul(divisor));
                let is_above = remainder != 0 && (remainder ^ divisor) < 0;
                quotient.wrapping_sub(Self::from(is_above))
            }
        }
    )*};
}

unchanged!(f16 bf16 f32 f64 u8 u16 u32 u64);
floored!(i8 i16 i32 i64);

#[cfg(test)]
mod tests;

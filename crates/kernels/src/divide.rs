//! OpenVINO's Divide-1: Div, with integer quotients rounded down, as Python's `//` does, unless it is
//! told otherwise.
//!
//! The truncated quotient is the floored one, or one more: that is where the remainder is not zero
//! and differs in sign from the divisor.

use half::{bf16, f16};

use super::div::{Divide, Division, divide, divided};
use super::signature::{AttributeSpec, Domain, Input, Kernel, Version};
use super::simd::{Task, dispatch};
use super::types::{NUMBERS, with_type};
use super::{Attribute, KernelError};
use values::dtype::DType;

pub(super) static DIVIDE: Kernel = Kernel {
    domain: Domain::OpenVino,
    name: "Divide",
    inputs: &[Input::new("0"), Input::new("1")],
    is_elementwise: true,
    slices: None,
    versions: &[Version::with(1, NUMBERS, &[AUTO_BROADCAST, M_PYTHONDIV])],
    run: |call| {
        let [a, b] = call.inputs()?;
        let truncates = call.attributes.get("m_pythondiv").is_some_and(|value| is(value, "false"));
        with_type!(numbers, a.dtype(), T => {
            divided::<T>(call, [a, b], if truncates { divide } else { floor_divide })
        }, else Err(KernelError::Type { operator: call.operator, dtype: a.dtype() }))
    },
};

/// How shapes may differ.
const AUTO_BROADCAST: AttributeSpec = AttributeSpec {
    name: "auto_broadcast",
    accepts: |value| is(value, "none") || is(value, "numpy"),
    expected: "`none` or `numpy`",
};

/// Whether integer quotients are rounded down; they are where it is not said.
const M_PYTHONDIV: AttributeSpec = AttributeSpec {
    name: "m_pythondiv",
    accepts: |value| is(value, "true") || is(value, "false"),
    expected: "`true` or `false`",
};

fn is(value: &Attribute, text: &str) -> bool {
    matches!(value, Attribute::Text(value) if value == text)
}

/// An element type that Divide-1 takes.
pub trait FloorDivide: Divide {
    /// The quotient of a division, rounded down, from the truncated one; unchanged for floats,
    /// which are not rounded to an integer, and for unsigned integers.
    #[inline(always)]
    fn floored(quotient: Self, _dividend: Self, _divisor: Self) -> Self {
        quotient
    }
}

/// Divides `dividends` by `divisors` element by element, as many as the shortest slice has. The
/// error is the index of the first one whose quotient is undefined; what `quotients` then holds is
/// unspecified.
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
        Division { dividends, divisors, quotients: &mut *quotients }.run()?;
        for (quotient, (a, b)) in quotients.iter_mut().zip(dividends.iter().zip(divisors)) {
            *quotient = T::floored(*quotient, *a, *b);
        }
        Ok(())
    }
}

macro_rules! unchanged {
    ($($type:ty)*) => {
        $(impl FloorDivide for $type {})*
    };
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

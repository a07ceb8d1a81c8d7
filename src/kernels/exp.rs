//! Exp: e to the power of each element, computed in float64 and rounded once to the type.
//!
//! `libm`'s float64 exponential is less than 1 ULP off (its own error analysis; a subnormal result
//! is rounded once more, from more digits than it keeps, and stays within 1 ULP). Rounded to float32 that is less
//! than 0.5 + 2^-29 ULP. Rounded to float16 or bfloat16 it is the correctly rounded result, as the
//! tests show for every operand: but for 0, whose exponential is 1, no exponential of a number
//! here is itself a number or a midpoint of the format, and none is as near to a midpoint as
//! float64's error.

use bytemuck::Pod;
use half::{bf16, f16};

use super::KernelError;
use super::elementwise::unary;
use super::narrow::{narrow_to_bfloat16, narrow_to_float16, widen_bfloat16, widen_float16};
use super::signature::{CONSUMED_INPUTS, Domain, Input, Kernel, Version};
use super::types::{FLOATS, with_type, without_bfloat16};
use crate::dtype::DType;

pub(super) static EXP: Kernel = Kernel {
    domain: Domain::Onnx,
    name: "Exp",
    inputs: &[Input::new("input")],
    is_elementwise: true,
    versions: &[
        Version::with(1, without_bfloat16(FLOATS), &[CONSUMED_INPUTS]),
        Version::new(6, without_bfloat16(FLOATS)),
        Version::new(13, FLOATS),
    ],
    run: |call| {
        let [x] = call.inputs()?;
        with_type!(floats, x.dtype(), T => unary::<T>(x, exponential),
            else Err(KernelError::Type { operator: call.operator, dtype: x.dtype() }))
    },
};

/// An element type that Exp takes.
pub trait Exponential: Pod {
    /// The exponential: correctly rounded in float16 and bfloat16, within 1 ULP in the wider types.
    #[must_use]
    fn exponential(self) -> Self;
}

/// Takes the exponentials of `operands`, as many as the shorter slice has.
pub fn exponential<T: Exponential>(operands: &[T], results: &mut [T]) {
    for (result, operand) in results.iter_mut().zip(operands) {
        *result = operand.exponential();
    }
}

macro_rules! exponential {
    ($($type:ty: |$x:ident| $exponential:expr;)*) => {$(
        impl Exponential for $type {
            fn exponential(self) -> Self {
                let $x = self;
                $exponential
            }
        }
    )*};
}

exponential! {
    f64: |x| libm::exp(x);
    f32: |x| libm::exp(x.into()) as f32;
    f16: |x| narrow_to_float16(to_odd(libm::exp(widen_float16(x).into())));
    bf16: |x| narrow_to_bfloat16(to_odd(libm::exp(widen_bfloat16(x).into())));
}

/// A number that is not negative, rounded to odd: of its two neighbours in float32 the one whose
/// last bit is set, unless it is a number of float32. Rounded to a format of at least two bits less, that
/// gives what rounding the number itself gives (S. Boldo and G. Melquiond, "Emulation of a FMA and
/// correctly rounded sums: proved algorithms using rounding to odd", IEEE Transactions on Computers
/// 57 (4), 2008).
fn to_odd(number: f64) -> f32 {
    let nearest = number as f32;
    let wide = f64::from(nearest);
    if nearest.is_nan() || wide == number || nearest.to_bits() & 1 == 1 {
        nearest
    } else if wide < number {
        nearest.next_up()
    } else {
        nearest.next_down()
    }
}

#[cfg(test)]
mod tests;

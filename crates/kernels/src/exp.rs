//! Exp: e to the power of each element, computed in float64 and rounded once to the type.
//!
//! In float64 it is `libm`'s exponential, less than 1 ULP off by its own error analysis. (A subnormal
//! result is rounded once more, from more digits than it keeps, and stays within 1 ULP.) For the
//! narrower types a series is enough, which vectorises: it is less than 2^-50 off, relatively, so
//! that float32 gets less than 0.5 + 2^-25 ULP. float16 and bfloat16 get the correctly rounded
//! result, as the tests show for every operand: but for 0, whose exponential is 1, no exponential of
//! a number is itself a number or a midpoint of the format, and none is as near to a midpoint as
//! the series' error.

use bytemuck::Pod;
use half::{bf16, f16};

use super::Kernel;
use super::elementwise::{computed, each, on_bytes};
use super::narrow::{narrow_to_bfloat16, narrow_to_float16, widen_bfloat16, widen_float16};
use super::series::exp;
use super::signature::{Domain, FLOAT_VERSIONS, Input, SONNX_FLOAT, Slices};
use super::types::{implement, with_type};
use values::dtype::DType;

pub(super) static EXP: Kernel = Kernel {
    domain: Domain::Onnx,
    name: "Exp",
    inputs: &[Input::new("input")],
    is_elementwise: true,
    slices: Some(SLICES),
    versions: &FLOAT_VERSIONS,
    restricted: &[SONNX_FLOAT],
    run: |call| computed::<1>(call, SLICES),
};

const SLICES: Slices = |dtype, operands, results| {
    with_type!(floats, dtype, T => {
        on_bytes::<T, 1>(operands, results, |[x], results| {
            exponential(x, results);
            Ok(())
        })
    }, else None)
};

/// An element type that Exp takes.
pub trait Exponential: Pod {
    /// The exponential: correctly rounded in float16 and bfloat16, within 1 ULP in the wider types.
    fn exponential(self) -> Self;
}

/// Takes the exponentials of `operands`, as many as the shorter slice has.
pub fn exponential<T: Exponential>(operands: &[T], results: &mut [T]) {
    each(operands.iter().copied(), results, T::exponential);
}

implement! {
    Exponential::exponential(x);
    f64: libm::exp(x);
    f32: exp(x.into()) as f32;
    f16: narrow_to_float16(to_odd(exp(widen_float16(x).into())));
    bf16: narrow_to_bfloat16(to_odd(exp(widen_bfloat16(x).into())));
}

/// A number that is not negative, rounded to odd: towards zero, with the last bit set unless it is
/// a number of float32. Rounded to a format of at least two bits less, that gives what rounding the
/// number itself gives (S. Boldo and G. Melquiond, "Emulation of a FMA and correctly rounded sums:
/// proved algorithms using rounding to odd", IEEE Transactions on Computers 57 (4), 2008).
#[inline(always)]
fn to_odd(number: f64) -> f32 {
    let nearest = number as f32;
    let wide = f64::from(nearest);
    let truncated = nearest.to_bits() - u32::from(wide > number);
    f32::from_bits(truncated | u32::from(wide != number))
}

#[cfg(test)]
mod tests;

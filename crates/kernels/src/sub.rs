//! Sub: IEEE 754 for the float types, modulo 2^n for the integers of n bits.

use bytemuck::Pod;
use half::{bf16, f16};

use super::Kernel;
use super::elementwise::{computed, each, on_bytes};
use super::narrow::{narrow_to_bfloat16, narrow_to_float16, widen_bfloat16, widen_float16};
use super::signature::{Domain, Input, NUMBER_VERSIONS, SONNX_NUMBERS, Slices};
use super::types::{implement, with_type};
use values::dtype::DType;

pub(super) static SUB: Kernel = Kernel {
    domain: Domain::Onnx,
    name: "Sub",
    inputs: &[Input::new("A"), Input::new("B")],
    is_elementwise: true,
    slices: Some(SLICES),
    versions: &NUMBER_VERSIONS,
    restricted: &[SONNX_NUMBERS],
    run: |call| computed::<2>(call, SLICES),
};

const SLICES: Slices = |dtype, operands, results| {
    with_type!(numbers, dtype, T => {
        on_bytes::<T, 2>(operands, results, |[a, b], differences| {
            subtract(a, b, differences);
            Ok(())
        })
    }, else None)
};

/// An element type that Sub takes.
pub trait Subtract: Pod {
    /// The difference: correctly rounded for floats, the low bits of the exact one for integers.
    fn difference(self, other: Self) -> Self;
}

/// Subtracts `right` from `left` element by element, as many as the shortest slice has.
pub fn subtract<T: Subtract>(left: &[T], right: &[T], differences: &mut [T]) {
    #[inline(always)]
    fn difference<T: Subtract>((a, b): (&T, &T)) -> T {
        a.difference(*b)
    }
    each(left.iter().zip(right), differences, difference);
}

implement! {
    Subtract::difference(a, b);
    f64: a - b;
    f32: a - b;
    f16: narrow_to_float16(widen_float16(a) - widen_float16(b));
    bf16: narrow_to_bfloat16(widen_bfloat16(a) - widen_bfloat16(b));
    i8, i16, i32, i64, u8, u16, u32, u64: a.wrapping_sub(b);
}

#[cfg(test)]
mod tests;

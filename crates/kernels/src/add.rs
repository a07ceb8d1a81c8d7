//! Add: IEEE 754 for the float types, modulo 2^n for the integers of n bits.

use bytemuck::Pod;
use half::{bf16, f16};

use super::Kernel;
use super::elementwise::{computed, each, on_bytes};
use super::narrow::{narrow_to_bfloat16, narrow_to_float16, widen_bfloat16, widen_float16};
use super::signature::{Domain, Input, NUMBER_VERSIONS, SONNX_NUMBERS, Slices};
use super::types::{implement, with_type};
use values::dtype::DType;

pub(super) static ADD: Kernel = Kernel {
    domain: Domain::Onnx,
    name: "Add",
    inputs: &[Input::new("A"), Input::new("B")],
    is_elementwise: true,
    slices: Some(SLICES),
    versions: &NUMBER_VERSIONS,
    restricted: &[SONNX_NUMBERS],
    run: |call| computed::<2>(call, SLICES),
};

const SLICES: Slices = |dtype, operands, results| {
    with_type!(numbers, dtype, T => {
        on_bytes::<T, 2>(operands, results, |[a, b], sums| {
            add(a, b, sums);
            Ok(())
        })
    }, else None)
};

/// An element type that Add takes.
pub trait Add: Pod {
    /// The sum: correctly rounded for floats, the low bits of the exact one for integers.
    fn sum(self, other: Self) -> Self;
}

/// Adds `left` and `right` element by element, as many as the shortest slice has.
pub fn add<T: Add>(left: &[T], right: &[T], sums: &mut [T]) {
    #[inline(always)]
    fn sum<T: Add>((a, b): (&T, &T)) -> T {
        a.sum(*b)
    }
    each(left.iter().zip(right), sums, sum);
}

implement! {
    Add::sum(a, b);
    f64: a + b;
    f32: a + b;
    f16: narrow_to_float16(widen_float16(a) + widen_float16(b));
    bf16: narrow_to_bfloat16(widen_bfloat16(a) + widen_bfloat16(b));
    i8, i16, i32, i64, u8, u16, u32, u64: a.wrapping_add(b);
}

#[cfg(test)]
mod tests;

//! Mul: IEEE 754 for the float types, modulo 2^n for the integers of n bits.

use bytemuck::{Pod, try_cast_slice, try_cast_slice_mut};
use half::{bf16, f16};

use super::KernelError;
use super::elementwise::binary;
use super::narrow::{narrow_to_bfloat16, narrow_to_float16, widen_bfloat16, widen_float16};
use super::signature::{AXIS, BROADCAST, CONSUMED_INPUTS, Domain, Input, Kernel, Version};
use super::simd::{Task, dispatch};
use super::types::{FLOATS, LONG_NUMBERS, NUMBERS, implement, with_type, without_bfloat16};
use values::dtype::DType;

pub(super) static MUL: Kernel = Kernel {
    domain: Domain::Onnx,
    name: "Mul",
    inputs: &[Input::new("A"), Input::new("B")],
    is_elementwise: true,
    slices: Some(|dtype, operands, results| {
        let [a, b] = operands else { return None };
        with_type!(numbers, dtype, T => {
            let (a, b) = (try_cast_slice::<_, T>(a).ok()?, try_cast_slice(b).ok()?);
            multiply(a, b, try_cast_slice_mut(results).ok()?);
            Some(Ok(()))
        }, else None)
    }),
    versions: &[
        Version::with(1, without_bfloat16(FLOATS), &[AXIS, BROADCAST, CONSUMED_INPUTS]),
        Version::with(6, without_bfloat16(LONG_NUMBERS), &[AXIS, BROADCAST]),
        Version::new(7, without_bfloat16(LONG_NUMBERS)),
        Version::new(13, LONG_NUMBERS),
        Version::new(14, NUMBERS),
    ],
    run: |call| {
        let [a, b] = call.inputs()?;
        let plan = call.broadcast([a, b])?;
        with_type!(numbers, a.dtype(), T => {
            binary::<T>(&plan, [a, b], |_, left, right, products| {
                multiply(left, right, products);
                Ok(())
            })
        }, else Err(KernelError::Type { operator: call.operator, dtype: a.dtype() }))
    },
};

/// An element type that Mul takes.
pub trait Multiply: Pod {
    /// The product: correctly rounded for floats, the low bits of the exact one for integers.
    fn product(self, other: Self) -> Self;
}

/// Multiplies `left` and `right` element by element, as many as the shortest slice has.
pub fn multiply<T: Multiply>(left: &[T], right: &[T], products: &mut [T]) {
    dispatch(Products { left, right, products });
}

struct Products<'a, T> {
    left: &'a [T],
    right: &'a [T],
    products: &'a mut [T],
}

impl<T: Multiply> Task for Products<'_, T> {
    type Output = ();

    #[inline(always)]
    fn run(self) {
        let operands = self.left.iter().zip(self.right);
        for (product, (a, b)) in self.products.iter_mut().zip(operands) {
            *product = a.product(*b);
        }
    }
}

implement! {
    Multiply::product(a, b);
    f64: a * b;
    f32: a * b;
    f16: narrow_to_float16(widen_float16(a) * widen_float16(b));
    bf16: narrow_to_bfloat16(widen_bfloat16(a) * widen_bfloat16(b));
    i8, i16, i32, i64, u8, u16, u32, u64: a.wrapping_mul(b);
}

#[cfg(test)]
mod tests;

//! Sqrt: IEEE 754 for every operand.

use bytemuck::{Pod, try_cast_slice, try_cast_slice_mut};
use half::{bf16, f16};

use super::KernelError;
use super::elementwise::unary;
use super::narrow::{narrow_to_bfloat16, narrow_to_float16, widen_bfloat16, widen_float16};
use super::signature::{CONSUMED_INPUTS, Domain, Input, Kernel, Version};
use super::simd::{Task, dispatch};
use super::types::{FLOATS, implement, with_type, without_bfloat16};
use values::dtype::DType;

pub(super) static SQRT: Kernel = Kernel {
    domain: Domain::Onnx,
    name: "Sqrt",
    inputs: &[Input::new("X")],
    is_elementwise: true,
    slices: Some(|dtype, operands, results| {
        let [x] = operands else { return None };
        with_type!(floats, dtype, T => {
            let x = try_cast_slice::<_, T>(x).ok()?;
            square_root(x, try_cast_slice_mut(results).ok()?);
            Some(Ok(()))
        }, else None)
    }),
    versions: &[
        Version::with(1, without_bfloat16(FLOATS), &[CONSUMED_INPUTS]),
        Version::new(6, without_bfloat16(FLOATS)),
        Version::new(13, FLOATS),
    ],
    run: |call| {
        let [x] = call.inputs()?;
        with_type!(floats, x.dtype(), T => unary::<T>(x, square_root),
            else Err(KernelError::Type { operator: call.operator, dtype: x.dtype() }))
    },
};

/// An element type that Sqrt takes.
pub trait SquareRoot: Pod {
    /// The correctly rounded square root; NaN for a negative number.
    fn square_root(self) -> Self;
}

/// Takes the square roots of `operands`, as many as the shorter slice has.
pub fn square_root<T: SquareRoot>(operands: &[T], roots: &mut [T]) {
    dispatch(Roots { operands, roots });
}

struct Roots<'a, T> {
    operands: &'a [T],
    roots: &'a mut [T],
}

impl<T: SquareRoot> Task for Roots<'_, T> {
    type Output = ();

    #[inline(always)]
    fn run(self) {
        for (root, operand) in self.roots.iter_mut().zip(self.operands) {
            *root = operand.square_root();
        }
    }
}

implement! {
    SquareRoot::square_root(x);
    f64: x.sqrt();
    f32: x.sqrt();
    f16: narrow_to_float16(widen_float16(x).sqrt());
    bf16: narrow_to_bfloat16(widen_bfloat16(x).sqrt());
}

//! Sqrt: IEEE 754 for every operand.

use bytemuck::Pod;
use half::{bf16, f16};

use super::Kernel;
use super::elementwise::{computed, each, on_bytes};
use super::narrow::{narrow_to_bfloat16, narrow_to_float16, widen_bfloat16, widen_float16};
use super::signature::{Domain, FLOAT_VERSIONS, Input, SONNX_FLOAT, Slices};
use super::types::{implement, with_type};
use values::dtype::DType;

pub(super) static SQRT: Kernel = Kernel {
    domain: Domain::Onnx,
    name: "Sqrt",
    inputs: &[Input::new("X")],
    is_elementwise: true,
    slices: Some(SLICES),
    versions: &FLOAT_VERSIONS,
    restricted: &[SONNX_FLOAT],
    run: |call| computed::<1>(call, SLICES),
};

const SLICES: Slices = |dtype, operands, results| {
    with_type!(floats, dtype, T => {
        on_bytes::<T, 1>(operands, results, |[x], results| {
            square_root(x, results);
            Ok(())
        })
    }, else None)
};

/// An element type that Sqrt takes.
pub trait SquareRoot: Pod {
    /// The correctly rounded square root; NaN for a negative number.
    fn square_root(self) -> Self;
}

/// Takes the square roots of `operands`, as many as the shorter slice has.
pub fn square_root<T: SquareRoot>(operands: &[T], roots: &mut [T]) {
    each(operands.iter().copied(), roots, T::square_root);
}

implement! {
    SquareRoot::square_root(x);
    f64: x.sqrt();
    f32: x.sqrt();
    f16: narrow_to_float16(widen_float16(x).sqrt());
    bf16: narrow_to_bfloat16(widen_bfloat16(x).sqrt());
}

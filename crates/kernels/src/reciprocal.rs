//! Reciprocal: 1 divided by the operand, by IEEE 754 for every one.

use bytemuck::Pod;
use half::{bf16, f16};

use super::Kernel;
use super::elementwise::{computed, each, on_bytes};
use super::narrow::{narrow_to_bfloat16, narrow_to_float16, widen_bfloat16, widen_float16};
use super::signature::{Domain, FLOAT_VERSIONS, Input, Slices};
use super::types::{implement, with_type};
use values::dtype::DType;

pub(super) static RECIPROCAL: Kernel = Kernel {
    domain: Domain::Onnx,
    name: "Reciprocal",
    inputs: &[Input::new("X")],
    is_elementwise: true,
    slices: Some(SLICES),
    versions: &FLOAT_VERSIONS,
    restricted: &[],
    run: |call| computed::<1>(call, SLICES),
};

const SLICES: Slices = |dtype, operands, results| {
    with_type!(floats, dtype, T => {
        on_bytes::<T, 1>(operands, results, |[x], results| {
            reciprocal(x, results);
            Ok(())
        })
    }, else None)
};

/// An element type that Reciprocal takes.
pub trait Reciprocal: Pod {
    /// 1 divided by the number, correctly rounded; an infinity for a zero.
    fn reciprocal(self) -> Self;
}

/// Takes the reciprocals of `operands`, as many as the shorter slice has.
pub fn reciprocal<T: Reciprocal>(operands: &[T], reciprocals: &mut [T]) {
    each(operands.iter().copied(), reciprocals, T::reciprocal);
}

implement! {
    Reciprocal::reciprocal(x);
    f64: 1.0 / x;
    f32: 1.0 / x;
    f16: narrow_to_float16(1.0 / widen_float16(x));
    bf16: narrow_to_bfloat16(1.0 / widen_bfloat16(x));
}

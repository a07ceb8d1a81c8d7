//! Round: the nearest integer, of two the even one. NaN, infinities and the signs of zeros stay.

use bytemuck::Pod;
use half::{bf16, f16};

use super::Kernel;
use super::elementwise::{computed, mapped};
use super::narrow::{narrow_to_bfloat16, narrow_to_float16, widen_bfloat16, widen_float16};
use super::signature::{Domain, Input, Slices, Version};
use super::types::{FLOATS, implement, with_type, without_bfloat16};
use values::dtype::DType;

pub(super) static ROUND: Kernel = Kernel {
    domain: Domain::Onnx,
    name: "Round",
    inputs: &[Input::new("X")],
    is_elementwise: true,
    slices: Some(SLICES),
    versions: &[Version::new(11, without_bfloat16(FLOATS)), Version::new(22, FLOATS)],
    restricted: &[],
    run: |call| computed::<1>(call, SLICES),
};

const SLICES: Slices = |dtype, operands, results| {
    with_type!(floats, dtype, T => {
        mapped(operands, results, T::rounded)
    }, else None)
};

/// A float type that Round takes.
trait RoundToEven: Pod {
    /// The nearest integer.
    fn rounded(self) -> Self;
}

implement! {
    RoundToEven::rounded(x);
    f64, f32: x.round_ties_even();
    f16: narrow_to_float16(widen_float16(x).round_ties_even());
    bf16: narrow_to_bfloat16(widen_bfloat16(x).round_ties_even());
}

#[cfg(test)]
mod tests;

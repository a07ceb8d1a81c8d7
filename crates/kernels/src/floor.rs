//! Floor: the greatest integer that is not above the element. NaN, infinities and the signs of zeros stay.

use bytemuck::Pod;
use half::{bf16, f16};

use super::Kernel;
use super::elementwise::{computed, mapped};
use super::narrow::{narrow_to_bfloat16, narrow_to_float16, widen_bfloat16, widen_float16};
use super::signature::{Domain, FLOAT_VERSIONS, Input, Slices};
use super::types::{implement, with_type};
use values::dtype::DType;

pub(super) static FLOOR: Kernel = Kernel {
    domain: Domain::Onnx,
    name: "Floor",
    inputs: &[Input::new("X")],
    is_elementwise: true,
    slices: Some(SLICES),
    versions: &FLOAT_VERSIONS,
    restricted: &[],
    run: |call| computed::<1>(call, SLICES),
};

const SLICES: Slices = |dtype, operands, results| {
    with_type!(floats, dtype, T => {
        mapped(operands, results, T::rounded_down)
    }, else None)
};

/// A float type that Floor takes.
trait RoundDown: Pod {
    /// The integer below, or the number itself.
    fn rounded_down(self) -> Self;
}

implement! {
    RoundDown::rounded_down(x);
    f64, f32: x.floor();
    f16: narrow_to_float16(widen_float16(x).floor());
    bf16: narrow_to_bfloat16(widen_bfloat16(x).floor());
}

#[cfg(test)]
mod tests;

//! Ceil: the least integer that is not below the element. NaN, infinities and the signs of zeros stay.

use bytemuck::Pod;
use half::{bf16, f16};

use super::Kernel;
use super::elementwise::{computed, mapped};
use super::narrow::{narrow_to_bfloat16, narrow_to_float16, widen_bfloat16, widen_float16};
use super::signature::{Domain, FLOAT_VERSIONS, Input, Slices};
use super::types::{implement, with_type};
use values::dtype::DType;

pub(super) static CEIL: Kernel = Kernel {
    domain: Domain::Onnx,
    name: "Ceil",
    inputs: &[Input::new("X")],
    is_elementwise: true,
    slices: Some(SLICES),
    versions: &FLOAT_VERSIONS,
    restricted: &[],
    run: |call| computed::<1>(call, SLICES),
};

const SLICES: Slices = |dtype, operands, results| {
    with_type!(floats, dtype, T => {
        mapped(operands, results, T::rounded_up)
    }, else None)
};

/// A float type that Ceil takes.
trait RoundUp: Pod {
    /// The integer above, or the number itself.
    fn rounded_up(self) -> Self;
}

implement! {
    RoundUp::rounded_up(x);
    f64, f32: x.ceil();
    f16: narrow_to_float16(widen_float16(x).ceil());
    bf16: narrow_to_bfloat16(widen_bfloat16(x).ceil());
}

#[cfg(test)]
mod tests;

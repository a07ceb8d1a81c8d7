//! Relu: the element, or +0 where it is not above zero. NaN stays as it is.

use bytemuck::Pod;
use half::{bf16, f16};

use super::Kernel;
use super::elementwise::{computed, mapped};
use super::signature::{CONSUMED_INPUTS, Domain, Input, Restriction, SONNX_FLOAT, Slices, Version};
use super::types::{FLOATS, NUMBERS, first, implement, with_type, without_bfloat16};
use values::dtype::DType;

pub(super) static RELU: Kernel = Kernel {
    domain: Domain::Onnx,
    name: "Relu",
    inputs: &[Input::new("X")],
    is_elementwise: true,
    slices: Some(SLICES),
    versions: &[
        Version::with(1, without_bfloat16(FLOATS), &[CONSUMED_INPUTS]),
        Version::new(6, without_bfloat16(FLOATS)),
        Version::new(13, FLOATS),
        Version::new(14, SIGNED_NUMBERS),
    ],
    restricted: &[Restriction { types: &[without_bfloat16(SIGNED_NUMBERS)], ..SONNX_FLOAT }],
    run: |call| computed::<1>(call, SLICES),
};

/// Floats, and integers with a sign.
const SIGNED_NUMBERS: &[DType] = first(NUMBERS, 8);

const SLICES: Slices = |dtype, operands, results| {
    with_type!(signed_numbers, dtype, T => {
        mapped(operands, results, T::rectified)
    }, else None)
};

/// An element type that Relu takes.
trait Rectify: Pod {
    /// The greater of zero and the number.
    fn rectified(self) -> Self;
}

implement! {
    Rectify::rectified(x);
    f64, f32: if x <= 0.0 { 0.0 } else { x };
    // From -0 to -infinity.
    f16: if (0x8000..=0xfc00).contains(&x.to_bits()) { Self::ZERO } else { x };
    bf16: if (0x8000..=0xff80).contains(&x.to_bits()) { Self::ZERO } else { x };
    i8, i16, i32, i64: x.max(0);
}

#[cfg(test)]
mod tests;

//! Abs: the magnitude. Floats lose their sign bit, NaN included; of integers the least one wraps to itself.

use bytemuck::Pod;
use half::{bf16, f16};

use super::Kernel;
use super::elementwise::{computed, mapped};
use super::signature::{CONSUMED_INPUTS, Domain, Input, Restriction, SONNX_FLOAT, Slices, Version};
use super::types::{FLOATS, NUMBERS, implement, with_type, without_bfloat16};
use values::dtype::DType;

pub(super) static ABS: Kernel = Kernel {
    domain: Domain::Onnx,
    name: "Abs",
    inputs: &[Input::new("X")],
    is_elementwise: true,
    slices: Some(SLICES),
    versions: &[
        Version::with(1, without_bfloat16(FLOATS), &[CONSUMED_INPUTS]),
        Version::new(6, without_bfloat16(NUMBERS)),
        Version::new(13, NUMBERS),
    ],
    restricted: &[Restriction { types: &[NUMBERS], ..SONNX_FLOAT }],
    run: |call| computed::<1>(call, SLICES),
};

const SLICES: Slices = |dtype, operands, results| {
    with_type!(numbers, dtype, T => {
        mapped(operands, results, T::magnitude)
    }, else None)
};

/// An element type that Abs takes.
trait Magnitude: Pod {
    /// The number without its sign.
    fn magnitude(self) -> Self;
}

implement! {
    Magnitude::magnitude(x);
    f64, f32: x.abs();
    f16: Self::from_bits(x.to_bits() & 0x7fff);
    bf16: Self::from_bits(x.to_bits() & 0x7fff);
    i8, i16, i32, i64: x.wrapping_abs();
    u8, u16, u32, u64: x;
}

#[cfg(test)]
mod tests;

//! Sign: 1, -1, or 0 for a zero of either sign. NaN stays as it is.

use bytemuck::Pod;
use half::{bf16, f16};

use super::Kernel;
use super::elementwise::{computed, mapped};
use super::signature::{Domain, Input, Slices, Version};
use super::types::{NUMBERS, implement, with_type, without_bfloat16};
use values::dtype::DType;

pub(super) static SIGN: Kernel = Kernel {
    domain: Domain::Onnx,
    name: "Sign",
    inputs: &[Input::new("input")],
    is_elementwise: true,
    slices: Some(SLICES),
    versions: &[Version::new(9, without_bfloat16(NUMBERS)), Version::new(13, NUMBERS)],
    restricted: &[],
    run: |call| computed::<1>(call, SLICES),
};

const SLICES: Slices = |dtype, operands, results| {
    with_type!(numbers, dtype, T => {
        mapped(operands, results, T::sign)
    }, else None)
};

/// An element type that Sign takes.
trait Sign: Pod {
    /// 1 above zero, -1 below it, and 0.
    fn sign(self) -> Self;
}

implement! {
    Sign::sign(x);
    f64: if x.is_nan() { x } else { Self::from(x > 0.0) - Self::from(x < 0.0) };
    f32: if x.is_nan() { x } else { Self::from(x > 0.0) - Self::from(x < 0.0) };
    f16: match x.to_bits() & 0x7fff {
        0 => Self::ZERO,
        1..=0x7c00 => Self::from_bits(Self::ONE.to_bits() | x.to_bits() & 0x8000),
        _ => x,
    };
    bf16: match x.to_bits() & 0x7fff {
        0 => Self::ZERO,
        1..=0x7f80 => Self::from_bits(Self::ONE.to_bits() | x.to_bits() & 0x8000),
        _ => x,
    };
    i8, i16, i32, i64: x.signum();
    u8, u16, u32, u64: x.min(1);
}

#[cfg(test)]
mod tests;

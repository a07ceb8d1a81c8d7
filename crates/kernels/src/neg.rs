//! Neg: the other sign. Floats keep every other bit, NaN included; integers wrap, which is the least one
//! alone.

use bytemuck::Pod;
use half::{bf16, f16};

use super::Kernel;
use super::elementwise::{computed, each, on_bytes};
use super::signature::{CONSUMED_INPUTS, Domain, Input, Restriction, SONNX_FLOAT, Slices, Version};
use super::types::{FLOATS, NUMBERS, first, implement, with_type, without_bfloat16};
use values::dtype::DType;

pub(super) static NEG: Kernel = Kernel {
    domain: Domain::Onnx,
    name: "Neg",
    inputs: &[Input::new("X")],
    is_elementwise: true,
    slices: Some(SLICES),
    versions: &[
        Version::with(1, without_bfloat16(FLOATS), &[CONSUMED_INPUTS]),
        Version::new(6, without_bfloat16(SIGNED_NUMBERS)),
        Version::new(13, SIGNED_NUMBERS),
    ],
    // SONNX names unsigned types besides, which no version takes.
    restricted: &[Restriction { types: &[SIGNED_NUMBERS], ..SONNX_FLOAT }],
    run: |call| computed::<1>(call, SLICES),
};

/// Floats, and integers with a sign.
const SIGNED_NUMBERS: &[DType] = first(NUMBERS, 8);

const SLICES: Slices = |dtype, operands, results| {
    with_type!(signed_numbers, dtype, T => {
        on_bytes::<T, 1>(operands, results, |[x], results| {
            each(x.iter().copied(), results, T::negation);
            Ok(())
        })
    }, else None)
};

/// An element type that Neg takes.
trait Negate: Pod {
    /// The number with the other sign.
    fn negation(self) -> Self;
}

implement! {
    Negate::negation(x);
    f64, f32, f16, bf16: -x;
    i8, i16, i32, i64: x.wrapping_neg();
}

#[cfg(test)]
mod tests;

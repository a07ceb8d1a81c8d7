//! Max: the largest of any number of elements. A NaN among them is the result, and 0 is larger than -0.

use bytemuck::Pod;
use half::{bf16, f16};

use super::Kernel;
use super::elementwise::{each, folded, on_bytes};
use super::signature::{
    Broadcasting, CONSUMED_INPUTS, Domain, Input, Restriction, SONNX_FLOAT, Shapes, Slices, Version,
};
use super::types::{FLOATS, NUMBERS, implement, with_type, without_bfloat16};
use values::dtype::DType;

pub(super) static MAX: Kernel = Kernel {
    domain: Domain::Onnx,
    name: "Max",
    inputs: &[Input::new("data_0").variadic()],
    is_elementwise: true,
    slices: Some(SLICES),
    versions: &VERSIONS,
    restricted: &[Restriction {
        types: &[without_bfloat16(NUMBERS)],
        shapes: Shapes::Free,
        ..SONNX_FLOAT
    }],
    run: |call| folded(call, SLICES),
};

/// The versions of Max and Min.
pub(super) static VERSIONS: [Version; 5] = [
    Version::with(1, without_bfloat16(FLOATS), &[CONSUMED_INPUTS])
        .broadcasting(Broadcasting::Equal),
    Version::new(6, without_bfloat16(FLOATS)).broadcasting(Broadcasting::Equal),
    Version::new(8, without_bfloat16(FLOATS)),
    Version::new(12, without_bfloat16(NUMBERS)),
    Version::new(13, NUMBERS),
];

const SLICES: Slices = |dtype, operands, results| {
    with_type!(numbers, dtype, T => {
        on_bytes::<T, 2>(operands, results, |[a, b], results| {
            each(a.iter().zip(b), results, larger);
            Ok(())
        })
    }, else None)
};

#[inline(always)]
fn larger<T: Larger>((a, b): (&T, &T)) -> T {
    a.larger(*b)
}

/// An element type that Max takes.
trait Larger: Pod {
    /// The larger of two elements.
    fn larger(self, other: Self) -> Self;
}

macro_rules! larger_float {
    ($a:ident, $b:ident) => {
        if $a > $b || $a.is_nan() {
            $a
        } else if $a == $b {
            // The sign alone may differ, of zeros.
            Self::from_bits($a.to_bits() & $b.to_bits())
        } else {
            $b
        }
    };
}

implement! {
    Larger::larger(a, b);
    f64, f32, f16, bf16: larger_float!(a, b);
    i8, i16, i32, i64, u8, u16, u32, u64: a.max(b);
}

#[cfg(test)]
mod tests;

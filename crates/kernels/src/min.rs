//! Min: the smallest of any number of elements. A NaN among them is the result, and -0 is smaller than 0.

use bytemuck::Pod;
use half::{bf16, f16};

use super::Kernel;
use super::elementwise::{each, folded, on_bytes};
use super::max::VERSIONS;
use super::signature::{Domain, Input, Slices};
use super::types::{implement, with_type};
use values::dtype::DType;

pub(super) static MIN: Kernel = Kernel {
    domain: Domain::Onnx,
    name: "Min",
    inputs: &[Input::new("data_0").variadic()],
    is_elementwise: true,
    slices: Some(SLICES),
    versions: &VERSIONS,
    restricted: &[],
    run: |call| folded(call, SLICES),
};

const SLICES: Slices = |dtype, operands, results| {
    with_type!(numbers, dtype, T => {
        on_bytes::<T, 2>(operands, results, |[a, b], results| {
            each(a.iter().zip(b), results, smaller);
            Ok(())
        })
    }, else None)
};

#[inline(always)]
fn smaller<T: Smaller>((a, b): (&T, &T)) -> T {
    a.smaller(*b)
}

/// An element type that Min takes.
trait Smaller: Pod {
    /// The smaller of two elements.
    fn smaller(self, other: Self) -> Self;
}

macro_rules! smaller_float {
    ($a:ident, $b:ident) => {
        if $a < $b || $a.is_nan() {
            $a
        } else if $a == $b {
            // The sign alone may differ, of zeros.
            Self::from_bits($a.to_bits() | $b.to_bits())
        } else {
            $b
        }
    };
}

implement! {
    Smaller::smaller(a, b);
    f64, f32, f16, bf16: smaller_float!(a, b);
    i8, i16, i32, i64, u8, u16, u32, u64: a.min(b);
}

#[cfg(test)]
mod tests;

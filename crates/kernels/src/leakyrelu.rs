//! LeakyRelu: `alpha` times what is negative, rounded once. `alpha` is converted to the type of the elements first.

use bytemuck::Pod;
use half::{bf16, f16};

use super::Kernel;
use super::elementwise::{computed, each, on_bytes};
use super::narrow::{
    Nearest, narrow_to_bfloat16, narrow_to_float16, widen_bfloat16, widen_float16,
};
use super::signature::{
    AttributeSpec, CONSUMED_INPUTS, Domain, Input, Restriction, SONNX_FLOAT, Slices, Version,
};
use super::types::{FLOATS, with_type, without_bfloat16};
use values::dtype::DType;

pub(super) static LEAKYRELU: Kernel = Kernel {
    domain: Domain::Onnx,
    name: "LeakyRelu",
    inputs: &[Input::new("X")],
    is_elementwise: true,
    slices: Some(SLICES),
    versions: &[
        Version::with(1, without_bfloat16(FLOATS), &[CONSUMED_INPUTS, ALPHA]),
        Version::with(6, without_bfloat16(FLOATS), &[ALPHA]),
        Version::with(16, FLOATS, &[ALPHA]),
    ],
    restricted: &[Restriction { needed: &["alpha"], ..SONNX_FLOAT }],
    run: |call| {
        let alpha = call.float("alpha", DEFAULT);
        computed::<1>(call, |dtype, operands, results| leaked(alpha, dtype, operands, results))
    },
};

/// The factor where none is given.
const DEFAULT: f32 = 0.01;

const ALPHA: AttributeSpec = AttributeSpec::number("alpha");

const SLICES: Slices = |dtype, operands, results| leaked(DEFAULT, dtype, operands, results);

fn leaked(
    alpha: f32,
    dtype: DType,
    operands: &[&[u8]],
    results: &mut [u8],
) -> Option<Result<(), usize>> {
    with_type!(floats, dtype, T => {
        on_bytes::<T, 1>(operands, results, |[x], results| {
            let alpha = T::nearest(alpha);
            each(x.iter().copied(), results, |x| x.leaked(alpha));
            Ok(())
        })
    }, else None)
}

/// An element type that LeakyRelu takes.
trait Leak: Nearest + Pod {
    /// The product where the element is negative.
    fn leaked(self, alpha: Self) -> Self;
}

macro_rules! leak {
    ($type:ty, $x:ident, $alpha:ident: $product:expr) => {
        impl Leak for $type {
            #[inline(always)]
            fn leaked(self, $alpha: Self) -> Self {
                let $x = self;
                // -0 is not less than 0, and neither is a NaN.
                if $x < Self::default() { $product } else { $x }
            }
        }
    };
}

leak!(f64, x, alpha: alpha * x);
leak!(f32, x, alpha: alpha * x);
leak!(f16, x, alpha: {
    narrow_to_float16(widen_float16(alpha) * widen_float16(x))
});
leak!(bf16, x, alpha: {
    narrow_to_bfloat16(widen_bfloat16(alpha) * widen_bfloat16(x))
});

#[cfg(test)]
mod tests;

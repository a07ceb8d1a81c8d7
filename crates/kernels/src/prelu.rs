//! PRelu: the slope times what is negative, as Mul multiplies.

use bytemuck::Pod;
use half::{bf16, f16};

use super::Kernel;
use super::elementwise::{computed, each, on_bytes};
use super::mul::Multiply;
use super::signature::{Broadcasting, CONSUMED_INPUTS, Domain, Input, Slices, Version};
use super::types::{FLOATS, LONG_NUMBERS, implement, with_type, without_bfloat16};
use values::dtype::DType;

pub(super) static PRELU: Kernel = Kernel {
    domain: Domain::Onnx,
    name: "PRelu",
    inputs: &[Input::new("X"), Input::new("slope")],
    is_elementwise: true,
    slices: Some(SLICES),
    versions: &[
        Version::with(1, without_bfloat16(FLOATS), &[CONSUMED_INPUTS])
            .broadcasting(Broadcasting::PerChannel),
        Version::new(6, without_bfloat16(FLOATS)).broadcasting(Broadcasting::PerChannel),
        Version::new(7, without_bfloat16(FLOATS)).broadcasting(Broadcasting::Unidirectional),
        Version::new(9, without_bfloat16(LONG_NUMBERS)).broadcasting(Broadcasting::Unidirectional),
        Version::new(16, LONG_NUMBERS).broadcasting(Broadcasting::Unidirectional),
    ],
    restricted: &[],
    run: |call| computed::<2>(call, SLICES),
};

const SLICES: Slices = |dtype, operands, results| {
    with_type!(long_numbers, dtype, T => {
        on_bytes::<T, 2>(operands, results, |[x, slope], results| {
            each(x.iter().zip(slope), results, leaked);
            Ok(())
        })
    }, else None)
};

#[inline(always)]
fn leaked<T: Leak>((x, slope): (&T, &T)) -> T {
    x.leaked(*slope)
}

/// An element type that PRelu takes.
trait Leak: Pod {
    /// The product where the element is negative.
    fn leaked(self, slope: Self) -> Self;
}

implement! {
    Leak::leaked(x, slope);
    // -0 is not less than 0, and neither is a NaN.
    f64, f32, f16, bf16, i32, i64, u32, u64: {
        let zero = <Self as bytemuck::Zeroable>::zeroed();
        if x.partial_cmp(&zero) == Some(std::cmp::Ordering::Less) { x.product(slope) } else { x }
    };
}

#[cfg(test)]
mod tests;

//! CumSum: sums from an end of a dimension to each element, one after the other.

use super::cumulative::{ATTRIBUTES, along, operands};
use super::matmul::Steps;
use super::signature::{Domain, Input, Version};
use super::types::{LONG_NUMBERS, with_type};
use super::{Kernel, KernelError};
use bytemuck::Zeroable;
use values::dtype::DType::{self, Float32, Float64, Int32, Int64, Uint32, Uint64};

pub(super) static CUMSUM: Kernel = Kernel {
    domain: Domain::Onnx,
    name: "CumSum",
    inputs: &[Input::new("x"), Input::index("axis")],
    is_elementwise: false,
    slices: None,
    versions: &[Version::with(11, EARLY, ATTRIBUTES), Version::with(14, LONG_NUMBERS, ATTRIBUTES)],
    restricted: &[],
    run: |call| {
        let of = operands(call, 11)?;
        let dtype = of.0.dtype();
        let foreign = KernelError::Type { operator: call.operator, dtype };
        with_type!(long_numbers, dtype, T => along::<T>(call, of, Zeroable::zeroed(), Steps::plus),
            else Err(foreign))
    },
};

const EARLY: &[DType] = &[Float32, Float64, Int32, Int64, Uint32, Uint64];

#[cfg(test)]
mod tests;

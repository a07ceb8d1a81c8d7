//! CumSum: sums from an end of a dimension to each element, one after the other.

use super::arg_extremum::switch;
use super::elementwise::{output, tensor};
use super::matmul::{Accumulate, Steps};
use super::operand::values;
use super::reshaping::{axis_of, integers, refused};
use super::signature::{AttributeSpec, Domain, Input, Version};
use super::types::{LONG_NUMBERS, with_type};
use super::{Call, Kernel, KernelError};
use bytemuck::Zeroable;
use values::dtype::DType::{self, Float32, Float64, Int32, Int64, Uint32, Uint64};
use values::tensor::Tensor;

pub(super) static CUMSUM: Kernel = Kernel {
    domain: Domain::Onnx,
    name: "CumSum",
    inputs: &[Input::new("x"), Input::index("axis")],
    is_elementwise: false,
    slices: None,
    versions: &[Version::with(11, EARLY, ATTRIBUTES), Version::with(14, LONG_NUMBERS, ATTRIBUTES)],
    restricted: &[],
    run: |call| {
        let [data, axis] = call.inputs()?;
        let [axis] = integers(axis)[..] else {
            return Err(refused(call, "the axis is one integer"));
        };
        if !call.inputs::<2>()?[1].shape().is_empty() {
            return Err(refused(call, "the axis is a scalar"));
        }
        let axis = axis_of(call, axis, data.shape().len(), 11)?;
        let foreign = KernelError::Type { operator: call.operator, dtype: data.dtype() };
        with_type!(long_numbers, data.dtype(), T => summed::<T>(call, data, axis),
            else Err(foreign))
    },
};

const EARLY: &[DType] = &[Float32, Float64, Int32, Int64, Uint32, Uint64];
const ATTRIBUTES: &[AttributeSpec] = &[switch("exclusive"), switch("reverse")];

fn summed<T: Accumulate + Send + Sync>(
    call: &Call<'_>,
    data: &Tensor,
    axis: usize,
) -> Result<Vec<Tensor>, KernelError> {
    let shape = data.shape();
    let mut results = output::<T>(shape, data.dtype())?;
    let is_exclusive = call.int("exclusive", 0) == 1;
    let is_reverse = call.int("reverse", 0) == 1;
    if !results.is_empty() {
        let elements = values::<T>(data);
        let size = shape[axis];
        let stride: usize = shape[axis + 1..].iter().product();
        for line in 0..results.len() / size {
            let first = line / stride * stride * size + line % stride;
            let mut sum = T::Sum::zeroed();
            for step in 0..size {
                let at = if is_reverse { size - 1 - step } else { step };
                let place = first + at * stride;
                let next = sum.plus(elements[place].widen());
                results[place] = T::narrow(if is_exclusive { sum } else { next });
                sum = next;
            }
        }
    }
    tensor(data.dtype(), shape, results)
}

#[cfg(test)]
mod tests;

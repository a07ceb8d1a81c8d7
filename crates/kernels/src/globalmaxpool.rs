//! GlobalMaxPool: the largest element of each channel.

use super::elementwise::{output, tensor};
use super::operand::values;
use super::pooling::{Axis, Larger, largest};
use super::reshaping::refused;
use super::signature::{Domain, Input, Version};
use super::types::{FLOATS, with_type, without_bfloat16};
use super::{Call, Kernel, KernelError};
use values::dtype::DType;
use values::tensor::Tensor;

pub(super) static GLOBALMAXPOOL: Kernel = Kernel {
    domain: Domain::Onnx,
    name: "GlobalMaxPool",
    inputs: &[Input::new("X")],
    is_elementwise: false,
    slices: None,
    versions: &[Version::new(1, without_bfloat16(FLOATS)), Version::new(22, FLOATS)],
    restricted: &[],
    run,
};

fn run(call: &Call<'_>) -> Result<Vec<Tensor>, KernelError> {
    let [data] = call.inputs()?;
    let ([batch, channels, sizes @ ..], dtype) = (data.shape(), data.dtype()) else {
        return Err(refused(call, "there are a batch and channels"));
    };
    if sizes.is_empty() {
        return Err(refused(call, "there is a spatial dimension"));
    }
    let mut shape = vec![1; sizes.len() + 2];
    shape[..2].copy_from_slice(&[*batch, *channels]);
    let axes: Vec<Axis> = sizes.iter().copied().map(Axis::whole).collect();
    let foreign = KernelError::Type { operator: call.operator, dtype };
    with_type!(floats, dtype, T => {
        let mut results = output::<T>(&shape, dtype)?;
        if results.is_empty() {
            return tensor(dtype, &shape, results);
        }
        if data.elements() == 0 {
            return Err(refused(call, "a channel has elements"));
        }
        let mut at = results.iter_mut();
        largest(&values::<T>(data), batch * channels, &axes, |found| {
            if let Some(result) = at.next() {
                *result = found.map_or(T::LEAST, |(element, _)| element);
            }
        });
        tensor(dtype, &shape, results)
    }, else Err(foreign))
}

#[cfg(test)]
mod tests;

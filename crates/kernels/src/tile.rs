//! Tile: copies of a tensor side by side; in version 1 along one dimension, by numbers of the data's type.

use bytemuck::Pod;

use super::copies::{output_sizes, refused_list};
use super::moving::gathered;
use super::operand::values;
use super::reshaping::{axis_of, list, moving, refused};
use super::signature::{Domain, Input, Version};
use super::types::{FLOATS, with_type, without_bfloat16};
use super::{Call, Kernel, KernelError};
use values::dtype::DType;
use values::tensor::Tensor;

pub(super) static TILE: Kernel = Kernel {
    domain: Domain::Onnx,
    name: "Tile",
    inputs: &[Input::new("input"), Input::of("repeats", DType::Int64)],
    is_elementwise: false,
    slices: None,
    versions: &[moving(6, 15, &[]), moving(13, 16, &[])],
    restricted: &[],
    run: |call| {
        let (Some(data), Some(list)) = (call.input(0), list(call, 1, "repeats")?) else {
            return Err(refused_list(call));
        };
        if list.len() != data.shape().len() {
            return Err(refused(call, "the list has not an entry for each dimension"));
        }
        repeated(call, data, &output_sizes(call, &list)?)
    },
};

/// The first version.
pub(super) static TILE_1: Kernel = Kernel {
    inputs: &[Input::new("input"), Input::new("tiles"), Input::new("axis")],
    versions: &[Version::new(1, without_bfloat16(FLOATS))],
    run: |call| {
        let [data, tiles, axis] = call.inputs()?;
        let axis = axis_of(call, number(call, axis)?, data.shape().len(), i64::MAX)?;
        let mut copies = vec![1; data.shape().len()];
        copies[axis] = number(call, tiles)?;
        repeated(call, data, &output_sizes(call, &copies)?)
    },
    ..TILE
};

/// So many copies along each dimension.
fn repeated(call: &Call<'_>, data: &Tensor, copies: &[usize]) -> Result<Vec<Tensor>, KernelError> {
    let sizes = data.shape();
    let longer = sizes.iter().zip(copies).map(|(&size, &copies)| size.checked_mul(copies));
    let shape: Option<Vec<usize>> = longer.collect();
    let shape = shape.ok_or_else(|| refused(call, "there are too many copies"))?;
    gathered(data, sizes, None, &shape, |dimension, at| Some(at % sizes[dimension]))
}

/// The integer that a tensor of floats is.
fn number(call: &Call<'_>, tensor: &Tensor) -> Result<i64, KernelError> {
    let single = with_type!(floats, tensor.dtype(), T => single::<T>(tensor), else None);
    let float = single.unwrap_or(f64::NAN);
    // Beyond 2^53 nothing has as many elements as it would say.
    let is_whole = float.fract() == 0.0 && float.abs() < (1_u64 << 53) as f64;
    if is_whole { Ok(float as i64) } else { Err(refused(call, "an input is no whole number")) }
}

/// The only element of a tensor.
fn single<T: Pod + Into<f64>>(tensor: &Tensor) -> Option<f64> {
    match values::<T>(tensor)[..] {
        [one] => Some(one.into()),
        _ => None,
    }
}

#[cfg(test)]
mod tests;

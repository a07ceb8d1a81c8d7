//! Transpose: the dimensions in another order. Elements of any type are moved as they are.

use bytemuck::Pod;

use super::elementwise::{output, tensor};
use super::operand::values;
use super::packing::{get, put};
use super::signature::{AttributeSpec, Domain, Input, Version};
use super::strides::{Dimension, index_of, merged, runs};
use super::types::{ALL_TYPES, first, with_type};
use super::{Attribute, Call, Kernel, KernelError};
use values::tensor::Tensor;

pub(super) static TRANSPOSE: Kernel = Kernel {
    domain: Domain::Onnx,
    name: "Transpose",
    inputs: &[Input::new("data")],
    is_elementwise: false,
    slices: None,
    versions: &[
        Version::with(1, first(ALL_TYPES, 15), &[PERM]),
        Version::with(13, first(ALL_TYPES, 16), &[PERM]),
        Version::with(21, first(ALL_TYPES, 22), &[PERM]),
        Version::with(23, first(ALL_TYPES, 23), &[PERM]),
        Version::with(24, first(ALL_TYPES, 24), &[PERM]),
        Version::with(25, ALL_TYPES, &[PERM]),
    ],
    restricted: &[],
    run: |call| {
        let [data] = call.inputs()?;
        let order = order(call, data.shape().len())?;
        let shape: Vec<usize> = order.iter().map(|&dimension| data.shape()[dimension]).collect();
        let steps = steps(data.shape(), &order);
        if let Some(strings) = data.strings() {
            let mut moved = Vec::with_capacity(strings.len());
            runs(&steps, 0, strings.len(), |from, stride, count| {
                moved.extend((0..count).map(|at| strings[from + at * stride].clone()));
            });
            return Ok(vec![Tensor::from_strings(shape, moved)?]);
        }
        with_type!(cells, data.dtype(), T => moved::<T>(data, &shape, &steps),
        else match data.dtype().bits() {
            Some(bits @ ..8) => moved_packed(data, &shape, &steps, bits as usize),
            _ => Err(KernelError::Type { operator: call.operator, dtype: data.dtype() }),
        })
    },
};

/// For each dimension of the output the one of the input; reversed where it is not said.
const PERM: AttributeSpec = AttributeSpec {
    name: "perm",
    accepts: |value| matches!(value, Attribute::Ints(_)),
    expected: "a list of integers",
};

/// The input's dimensions in the order of the output.
fn order(call: &Call<'_>, rank: usize) -> Result<Vec<usize>, KernelError> {
    let Some(Attribute::Ints(perm)) = call.attributes.get("perm") else {
        return Ok((0..rank).rev().collect());
    };
    let order: Vec<usize> = perm.iter().filter_map(|&at| usize::try_from(at).ok()).collect();
    let mut sorted = order.clone();
    sorted.sort_unstable();
    if perm.len() == rank && sorted.into_iter().eq(0..rank) {
        return Ok(order);
    }
    let expected = "every dimension of the input once, counted from 0";
    Err(KernelError::BadAttribute { operator: call.operator, name: "perm", expected })
}

/// The steps through an input of this shape; none where it has no elements.
fn steps(shape: &[usize], order: &[usize]) -> Vec<Dimension> {
    if shape.contains(&0) {
        return Vec::new();
    }
    let stride = |dimension: usize| shape[dimension + 1..].iter().product();
    merged(order.iter().rev().map(|&at| Dimension { size: shape[at], stride: stride(at) }))
}

fn moved<T: Pod + Send + Sync>(
    data: &Tensor,
    shape: &[usize],
    steps: &[Dimension],
) -> Result<Vec<Tensor>, KernelError> {
    let values = values::<T>(data);
    let mut moved = output::<T>(shape, data.dtype())?;
    match steps {
        [outer @ .., inner] if inner.stride != 1 => move_tiles(&values, &mut moved, outer, *inner),
        _ => {
            let mut rest = moved.as_mut_slice();
            runs(steps, 0, data.elements(), |from, _, count| {
                let (run, after) = std::mem::take(&mut rest).split_at_mut(count);
                run.copy_from_slice(&values[from..from + count]);
                rest = after;
            });
        }
    }
    tensor(data.dtype(), shape, moved)
}

/// Moves elements in square tiles of the last dimensions of input and output, which differ: the
/// lines of memory that a tile meets on both sides stay in the first-level cache.
fn move_tiles<T: Copy>(from: &[T], to: &mut [T], outer: &[Dimension], inner: Dimension) {
    const TILE: usize = 16;
    let mut stride = inner.size;
    let mut dimensions = Vec::new();
    for step in outer.iter().rev() {
        dimensions.insert(0, (*step, Dimension { size: step.size, stride }));
        stride *= step.size;
    }
    let single = Dimension { size: 1, stride: 0 };
    let (row, place) = match dimensions.iter().position(|(step, _)| step.stride == 1) {
        Some(last_of_input) => dimensions.remove(last_of_input),
        None => (single, single),
    };
    let (steps, places): (Vec<_>, Vec<_>) = dimensions.into_iter().unzip();
    for block in 0..to.len() / (row.size * inner.size) {
        let (get, put) = (index_of(&steps, block), index_of(&places, block));
        for top in (0..row.size).step_by(TILE) {
            for left in (0..inner.size).step_by(TILE) {
                for i in top..row.size.min(top + TILE) {
                    let (get, put) = (get + i * row.stride, put + i * place.stride);
                    for j in left..inner.size.min(left + TILE) {
                        to[put + j] = from[get + j * inner.stride];
                    }
                }
            }
        }
    }
}

/// Elements of less than a byte, which are packed.
fn moved_packed(
    data: &Tensor,
    shape: &[usize],
    steps: &[Dimension],
    bits: usize,
) -> Result<Vec<Tensor>, KernelError> {
    let bytes = values::<u8>(data);
    let mut moved = vec![0_u8; bytes.len()];
    let mut to = 0;
    runs(steps, 0, data.elements(), |from, stride, count| {
        for at in (0..count).map(|at| from + at * stride) {
            put(&mut moved, bits, to, get(&bytes, bits, at));
            to += 1;
        }
    });
    tensor(data.dtype(), shape, moved)
}

#[cfg(test)]
mod tests;

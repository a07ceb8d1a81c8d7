//! Operators on whole tensors: the slices' loops, block by block over the broadcast operands.

use bytemuck::Pod;

use super::operand::{Operand, values};
use super::{Broadcast, KernelError, MAX_OUTPUT};
use values::dtype::DType;
use values::tensor::{Tensor, element_count};

/// Computes an output from a single input.
pub(super) fn unary<T: Pod + Send + Sync>(
    x: &Tensor,
    compute: impl FnOnce(&[T], &mut [T]),
) -> Result<Vec<Tensor>, KernelError> {
    let mut results = output::<T>(x.shape(), x.dtype())?;
    compute(&values(x), &mut results);
    tensor(x.dtype(), x.shape(), results)
}

/// Computes an output from two inputs of its type. `compute` is given the index of the first
/// element of a block, the block's operands and the place of its results.
pub(super) fn binary<T: Pod + Send + Sync>(
    plan: &Broadcast,
    [a, b]: [&Tensor; 2],
    mut compute: impl FnMut(usize, &[T], &[T], &mut [T]) -> Result<(), KernelError>,
) -> Result<Vec<Tensor>, KernelError> {
    let mut results = output::<T>(plan.shape(), a.dtype())?;
    let mut left = Operand::<T>::new(a, plan.operand(0));
    let mut right = Operand::<T>::new(b, plan.operand(1));
    let block_len = left.block_len().min(right.block_len());
    for (block, results) in results.chunks_mut(block_len).enumerate() {
        let (start, len) = (block * block_len, results.len());
        compute(start, left.block(start, len), right.block(start, len), results)?;
    }
    tensor(a.dtype(), plan.shape(), results)
}

/// Zeros for the elements of an output, one in each `T`.
pub(super) fn output<T: Pod>(shape: &[usize], dtype: DType) -> Result<Vec<T>, KernelError> {
    let elements = checked_len(shape, dtype, size_of::<T>())?;
    bytemuck::allocation::try_zeroed_vec(elements).map_err(|()| too_large(shape, dtype))
}

/// Number of elements of an output that takes so many bytes for each, if it is not too large.
pub(super) fn checked_len(
    shape: &[usize],
    dtype: DType,
    width: usize,
) -> Result<usize, KernelError> {
    let elements = element_count(shape)?;
    let bytes = elements.checked_mul(width).filter(|&bytes| bytes <= MAX_OUTPUT);
    bytes.map(|_| elements).ok_or_else(|| too_large(shape, dtype))
}

fn too_large(shape: &[usize], dtype: DType) -> KernelError {
    KernelError::TooLarge { shape: shape.to_vec(), dtype }
}

/// The one output of an operator.
pub(super) fn tensor<T: Pod + Send + Sync>(
    dtype: DType,
    shape: &[usize],
    values: Vec<T>,
) -> Result<Vec<Tensor>, KernelError> {
    Ok(vec![Tensor::from_values(dtype, shape.to_vec(), values)?])
}

//! The lists of sizes and of numbers of copies that operators are given which give more elements than they get, and
//! the single elements that they give where there is none to move.

use bytes::Bytes;

use super::reshaping::refused;
use super::{Call, KernelError};
use values::dtype::DType;
use values::tensor::{Tensor, TensorError};

/// The numbers of a list, none of which may be negative.
pub(super) fn output_sizes(call: &Call<'_>, list: &[i64]) -> Result<Vec<usize>, KernelError> {
    let numbers: Option<_> = list.iter().map(|&number| usize::try_from(number).ok()).collect();
    numbers.ok_or_else(|| refused(call, "the list holds a negative number"))
}

/// The refusal of a call without its list.
pub(super) fn refused_list(call: &Call<'_>) -> KernelError {
    refused(call, "no list is given")
}

/// A single zero, or an empty string.
pub(super) fn zero(dtype: DType) -> Result<Tensor, TensorError> {
    match dtype.packed_len(1) {
        Some(len) => Tensor::from_bits(dtype, vec![1], vec![0; len].into()),
        None => Tensor::from_strings(vec![1], vec![Bytes::new()]),
    }
}

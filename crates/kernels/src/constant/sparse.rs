//! The dense form of a sparse tensor.

use super::super::copies::zero;
use super::super::moving::Moving;
use super::super::reshaping::integers;
use super::super::{Call, KernelError};
use values::dtype::DType::Int64;
use values::onnx::Sparse;
use values::tensor::Tensor;

/// The tensor that is meant: what is stored in its places, and zeros or empty texts between.
pub(super) fn dense(call: &Call<'_>, sparse: &Sparse) -> Result<Tensor, KernelError> {
    let bad = |expected| KernelError::BadAttribute {
        operator: call.operator,
        name: "sparse_value",
        expected,
    };
    let sizes = sparse.dims.iter().map(|&size| usize::try_from(size).ok().filter(|it| *it > 0));
    let shape: Vec<usize> =
        sizes.collect::<Option<_>>().ok_or_else(|| bad("of positive dimensions"))?;
    let values = &sparse.values;
    if shape.is_empty() || values.shape().len() != 1 {
        return Err(bad("of at least one dimension, with its values in a list"));
    }
    let places = match &sparse.indices {
        Some(indices) => {
            if indices.dtype() != Int64 {
                return Err(bad("of indices of int64"));
            }
            linear(indices, values.elements(), &shape).ok_or_else(|| bad("of places within it"))?
        }
        None if values.elements() == 0 => Vec::new(),
        None => return Err(bad("with the places of its values")),
    };
    let (mut output, zero) = (Moving::new(values.dtype(), shape)?, zero(values.dtype())?);
    let mut filled = 0;
    for (at, place) in places.into_iter().enumerate() {
        if place < filled || place >= output.elements {
            return Err(bad("of places within it, in ascending order"));
        }
        (filled..place).for_each(|_| output.take(&zero, 0, 1));
        output.take(values, at, 1);
        filled = place + 1;
    }
    (filled..output.elements).for_each(|_| output.take(&zero, 0, 1));
    output.done()
}

/// The places of so many values, counted through the whole tensor; `None` where a coordinate is not within it, or
/// there are not as many.
fn linear(indices: &Tensor, count: usize, shape: &[usize]) -> Option<Vec<usize>> {
    let numbers = integers(indices).into_iter();
    let numbers: Vec<usize> =
        numbers.map(|number| usize::try_from(number).ok()).collect::<Option<_>>()?;
    match indices.shape() {
        [stored] if *stored == count => Some(numbers),
        [stored, rank] if *stored == count && *rank == shape.len() => {
            let place = |coordinates: &[usize]| {
                coordinates.iter().zip(shape).try_fold(0_usize, |place, (&at, &size)| {
                    if at < size { place.checked_mul(size)?.checked_add(at) } else { None }
                })
            };
            numbers.chunks(shape.len().max(1)).map(place).collect()
        }
        _ => None,
    }
}

//! What a sparse tensor stands for.
//!
//! Source: the comments on `SparseTensorProto` in ONNX's schema. That there is a dimension, and that all are positive,
//! is what ONNX's checker asks for besides.

use values::dtype::DType::{Float8E8M0, Int64};
use values::dtype::{DType, Kind};
use values::element::Element;
use values::onnx::Sparse;
use values::tensor::row_major;

use crate::families::picking::{Source, bounded, integers, sizes};
use crate::operator::{Call, Invalid, TensorType};

/// Type and elements of the dense tensor that is meant.
pub(super) fn dense<'a>(
    call: &Call,
    sparse: &'a Sparse,
) -> Result<(TensorType, Source<'a>), Invalid> {
    let values = &sparse.values;
    let dtype = values.dtype();
    let [count] = *values.shape() else {
        return Err(call.invalid("takes the values of a sparse tensor as a list"));
    };
    let dims = &sparse.dims;
    if dims.is_empty() || dims.contains(&0) {
        return Err(call.invalid("takes no sparse tensor without elements or dimensions"));
    }
    let output = bounded(call, dtype, sizes(call, "dims", dims)?)?;
    let places = places(call, sparse, count, &output.shape)?;
    let source = move |index| match places.binary_search(&index) {
        Ok(at) => Element::of(values, at),
        Err(_) => zero(dtype),
    };
    Ok((output, Box::new(source)))
}

/// Where each of so many values lies in row-major order, which is also theirs.
fn places(
    call: &Call,
    sparse: &Sparse,
    count: usize,
    shape: &[usize],
) -> Result<Vec<usize>, Invalid> {
    let Some(indices) = &sparse.indices else {
        let none = call.invalid("is not told where the values of a sparse tensor lie");
        return if count == 0 { Ok(Vec::new()) } else { Err(none) };
    };
    if indices.dtype() != Int64 {
        return Err(call.invalid("takes the indices of a sparse tensor as int64"));
    }
    let numbers: Vec<i64> = integers(indices).collect();
    let index = |number: i64| usize::try_from(number).ok();
    let places: Option<Vec<usize>> = match *indices.shape() {
        [stored] if stored == count => {
            let elements: usize = shape.iter().product();
            numbers.into_iter().map(|it| index(it).filter(|it| *it < elements)).collect()
        }
        [stored, rank] if stored == count && rank == shape.len() => {
            let place = |place: &[i64]| {
                let place: Option<Vec<usize>> = place.iter().map(|&it| index(it)).collect();
                row_major(&place?, shape)
            };
            numbers.chunks(rank.max(1)).map(place).collect()
        }
        _ => return Err(call.invalid("takes one place for each value of a sparse tensor")),
    };
    let places = places.ok_or_else(|| call.invalid("has no such place in a sparse tensor"))?;
    if !places.is_sorted_by(|place, next| place < next) {
        return Err(call.invalid("takes the places in a sparse tensor in ascending order"));
    }
    Ok(places)
}

/// What is not stored, where the type has it.
fn zero(dtype: DType) -> Option<Element> {
    match dtype.kind() {
        Kind::String => Some(Element::String(Default::default())),
        _ => (dtype != Float8E8M0).then_some(Element::Bits(dtype, 0)),
    }
}

//! GatherElements: for each index of a tensor the element that lies at the same place, but for one dimension,
//! where the index says it.
//!
//! Where the indices are longer than the data in another dimension, ONNX's equations name elements that there are
//! not, and its text says nothing. Source: ONNX's schemas of GatherElements-11 and 13.

use values::element::Element;
use values::tensor::{coordinates, row_major};

use crate::case_table::{self, Own};
use crate::families::picking::{AXIS, Indexed, Picking, Source, integers, place};
use crate::families::reshaping::dimension;
use crate::operator::{Call, Document, Invalid, Operator, OperatorKind, TensorType, Version};

/// GatherElements in ONNX's default domain.
pub static GATHERELEMENTS: Operator = Operator {
    documents: &[Document {
        key: "onnx-gatherelements",
        catalogue: include_str!("gatherelements/onnx-gatherelements.toml"),
    }],
    cases: Some(|of| {
        let table = include_str!("gatherelements/cases.toml");
        case_table::cases(of, &GATHERELEMENTS, &[table], Own::NONE)
    }),
    ..Operator::onnx("GatherElements", OperatorKind::Exact, &VERSIONS, &Picking(gathered))
};

const VERSIONS: [Version; 2] =
    [const { Indexed::new(15) }.since(11, &[AXIS]), const { Indexed::new(16) }.since(13, &[AXIS])];

fn gathered(call: &Call) -> Result<(TensorType, Source<'_>), Invalid> {
    let (data, indices) = (call.input(0)?, call.input(1)?);
    let (sizes, shape) = (data.shape(), indices.shape());
    let axis = dimension(call, 11, call.int("axis").unwrap_or(0), sizes.len())?;
    if shape.len() != sizes.len() {
        let told = format!("takes no indices of shape {shape:?} for data of {sizes:?}");
        return Err(call.invalid(&told));
    }
    let places = integers(indices).map(|index| place(call, index, sizes[axis]));
    let places: Vec<usize> = places.collect::<Result<_, _>>()?;
    let is_open = exceeds(shape, sizes, axis);
    let source = move |index: usize| {
        let mut from = coordinates(index, shape);
        from[axis] = *places.get(index)?;
        Element::of(data, row_major(&from, data.shape())?).filter(|_| !is_open)
    };
    Ok((TensorType::new(data.dtype(), shape.to_vec())?, Box::new(source)))
}

/// Whether a shape is longer than another one in any dimension but this.
pub(crate) fn exceeds(shape: &[usize], sizes: &[usize], axis: usize) -> bool {
    let mut sizes = shape.iter().zip(sizes).enumerate();
    sizes.any(|(at, (longer, size))| at != axis && longer > size)
}

#[cfg(test)]
mod tests;

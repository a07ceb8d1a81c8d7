//! Gather: the entries of a dimension at the places that a tensor of indices says.
//!
//! Indices are within the bounds of the dimension, any other is an error; since version 11 a negative one counts
//! from the end, before the text does not speak of it. Source: ONNX's schemas of Gather-1, 11 and 13.

use values::element::Element;
use values::tensor::{coordinates, row_major};

use crate::case_table::{self, Own};
use crate::families::picking::{AXIS, Indexed, Picking, Source, integers, place};
use crate::families::reshaping::dimension;
use crate::operator::{Call, Document, Invalid, Operator, OperatorKind, TensorType, Version};

/// Gather in ONNX's default domain.
pub static GATHER: Operator = Operator {
    documents: &[Document {
        key: "onnx-gather",
        catalogue: include_str!("gather/onnx-gather.toml"),
    }],
    cases: Some(|of| {
        case_table::cases(of, &GATHER, &[include_str!("gather/cases.toml")], Own::NONE)
    }),
    ..Operator::onnx("Gather", OperatorKind::Exact, &VERSIONS, &Picking(gathered))
};

const VERSIONS: [Version; 3] = [
    const { Indexed::new(15) }.since(1, &[AXIS]),
    const { Indexed::new(15) }.since(11, &[AXIS]),
    const { Indexed::new(16) }.since(13, &[AXIS]),
];

fn gathered(call: &Call) -> Result<(TensorType, Source<'_>), Invalid> {
    let (data, indices) = (call.input(0)?, call.input(1)?);
    let sizes = data.shape();
    let axis = dimension(call, 1, call.int("axis").unwrap_or(0), sizes.len())?;
    let places = integers(indices).map(|index| place(call, index, sizes[axis]));
    let places: Vec<usize> = places.collect::<Result<_, _>>()?;
    let shape = [&sizes[..axis], indices.shape(), &sizes[axis + 1..]].concat();
    let output = TensorType::new(data.dtype(), shape)?;
    let is_open = call.version.since < 11 && integers(indices).any(|index| index < 0);
    let (end, shape) = (axis + indices.shape().len(), output.shape.clone());
    let source = move |index: usize| {
        let at = coordinates(index, &shape);
        let which = row_major(&at[axis..end], indices.shape())?;
        let from = [&at[..axis], &[*places.get(which)?], &at[end..]].concat();
        Element::of(data, row_major(&from, data.shape())?).filter(|_| !is_open)
    };
    Ok((output, Box::new(source)))
}

#[cfg(test)]
pub(crate) mod tests;

//! ScatterElements: the data, of which each update is for the element that lies where the update does itself, but
//! for one dimension, where an index says it.
//!
//! Where the indices are longer than the data in another dimension, ONNX's equations name elements that there are
//! not, and its text says nothing. `scattering.rs` has what becomes of an element. Source: ONNX's schemas of
//! ScatterElements-11, 13, 16 and 18.

use values::tensor::{coordinates, row_major};

use super::gatherelements::exceeds;
use crate::case_table::{self, Own};
use crate::families::picking::{AXIS, INDICES, integers, place};
use crate::families::reshaping::dimension;
use crate::families::scattering::{REDUCTIONS, Scatter, Scattering, Updated};
use crate::operator::{Call, Document, Invalid, Operator, OperatorKind, Port, Version};

/// ScatterElements in ONNX's default domain.
pub static SCATTERELEMENTS: Operator = Operator {
    documents: &[Document {
        key: "onnx-scatterelements",
        catalogue: include_str!("scatterelements/onnx-scatterelements.toml"),
    }],
    cases: Some(|of| {
        let table = include_str!("scatterelements/cases.toml");
        case_table::cases(of, &SCATTERELEMENTS, &[table], Own::NONE)
    }),
    ..Operator::onnx("ScatterElements", OperatorKind::Exact, &VERSIONS, &Scatter(scattered))
};

const VERSIONS: [Version; 4] = [
    const { ports(15) }.since(11, &[AXIS]),
    const { ports(16) }.since(13, &[AXIS]),
    const { ports(16) }.since(16, &[AXIS, REDUCTIONS[0]]),
    const { ports(16) }.since(18, &[AXIS, REDUCTIONS[1]]),
];

const fn ports(types: usize) -> Updated {
    Updated::new(types, Port::new("indices", INDICES, "Tind"))
}

fn scattered(call: &Call) -> Result<Scattering<'_>, Invalid> {
    let (sizes, indices, updates) = (call.input(0)?.shape(), call.input(1)?, call.input(2)?);
    let shape = indices.shape();
    let axis = dimension(call, 11, call.int("axis").unwrap_or(0), sizes.len())?;
    if shape.len() != sizes.len() || updates.shape() != shape {
        let updates = updates.shape();
        let told = format!("takes no updates of {updates:?} at {shape:?} for data of {sizes:?}");
        return Err(call.invalid(&told));
    }
    let places = integers(indices).map(|index| place(call, index, sizes[axis]));
    let places: Vec<usize> = places.collect::<Result<_, _>>()?;
    let meeting = |(update, place): (usize, &usize)| {
        let mut at = coordinates(update, shape);
        at[axis] = *place;
        Some((row_major(&at, sizes)?, update))
    };
    let meetings = places.iter().enumerate().filter_map(meeting).collect();
    let is_open = !places.is_empty() && exceeds(shape, sizes, axis);
    Ok(Scattering::new(call, 1, meetings)?.open(is_open))
}

#[cfg(test)]
mod tests;

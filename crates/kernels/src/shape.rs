//! Shape: the sizes of the dimensions, or a part of them.

use super::Kernel;
use super::elementwise::tensor;
use super::reshaping::{integer, moving};
use super::signature::{AttributeSpec, Domain, Input, Restriction, SONNX_FLOAT, Shapes};
use DType::{
    Bfloat16, Bool, Float16, Float32, Float64, Int2, Int4, Int8, Int16, Int32, Int64,
    String as Text, Uint2, Uint4, Uint8, Uint16, Uint32, Uint64,
};
use values::dtype::DType;

pub(super) static SHAPE: Kernel = Kernel {
    domain: Domain::Onnx,
    name: "Shape",
    inputs: &[Input::new("data")],
    is_elementwise: false,
    slices: None,
    versions: &[
        moving(1, 15, &[]),
        moving(13, 16, &[]),
        moving(15, 16, &[START, END]),
        moving(19, 20, &[START, END]),
        moving(21, 22, &[START, END]),
        moving(23, 23, &[START, END]),
        moving(24, 24, &[START, END]),
        moving(25, 26, &[START, END]),
    ],
    restricted: &[Restriction { types: &[SONNX_TYPES], shapes: Shapes::Free, ..SONNX_FLOAT }],
    run: |call| {
        let [data] = call.inputs()?;
        let rank = data.shape().len() as i64;
        let clamped = |name, otherwise| match call.int(name, otherwise) {
            back if back < -rank => 0,
            back if back < 0 => (back + rank) as usize,
            place => place.min(rank) as usize,
        };
        let (start, end) = (clamped("start", 0), clamped("end", rank));
        let part = data.shape().get(start..end).unwrap_or_default();
        let sizes: Vec<i64> = part.iter().map(|&size| size as i64).collect();
        tensor(DType::Int64, &[sizes.len()], sizes)
    },
};

/// What SONNX names.
#[rustfmt::skip]
const SONNX_TYPES: &[DType] = &[
    Bfloat16, Bool, Text, Float16, Float32, Float64, Int2, Int4, Int8, Int16, Int32, Int64,
    Uint2, Uint4, Uint8, Uint16, Uint32, Uint64,
];

const START: AttributeSpec = integer("start");
const END: AttributeSpec = integer("end");

#[cfg(test)]
mod tests;

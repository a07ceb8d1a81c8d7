//! Unsqueeze: with dimensions of size 1 at the listed places of the output.

use super::Kernel;
use super::reshaping::{axis_of, integer_list, list, moving, refused, with_shape};
use super::signature::{AttributeSpec, Domain, Input, Restriction, SONNX_FLOAT, Shapes};
use DType::{
    Bool, Float16, Float32, Float64, Int8, Int16, Int32, Int64, String as Text, Uint8, Uint16,
    Uint32, Uint64,
};
use values::dtype::DType;

pub(super) static UNSQUEEZE: Kernel = Kernel {
    domain: Domain::Onnx,
    name: "Unsqueeze",
    inputs: &[Input::new("data"), Input::of("axes", DType::Int64).since(13)],
    is_elementwise: false,
    slices: None,
    versions: &[
        moving(1, 15, &[AXES]),
        moving(11, 15, &[AXES]),
        moving(13, 16, &[]),
        moving(21, 22, &[]),
        moving(23, 23, &[]),
        moving(24, 24, &[]),
        moving(25, 26, &[]),
    ],
    restricted: &[Restriction {
        types: &[SONNX_TYPES, &[Int64]],
        shapes: Shapes::Free,
        ..SONNX_FLOAT
    }],
    run: |call| {
        let data = call.input(0).ok_or_else(|| refused(call, "there is no data"))?;
        let axes = list(call, 1, "axes")?.ok_or_else(|| refused(call, "no axes are given"))?;
        let rank = data.shape().len() + axes.len();
        let mut places = Vec::with_capacity(axes.len());
        for axis in axes {
            places.push(axis_of(call, axis, rank, 11)?);
        }
        places.sort_unstable();
        let mut shape = data.shape().to_vec();
        for pair in places.windows(2) {
            if pair[0] == pair[1] {
                return Err(refused(call, "a dimension is listed twice"));
            }
        }
        // From the first place on, each is that of the output already.
        for place in places {
            shape.insert(place, 1);
        }
        with_shape(data, shape)
    },
};

/// What SONNX names.
#[rustfmt::skip]
const SONNX_TYPES: &[DType] = &[
    Bool, Text, Float16, Float32, Float64, Int8, Int16, Int32, Int64, Uint8, Uint16, Uint32, Uint64,
];

const AXES: AttributeSpec = integer_list("axes");

#[cfg(test)]
mod tests;

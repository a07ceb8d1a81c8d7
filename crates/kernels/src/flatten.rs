//! Flatten: two dimensions, of those before an axis and of the others.

use super::Kernel;
use super::reshaping::{axis_of, integer, moving, with_shape};
use super::signature::{AttributeSpec, Domain, Input, Restriction, SONNX_FLOAT, Shapes, Version};
use super::types::{FLOATS, NUMBERS, without_bfloat16};

pub(super) static FLATTEN: Kernel = Kernel {
    domain: Domain::Onnx,
    name: "Flatten",
    inputs: &[Input::new("input")],
    is_elementwise: false,
    slices: None,
    versions: &[
        Version::with(1, without_bfloat16(FLOATS), &[AXIS]),
        moving(9, 15, &[AXIS]),
        moving(11, 15, &[AXIS]),
        moving(13, 16, &[AXIS]),
        moving(21, 22, &[AXIS]),
        moving(23, 23, &[AXIS]),
        moving(24, 24, &[AXIS]),
        moving(25, 26, &[AXIS]),
    ],
    restricted: &[Restriction {
        types: &[without_bfloat16(NUMBERS)],
        shapes: Shapes::Free,
        ..SONNX_FLOAT
    }],
    run: |call| {
        let [input] = call.inputs()?;
        let sizes = input.shape();
        // One more place than dimensions: behind the last one.
        let axis = match call.int("axis", 1) {
            axis if axis < 0 => axis_of(call, axis, sizes.len(), 11)?,
            axis => axis_of(call, axis, sizes.len() + 1, 11)?,
        };
        let outer = sizes[..axis].iter().product();
        with_shape(input, vec![outer, sizes[axis..].iter().product()])
    },
};

const AXIS: AttributeSpec = integer("axis");

#[cfg(test)]
mod tests;

//! Concat: tensors one behind the other, along one dimension.

use super::moving::Moving;
use super::reshaping::{axis_of, integer, moving, refused};
use super::signature::{AttributeSpec, Domain, Input, Restriction, SONNX_FLOAT, Shapes, Version};
use super::types::{ALL_TYPES, FLOATS, first, without_bfloat16};
use super::{Attribute, Kernel};
use DType::{Bfloat16, Bool, Float16, Float32, Float64, Int8, Int16, Int32, Int64, String as Text};
use DType::{Uint8, Uint16, Uint32, Uint64};
use values::dtype::DType;
use values::tensor::Tensor;

pub(super) static CONCAT: Kernel = Kernel {
    domain: Domain::Onnx,
    name: "Concat",
    inputs: &[Input::new("inputs").variadic()],
    is_elementwise: false,
    slices: None,
    versions: &[
        Version::with(1, without_bfloat16(FLOATS), &[AXIS]),
        moving(4, 15, &[AXIS]),
        moving(11, 15, &[AXIS]),
        Version::with(13, first(ALL_TYPES, 16), &[AXIS]),
    ],
    restricted: &[Restriction {
        types: &[SONNX_TYPES],
        shapes: Shapes::Free,
        needed: &["axis"],
        problem: Some(|_, attributes| match attributes.get("axis") {
            Some(Attribute::Int(..0)) => Some("`axis` is not negative"),
            _ => None,
        }),
        ..SONNX_FLOAT
    }],
    run: |call| {
        let inputs: Vec<&Tensor> = call.given.iter().copied().flatten().collect();
        let wanted = call.operator.since_version() == 1 || call.attributes.contains_key("axis");
        let Some(data) = inputs.first().filter(|_| wanted) else {
            return Err(refused(call, "there is no axis"));
        };
        let axis = axis_of(call, call.int("axis", 1), data.shape().len(), 11)?;
        let mut shape = data.shape().to_vec();
        let mut length = 0_usize;
        for input in &inputs {
            let size = input.shape().get(axis).copied().unwrap_or_default();
            let too_many = || refused(call, "there is no number for so many places");
            length = length.checked_add(size).ok_or_else(too_many)?;
            shape[axis] = size;
            if shape != input.shape() {
                return Err(refused(call, "sizes differ beside the axis"));
            }
        }
        shape[axis] = length;
        let mut output = Moving::new(data.dtype(), shape)?;
        if output.elements > 0 {
            let rows: usize = data.shape()[..axis].iter().product();
            for row in 0..rows {
                for input in &inputs {
                    let run: usize = input.shape()[axis..].iter().product();
                    output.take(input, row * run, run);
                }
            }
        }
        Ok(vec![output.done()?])
    },
};

const AXIS: AttributeSpec = integer("axis");

/// What SONNX names.
#[rustfmt::skip]
const SONNX_TYPES: &[DType] = &[
    Bfloat16, Bool, Float16, Float32, Float64, Int8, Int16, Int32, Int64, Text,
    Uint8, Uint16, Uint32, Uint64,
];

#[cfg(test)]
mod tests;

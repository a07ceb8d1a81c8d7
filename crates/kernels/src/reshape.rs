//! Reshape: the elements as they are, with the dimensions that a list says.

use super::reshaping::{list, moving, refused, with_shape};
use super::signature::{
    AttributeSpec, CONSUMED_INPUTS, Domain, Input, Restriction, SONNX_FLOAT, Shapes, Version,
};
use super::types::{FLOATS, without_bfloat16};
use super::{Attribute, Call, Kernel, KernelError};
use DType::{
    Bool, Float16, Float32, Float64, Int2, Int4, Int8, Int16, Int32, Int64, String as Text, Uint2,
    Uint4, Uint8, Uint16, Uint32, Uint64,
};
use values::dtype::DType;

pub(super) static RESHAPE: Kernel = Kernel {
    domain: Domain::Onnx,
    name: "Reshape",
    inputs: &[Input::new("data"), Input::of("shape", DType::Int64).since(5)],
    is_elementwise: false,
    slices: None,
    versions: &[
        Version::with(1, without_bfloat16(FLOATS), &[CONSUMED_INPUTS, SHAPE]),
        moving(5, 15, &[]),
        moving(13, 16, &[]),
        moving(14, 16, &[ALLOW_ZERO]),
        moving(19, 20, &[ALLOW_ZERO]),
        moving(21, 22, &[ALLOW_ZERO]),
        moving(23, 23, &[ALLOW_ZERO]),
        moving(24, 24, &[ALLOW_ZERO]),
        moving(25, 26, &[ALLOW_ZERO]),
    ],
    restricted: &[Restriction {
        types: &[SONNX_TYPES, &[Int64]],
        shapes: Shapes::Free,
        ..SONNX_FLOAT
    }],
    run: |call| {
        let shape = shape(call)?;
        with_shape(data(call)?, shape)
    },
};

/// What SONNX names.
#[rustfmt::skip]
const SONNX_TYPES: &[DType] = &[
    Bool, Text, Float16, Float32, Float64, Int2, Int4, Int8, Int16, Int32, Int64,
    Uint2, Uint4, Uint8, Uint16, Uint32, Uint64,
];

const SHAPE: AttributeSpec = super::reshaping::integer_list("shape");

const ALLOW_ZERO: AttributeSpec = AttributeSpec {
    name: "allowzero",
    accepts: |value| matches!(value, Attribute::Int(0 | 1)),
    expected: "0 or 1",
};

fn data<'a>(call: &Call<'a>) -> Result<&'a values::tensor::Tensor, KernelError> {
    call.input(0).ok_or_else(|| refused(call, "there is no data"))
}

fn shape(call: &Call<'_>) -> Result<Vec<usize>, KernelError> {
    let data = data(call)?;
    let Some(list) = list(call, 1, "shape")? else {
        return Err(refused(call, "no shape is given"));
    };
    let are_copied = call.int("allowzero", 0) == 0;
    let wrong = || refused(call, "the list is no shape for so many elements");
    if !are_copied && list.contains(&0) && list.contains(&-1) {
        return Err(wrong());
    }
    let mut sizes = vec![0_usize; list.len()];
    let mut product = 1_usize;
    let mut unknown = None;
    for (at, entry) in list.into_iter().enumerate() {
        if entry == -1 {
            if unknown.replace(at).is_some() {
                return Err(wrong());
            }
            continue;
        }
        let size = if entry == 0 && are_copied {
            data.shape().get(at).copied()
        } else {
            usize::try_from(entry).ok()
        };
        sizes[at] = size.ok_or_else(wrong)?;
        product = product.saturating_mul(sizes[at]);
    }
    if let Some(at) = unknown {
        if product == 0 || !data.elements().is_multiple_of(product) {
            return Err(wrong());
        }
        sizes[at] = data.elements() / product;
    }
    Ok(sizes)
}

#[cfg(test)]
mod tests;

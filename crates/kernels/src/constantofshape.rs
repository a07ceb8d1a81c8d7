//! ConstantOfShape: one value in every place of a shape.

use super::copies::{output_sizes, refused_list, zero};
use super::moving::Moving;
use super::reshaping::list;
use super::signature::{AttributeSpec, Domain, Input, Types, Version};
use super::types::NUMBERS;
use super::{Attribute, Kernel, KernelError};
use DType::{
    Bfloat16, Bool, Float4E2M1, Float8E4M3Fn, Float8E4M3Fnuz, Float8E5M2, Float8E5M2Fnuz,
    Float8E8M0, Float32, Int2, Int4, Int64, Uint2, Uint4,
};
use values::dtype::DType;

pub(super) static CONSTANTOFSHAPE: Kernel = Kernel {
    domain: Domain::Onnx,
    name: "ConstantOfShape",
    inputs: &[Input::new("input")],
    is_elementwise: false,
    slices: None,
    versions: &[version(9), version(20), version(21), version(23), version(24), version(25)],
    restricted: &[],
    run: |call| {
        let list = list(call, 0, "input")?.ok_or_else(|| refused_list(call))?;
        let shape = output_sizes(call, &list)?;
        let value = match call.attributes.get("value") {
            Some(Attribute::Tensor(value)) => value.clone(),
            _ => zero(Float32)?,
        };
        let (operator, dtype) = (call.operator, value.dtype());
        let since = operator.since_version();
        let is_number = NUMBERS.contains(&dtype) && (dtype != Bfloat16 || since >= 20);
        if !is_number && !Types::since(OTHERS, since).contains(&dtype) {
            let expected = "an element of a type that the version gives";
            return Err(KernelError::BadAttribute { operator, name: "value", expected });
        }
        let mut output = Moving::new(dtype, shape)?;
        for _ in 0..output.elements {
            output.take(&value, 0, 1);
        }
        Ok(vec![output.done()?])
    },
};

/// The types of values besides numbers, by the operator sets that they came with.
#[rustfmt::skip]
const OTHERS: &[(i64, &[DType])] = &[
    (9, &[Bool]),
    (20, &[Bool, Float8E4M3Fn, Float8E4M3Fnuz, Float8E5M2, Float8E5M2Fnuz]),
    (21, &[Bool, Float8E4M3Fn, Float8E4M3Fnuz, Float8E5M2, Float8E5M2Fnuz, Int4, Uint4]),
    (23, &[Bool, Float8E4M3Fn, Float8E4M3Fnuz, Float8E5M2, Float8E5M2Fnuz, Int4, Uint4, Float4E2M1]),
    (24, &[Bool, Float8E4M3Fn, Float8E4M3Fnuz, Float8E5M2, Float8E5M2Fnuz, Int4, Uint4, Float4E2M1, Float8E8M0]),
    (25, &[Bool, Float8E4M3Fn, Float8E4M3Fnuz, Float8E5M2, Float8E5M2Fnuz, Int4, Uint4, Float4E2M1, Float8E8M0, Int2, Uint2]),
];

const VALUE: AttributeSpec = AttributeSpec {
    name: "value",
    accepts: |value| matches!(value, Attribute::Tensor(value) if value.elements() == 1),
    expected: "a tensor of a single element",
};

/// A version, whose input is a list of int64.
const fn version(since: i64) -> Version {
    Version::with(since, &[Int64], &[VALUE])
}

#[cfg(test)]
mod tests;

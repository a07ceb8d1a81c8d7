//! BitCast: the bytes of the input under another type of the same width.

use super::signature::{AttributeSpec, Domain, Input, Version};
use super::{Attribute, Call, Kernel, KernelError};
use values::dtype::DType::{
    self, Bfloat16, Bool, Complex64, Complex128, Float4E2M1, Float8E4M3Fn, Float8E4M3Fnuz,
    Float8E5M2, Float8E5M2Fnuz, Float8E8M0, Float16, Float32, Float64, Int2, Int4, Int8, Int16,
    Int32, Int64, Uint2, Uint4, Uint8, Uint16, Uint32, Uint64,
};
use values::tensor::Tensor;

pub(super) static BITCAST: Kernel = Kernel {
    domain: Domain::Onnx,
    name: "BitCast",
    inputs: &[Input::new("input")],
    is_elementwise: false,
    slices: None,
    versions: &[Version::with(26, WITH_WIDTH, &[TO])],
    restricted: &[],
    run,
};

#[rustfmt::skip]
const WITH_WIDTH: &[DType] = &[
    Bool, Complex64, Complex128, Float16, Float32, Float64, Bfloat16, Int8, Int16, Int32, Int64,
    Uint8, Uint16, Uint32, Uint64, Float8E4M3Fn, Float8E4M3Fnuz, Float8E5M2, Float8E5M2Fnuz,
    Float8E8M0, Float4E2M1, Int4, Uint4, Int2, Uint2,
];

const EXPECTED: &str = "the number of a type as wide as the input's";
const TO: AttributeSpec = AttributeSpec {
    name: "to",
    accepts: |value| matches!(value, Attribute::Int(_)),
    expected: EXPECTED,
};

fn run(call: &Call<'_>) -> Result<Vec<Tensor>, KernelError> {
    let [input] = call.inputs()?;
    let wrong =
        || KernelError::BadAttribute { operator: call.operator, name: TO.name, expected: EXPECTED };
    let to = i32::try_from(call.int("to", 0)).ok().and_then(DType::from_onnx).ok_or_else(wrong)?;
    match input.bits() {
        Some(bytes) if to.bits() == input.dtype().bits() => {
            Ok(vec![Tensor::from_bits(to, input.shape().to_vec(), bytes.clone())?])
        }
        _ => Err(wrong()),
    }
}

#[cfg(test)]
mod tests;

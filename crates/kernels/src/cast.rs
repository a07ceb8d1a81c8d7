//! Cast: each element as one of the type that an attribute names.

use super::conversion::{ROUND_MODE, SATURATE, convert, converted};
use super::signature::{AttributeSpec, Domain, Input, Version};
use super::{Attribute, Kernel, KernelError};
use values::dtype::DType;

pub(super) static CAST: Kernel = Kernel {
    domain: Domain::Onnx,
    name: "Cast",
    inputs: &[Input::new("input")],
    is_elementwise: true,
    slices: None,
    versions: &[
        Version::with(1, converted(12), &[TO_NAME]),
        Version::with(6, converted(12), &[TO_EITHER]),
        Version::with(9, converted(13), &[TO]),
        Version::with(13, converted(14), &[TO]),
        Version::with(19, converted(18), &[TO, SATURATE]),
        Version::with(21, converted(20), &[TO, SATURATE]),
        Version::with(23, converted(21), &[TO, SATURATE]),
        Version::with(24, converted(22), &[TO, SATURATE, ROUND_MODE]),
        Version::with(25, converted(24), &[TO, SATURATE, ROUND_MODE]),
        Version::with(28, converted(26), &[TO, SATURATE, ROUND_MODE]),
    ],
    restricted: &[],
    run: |call| {
        let [input] = call.inputs()?;
        let to = match call.attributes.get("to") {
            Some(Attribute::Int(code)) => i32::try_from(*code).ok().and_then(DType::from_onnx),
            Some(Attribute::Text(name)) => of_name(name),
            _ => None,
        };
        let to = to.filter(|to| call.operator.types().contains(to));
        let (operator, name) = (call.operator, "to");
        let expected = "a type that this version converts to";
        convert(call, input, to.ok_or(KernelError::BadAttribute { operator, name, expected })?)
    },
};

const TO: AttributeSpec = AttributeSpec {
    name: "to",
    accepts: |value| matches!(value, Attribute::Int(_)),
    expected: "the number of a type",
};
const TO_NAME: AttributeSpec = AttributeSpec {
    name: "to",
    accepts: |value| matches!(value, Attribute::Text(_)),
    expected: "the name of a type",
};

/// The cases that came with ONNX 1.1.2 write the name, as version 1 has it, under operator set 6.
const TO_EITHER: AttributeSpec = AttributeSpec {
    name: "to",
    accepts: |value| matches!(value, Attribute::Int(_) | Attribute::Text(_)),
    expected: "the number or the name of a type",
};

/// The type that has a name in `TensorProto.DataType`.
fn of_name(name: &str) -> Option<DType> {
    match name {
        "FLOAT" => Some(DType::Float32),
        "DOUBLE" => Some(DType::Float64),
        _ if name.bytes().any(|byte| byte.is_ascii_lowercase()) => None,
        "FLOAT32" | "FLOAT64" => None,
        _ => name.to_ascii_lowercase().parse().ok(),
    }
}

#[cfg(test)]
pub(super) mod tests;

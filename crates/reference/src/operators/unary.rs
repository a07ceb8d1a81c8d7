//! What the unary functions of floats have in common: the versions 1, 6 and 13 of Sqrt and Exp.
//!
//! Source: ONNX's schemas of these versions; SONNX's documents.

use values::dtype::DType::{self, Bfloat16, Float16, Float32, Float64};

use super::binary::CONSUMED_INPUTS;
use crate::operator::{Attribute, Call, Invalid, Port, Specification, TensorType, Version};

/// The table of cases that they have in common.
pub(crate) const CASES: &str = include_str!("unary/cases.toml");

/// Every version: with the hint on reused memory, without it, and with bfloat16.
pub(crate) const FLOAT_VERSIONS: [Version; 3] = [
    version(1, &INPUT, &OUTPUT, &[CONSUMED_INPUTS]),
    version(6, &INPUT, &OUTPUT, &[]),
    version(13, &NEWEST_INPUT, &NEWEST_OUTPUT, &[]),
];

/// The types that SONNX's documents name, and those of the versions before 13.
const FLOATS: [DType; 3] = [Float16, Float32, Float64];
const NEWEST: [DType; 4] = [Bfloat16, Float16, Float32, Float64];

const INPUT: [Port; 1] = [port("X", &FLOATS)];
const OUTPUT: [Port; 1] = [port("Y", &FLOATS)];
const NEWEST_INPUT: [Port; 1] = [port("X", &NEWEST)];
const NEWEST_OUTPUT: [Port; 1] = [port("Y", &NEWEST)];

const fn port(name: &'static str, types: &'static [DType]) -> Port {
    Port { name, types, variable: "T" }
}

const fn version(
    since: i64,
    inputs: &'static [Port],
    outputs: &'static [Port],
    attributes: &'static [Attribute],
) -> Version {
    Version { since, inputs, outputs, attributes }
}

/// The output of a call: of the operand's type and shape.
pub(crate) fn infer(call: &Call) -> Result<Vec<TensorType>, Invalid> {
    if call.specification == Specification::Sonnx {
        call.restrict_types(&FLOATS)?;
    }
    Ok(vec![TensorType::of(call.input(0)?)])
}

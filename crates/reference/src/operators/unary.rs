//! What the unary functions of floats have in common: the versions 1, 6 and 13 of Sqrt and Exp.
//!
//! Source: ONNX's schemas of these versions; SONNX's documents.

use values::dtype::DType::{self, Bfloat16, Float16, Float32, Float64};

use super::binary::CONSUMED_INPUTS;
use crate::broadcast::Broadcast;
use crate::operator::{Call, Invalid, Ports, Specification, Version};

/// The table of cases that they have in common.
pub(crate) const CASES: &str = include_str!("unary/cases.toml");

/// Every version: with the hint on reused memory, without it, and with bfloat16.
pub(crate) const FLOAT_VERSIONS: [Version; 3] = [
    (&const { Ports::new(["X"], "Y", &FLOATS) }).since(1, &[CONSUMED_INPUTS]),
    (&const { Ports::new(["X"], "Y", &FLOATS) }).since(6, &[]),
    (&const { Ports::new(["X"], "Y", &NEWEST) }).since(13, &[]),
];

/// The types that SONNX's documents name, and those of the versions before 13.
const FLOATS: [DType; 3] = [Float16, Float32, Float64];
const NEWEST: [DType; 4] = [Bfloat16, Float16, Float32, Float64];

/// The output of a call has the operand's shape.
pub(crate) fn broadcast(call: &Call) -> Result<Broadcast, Invalid> {
    if call.specification == Specification::Sonnx {
        call.restrict_types(&FLOATS)?;
    }
    Broadcast::equal(&call.shapes())
}

//! What the unary functions of floats have in common: the versions 1, 6 and 13 of Exp, Reciprocal and Sqrt.
//!
//! Source: ONNX's schemas of these versions; SONNX's documents.

use values::dtype::DType;
use values::element::Element;
use values::float::FloatFormat;

use super::binary::CONSUMED_INPUTS;
use crate::broadcast::Broadcast;
use crate::elementwise::bits_of;
use crate::exact::Number;
use crate::operator::{Call, Invalid, Ports, Specification, Version};
use crate::signature::{FLOATS, IEEE_FLOATS};

/// The table of cases that they have in common.
pub(crate) const CASES: &str = include_str!("unary/cases.toml");

/// Every version: with the hint on reused memory, without it, and with bfloat16.
pub(crate) const FLOAT_VERSIONS: [Version; 3] = [
    const { Ports::new(["X"], "Y", IEEE_FLOATS) }.since(1, &[CONSUMED_INPUTS]),
    const { Ports::new(["X"], "Y", IEEE_FLOATS) }.since(6, &[]),
    const { Ports::new(["X"], "Y", FLOATS) }.since(13, &[]),
];

/// The output of a call has the operand's shape.
pub(crate) fn broadcast(call: &Call) -> Result<Broadcast, Invalid> {
    if call.specification == Specification::Sonnx {
        call.restrict_types(IEEE_FLOATS)?;
    }
    Broadcast::equal(&call.shapes())
}

/// The format of a float type with exact arithmetic.
#[inline]
pub(crate) fn format(dtype: DType) -> Option<&'static FloatFormat> {
    match Number::of(dtype)? {
        Number::Float(format) => Some(format),
        Number::Int(_) => None,
    }
}

/// The format of such a type, and the bits of its one operand.
pub(crate) fn operand(dtype: DType, operands: &[Element]) -> Option<(&'static FloatFormat, u64)> {
    let [x] = bits_of(dtype, operands)?;
    Some((format(dtype)?, x))
}

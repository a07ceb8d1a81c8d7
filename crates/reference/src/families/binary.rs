//! What the binary arithmetic operators have in common: the versions 1, 6, 7, 13 and 14 of Add,
//! Div, Mul and Sub, with the same types, attributes and forms of broadcasting.
//!
//! Source: ONNX's schemas of these versions; SONNX's documents, which take equal shapes alone.

use values::dtype::DType;

use crate::broadcast::Broadcast;
use crate::operator::{
    Attribute, AttributeType, Call, Invalid, Otherwise, Ports, Specification, Version,
};
use crate::signature::{NUMERIC, NUMERIC_SONNX};

use DType::{Bfloat16, Float16, Float32, Float64, Int32, Int64, Uint32, Uint64};

/// Every version.
pub(crate) const VERSIONS: [Version; 5] = [
    const { ports(&[Float16, Float32, Float64]) }.since(1, &LEGACY),
    const { ports(&SINCE_6) }.since(6, &LIMITED),
    const { ports(&SINCE_6) }.since(7, &[]),
    const { ports(&SINCE_13) }.since(13, &[]),
    const { ports(&NUMERIC) }.since(14, &[]),
];

const SINCE_6: [DType; 7] = [Float16, Float32, Float64, Int32, Int64, Uint32, Uint64];
const SINCE_13: [DType; 8] = [Bfloat16, Float16, Float32, Float64, Int32, Int64, Uint32, Uint64];

const AXIS: Attribute = Attribute::new("axis", AttributeType::Int);
const BROADCAST: Attribute =
    Attribute::new("broadcast", AttributeType::Int).otherwise(Otherwise::Int(0));
/// A hint on reused memory, which changes no result.
pub(crate) const CONSUMED_INPUTS: Attribute =
    Attribute::new("consumed_inputs", AttributeType::Ints);
/// What says how B is broadcast, before version 7.
pub(crate) const LIMITED: [Attribute; 2] = [AXIS, BROADCAST];
const LEGACY: [Attribute; 3] = [AXIS, BROADCAST, CONSUMED_INPUTS];

/// The table of cases that they have in common.
pub(crate) const CASES: &str = include_str!("binary/cases.toml");

/// The ports A, B and C of one of these types.
pub(crate) const fn ports(types: &'static [DType]) -> Ports<2> {
    Ports::new(["A", "B"], "C", types)
}

/// How the operands of a call lie along its output.
pub(crate) fn broadcast(call: &Call) -> Result<Broadcast, Invalid> {
    let shapes = call.shapes();
    match call.specification {
        Specification::Sonnx => {
            call.restrict_types(NUMERIC_SONNX)?;
            return Broadcast::equal(&shapes);
        }
        Specification::SonnxDraft => return Broadcast::equal(&shapes),
        Specification::Onnx | Specification::OpenVino => {}
    }
    if call.version.since >= 7 {
        return Broadcast::multidirectional(&shapes);
    }
    // The documents do not speak of a negative `axis`; without `broadcast` it has no effect.
    let axis = call.int("axis").map(usize::try_from).transpose();
    let axis = axis.map_err(|_| call.invalid("counts `axis` from 0"))?;
    match (call.int("broadcast").unwrap_or(0), shapes.as_slice()) {
        (0, shapes) => Broadcast::equal(shapes),
        (1, [a, b]) => Broadcast::limited(a, b, axis),
        _ => Err(call.invalid("takes 0 or 1 for `broadcast`")),
    }
}

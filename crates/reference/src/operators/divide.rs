//! Divide-1 of OpenVINO: the quotient of two elements, of integers rounded down or towards zero.
//!
//! Source: OpenVINO's document of Divide-1.

use super::div::boundaries::Quotients;
use super::div::{Division, cases};
use crate::broadcast::Broadcast;
use crate::case_table;
use crate::families::binary;
use crate::operator::{
    Attribute, AttributeType, Call, Document, Domain, Invalid, Operator, OperatorKind, Ports,
};
use crate::pointwise::Pointwise;
use crate::signature::NUMERIC;

/// Divide in OpenVINO's operation sets.
pub static DIVIDE: Operator = Operator {
    domain: Domain::OpenVino,
    judged_as: "Div",
    documents: &[Document {
        key: "openvino-divide-1",
        catalogue: include_str!("divide/openvino-divide-1.toml"),
    }],
    readings: Some(include_str!("divide/readings.toml")),
    cases: Some(|of| {
        case_table::cases(of, &DIVIDE, &[include_str!("divide/cases.toml")], cases::OWN)
    }),
    ..Operator::onnx("Divide", OperatorKind::Rounded, &[PORTS.since(1, &ATTRIBUTES)], &REFERENCE)
};

static PORTS: Ports<2> = binary::ports(&NUMERIC);

const ATTRIBUTES: [Attribute; 2] = [
    Attribute::new("m_pythondiv", AttributeType::Text(&["true", "false"])),
    Attribute::new("auto_broadcast", AttributeType::Text(&["numpy", "none"])),
];

/// What is allowed of its results.
const REFERENCE: Pointwise<Division> = Pointwise {
    function: |specification, attributes| Division::of(Domain::OpenVino, specification, attributes),
    broadcast,
    boundaries: Some(&Quotients(Division::Divide1Floor)),
};

fn broadcast(call: &Call) -> Result<Broadcast, Invalid> {
    match call.text("auto_broadcast") {
        Some("none") => Broadcast::equal(&call.shapes()),
        _ => Broadcast::multidirectional(&call.shapes()),
    }
}

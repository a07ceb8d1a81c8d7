//! Divide-1 of OpenVINO: the quotient of two elements, of integers rounded down or towards zero.
//!
//! Source: OpenVINO's document of Divide-1.

mod cases;

use super::binary;
use super::div::Division;
use super::div::boundaries::Quotients;
use crate::applied::Applied;
use crate::boundaries::BoundaryInputs;
use crate::broadcast::Broadcast;
use crate::elementwise::Elementwise;
use crate::operator::{
    Allowed, Attribute, AttributeType, Attributes, Call, Document, Domain, Invalid, Kind, Operator,
    Reference, Specification, TensorType,
};

/// Divide in OpenVINO's operation sets.
pub static DIVIDE: Operator = Operator {
    domain: Domain::OpenVino,
    judged_as: "Div",
    documents: &DOCUMENTS,
    readings: Some(include_str!("divide/readings.toml")),
    cases: Some(cases::cases),
    ..Operator::onnx("Divide", Kind::Rounded, &[binary::version(1, &PORTS, &ATTRIBUTES)], &Divide)
};

/// What specifies it.
const DOCUMENTS: [Document; 1] = [Document {
    key: "openvino-divide-1",
    catalogue: include_str!("divide/openvino-divide-1.toml"),
}];

const PORTS: binary::Ports = binary::ports(&binary::NUMERIC);

const ATTRIBUTES: [Attribute; 2] = [
    Attribute { name: "m_pythondiv", value: AttributeType::Text(&["true", "false"]) },
    Attribute { name: "auto_broadcast", value: AttributeType::Text(&["numpy", "none"]) },
];

struct Divide;

impl Reference for Divide {
    fn infer(&self, call: &Call) -> Result<Vec<TensorType>, Invalid> {
        let shape = broadcast(call)?.shape().to_vec();
        Ok(vec![TensorType::new(call.input(0)?.dtype(), shape)?])
    }

    fn allowed<'a>(&self, call: &'a Call, outputs: &[TensorType]) -> Vec<Box<dyn Allowed + 'a>> {
        let division = Division::of(Domain::OpenVino, call.specification, &call.attributes);
        Applied::outputs(division, call, broadcast(call), outputs)
    }

    fn elementwise(
        &self,
        specification: Specification,
        attributes: &Attributes,
    ) -> Option<Box<dyn Elementwise>> {
        Some(Box::new(Division::of(Domain::OpenVino, specification, attributes)))
    }

    fn boundaries(&self) -> Option<&'static dyn BoundaryInputs> {
        Some(&Quotients(Division::Divide1Floor))
    }
}

fn broadcast(call: &Call) -> Result<Broadcast, Invalid> {
    match call.text("auto_broadcast") {
        Some("none") => Broadcast::equal(&call.shapes()),
        _ => Broadcast::multidirectional(&call.shapes()),
    }
}

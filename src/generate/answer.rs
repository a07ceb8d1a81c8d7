//! What the reference answers to the inputs of a node.

use reference::exact::Conforming;
use reference::operator::Domain;
use reference::operator::{AttributeValue, Attributes, Call};
use reference::operators;

use super::GenerateError;
use super::graph::Node;
use crate::case::Expect;
use crate::dtype::DType;
use crate::onnx::proto::AttributeProto;
use crate::onnx::proto::attribute_proto::AttributeType;
use crate::suite::Suite;
use crate::tensor::Tensor;
use reference::elements::{blank, tensor_of};
use values::element::Element;

/// The output that a case expects, and how firmly.
#[derive(Clone, Debug)]
pub(super) struct Answer {
    pub(super) output: Tensor,
    pub(super) expect: Expect,
}

impl Answer {
    /// A refusal of a model that declares an output of this type and shape.
    pub(super) fn refusal(dtype: DType, shape: &[usize]) -> Result<Self, GenerateError> {
        Ok(Self { output: blank(dtype, shape)?, expect: Expect::Refusal })
    }

    /// What the reference allows of a node's output, as the specification of a suite has it.
    pub(super) fn of(suite: Suite, node: &Node, inputs: &[Tensor]) -> Result<Self, GenerateError> {
        let attributes = node.attributes.iter().map(attribute).collect();
        Self::in_domain(Domain::Onnx, suite, (node.op_type, node.opset), attributes, inputs)
    }

    /// As [`Self::of`], of an operator in a domain, given by name and operator set.
    pub(super) fn in_domain(
        domain: Domain,
        suite: Suite,
        (name, opset): (&'static str, i64),
        attributes: Attributes,
        inputs: &[Tensor],
    ) -> Result<Self, GenerateError> {
        let unknown = GenerateError::NoReference { operator: name };
        let operator = operators::find(domain, name).ok_or(unknown)?;
        let unknown = GenerateError::NoReference { operator: name };
        let version = operator.version(opset).ok_or(unknown)?;
        let inputs = inputs.iter().cloned().map(Some).collect();
        let (call, types) =
            Call::new(operator, version, suite.specification(), attributes, inputs)?;
        let allowed = operator.reference.allowed(&call, &types);
        let ([output], [allowed]) = (types.as_slice(), allowed.as_slice()) else {
            return Err(GenerateError::NoReference { operator: name });
        };
        let count = crate::tensor::element_count(&output.shape)?;
        let elements: Vec<Conforming> = (0..count).map(|index| allowed.at(index)).collect();
        let any = |wanted: fn(&Conforming) -> bool| elements.iter().any(wanted);
        let expect = if any(|element| matches!(element, Conforming::Unspecified(_))) {
            Expect::Undecided
        } else if any(|element| matches!(element, Conforming::RefusalOr(_))) {
            Expect::ValuesOrRefusal
        } else {
            Expect::Values
        };
        let element = |conforming: &Conforming| match conforming {
            Conforming::Same(moved) => moved.clone(),
            other => Element::Bits(output.dtype, other.example().unwrap_or_default()),
        };
        let elements = elements.iter().map(element).collect();
        Ok(Self { output: tensor_of(output.dtype, &output.shape, elements)?, expect })
    }
}

/// An attribute of a model as the reference takes it.
fn attribute(attribute: &AttributeProto) -> (String, AttributeValue) {
    let value = match attribute.r#type() {
        AttributeType::Int => AttributeValue::Int(attribute.i()),
        AttributeType::Ints => AttributeValue::Ints(attribute.ints.clone()),
        _ => AttributeValue::Other,
    };
    (attribute.name().to_owned(), value)
}

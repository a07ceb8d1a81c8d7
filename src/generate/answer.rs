//! What the reference answers to the inputs of an operator.

use reference::elements::{blank, tensor_of};
use reference::exact::Conforming;
use reference::operator::{Attributes, Call, Operator, Specification};
use values::element::Element;

use super::GenerateError;
use crate::case::Expect;
use crate::dtype::DType;
use crate::tensor::Tensor;

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

    /// What the reference allows of an operator's output, in the version of an operator set, as a
    /// specification has it.
    pub(super) fn of(
        operator: &'static Operator,
        opset: i64,
        specification: Specification,
        attributes: Attributes,
        inputs: &[Tensor],
    ) -> Result<Self, GenerateError> {
        let unknown = || GenerateError::NoReference { operator: operator.name, opset };
        let version = operator.version(opset).ok_or_else(unknown)?;
        let inputs = inputs.iter().cloned().map(Some).collect();
        let (call, types) = Call::new(operator, version, specification, attributes, inputs)?;
        let allowed = operator.reference.allowed(&call, &types);
        let ([output], [allowed]) = (types.as_slice(), allowed.as_slice()) else {
            return Err(unknown());
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

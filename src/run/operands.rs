//! The operands of an output element, where the case is a single element-wise operator.

use crate::backend::builtin::Single;
use crate::compare::{Element, Operation};
use crate::kernels::{Attribute, Attributes, Broadcast, Operator};
use crate::model::Model;
use crate::oracle::Division;
use crate::suite::Suite;
use crate::tensor::{Tensor, Value};

/// Finds the operands that an element of the output was computed from.
pub(crate) struct Operands<'a> {
    operator: Operator,
    attributes: Attributes,
    inputs: Vec<&'a Tensor>,
    broadcast: Broadcast,
}

impl<'a> Operands<'a> {
    /// The operands of a case whose model is one operator with a kernel of this library, all of
    /// whose operands are inputs of the model.
    pub(crate) fn of(model: &Model, inputs: &'a [Value]) -> Option<Self> {
        let Single { operator, attributes, operands } = Single::of(model)?;
        let tensor = |operand: usize| match inputs.get(operand)? {
            Value::Tensor(tensor) => Some(tensor),
            Value::Sequence(_) | Value::Optional(_) => None,
        };
        let inputs = operands.into_iter().map(tensor).collect::<Option<Vec<_>>>()?;
        let shapes: Vec<_> = inputs.iter().map(|tensor| tensor.shape()).collect();
        let broadcast = operator.broadcast(&attributes, &shapes).ok()?;
        Some(Self { operator, attributes, inputs, broadcast })
    }

    /// The operation that is judged, as the suite's specification has it.
    pub(crate) fn operation(&self, suite: Suite) -> Option<Operation> {
        let is_false =
            |value: &Attribute| matches!(value, Attribute::Text(text) if text == "false");
        let division = match self.operator.name() {
            "Sqrt" => return Some(Operation::Sqrt),
            "Div" if suite == Suite::SonnxDraft => Division::DivDraft,
            "Div" => Division::Div,
            "Divide" if self.attributes.get("m_pythondiv").is_some_and(is_false) => {
                Division::Divide1Truncate
            }
            "Divide" => Division::Divide1Floor,
            _ => return None,
        };
        Some(Operation::Div(division))
    }

    /// Dimensions of the output.
    pub(crate) fn shape(&self) -> &[usize] {
        self.broadcast.shape()
    }

    /// Number of elements of the output.
    pub(crate) const fn elements(&self) -> usize {
        self.broadcast.elements()
    }

    /// The operands of the element at a row-major index.
    pub(crate) fn of_element(&self, index: usize) -> Vec<Element> {
        self.inputs
            .iter()
            .enumerate()
            .filter_map(|(operand, tensor)| {
                Element::of(tensor, self.broadcast.operand_index(operand, index)?)
            })
            .collect()
    }
}

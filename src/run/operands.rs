//! The operands of an output element, where the case is a single element-wise operator.

use crate::backend::builtin::Single;
use crate::compare::Element;
use crate::kernels::Broadcast;
use crate::model::Model;
use crate::tensor::{Tensor, Value};

/// Finds the operands that an element of the output was computed from.
pub(super) struct Operands<'a> {
    inputs: Vec<&'a Tensor>,
    broadcast: Broadcast,
}

impl<'a> Operands<'a> {
    /// The operands of a case whose model is one operator with a kernel of this library, all of
    /// whose operands are inputs of the model.
    pub(super) fn of(model: &Model, inputs: &'a [Value]) -> Option<Self> {
        let Single { operator, attributes, operands } = Single::of(model)?;
        let tensor = |operand: usize| match inputs.get(operand)? {
            Value::Tensor(tensor) => Some(tensor),
            Value::Sequence(_) | Value::Optional(_) => None,
        };
        let inputs = operands.into_iter().map(tensor).collect::<Option<Vec<_>>>()?;
        let shapes: Vec<_> = inputs.iter().map(|tensor| tensor.shape()).collect();
        let broadcast = operator.broadcast(&attributes, &shapes).ok()?;
        Some(Self { inputs, broadcast })
    }

    /// The operands of the element at a row-major index.
    pub(super) fn of_element(&self, index: usize) -> Vec<Element> {
        self.inputs
            .iter()
            .enumerate()
            .filter_map(|(operand, tensor)| {
                Element::of(tensor, self.broadcast.operand_index(operand, index)?)
            })
            .collect()
    }
}

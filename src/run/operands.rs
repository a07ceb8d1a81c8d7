//! The operands of an output element, where the case is a single element-wise operator.

use crate::backend::graph;
use crate::compare::{Element, Operation};
use crate::kernels::{Broadcast, Operator};
use crate::onnx::Model;
use crate::oracle::Division;
use crate::tensor::{Tensor, Value};

/// Finds the operands that an element of the output was computed from.
pub(super) struct Operands<'a> {
    operator: Operator,
    inputs: Vec<&'a Tensor>,
    broadcast: Broadcast,
}

impl<'a> Operands<'a> {
    /// The operands of a case whose graph is one node with a kernel of this library, all of whose
    /// inputs are inputs of the graph.
    pub(super) fn of(model: &Model, inputs: &'a [Value]) -> Option<Self> {
        let [node] = model.graph().node.as_slice() else { return None };
        let operator = graph::operator(model, node)?;
        let inputs = node
            .input
            .iter()
            .map(|name| {
                let position = model.inputs().iter().position(|port| port.name == *name)?;
                match inputs.get(position)? {
                    Value::Tensor(tensor) => Some(tensor),
                    Value::Sequence(_) | Value::Optional(_) => None,
                }
            })
            .collect::<Option<Vec<_>>>()?;
        let shapes: Vec<_> = inputs.iter().map(|tensor| tensor.shape()).collect();
        let broadcast = operator.broadcast(&graph::attributes(node), &shapes).ok()?;
        Some(Self { operator, inputs, broadcast })
    }

    /// The operation that is judged: ONNX's.
    pub(super) fn operation(&self) -> Option<Operation> {
        match self.operator.name() {
            "Div" => Some(Operation::Div(Division::Div)),
            "Sqrt" => Some(Operation::Sqrt),
            _ => None,
        }
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

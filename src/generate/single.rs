//! Models and cases of one node that are made for others: for campaigns, and of what they find.

use bytes::Bytes;
use prost::Message;

use super::graph::Node;
use crate::profile::Operator;
use crate::tensor::Tensor;

/// The node of an operator in its newest version.
const fn newest(operator: Operator) -> Node {
    match operator {
        Operator::Div => Node::new("Div", 14),
        Operator::Sqrt => Node::new("Sqrt", 13),
    }
}

/// A serialised model of the operator in its newest version, for these operands and an output of
/// the first one's type and shape.
#[must_use]
pub fn single_node(operator: Operator, operands: &[Tensor]) -> Bytes {
    let Some(output) = operands.first() else { return Bytes::new() };
    newest(operator).model("single_node", operands, output).encode_to_vec().into()
}

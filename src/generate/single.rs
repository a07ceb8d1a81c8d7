//! Models and cases of one node that are made for others: for campaigns, and of what they find.

use std::collections::BTreeMap;

use bytes::Bytes;
use prost::Message;
use reference::operator::{Attributes, Operator, Specification};

use super::GenerateError;
use super::answer::Answer;
use super::case::Case;
use super::graph::Node;
use crate::tensor::Tensor;

/// The node of an operator in its newest version.
fn newest(operator: &Operator) -> Node {
    Node::new(operator.name, operator.newest().since)
}

/// A serialised model of the operator in its newest version, for these operands and an output of
/// the first one's type and shape.
#[must_use]
pub fn single_node(operator: &Operator, operands: &[Tensor]) -> Bytes {
    let Some(output) = operands.first() else { return Bytes::new() };
    newest(operator).model("single_node", operands, output).encode_to_vec().into()
}

/// The files of a case in ONNX's folder layout, by their paths below the folder of the suite: the
/// operator in its newest version on these operands, with the results that the reference expects.
///
/// # Errors
///
/// When the operator does not take such operands.
pub fn single_case(
    path: String,
    operator: &'static Operator,
    operands: Vec<Tensor>,
    requirements: &[&str],
    note: &str,
) -> Result<BTreeMap<String, Bytes>, GenerateError> {
    let (opset, none) = (operator.newest().since, Attributes::new());
    let answer = Answer::of(operator, opset, Specification::Onnx, none, &operands)?;
    Case::new(path, &newest(operator), operands, answer, requirements, note).files()
}

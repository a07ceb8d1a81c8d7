//! Models and cases of one node that are made for others: for campaigns, and of what they find.

use std::collections::BTreeMap;

use bytes::Bytes;
use prost::Message;

use super::GenerateError;
use super::answer::{quotients, roots};
use super::case::Case;
use super::graph::Node;
use crate::oracle::Division;
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

/// The files of a case in ONNX's folder layout, by their paths below the folder of the suite: the
/// operator in its newest version on these operands, with the results that the oracle expects.
///
/// # Errors
///
/// When the operator does not take such operands.
pub fn single_case(
    path: String,
    operator: Operator,
    operands: Vec<Tensor>,
    requirements: &[&str],
    note: &str,
) -> Result<BTreeMap<String, Bytes>, GenerateError> {
    let answer = match (operator, operands.as_slice()) {
        (Operator::Div, [a, b]) => quotients(Division::Div, a, b)?,
        (Operator::Sqrt, [x]) => roots(x)?,
        (Operator::Div | Operator::Sqrt, _) => {
            return Err(GenerateError::Arity { operator: operator.name(), given: operands.len() });
        }
    };
    Case::new(path, &newest(operator), operands, answer, requirements, note).files()
}

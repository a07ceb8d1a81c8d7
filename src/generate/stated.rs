//! The cases that operators state in their own folders.

use reference::case_spec::{CaseSpec, LastInput};
use reference::operator::Operator;
use reference::operator::{AttributeValue, Specification};
use reference::operators;

use super::GenerateError;
use super::answer::Answer;
use super::case::Case;
use super::graph::{Node, forget_last_type, int, ints, make_last_input_sparse};
use crate::suite::Suite;

pub(super) fn cases() -> Result<Vec<Case>, GenerateError> {
    let mut cases = Vec::new();
    for operator in operators::onnx() {
        if let Some(state) = operator.cases {
            for spec in state()? {
                cases.push(case(operator, spec)?);
            }
        }
    }
    Ok(cases)
}

/// The case that an operator states.
pub(super) fn case(operator: &Operator, spec: CaseSpec) -> Result<Case, GenerateError> {
    let suite = match spec.specification {
        Specification::Onnx => Suite::Onnx,
        Specification::Sonnx => Suite::Sonnx,
        Specification::SonnxDraft => Suite::SonnxDraft,
        Specification::OpenVino => Suite::OpenVino,
    };
    let path = format!("{suite}/{}", spec.path);
    let mut node = Node::new(operator.name, spec.opset);
    for (name, value) in &spec.attributes {
        node = node.with(match value {
            AttributeValue::Int(value) => int(name, *value),
            AttributeValue::Ints(values) => ints(name, values),
            AttributeValue::Text(_) | AttributeValue::Other => {
                return Err(GenerateError::Attribute { path, name: name.clone() });
            }
        });
    }
    let answer = match &spec.refusal {
        Some(declared) => Answer::refusal(declared.dtype, &declared.shape)?,
        None => Answer::of(suite, &node, &spec.inputs)?,
    };
    let last = spec.inputs.last().cloned();
    let case = Case::new(path, &node, spec.inputs, answer, &spec.requirements, &spec.note);
    Ok(match (spec.last_input, last) {
        (LastInput::Typed, _) | (_, None) => case,
        (LastInput::Untyped, _) => case.with_graph(forget_last_type),
        (LastInput::Sparse, Some(tensor)) => {
            case.without_last_input().with_graph(|graph| make_last_input_sparse(graph, &tensor))
        }
    })
}

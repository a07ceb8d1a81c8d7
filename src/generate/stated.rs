//! The cases that operators state in their own folders.

use reference::case_spec::{CaseSpec, LastInput};
use reference::operator::{AttributeValue, Domain, Operator, Specification};
use reference::operators::OPERATORS;

use super::GenerateError;
use super::answer::Answer;
use super::case::Case;
use super::graph::{Node, forget_last_type, int, ints, make_last_input_sparse};
use crate::suite::Suite;

pub(super) fn cases() -> Result<Vec<Case>, GenerateError> {
    let mut cases = Vec::new();
    for operator in OPERATORS {
        let stated = operator.cases.map_or_else(|| Ok(Vec::new()), |state| state());
        let wrong = |source| GenerateError::Statement { operator: operator.name, source };
        for spec in stated.map_err(wrong)? {
            cases.push(case(operator, spec)?);
        }
    }
    Ok(cases)
}

/// The case that an operator states.
fn case(operator: &'static Operator, spec: CaseSpec) -> Result<Case, GenerateError> {
    let suite = match spec.specification {
        Specification::Onnx => Suite::Onnx,
        Specification::Sonnx => Suite::Sonnx,
        Specification::SonnxDraft => Suite::SonnxDraft,
        Specification::OpenVino => Suite::OpenVino,
    };
    let path = format!("{suite}/{}", spec.path);
    let answer = match &spec.refusal {
        Some(declared) => Answer::refusal(declared.dtype, &declared.shape)?,
        None => {
            let attributes = spec.attributes.iter().cloned().collect();
            Answer::of(operator, spec.opset, spec.specification, attributes, &spec.inputs)?
        }
    };
    match operator.domain {
        Domain::Onnx => of_node(operator, path, spec, answer),
        Domain::OpenVino => of_layer(path, &spec, answer),
    }
}

/// The case of an ONNX model of one node.
fn of_node(
    operator: &Operator,
    path: String,
    spec: CaseSpec,
    answer: Answer,
) -> Result<Case, GenerateError> {
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

/// The case of a layer of OpenVINO's intermediate representation.
fn of_layer(path: String, spec: &CaseSpec, answer: Answer) -> Result<Case, GenerateError> {
    let text = |(name, value): &'_ (String, AttributeValue)| match value {
        AttributeValue::Text(value) => Ok((name.clone(), value.clone())),
        _ => Err(GenerateError::Attribute { path: path.clone(), name: name.clone() }),
    };
    let attributes = spec.attributes.iter().map(text).collect::<Result<Vec<_>, _>>()?;
    let attributes: Vec<(&str, &str)> =
        attributes.iter().map(|(name, value)| (name.as_str(), value.as_str())).collect();
    let Ok(inputs) = spec.inputs.clone().try_into() else {
        return Err(GenerateError::Inputs { path });
    };
    Case::openvino(path, &attributes, inputs, answer, &spec.requirements, &spec.note)
}

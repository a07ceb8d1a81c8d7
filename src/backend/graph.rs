//! The executor of the built-in backend for ONNX: node by node, in the graph's own order.

use std::collections::{BTreeMap, BTreeSet};

use super::{Refusal, RefusalKind, Stage, restrictions};
use crate::kernels::{self, Attribute, Attributes, ErrorKind, KernelError, Operator};
use crate::onnx::proto::NodeProto;
use crate::onnx::proto::attribute_proto::AttributeType;
use crate::onnx::{Model, decode_tensor, operator_name};
use crate::suite::Suite;
use crate::tensor::{Tensor, Value};

/// The one operator of a model, where its operands are inputs of the model.
pub(crate) struct Single {
    /// The operator.
    pub(crate) operator: Operator,
    /// Its attributes.
    pub(crate) attributes: Attributes,
    /// For each operand its position among the model's inputs.
    pub(crate) operands: Vec<usize>,
}

/// Runs a graph all of whose operators have kernels, within the restrictions of the suite.
pub(super) fn execute(
    model: &Model,
    inputs: &[Value],
    suite: Suite,
) -> Result<Vec<Value>, Refusal> {
    let operators = resolve(model)?;
    restrictions::check_types(suite, model)?;
    let mut tensors = bind(model, inputs)?;
    for (node, operator) in model.graph().node.iter().zip(operators) {
        let results = run_node(node, operator, &tensors, suite)?;
        if node.output.len() != results.len() {
            let (named, computed) = (node.output.len(), results.len());
            let problem = format!("names {named} outputs, but computes {computed}");
            return Err(invalid(node, &problem));
        }
        for (output, result) in node.output.iter().zip(results) {
            if tensors.insert(output, result).is_some() {
                return Err(invalid(node, "writes a value that is there already"));
            }
        }
    }
    let outputs = model
        .outputs()
        .iter()
        .map(|port| match tensors.get(port.name.as_str()) {
            Some(tensor) => Ok(Value::Tensor(tensor.clone())),
            None => Err(refusal(
                Stage::Load,
                RefusalKind::Invalid,
                format!("no node computes the graph's output `{}`", port.name),
            )),
        })
        .collect::<Result<Vec<_>, _>>()?;
    restrictions::check_outputs(suite, model, &outputs)?;
    Ok(outputs)
}

/// The kernel of each node, or a refusal that names every operator without one.
pub(super) fn resolve(model: &Model) -> Result<Vec<Operator>, Refusal> {
    let mut missing = BTreeSet::new();
    let mut operators = Vec::new();
    for node in &model.graph().node {
        match operator(model, node) {
            Some(operator) => operators.push(operator),
            None => {
                let opset = model.opset(node.domain()).unwrap_or_default();
                missing.insert(format!("{} (opset {opset})", operator_name(node)));
            }
        }
    }
    if missing.is_empty() {
        return Ok(operators);
    }
    let missing = missing.into_iter().collect::<Vec<_>>().join(", ");
    Err(refusal(Stage::Load, RefusalKind::Unsupported, format!("no kernel for {missing}")))
}

/// The operator of a graph of one node.
pub(crate) fn single(model: &Model) -> Option<Single> {
    let [node] = model.graph().node.as_slice() else { return None };
    let input = |name: &String| model.inputs().iter().position(|port| port.name == *name);
    Some(Single {
        operator: operator(model, node)?,
        attributes: attributes(node),
        operands: node.input.iter().map(input).collect::<Option<_>>()?,
    })
}

/// The kernel of a node's operator in the version that the model imports.
fn operator(model: &Model, node: &NodeProto) -> Option<Operator> {
    let opset = model.opset(node.domain())?;
    if model.is_standard(node) { kernels::find(node.op_type(), opset) } else { None }
}

/// The node's attributes as kernels take them.
fn attributes(node: &NodeProto) -> Attributes {
    node.attribute
        .iter()
        .map(|attribute| {
            let value = match attribute.r#type() {
                AttributeType::Int => Attribute::Int(attribute.i()),
                AttributeType::Ints => Attribute::Ints(attribute.ints.clone()),
                _ => Attribute::Other,
            };
            (attribute.name().to_owned(), value)
        })
        .collect()
}

/// The tensors that are there before the first node: inputs and initialisers by name.
fn bind<'m>(model: &'m Model, inputs: &[Value]) -> Result<BTreeMap<&'m str, Tensor>, Refusal> {
    let load = |kind, message| refusal(Stage::Load, kind, message);
    if inputs.len() != model.inputs().len() {
        let message = format!(
            "{} inputs were given, but the graph has {}",
            inputs.len(),
            model.inputs().len()
        );
        return Err(load(RefusalKind::Invalid, message));
    }
    let mut tensors = BTreeMap::new();
    for (port, value) in model.inputs().iter().zip(inputs) {
        let Value::Tensor(tensor) = value else {
            let message = format!("input `{}` is a {}, not a tensor", port.name, value.kind());
            return Err(load(RefusalKind::Unsupported, message));
        };
        tensors.insert(port.name.as_str(), tensor.clone());
    }
    for initialiser in &model.graph().initializer {
        let tensor = decode_tensor(initialiser.clone()).map_err(|problem| {
            load(RefusalKind::Invalid, format!("initialiser `{}`: {problem}", initialiser.name()))
        })?;
        tensors.insert(initialiser.name(), tensor);
    }
    Ok(tensors)
}

fn run_node(
    node: &NodeProto,
    operator: Operator,
    tensors: &BTreeMap<&str, Tensor>,
    suite: Suite,
) -> Result<Vec<Tensor>, Refusal> {
    // An optional input that is left out has the empty name.
    let operands = node
        .input
        .iter()
        .map(|name| match tensors.get(name.as_str()) {
            Some(tensor) => Ok(Some(tensor)),
            None if name.is_empty() => Ok(None),
            None => Err(invalid(node, &format!("reads `{name}`, which nothing computes"))),
        })
        .collect::<Result<Vec<_>, _>>()?;
    restrictions::check(suite, operator, &operands)?;
    operator.run(&operands, &attributes(node)).map_err(|error| kernel_refusal(&error))
}

pub(super) fn kernel_refusal(error: &KernelError) -> Refusal {
    let kind = match error.kind() {
        ErrorKind::Unsupported => RefusalKind::Unsupported,
        ErrorKind::Invalid => RefusalKind::Invalid,
        ErrorKind::Domain => RefusalKind::Error,
    };
    refusal(Stage::Run, kind, error.to_string())
}

fn invalid(node: &NodeProto, problem: &str) -> Refusal {
    let message = format!("node `{}` ({}) {problem}", node.name(), operator_name(node));
    refusal(Stage::Load, RefusalKind::Invalid, message)
}

pub(super) const fn refusal(stage: Stage, kind: RefusalKind, message: String) -> Refusal {
    Refusal { stage, kind, message }
}

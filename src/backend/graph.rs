//! The executor of the built-in backend for ONNX: node by node, in the graph's own order.

use std::collections::{BTreeMap, BTreeSet};

use super::{Refusal, RefusalKind, restrictions};
use crate::corpus::suite::Suite;
use crate::kernels::{self, ErrorKind, KernelError, Operator, attributes};
use crate::onnx::proto::NodeProto;
use crate::onnx::{Model, decode_tensor, operator_name};
use crate::tensor::{Tensor, Value};

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
            // An output that is left out has the empty name.
            if !output.is_empty() && tensors.insert(output, result).is_some() {
                return Err(invalid(node, "writes a value that is there already"));
            }
        }
    }
    let outputs = model
        .outputs()
        .iter()
        .map(|port| {
            let message = || format!("no node computes the graph's output `{}`", port.name);
            let tensor = tensors.get(port.name.as_str()).cloned();
            let unknown = || Refusal::load(RefusalKind::Invalid, message());
            tensor.map(Value::Tensor).ok_or_else(unknown)
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
    all_served(operators, missing)
}

/// The kernels, or a refusal that names everything without one.
pub(super) fn all_served<K>(kernels: K, unserved: BTreeSet<String>) -> Result<K, Refusal> {
    if unserved.is_empty() {
        return Ok(kernels);
    }
    let unserved = unserved.into_iter().collect::<Vec<_>>().join(", ");
    Err(Refusal::load(RefusalKind::Unsupported, format!("no kernel for {unserved}")))
}

/// The kernel of a node's operator in the version that the model imports.
fn operator(model: &Model, node: &NodeProto) -> Option<Operator> {
    let opset = model.opset(node.domain())?;
    if model.is_standard(node) { kernels::find(node.op_type(), opset) } else { None }
}

/// The tensors that are there before the first node: inputs and initialisers by name.
fn bind<'m>(model: &'m Model, inputs: &[Value]) -> Result<BTreeMap<&'m str, Tensor>, Refusal> {
    if inputs.len() != model.inputs().len() {
        let (given, wanted) = (inputs.len(), model.inputs().len());
        let message = format!("{given} inputs were given, but the graph has {wanted}");
        return Err(Refusal::load(RefusalKind::Invalid, message));
    }
    let mut tensors = BTreeMap::new();
    for (port, value) in model.inputs().iter().zip(inputs) {
        let Value::Tensor(tensor) = value else {
            let message = format!("input `{}` is a {}, not a tensor", port.name, value.kind());
            return Err(Refusal::load(RefusalKind::Unsupported, message));
        };
        tensors.insert(port.name.as_str(), tensor.clone());
    }
    for initialiser in &model.graph().initializer {
        let tensor = decode_tensor(initialiser.clone()).map_err(|problem| {
            let message = format!("initialiser `{}`: {problem}", initialiser.name());
            Refusal::load(RefusalKind::Invalid, message)
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
    let attributes = attributes(node);
    restrictions::check(suite, operator, &operands, &attributes)?;
    let results = operator.run_for(node.output.len(), &operands, &attributes);
    results.map_err(|error| kernel_refusal(&error))
}

pub(super) fn kernel_refusal(error: &KernelError) -> Refusal {
    let kind = match error.kind() {
        ErrorKind::Unsupported => RefusalKind::Unsupported,
        ErrorKind::Invalid => RefusalKind::Invalid,
        ErrorKind::Domain => RefusalKind::Error,
    };
    Refusal::run(kind, error.to_string())
}

fn invalid(node: &NodeProto, problem: &str) -> Refusal {
    let message = format!("node `{}` ({}) {problem}", node.name(), operator_name(node));
    Refusal::load(RefusalKind::Invalid, message)
}

#[cfg(test)]
mod tests {
    use prost::Message;

    use super::*;
    use crate::dtype::DType;
    use crate::onnx::proto::{
        GraphProto, ModelProto, OperatorSetIdProto, TypeProto, ValueInfoProto, type_proto,
    };

    fn node(op_type: &str, inputs: &[&str], outputs: &[&str]) -> NodeProto {
        NodeProto {
            name: Some("n".to_owned()),
            op_type: Some(op_type.to_owned()),
            input: inputs.iter().map(ToString::to_string).collect(),
            output: outputs.iter().map(ToString::to_string).collect(),
            ..NodeProto::default()
        }
    }

    /// Runs nodes on the int32 inputs `a` and `b`, for the output `y`.
    fn run(nodes: Vec<NodeProto>, inputs: [Tensor; 2]) -> Result<Vec<Value>, Refusal> {
        let port = |name: &str| {
            let tensor = type_proto::Tensor { elem_type: Some(6), shape: None };
            let value = Some(type_proto::Value::TensorType(tensor));
            ValueInfoProto { name: Some(name.to_owned()), r#type: Some(TypeProto { value }) }
        };
        let graph = GraphProto {
            node: nodes,
            input: vec![port("a"), port("b")],
            output: vec![port("y")],
            ..GraphProto::default()
        };
        let opset = OperatorSetIdProto { domain: None, version: Some(24) };
        let model = ModelProto {
            ir_version: Some(10),
            graph: Some(graph),
            opset_import: vec![opset],
            ..ModelProto::default()
        };
        let model = Model::decode("model", model.encode_to_vec().into()).unwrap();
        execute(&model, &inputs.map(Value::Tensor), Suite::Onnx)
    }

    fn matrix(values: [i32; 4]) -> Tensor {
        Tensor::from_values(DType::Int32, vec![2, 2], values.to_vec()).unwrap()
    }

    #[test]
    fn nodes_are_computed_one_after_the_other() {
        let nodes = vec![
            node("Transpose", &["a"], &["t"]),
            node("MatMul", &["t", "b"], &["p"]),
            node("Mul", &["p", "a"], &["y"]),
        ];
        let outputs = run(nodes, [matrix([1, 2, 3, 4]), matrix([1, 0, 1, 1])]);
        assert_eq!(outputs, Ok(vec![Value::Tensor(matrix([4, 6, 18, 16]))]));
    }

    #[test]
    fn inputs_left_out_and_outputs_too_many_are_refused_by_name() {
        let one = || [matrix([1; 4]), matrix([1; 4])];
        for (nodes, message) in [
            (node("Mul", &["a", ""], &["y"]), "Mul-14 needs its input `B`, which is left out"),
            (node("Mul", &["a", "c"], &["y"]), "node `n` (Mul) reads `c`, which nothing computes"),
            (
                node("Mul", &["a", "b"], &["y", "z"]),
                "node `n` (Mul) names 2 outputs, but computes 1",
            ),
            (node("Mul", &["a", "b"], &[]), "node `n` (Mul) names 0 outputs, but computes 1"),
            (
                node("Mul", &["a", "b"], &["a"]),
                "node `n` (Mul) writes a value that is there already",
            ),
        ] {
            let refusal = run(vec![nodes], one()).unwrap_err();
            assert_eq!((refusal.message.as_str(), refusal.kind), (message, RefusalKind::Invalid));
        }
    }
}

//! The executor of the built-in backend for OpenVINO: layer by layer.

use std::collections::{BTreeMap, BTreeSet};

use super::graph::kernel_refusal;
use super::{Refusal, RefusalKind};
use crate::kernels::{self, Attribute, Attributes, Operator};
use crate::openvino::{Layer, Model, Operation};
use crate::tensor::{Tensor, Value};

/// Runs a model all of whose layers have kernels.
pub(super) fn execute(model: &Model, inputs: &[Value]) -> Result<Vec<Value>, Refusal> {
    let operators = resolve(model)?;
    let mut tensors = bind(model, inputs)?;
    for &at in model.order() {
        let layer = &model.layers()[at];
        let computed = match operators.get(&at) {
            Some(operator) => run_layer(layer, *operator, &tensors)?,
            None => match layer.operands.as_slice() {
                // A result passes on what it reads; parameters have their tensors already.
                [operand] => tensors[operand].clone(),
                _ => continue,
            },
        };
        tensors.insert(at, computed);
    }
    let is_result = |&at: &usize| matches!(model.layers()[at].operation, Operation::Result);
    let results = (0..model.layers().len()).filter(is_result);
    Ok(results.map(|at| Value::Tensor(tensors[&at].clone())).collect())
}

/// The kernels of the layers that compute, by their positions, or a refusal that names every layer
/// that cannot be served.
pub(super) fn resolve(model: &Model) -> Result<BTreeMap<usize, Operator>, Refusal> {
    let mut unserved = BTreeSet::new();
    let mut operators = BTreeMap::new();
    for (at, layer) in model.layers().iter().enumerate() {
        let problem = match &layer.operation {
            Operation::Operator { op_type, opset, .. } => match (operator(layer), opset) {
                (Some(operator), _) => {
                    operators.insert(at, operator);
                    continue;
                }
                (None, Some(opset)) => format!("{op_type}, opset {opset}"),
                (None, None) => format!("{op_type}, of no known opset"),
            },
            Operation::Parameter { shape: None, .. } => "Parameter without a fixed shape".into(),
            Operation::Parameter { dtype: None, .. } => {
                "Parameter of an unknown element type".into()
            }
            Operation::Parameter { .. } | Operation::Result => continue,
        };
        unserved.insert(format!("layer `{}` ({problem})", layer.name));
    }
    if unserved.is_empty() {
        return Ok(operators);
    }
    let unserved = unserved.into_iter().collect::<Vec<_>>().join(", ");
    Err(Refusal::load(RefusalKind::Unsupported, format!("no kernel for {unserved}")))
}

/// The model's parameters in the order of its inputs, each with its position and shape.
fn parameters(model: &Model) -> impl Iterator<Item = (usize, Option<&[usize]>)> {
    model.layers().iter().enumerate().filter_map(|(at, layer)| match &layer.operation {
        Operation::Parameter { shape, .. } => Some((at, shape.as_deref())),
        Operation::Result | Operation::Operator { .. } => None,
    })
}

fn operator(layer: &Layer) -> Option<Operator> {
    match &layer.operation {
        Operation::Operator { op_type, opset, .. } => kernels::find_in_openvino(op_type, (*opset)?),
        Operation::Parameter { .. } | Operation::Result => None,
    }
}

fn attributes(layer: &Layer) -> Attributes {
    match &layer.operation {
        Operation::Operator { attributes, .. } => attributes
            .iter()
            .map(|(name, value)| (name.clone(), Attribute::Text(value.clone())))
            .collect(),
        Operation::Parameter { .. } | Operation::Result => Attributes::new(),
    }
}

/// The tensors of the parameters, by the positions of their layers.
fn bind(model: &Model, inputs: &[Value]) -> Result<BTreeMap<usize, Tensor>, Refusal> {
    let invalid = |message| Err(Refusal::load(RefusalKind::Invalid, message));
    let ports = model.inputs();
    if inputs.len() != ports.len() {
        let (given, wanted) = (inputs.len(), ports.len());
        return invalid(format!("{given} inputs were given, but the model has {wanted}"));
    }
    let mut tensors = BTreeMap::new();
    for ((at, shape), (port, value)) in parameters(model).zip(ports.iter().zip(inputs)) {
        let Value::Tensor(tensor) = value else {
            let kind = value.kind();
            return invalid(format!("input `{}` is a {kind}, not a tensor", port.name));
        };
        if shape.is_some_and(|shape| shape != tensor.shape()) {
            let (name, given) = (&port.name, tensor.shape());
            let shape = shape.unwrap_or_default();
            return invalid(format!(
                "input `{name}` has shape {given:?}, but should have {shape:?}"
            ));
        }
        tensors.insert(at, tensor.clone());
    }
    Ok(tensors)
}

fn run_layer(
    layer: &Layer,
    operator: Operator,
    tensors: &BTreeMap<usize, Tensor>,
) -> Result<Tensor, Refusal> {
    if layer.results != 1 {
        let message = format!("layer `{}` ({operator}) has other than one output", layer.name);
        return Err(Refusal::load(RefusalKind::Invalid, message));
    }
    let operands: Vec<_> = layer.operands.iter().map(|operand| Some(&tensors[operand])).collect();
    let results = operator.run(&operands, &attributes(layer));
    let results = results.map_err(|error| kernel_refusal(&error))?;
    <[Tensor; 1]>::try_from(results).map(|[result]| result).map_err(|results| {
        let (name, count) = (&layer.name, results.len());
        let message = format!("layer `{name}` has one output, but {operator} has {count}");
        Refusal::load(RefusalKind::Invalid, message)
    })
}

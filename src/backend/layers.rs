//! The executor of the built-in backend for OpenVINO: layer by layer.

use std::collections::{BTreeMap, BTreeSet};

use super::graph::{all_served, kernel_refusal};
use super::{Refusal, RefusalKind};
use crate::kernels::{self, Attribute, Attributes, Operator};
use crate::openvino::{Layer, Model, Operation};
use crate::tensor::{Tensor, Value};

/// Runs a model all of whose layers have kernels.
pub(super) fn execute(model: &Model, inputs: &[Value]) -> Result<Vec<Value>, Refusal> {
    let kernels = resolve(model)?;
    let mut tensors = bind(model, inputs)?;
    for &at in model.order() {
        let layer = &model.layers()[at];
        let computed = match kernels.get(&at) {
            Some(kernel) => run_layer(layer, kernel, &tensors)?,
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

/// A kernel, and the attributes that it is run with.
type Kernel = (Operator, Attributes);

/// The kernels of the layers that compute, by their positions, or a refusal that names every layer
/// that cannot be served.
pub(super) fn resolve(model: &Model) -> Result<BTreeMap<usize, Kernel>, Refusal> {
    let mut unserved = BTreeSet::new();
    let mut kernels = BTreeMap::new();
    for (at, layer) in model.layers().iter().enumerate() {
        let problem = match &layer.operation {
            Operation::Operator { op_type, opset, attributes } => {
                if let Some(operator) =
                    opset.and_then(|opset| kernels::find_in_openvino(op_type, opset))
                {
                    let text = |value: &String| Attribute::Text(value.clone());
                    let attributes =
                        attributes.iter().map(|(name, value)| (name.clone(), text(value)));
                    kernels.insert(at, (operator, attributes.collect()));
                    continue;
                }
                let opset =
                    opset.map_or("of no known opset".into(), |opset| format!("opset {opset}"));
                format!("{op_type}, {opset}")
            }
            Operation::Parameter { shape: None, .. } => "Parameter without a fixed shape".into(),
            Operation::Parameter { dtype: None, .. } => {
                "Parameter of an unknown element type".into()
            }
            Operation::Parameter { .. } | Operation::Result => continue,
        };
        unserved.insert(format!("layer `{}` ({problem})", layer.name));
    }
    all_served(kernels, unserved)
}

/// The tensors of the parameters, by the positions of their layers.
fn bind(model: &Model, inputs: &[Value]) -> Result<BTreeMap<usize, Tensor>, Refusal> {
    let invalid = |message| Err(Refusal::load(RefusalKind::Invalid, message));
    let ports = model.inputs();
    if inputs.len() != ports.len() {
        let (given, wanted) = (inputs.len(), ports.len());
        return invalid(format!("{given} inputs were given, but the model has {wanted}"));
    }
    let parameters = model.layers().iter().enumerate().filter_map(|(at, layer)| {
        let Operation::Parameter { shape, .. } = &layer.operation else { return None };
        Some((at, shape.as_deref()))
    });
    let mut tensors = BTreeMap::new();
    for ((at, shape), (port, value)) in parameters.zip(ports.iter().zip(inputs)) {
        let Value::Tensor(tensor) = value else {
            let kind = value.kind();
            return invalid(format!("input `{}` is a {kind}, not a tensor", port.name));
        };
        if let Some(shape) = shape.filter(|shape| *shape != tensor.shape()) {
            let (name, given) = (&port.name, tensor.shape());
            let problem = format!("has shape {given:?}, but should have {shape:?}");
            return invalid(format!("input `{name}` {problem}"));
        }
        tensors.insert(at, tensor.clone());
    }
    Ok(tensors)
}

fn run_layer(
    layer: &Layer,
    (operator, attributes): &Kernel,
    tensors: &BTreeMap<usize, Tensor>,
) -> Result<Tensor, Refusal> {
    let name = &layer.name;
    let invalid = |message| Refusal::load(RefusalKind::Invalid, message);
    if layer.results != 1 {
        return Err(invalid(format!(
            "layer `{name}` ({operator}) does not have exactly one output"
        )));
    }
    let operands: Vec<_> = layer.operands.iter().map(|operand| Some(&tensors[operand])).collect();
    let results = operator.run(&operands, attributes).map_err(|error| kernel_refusal(&error))?;
    <[Tensor; 1]>::try_from(results).map(|[result]| result).map_err(|results| {
        let count = results.len();
        invalid(format!("layer `{name}` has one output, but {operator} has {count}"))
    })
}

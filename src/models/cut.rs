//! Models of some of a graph's nodes, on values that are known.

use std::collections::{BTreeMap, BTreeSet};

use bytes::Bytes;
use prost::Message;

use super::graph::{Graph, Step};
use crate::dtype::DType;
use crate::model::Model;
use crate::onnx::proto::tensor_shape_proto::{Dimension, dimension};
use crate::onnx::proto::{
    GraphProto, ModelProto, OperatorSetIdProto, TensorProto, TensorShapeProto, TypeProto,
    ValueInfoProto, type_proto,
};
use crate::onnx::{self, DecodeError};
use crate::tensor::{Tensor, Value};

/// A model of some nodes.
#[derive(Clone, Debug)]
pub struct Cut {
    /// The model.
    pub model: Model,
    /// The bytes of its file.
    pub file: Bytes,
}

/// Nodes belong to operator sets that no model can import together.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("nodes of functions and of the graph import other versions of one operator set")]
pub struct Incompatible;

/// No model can be made of some nodes.
#[derive(Debug, thiserror::Error)]
#[expect(missing_docs, reason = "each variant's message says what it is")]
pub enum CutError {
    #[error(transparent)]
    Incompatible(#[from] Incompatible),
    #[error(transparent)]
    Decode(#[from] Box<DecodeError>),
}

/// What a model of some nodes is given and gives.
#[derive(Default)]
pub struct Ports {
    /// Values that it is given, with their types, in this order.
    pub inputs: Vec<(String, TypeProto)>,
    /// Its initialisers.
    pub constants: Vec<TensorProto>,
    /// Values that it gives, with their types, in this order.
    pub outputs: Vec<(String, TypeProto)>,
}

/// The model of these nodes of a graph.
pub fn cut(graph: &Graph, steps: &[Step], ports: Ports) -> Result<Cut, CutError> {
    let port = |(name, value_type)| ValueInfoProto { name: Some(name), r#type: Some(value_type) };
    // What a node's graphs call is in the model with it.
    let needs_functions = steps.iter().any(|step| step.graphs().next().is_some());
    let model = ModelProto {
        ir_version: Some(graph.ir_version),
        opset_import: imports(steps)?,
        producer_name: Some("onnx-conformance".to_owned()),
        functions: if needs_functions { graph.functions.to_vec() } else { Vec::new() },
        graph: Some(GraphProto {
            name: Some("cut".to_owned()),
            node: steps.iter().map(|step| step.node.clone()).collect(),
            initializer: ports.constants,
            input: ports.inputs.into_iter().map(port).collect(),
            output: ports.outputs.into_iter().map(port).collect(),
            ..GraphProto::default()
        }),
    };
    let file = Bytes::from(model.encode_to_vec());
    let model = onnx::Model::decode("a part of the model", file.clone()).map_err(Box::new)?;
    Ok(Cut { model: Model::Onnx(Box::new(model)), file })
}

/// The operator sets that nodes belong to.
fn imports(steps: &[Step]) -> Result<Vec<OperatorSetIdProto>, Incompatible> {
    let mut versions: BTreeMap<&str, i64> = BTreeMap::new();
    let mut seen: BTreeSet<*const OperatorSetIdProto> = BTreeSet::new();
    for step in steps {
        // Most nodes share the list of imports.
        if !seen.insert(step.imports.as_ptr()) {
            continue;
        }
        for import in &*step.imports {
            let domain =
                if onnx::is_default_domain(import.domain()) { "" } else { import.domain() };
            if *versions.entry(domain).or_insert(import.version()) != import.version() {
                return Err(Incompatible);
            }
        }
    }
    let import = |(domain, version): (&str, i64)| OperatorSetIdProto {
        domain: Some(domain.to_owned()),
        version: Some(version),
    };
    Ok(versions.into_iter().map(import).collect())
}

/// The type of a value; `None` of a sequence or optional that holds nothing to tell it.
pub fn type_of(value: &Value) -> Option<TypeProto> {
    let value = match value {
        Value::Tensor(tensor) => return Some(tensor_type(tensor.dtype(), Some(tensor.shape()))),
        Value::Sequence(values) => {
            // Its tensors may have other shapes.
            let element = values.first().and_then(type_of).map(without_shape);
            let elem_type = Some(Box::new(element?));
            type_proto::Value::SequenceType(Box::new(type_proto::Sequence { elem_type }))
        }
        Value::Optional(value) => {
            let elem_type = Some(Box::new(type_of(value.as_deref()?)?));
            type_proto::Value::OptionalType(Box::new(type_proto::Optional { elem_type }))
        }
    };
    Some(TypeProto { value: Some(value) })
}

/// The type of tensors of this element type, and shape if that is known.
pub fn tensor_type(dtype: DType, shape: Option<&[usize]>) -> TypeProto {
    let dimension = |&size: &usize| Dimension {
        value: Some(dimension::Value::DimValue(i64::try_from(size).unwrap_or(i64::MAX))),
    };
    let shape = shape.map(|shape| TensorShapeProto { dim: shape.iter().map(dimension).collect() });
    let tensor = type_proto::Tensor { elem_type: Some(dtype.onnx_code()), shape };
    TypeProto { value: Some(type_proto::Value::TensorType(tensor)) }
}

/// The same type of tensors of any shape.
fn without_shape(mut of: TypeProto) -> TypeProto {
    if let Some(type_proto::Value::TensorType(tensor)) = &mut of.value {
        tensor.shape = None;
    }
    of
}

/// A tensor as an initialiser of this name.
pub fn constant(name: &str, tensor: &Tensor) -> TensorProto {
    onnx::encode_tensor(name, tensor)
}

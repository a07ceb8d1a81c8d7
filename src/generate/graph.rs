//! Models of a single node, with typed ports of stated shape.

use crate::dtype::DType;
use crate::onnx::proto::attribute_proto::AttributeType;
use crate::onnx::proto::tensor_shape_proto::{Dimension, dimension};
use crate::onnx::proto::{
    AttributeProto, GraphProto, ModelProto, NodeProto, OperatorSetIdProto, SparseTensorProto,
    TensorProto, TensorShapeProto, TypeProto, ValueInfoProto, type_proto,
};
use crate::tensor::Tensor;
use reference::operator::{Domain, Port};
use reference::operators;

/// Who the models say made them.
const PRODUCER: &str = "onnx-conformance";

/// A node: an operator in the version of an operator set, with attributes.
#[derive(Clone, Debug)]
pub(crate) struct Node {
    pub(super) op_type: &'static str,
    pub(super) opset: i64,
    pub(super) attributes: Vec<AttributeProto>,
}

impl Node {
    pub(crate) const fn new(op_type: &'static str, opset: i64) -> Self {
        Self { op_type, opset, attributes: Vec::new() }
    }

    /// The node with one more attribute.
    pub(super) fn with(mut self, attribute: AttributeProto) -> Self {
        self.attributes.push(attribute);
        self
    }

    /// The version of ONNX's intermediate representation that came with the operator set, by the
    /// table in ONNX's `docs/Versioning.md`; 3 is the oldest that names operator sets.
    const fn ir_version(&self) -> i64 {
        match self.opset {
            ..9 => 3,
            9 => 4,
            10 => 5,
            11 => 6,
            ..15 => 7,
            ..19 => 8,
            ..21 => 9,
            ..23 => 10,
            23 => 11,
            24 => 12,
            _ => 13,
        }
    }

    /// The model of this node alone, with inputs and output of these tensors' types. The ports have
    /// the names of the operator's version.
    pub(crate) fn model(&self, name: &str, inputs: &[Tensor], output: &Tensor) -> ModelProto {
        let operator = operators::find(Domain::Onnx, self.op_type);
        let version = operator.and_then(|operator| operator.version(self.opset));
        let names = |ports: Option<&'static [Port]>| -> Vec<&str> {
            ports.unwrap_or_default().iter().map(|port| port.name).collect()
        };
        let input_names = names(version.map(|version| version.inputs));
        let output_name = names(version.map(|version| version.outputs));
        let output_name = output_name.first().copied().unwrap_or_default();
        let node = NodeProto {
            name: Some(self.op_type.to_lowercase()),
            op_type: Some(self.op_type.to_owned()),
            input: input_names.iter().map(ToString::to_string).collect(),
            output: vec![output_name.to_owned()],
            attribute: self.attributes.clone(),
            ..NodeProto::default()
        };
        let ports = input_names.iter().zip(inputs);
        let graph = GraphProto {
            name: Some(name.to_owned()),
            input: ports.map(|(name, x)| port(name, x.dtype(), x.shape())).collect(),
            output: vec![port(output_name, output.dtype(), output.shape())],
            node: vec![node],
            ..GraphProto::default()
        };
        ModelProto {
            ir_version: Some(self.ir_version()),
            opset_import: vec![OperatorSetIdProto {
                domain: Some(String::new()),
                version: Some(self.opset),
            }],
            producer_name: Some(PRODUCER.to_owned()),
            graph: Some(graph),
            ..ModelProto::default()
        }
    }
}

/// An attribute of one integer.
pub(super) fn int(name: &str, value: i64) -> AttributeProto {
    AttributeProto {
        name: Some(name.to_owned()),
        r#type: Some(AttributeType::Int as i32),
        i: Some(value),
        ..AttributeProto::default()
    }
}

/// An attribute of several integers.
pub(super) fn ints(name: &str, values: &[i64]) -> AttributeProto {
    AttributeProto {
        name: Some(name.to_owned()),
        r#type: Some(AttributeType::Ints as i32),
        ints: values.to_vec(),
        ..AttributeProto::default()
    }
}

/// An input or output of a graph.
pub(super) fn port(name: &str, dtype: DType, shape: &[usize]) -> ValueInfoProto {
    let dim = |&dim: &usize| Dimension {
        value: Some(dimension::Value::DimValue(dim as i64)),
        ..Dimension::default()
    };
    let tensor = type_proto::Tensor {
        elem_type: Some(dtype.onnx_code()),
        shape: Some(TensorShapeProto { dim: shape.iter().map(dim).collect() }),
    };
    ValueInfoProto {
        name: Some(name.to_owned()),
        r#type: Some(TypeProto {
            value: Some(type_proto::Value::TensorType(tensor)),
            ..TypeProto::default()
        }),
        ..ValueInfoProto::default()
    }
}

/// Leaves the element type of the graph's last input open.
pub(super) fn forget_last_type(graph: &mut GraphProto) {
    let port = graph.input.last_mut().and_then(|port| port.r#type.as_mut());
    if let Some(type_proto::Value::TensorType(tensor)) = port.and_then(|port| port.value.as_mut()) {
        tensor.elem_type = None;
    }
}

/// Makes the graph's last input a sparse initialiser of `tensor`'s type and shape that stores the
/// first element of it.
pub(super) fn make_last_input_sparse(graph: &mut GraphProto, tensor: &Tensor) {
    let Some(input) = graph.input.pop() else { return };
    let dims: Vec<i64> = tensor.shape().iter().map(|&dim| dim as i64).collect();
    let width = tensor.dtype().bits().unwrap_or_default() as usize / 8;
    let stored = TensorProto {
        name: input.name,
        data_type: Some(tensor.dtype().onnx_code()),
        dims: vec![1],
        raw_data: tensor.bits().map(|bits| bits.slice(..width)),
        ..TensorProto::default()
    };
    let indices = TensorProto {
        data_type: Some(DType::Int64.onnx_code()),
        dims: vec![1],
        raw_data: Some(0_i64.to_le_bytes().to_vec().into()),
        ..TensorProto::default()
    };
    graph.sparse_initializer.push(SparseTensorProto {
        values: Some(stored),
        indices: Some(indices),
        dims,
    });
}

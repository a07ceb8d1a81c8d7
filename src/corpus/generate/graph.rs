//! Models of a single node, with typed ports of stated shape.

use crate::dtype::DType;
use crate::onnx::proto::attribute_proto::AttributeType;
use crate::onnx::proto::tensor_shape_proto::{Dimension, dimension};
use crate::onnx::proto::{
    AttributeProto, GraphProto, ModelProto, NodeProto, OperatorSetIdProto, SparseTensorProto,
    TensorProto, TensorShapeProto, TypeProto, ValueInfoProto, type_proto,
};
use crate::onnx::{encode_sparse, encode_tensor};
use crate::tensor::Tensor;
use reference::case_spec::CaseSpec;
use reference::operator::{AttributeValue, Domain, Operator, Port};
use reference::operators;

/// Who the models say made them.
const PRODUCER: &str = "onnx-conformance";

/// The model of one node: an operator in the version of an operator set, with inputs and outputs of these
/// tensors' types, of inputs those that are given. The ports have the names of the operator's version.
pub(crate) fn node_model(
    op_type: &str,
    opset: i64,
    attributes: Vec<AttributeProto>,
    name: &str,
    inputs: &[Option<Tensor>],
    outputs: &[Tensor],
) -> ModelProto {
    let operator = operators::find(Domain::Onnx, op_type);
    let version = operator.and_then(|operator| operator.version(opset));
    let input_port = |at| version.and_then(|version| version.input(at));
    let output_port = |at| version.and_then(|version| version.output(at));
    let named = |(at, tensor): (usize, &Option<Tensor>)| match tensor {
        Some(_) => port_name(input_port(at), at),
        None => String::new(),
    };
    let input_names: Vec<String> = inputs.iter().enumerate().map(named).collect();
    // A value has one name, though an input and an output of an operator may be called the same.
    let output_names = (0..outputs.len()).map(|at| {
        let name = port_name(output_port(at), at);
        if input_names.contains(&name) { format!("{name}_out") } else { name }
    });
    let output_names: Vec<String> = output_names.collect();
    // What is left out at the end is not named.
    let last = inputs.iter().rposition(Option::is_some).map_or(0, |last| last + 1);
    let node = NodeProto {
        name: Some(op_type.to_lowercase()),
        op_type: Some(op_type.to_owned()),
        input: input_names[..last].to_vec(),
        output: output_names.clone(),
        attribute: attributes,
        ..NodeProto::default()
    };
    let given = input_names.iter().zip(inputs).filter_map(|(name, x)| Some((name, x.as_ref()?)));
    let typed = |(name, x): (&String, &Tensor)| port(name, x.dtype(), x.shape());
    let graph = GraphProto {
        name: Some(name.to_owned()),
        input: given.map(typed).collect(),
        output: output_names.iter().zip(outputs).map(typed).collect(),
        node: vec![node],
        ..GraphProto::default()
    };
    ModelProto {
        ir_version: Some(ir_version(opset)),
        opset_import: vec![OperatorSetIdProto {
            domain: Some(String::new()),
            version: Some(opset),
        }],
        producer_name: Some(PRODUCER.to_owned()),
        graph: Some(graph),
        ..ModelProto::default()
    }
}

/// The name of the tensor at a place.
fn port_name(port: Option<&Port>, at: usize) -> String {
    port.map_or_else(|| format!("unknown_{at}"), |port| port.name_at(at))
}

/// Names the outputs of the graph's node, which has those that are asked for alone, after their own ports, and leaves the
/// others out.
pub(super) fn leave_outputs_out(graph: &mut GraphProto, operator: &Operator, spec: &CaseSpec) {
    let version = operator.version(spec.opset);
    let mut named = graph.output.iter_mut();
    let mut names = Vec::new();
    for (at, is_asked) in spec.requested().into_iter().enumerate() {
        let name = port_name(version.and_then(|version| version.output(at)), at);
        if is_asked && let Some(port) = named.next() {
            port.name = Some(name.clone());
        }
        names.push(if is_asked { name } else { String::new() });
    }
    if let Some(node) = graph.node.first_mut() {
        node.output = names;
    }
}

/// The version of ONNX's intermediate representation that came with the operator set, by the
/// table in ONNX's `docs/Versioning.md`; 3 is the oldest that names operator sets.
const fn ir_version(opset: i64) -> i64 {
    match opset {
        ..9 => 3,
        9 => 4,
        10 => 5,
        11 => 6,
        12..15 => 7,
        15..19 => 8,
        19..21 => 9,
        21..23 => 10,
        23 => 11,
        24 => 12,
        25..28 => 13,
        // Floats of 6 bits came with it.
        _ => 14,
    }
}

/// An attribute; `None` where its value is none of those that operators of ONNX take here.
pub(super) fn attribute(name: &str, value: &AttributeValue) -> Option<AttributeProto> {
    let empty = AttributeProto::default();
    let (kind, of) = match value {
        AttributeValue::Int(value) => {
            (AttributeType::Int, AttributeProto { i: Some(*value), ..empty })
        }
        AttributeValue::Ints(values) => {
            (AttributeType::Ints, AttributeProto { ints: values.clone(), ..empty })
        }
        AttributeValue::Float(bits) => {
            (AttributeType::Float, AttributeProto { f: Some(f32::from_bits(*bits)), ..empty })
        }
        AttributeValue::Floats(all) => {
            let floats = all.iter().copied().map(f32::from_bits).collect();
            (AttributeType::Floats, AttributeProto { floats, ..empty })
        }
        AttributeValue::Text(text) => {
            let s = Some(text.clone().into_bytes().into());
            (AttributeType::String, AttributeProto { s, ..empty })
        }
        AttributeValue::Texts(texts) => {
            let strings = texts.iter().map(|text| text.clone().into_bytes().into()).collect();
            (AttributeType::Strings, AttributeProto { strings, ..empty })
        }
        AttributeValue::Tensor(tensor) => {
            let t = Some(encode_tensor("", tensor));
            (AttributeType::Tensor, AttributeProto { t, ..empty })
        }
        AttributeValue::Sparse(sparse) => {
            // ONNX's schema wants the values named.
            let sparse_tensor = Some(Box::new(encode_sparse("values", sparse)));
            (AttributeType::SparseTensor, AttributeProto { sparse_tensor, ..empty })
        }
        AttributeValue::Other => return None,
    };
    Some(AttributeProto { name: Some(name.to_owned()), r#type: Some(kind as i32), ..of })
}

/// An input or output of a graph.
fn port(name: &str, dtype: DType, shape: &[usize]) -> ValueInfoProto {
    let dim = |&dim: &usize| Dimension { value: Some(dimension::Value::DimValue(dim as i64)) };
    let tensor = type_proto::Tensor {
        elem_type: Some(dtype.onnx_code()),
        shape: Some(TensorShapeProto { dim: shape.iter().map(dim).collect() }),
    };
    ValueInfoProto {
        name: Some(name.to_owned()),
        r#type: Some(TypeProto { value: Some(type_proto::Value::TensorType(tensor)) }),
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

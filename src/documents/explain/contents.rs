//! The files of a case as text, for readers of a change to them: the model, and every element in decimal and bits.

use std::collections::BTreeMap;
use std::fmt::Write;

use bytes::Bytes;
use prost::Message;

use crate::corpus::Digest;
use crate::dtype::DType;
use crate::judge::compare::Element;
use crate::model::{Format, Model};
use crate::onnx::proto::tensor_shape_proto::dimension::Value as Size;
use crate::onnx::proto::type_proto::Value as TypeValue;
use crate::onnx::proto::{
    AttributeProto, GraphProto, ModelProto, NodeProto, TensorProto, TypeProto, ValueInfoProto,
};
use crate::onnx::{decode_tensor, decode_value};
use crate::tensor::{Tensor, Value, coordinates};

/// Elements of a tensor that are shown.
const MAX_ELEMENTS: usize = 4096;

/// Graphs within graphs that are shown.
const MAX_DEPTH: usize = 8;

/// The files of a case, given by their paths in it. A line for each tells its size and digest, so that whatever changes
/// shows, even where it cannot be read.
pub fn contents(files: &BTreeMap<String, Bytes>) -> String {
    let decoded = |format: &Format| {
        let file = format.file();
        Some((file, Model::decode(*format, file, files.get(file)?.clone())))
    };
    let model = Format::ALL.iter().find_map(decoded);
    let mut text = String::new();
    for (path, content) in files {
        let digest = Digest::of(content).to_string();
        let bytes = content.len();
        let _ = writeln!(text, "{path}: {bytes} bytes, SHA-256 {}", &digest[..16]);
        match &model {
            Some((file, Ok(Model::Onnx(_)))) if path == file => of_model(&mut text, content),
            Some((file, Err(error))) if path == file => line(&mut text, 1, &error.to_string()),
            Some((_, Ok(model))) if path.ends_with(".pb") => {
                of_value_file(&mut text, model, path, content);
            }
            _ => plain(&mut text, content),
        }
    }
    text
}

fn line(text: &mut String, depth: usize, line: &str) {
    let _ = writeln!(text, "{:1$}{line}", "", 2 * depth);
}

/// A file that is a text.
fn plain(text: &mut String, content: &[u8]) {
    let Ok(content) = str::from_utf8(content) else { return };
    for one in content.lines() {
        line(text, 1, one);
    }
}

/// A file of a data set, whose name ends with the number of the model's input or output.
fn of_value_file(text: &mut String, model: &Model, path: &str, content: &Bytes) {
    let name = path.rsplit('/').next().unwrap_or(path).trim_end_matches(".pb");
    let (ports, number) = match name.split_once('_') {
        Some(("input", number)) => (model.inputs(), number),
        Some(("output", number)) => (model.outputs(), number),
        _ => return,
    };
    let Some(port) = number.parse().ok().and_then(|at: usize| ports.get(at)) else { return };
    line(text, 1, &port.name);
    match decode_value(path, content.clone(), &port.value_type) {
        Ok(value) => of_value(text, 2, &value),
        Err(error) => line(text, 2, &error.to_string()),
    }
}

fn of_value(text: &mut String, depth: usize, value: &Value) {
    match value {
        Value::Tensor(tensor) => of_tensor(text, depth, tensor),
        Value::Sequence(values) => {
            line(text, depth, &format!("sequence of {}", values.len()));
            values.iter().for_each(|value| of_value(text, depth + 1, value));
        }
        Value::Optional(None) => line(text, depth, "optional, absent"),
        Value::Optional(Some(value)) => {
            line(text, depth, "optional");
            of_value(text, depth + 1, value);
        }
    }
}

fn of_tensor(text: &mut String, depth: usize, tensor: &Tensor) {
    let (shape, count) = (tensor.shape(), tensor.elements());
    line(text, depth, &format!("{}{shape:?}", tensor.dtype()));
    for at in 0..count.min(MAX_ELEMENTS) {
        let Some(element) = Element::of(tensor, at) else { continue };
        line(text, depth + 1, &format!("{:?} {element}", coordinates(at, shape)));
    }
    if let Some(more) = count.checked_sub(MAX_ELEMENTS).filter(|more| *more > 0) {
        line(text, depth + 1, &format!("and {more} more elements"));
    }
}

/// A model that was decoded within the limits of memory before.
fn of_model(text: &mut String, content: &Bytes) {
    let Ok(proto) = ModelProto::decode(content.clone()) else { return };
    let opsets: Vec<_> = proto
        .opset_import
        .iter()
        .map(|opset| format!("{} {}", opset.domain(), opset.version()).trim().to_owned())
        .collect();
    let opsets = opsets.join(", ");
    let (version, producer) = (proto.ir_version(), proto.producer_name());
    line(text, 1, &format!("IR version {version}, operator set {opsets}, by {producer:?}"));
    proto.graph.iter().for_each(|graph| of_graph(text, 1, graph));
    for function in &proto.functions {
        line(text, 1, &format!("function {} {}", function.domain(), function.name()));
    }
}

fn of_graph(text: &mut String, depth: usize, graph: &GraphProto) {
    line(text, depth, &format!("graph {:?}", graph.name()));
    if depth > MAX_DEPTH {
        return line(text, depth + 1, "and what is in it");
    }
    let ports = |text: &mut String, kind: &str, ports: &[ValueInfoProto]| {
        for port in ports {
            let of_type = port.r#type.as_ref().map(type_of).unwrap_or_default();
            line(text, depth + 1, &format!("{kind} {} {of_type}", port.name()));
        }
    };
    ports(text, "input", &graph.input);
    for tensor in &graph.initializer {
        of_tensor_proto(text, depth + 1, "initializer", tensor);
    }
    for sparse in &graph.sparse_initializer {
        line(text, depth + 1, &format!("sparse initializer {:?}", sparse.dims));
        for tensor in sparse.values.iter().chain(&sparse.indices) {
            of_tensor_proto(text, depth + 2, "part", tensor);
        }
    }
    graph.node.iter().for_each(|node| of_node(text, depth + 1, node));
    ports(text, "output", &graph.output);
}

fn of_tensor_proto(text: &mut String, depth: usize, kind: &str, tensor: &TensorProto) {
    line(text, depth, &format!("{kind} {}", tensor.name()));
    match decode_tensor(tensor.clone()) {
        Ok(tensor) => of_tensor(text, depth + 1, &tensor),
        Err(problem) => line(text, depth + 1, &problem.to_string()),
    }
}

fn of_node(text: &mut String, depth: usize, node: &NodeProto) {
    let (outputs, inputs) = (node.output.join(", "), node.input.join(", "));
    let operator = crate::onnx::operator_name(node);
    line(text, depth, &format!("{outputs} = {operator}({inputs}) {:?}", node.name()));
    node.attribute.iter().for_each(|attribute| of_attribute(text, depth + 1, attribute));
}

fn of_attribute(text: &mut String, depth: usize, attribute: &AttributeProto) {
    let float = |value: &f32| Element::Bits(DType::Float32, value.to_bits().into()).to_string();
    let string = |value: &Bytes| Element::String(value.clone()).to_string();
    let list =
        |values: Vec<String>| (!values.is_empty()).then(|| format!("[{}]", values.join(", ")));
    let values = [
        attribute.f.as_ref().map(float),
        attribute.i.map(|value| value.to_string()),
        attribute.s.as_ref().map(string),
        list(attribute.floats.iter().map(float).collect()),
        list(attribute.ints.iter().map(ToString::to_string).collect()),
        list(attribute.strings.iter().map(string).collect()),
    ];
    let values: Vec<_> = values.into_iter().flatten().collect();
    let kind = format!("{:?}", attribute.r#type()).to_lowercase();
    line(text, depth, &format!("{}: {kind} {}", attribute.name(), values.join(" ")));
    for tensor in attribute.t.iter().chain(&attribute.tensors) {
        of_tensor_proto(text, depth + 1, "tensor", tensor);
    }
    for graph in attribute.g.iter().chain(&attribute.graphs) {
        of_graph(text, depth + 1, graph);
    }
    if let Some(sparse) = &attribute.sparse_tensor {
        line(text, depth + 1, &format!("sparse tensor {:?}", sparse.dims));
        for tensor in sparse.values.iter().chain(&sparse.indices) {
            of_tensor_proto(text, depth + 2, "part", tensor);
        }
    }
}

/// A type as a port states it, such as `float32[2, n]`.
fn type_of(of: &TypeProto) -> String {
    let within = |of: Option<&TypeProto>| of.map(type_of).unwrap_or_default();
    match &of.value {
        Some(TypeValue::TensorType(tensor)) => {
            let dtype = DType::from_onnx(tensor.elem_type());
            let dtype = dtype.map_or_else(|| "any".to_owned(), |dtype| dtype.to_string());
            let size = |size: Option<&Size>| match size {
                Some(Size::DimValue(value)) => value.to_string(),
                Some(Size::DimParam(name)) => name.clone(),
                None => "?".to_owned(),
            };
            let Some(shape) = &tensor.shape else { return dtype };
            let sizes: Vec<_> = shape.dim.iter().map(|dim| size(dim.value.as_ref())).collect();
            format!("{dtype}[{}]", sizes.join(", "))
        }
        Some(TypeValue::SequenceType(of)) => {
            format!("sequence({})", within(of.elem_type.as_deref()))
        }
        Some(TypeValue::OptionalType(of)) => {
            format!("optional({})", within(of.elem_type.as_deref()))
        }
        Some(_) => "of another kind".to_owned(),
        None => String::new(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::corpus::Corpus;
    use crate::corpus::suite::Suite;

    fn files(suite: Suite, name: &str) -> BTreeMap<String, Bytes> {
        let corpus = Corpus::carried(suite);
        let case = corpus.cases().iter().find(|case| case.name() == name).unwrap();
        case.load().unwrap().files().clone()
    }

    #[test]
    fn a_case_is_its_manifest_its_model_and_its_tensors() {
        let text = contents(&files(Suite::Sonnx, "sqrt/float32/example_1"));
        for part in [
            "case.json: ",
            "\"requirements\"",
            "  IR version ",
            "    input X float32[",
            "    Y = Sqrt(X) \"sqrt\"\n",
            "test_data_set_0/input_0.pb: ",
            "  X\n    float32[",
            " (0x",
        ] {
            assert!(text.contains(part), "{part:?} in {text}");
        }
    }

    #[test]
    fn a_model_of_openvino_is_shown_as_it_is() {
        let text = contents(&files(Suite::OpenVino, "divide_1/int32/floor_signs"));
        assert!(text.contains("  <net "), "{text}");
        assert!(text.contains("    int32["), "{text}");
    }

    #[test]
    fn every_byte_that_changes_shows() {
        let files = files(Suite::Onnx, "unsqueeze_11/float32/any_order");
        let text = contents(&files);
        for (path, content) in &files {
            for at in (0..content.len()).step_by(7) {
                let mut changed = content.to_vec();
                changed[at] ^= 1;
                let mut files = files.clone();
                files.insert(path.clone(), changed.into());
                assert_ne!(contents(&files), text, "byte {at} of {path}");
            }
        }
    }
}

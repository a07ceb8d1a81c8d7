//! What tests of several binaries use: small cases of one node each, written in ONNX's folder layout; reports
//! made up; the own suites.

pub(crate) mod aspects;
pub(crate) mod extent;
pub(crate) mod reports;
pub(crate) mod suites;

use std::collections::BTreeSet;
use std::fs;
use std::path::Path;

use bytes::Bytes;
use onnx_conformance::dtype::DType;
use onnx_conformance::onnx::encode_value;
use onnx_conformance::onnx::proto::{
    GraphProto, ModelProto, NodeProto, OperatorSetIdProto, TypeProto, ValueInfoProto, type_proto,
};
use onnx_conformance::tensor::{Tensor, Value};
use prost::Message;

/// Panics unless each source file in a folder of `tests` is declared by the one above it.
#[track_caller]
pub(crate) fn assert_every_file_is_built(folder: &str) {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests").join(folder);
    let mut folders = vec![(root.join("main.rs"), root)];
    while let Some((source, folder)) = folders.pop() {
        let declared = declared(&source);
        for entry in fs::read_dir(&folder).unwrap() {
            let path = entry.unwrap().path();
            let name = path.file_stem().unwrap().to_str().unwrap();
            let is_source = path.extension().is_some_and(|extension| extension == "rs");
            if is_source && path != source && name != "mod" {
                let (path, by) = (path.display(), source.display());
                assert!(declared.contains(name), "{path} is declared by no line of {by}");
            }
            let own = folder.join(format!("{name}.rs"));
            if path.is_dir() && own.exists() {
                folders.push((own, path));
            }
        }
    }
}

/// The modules that a file declares.
fn declared(source: &Path) -> BTreeSet<String> {
    let text = fs::read_to_string(source).unwrap();
    let names = text.lines().filter_map(|line| {
        let (visibility, name) = line.strip_suffix(';')?.split_once("mod ")?;
        (visibility.is_empty() || visibility == "pub(crate) ").then(|| name.to_owned())
    });
    names.collect()
}

/// The Python that `ONNX_CONFORMANCE_PYTHON` names, which should have certain packages; that there is
/// none is told. Whatever Python the machine has besides is not asked, so that tests do not depend on it.
pub(crate) fn python(packages: &str) -> Option<String> {
    let python = std::env::var("ONNX_CONFORMANCE_PYTHON").ok();
    if python.is_none() {
        eprintln!("SKIPPED: ONNX_CONFORMANCE_PYTHON names no Python with {packages}");
    }
    python
}

/// A float32 vector.
pub(crate) fn float32(values: &[f32]) -> Value {
    Value::Tensor(Tensor::from_values(DType::Float32, vec![values.len()], values.to_vec()).unwrap())
}

/// An int32 vector.
pub(crate) fn int32(values: &[i32]) -> Value {
    Value::Tensor(Tensor::from_values(DType::Int32, vec![values.len()], values.to_vec()).unwrap())
}

/// A vector of strings.
pub(crate) fn strings(strings: &[&[u8]]) -> Value {
    let elements = strings.iter().map(|string| Bytes::copy_from_slice(string)).collect();
    Value::Tensor(Tensor::from_strings(vec![strings.len()], elements).unwrap())
}

/// A model of one node, for inputs and outputs of these values' types.
pub(crate) fn model(op_type: &str, inputs: &[Value], outputs: &[Value]) -> Vec<u8> {
    let names = |prefix: &str, values: &[Value]| -> Vec<String> {
        (0..values.len()).map(|k| format!("{prefix}{k}")).collect()
    };
    let node = NodeProto {
        op_type: Some(op_type.to_owned()),
        input: names("x", inputs),
        output: names("y", outputs),
        ..NodeProto::default()
    };
    let graph = GraphProto {
        input: node.input.iter().zip(inputs).map(|(name, value)| info(name, value)).collect(),
        output: node.output.iter().zip(outputs).map(|(name, value)| info(name, value)).collect(),
        node: vec![node],
        ..GraphProto::default()
    };
    let opset = OperatorSetIdProto { domain: None, version: Some(14) };
    ModelProto { graph: Some(graph), opset_import: vec![opset], ..ModelProto::default() }
        .encode_to_vec()
}

fn info(name: &str, value: &Value) -> ValueInfoProto {
    let Value::Tensor(tensor) = value else { panic!("only tensors are made here") };
    let tensor_type = type_proto::Tensor {
        elem_type: Some(tensor.dtype().onnx_code()),
        ..type_proto::Tensor::default()
    };
    ValueInfoProto {
        name: Some(name.to_owned()),
        r#type: Some(TypeProto { value: Some(type_proto::Value::TensorType(tensor_type)) }),
    }
}

/// Writes a case of one node and one data set into `folder`.
pub(crate) fn write_case(folder: &Path, op_type: &str, inputs: &[Value], outputs: &[Value]) {
    let set = folder.join("test_data_set_0");
    fs::create_dir_all(&set).unwrap();
    fs::write(folder.join("model.onnx"), model(op_type, inputs, outputs)).unwrap();
    for (port, values) in [("input", inputs), ("output", outputs)] {
        for (k, value) in values.iter().enumerate() {
            fs::write(set.join(format!("{port}_{k}.pb")), encode_value(port, value)).unwrap();
        }
    }
}

//! `trace` and `judge`: the node that is wrong is found in a model, and no other.

mod command;
mod defects;
mod enclosure;
mod graphs;
mod models;

use std::collections::BTreeMap;
use std::path::Path;
use std::sync::atomic::AtomicBool;
use std::time::Duration;

use onnx_conformance::backend::builtin::Builtin;
use onnx_conformance::backend::{Answer, Backend, Identity, Task};
use onnx_conformance::dtype::DType;
use onnx_conformance::judge::profile::Profile;
use onnx_conformance::judge::{Extent, Sample};
use onnx_conformance::model::{Format, Model};
use onnx_conformance::models::file::ModelFile;
use onnx_conformance::models::inputs::Input;
use onnx_conformance::models::trace::document::Trace;
use onnx_conformance::models::trace::{self, Options};
use onnx_conformance::onnx::encode_tensor;
use onnx_conformance::onnx::proto::attribute_proto::AttributeType;
use onnx_conformance::onnx::proto::tensor_shape_proto::{Dimension, dimension};
use onnx_conformance::onnx::proto::{
    AttributeProto, GraphProto, ModelProto, NodeProto, OperatorSetIdProto, TensorProto,
    TensorShapeProto, TypeProto, ValueInfoProto, type_proto,
};
use onnx_conformance::tensor::{Tensor, Value};
use prost::Message;

/// A model that grows node by node.
#[derive(Clone, Default)]
pub(crate) struct Graph {
    pub(crate) graph: GraphProto,
    inputs: Vec<Input>,
}

impl Graph {
    /// An input with this value.
    fn input(mut self, name: &str, tensor: Tensor) -> Self {
        self.graph.input.push(port(name, tensor.dtype(), Some(tensor.shape())));
        let value = Value::from(tensor);
        self.inputs.push(Input { name: name.to_owned(), value, source: "a test".to_owned() });
        self
    }

    fn initialiser(mut self, name: &str, tensor: &Tensor) -> Self {
        self.graph.initializer.push(encode_tensor(name, tensor));
        self
    }

    /// A node of ONNX's domain that is called after its only output.
    pub(crate) fn node(
        self,
        op: &str,
        inputs: &[&str],
        output: &str,
        attributes: &[AttributeProto],
    ) -> Self {
        self.add(node(op, inputs, &[output], attributes))
    }

    fn add(mut self, node: NodeProto) -> Self {
        self.graph.node.push(node);
        self
    }

    pub(crate) fn output(mut self, name: &str, dtype: DType) -> Self {
        self.graph.output.push(port(name, dtype, None));
        self
    }

    pub(crate) fn model(&self) -> ModelProto {
        ModelProto {
            ir_version: Some(10),
            opset_import: vec![OperatorSetIdProto { domain: None, version: Some(21) }],
            graph: Some(self.graph.clone()),
            ..ModelProto::default()
        }
    }
}

fn node(op: &str, inputs: &[&str], outputs: &[&str], attributes: &[AttributeProto]) -> NodeProto {
    let name = outputs.iter().find(|output| !output.is_empty()).map(ToString::to_string);
    NodeProto {
        name,
        op_type: Some(op.to_owned()),
        input: inputs.iter().map(ToString::to_string).collect(),
        output: outputs.iter().map(ToString::to_string).collect(),
        attribute: attributes.to_vec(),
        ..NodeProto::default()
    }
}

pub(crate) fn port(name: &str, dtype: DType, shape: Option<&[usize]>) -> ValueInfoProto {
    let dim = |&size: &usize| Dimension { value: Some(dimension::Value::DimValue(size as i64)) };
    let shape = shape.map(|shape| TensorShapeProto { dim: shape.iter().map(dim).collect() });
    let tensor = type_proto::Tensor { elem_type: Some(dtype.onnx_code()), shape };
    let value = Some(type_proto::Value::TensorType(tensor));
    ValueInfoProto { name: Some(name.to_owned()), r#type: Some(TypeProto { value }) }
}

fn ints(name: &str, values: &[i64]) -> AttributeProto {
    let r#type = Some(AttributeType::Ints as i32);
    AttributeProto {
        name: Some(name.to_owned()),
        r#type,
        ints: values.to_vec(),
        ..Default::default()
    }
}

fn int(name: &str, value: i64) -> AttributeProto {
    let r#type = Some(AttributeType::Int as i32);
    AttributeProto { name: Some(name.to_owned()), r#type, i: Some(value), ..Default::default() }
}

fn float(name: &str, value: f32) -> AttributeProto {
    let r#type = Some(AttributeType::Float as i32);
    AttributeProto { name: Some(name.to_owned()), r#type, f: Some(value), ..Default::default() }
}

fn text(name: &str, value: &str) -> AttributeProto {
    let r#type = Some(AttributeType::String as i32);
    let s = Some(value.to_owned().into());
    AttributeProto { name: Some(name.to_owned()), r#type, s, ..Default::default() }
}

fn body(name: &str, graph: &Graph) -> AttributeProto {
    let r#type = Some(AttributeType::Graph as i32);
    let g = Some(graph.graph.clone());
    AttributeProto { name: Some(name.to_owned()), r#type, g, ..Default::default() }
}

/// Floats that are no round numbers, of both signs.
fn floats(shape: &[usize], scale: f32) -> Tensor {
    let count = shape.iter().product::<usize>();
    let value = |at: usize| ((at * 37 + 11) % 101) as f32 / 101.0 - 0.45;
    Tensor::from_vec(shape.to_vec(), (0..count).map(|at| value(at) * scale).collect()).unwrap()
}

fn vector<T: onnx_conformance::tensor::Native>(values: Vec<T>) -> Tensor {
    Tensor::from_vec(vec![values.len()], values).unwrap()
}

/// The built-in runtime on models that are changed before: what a wrong or a fusing runtime does.
struct Changed<F>(F);

impl<F: Fn(Vec<NodeProto>) -> Vec<NodeProto> + Send + Sync> Backend for Changed<F> {
    fn identity(&self) -> Identity {
        Identity::new("changed", "1")
    }

    fn run(&self, task: &Task<'_>) -> Answer {
        let mut model = ModelProto::decode(task.file.clone()).unwrap();
        let graph = model.graph.as_mut().unwrap();
        graph.node = (self.0)(std::mem::take(&mut graph.node));
        let model = Model::decode(Format::Onnx, "changed", model.encode_to_vec().into()).unwrap();
        Builtin.run(&Task { model: &model, ..*task })
    }
}

/// A sample of a hundred elements, and nothing but the nodes one by one.
fn options<'a>(profile: &'a Profile, interrupted: &'a AtomicBool) -> Options<'a> {
    Options {
        profile,
        sample: Sample { extent: Extent::Elements(100), seed: 0 },
        timeout: Duration::from_secs(60),
        threshold: None,
        substitutes: true,
        fusions: 0,
        effects: 0,
        cases: 0,
        expectations: None,
        checkpoint: None,
        resume: false,
        interrupted,
    }
}

/// The trace of a model on a backend, with groups of nodes and effects looked for.
fn traced(graph: &Graph, backend: &dyn Backend) -> Trace {
    traced_with(graph, backend, |options| options)
}

fn traced_with<'a>(
    graph: &Graph,
    backend: &dyn Backend,
    change: impl FnOnce(Options<'a>) -> Options<'a>,
) -> Trace {
    static GO_ON: AtomicBool = AtomicBool::new(false);
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("model.onnx");
    std::fs::write(&path, graph.model().encode_to_vec()).unwrap();
    let file = ModelFile::read(&path).unwrap();
    let profile = Profile::named("onnx-exact").unwrap();
    let profile: &'static Profile = Box::leak(Box::new((*profile).clone()));
    let options = change(Options {
        fusions: 4,
        effects: 4,
        cases: 4,
        threshold: Some(0.0),
        sample: Sample { extent: Extent::Operands(trace::OPERANDS), seed: 0 },
        ..options(profile, &GO_ON)
    });
    let traced = trace::trace(&file, &graph.inputs, backend, &options, &mut |_| ()).unwrap();
    let written = trace::write(&traced, &folder.path().join("out")).unwrap();
    let read = <Trace as onnx_conformance::document::JsonDocument>::read(&written.document);
    assert_eq!(read.unwrap(), traced.trace);
    traced.trace
}

fn verdicts(trace: &Trace) -> BTreeMap<&str, String> {
    trace.nodes.iter().map(|node| (node.node.as_str(), node.verdict.to_string())).collect()
}

fn write(path: &Path, graph: &Graph) {
    std::fs::write(path, graph.model().encode_to_vec()).unwrap();
}

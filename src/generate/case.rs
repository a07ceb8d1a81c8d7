//! A generated case, and the files that hold it.

use std::collections::BTreeMap;

use bytes::Bytes;
use prost::Message;

use super::GenerateError;
use super::answer::Answer;
use super::graph::Node;
use crate::case::{Expect, Manifest};
use crate::model::Format;
use crate::onnx::encode_value;
use crate::onnx::proto::{GraphProto, ModelProto, ValueInfoProto};
use crate::openvino::{TensorType, write_model};
use crate::tensor::Tensor;

/// A case: one model and one data set.
#[derive(Clone, Debug)]
pub(super) struct Case {
    /// Its folder below `testdata/suites`.
    pub(super) path: String,
    manifest: Manifest,
    model: Source,
    inputs: Vec<Tensor>,
    /// Written where values are expected; its type and shape are the model's in any case.
    output: Tensor,
}

/// A model as it is written.
#[derive(Clone, Debug)]
enum Source {
    Onnx(Box<ModelProto>),
    /// The XML of OpenVINO's intermediate representation.
    OpenVino(String),
}

impl Case {
    /// The case of a node's inputs and the oracle's answer. The class is the last part of the path.
    pub(super) fn new(
        path: String,
        node: &Node,
        inputs: Vec<Tensor>,
        answer: Answer,
        requirements: &[impl ToString],
        note: &str,
    ) -> Self {
        let model =
            Source::Onnx(node.model(&path.replace('/', "_"), &inputs, &answer.output).into());
        Self::of(path, model, inputs, answer, requirements, note)
    }

    /// The case of an OpenVINO Divide layer, as [`Case::new`].
    pub(super) fn openvino(
        path: String,
        attributes: &[(&str, &str)],
        inputs: [Tensor; 2],
        answer: Answer,
        requirements: &[impl ToString],
        note: &str,
    ) -> Result<Self, GenerateError> {
        fn port(tensor: &Tensor) -> TensorType<'_> {
            TensorType { dtype: tensor.dtype(), shape: tensor.shape() }
        }
        let [a, b] = [port(&inputs[0]), port(&inputs[1])];
        let xml = write_model(attributes, a, b, port(&answer.output))
            .ok_or(GenerateError::NoOpenVinoType { a: a.dtype, b: b.dtype })?;
        Ok(Self::of(path, Source::OpenVino(xml), inputs.into(), answer, requirements, note))
    }

    fn of(
        path: String,
        model: Source,
        inputs: Vec<Tensor>,
        answer: Answer,
        requirements: &[impl ToString],
        note: &str,
    ) -> Self {
        let class = path.rsplit('/').next().unwrap_or_default().to_owned();
        Self {
            model,
            manifest: Manifest {
                requirements: requirements.iter().map(ToString::to_string).collect(),
                class,
                expect: answer.expect,
                note: note.to_owned(),
            },
            path,
            inputs,
            output: answer.output,
        }
    }

    /// The same case with other words in the model.
    pub(super) fn with_graph(mut self, change: impl FnOnce(&mut GraphProto)) -> Self {
        if let Source::Onnx(model) = &mut self.model
            && let Some(graph) = &mut model.graph
        {
            change(graph);
        }
        self
    }

    /// The same case without the last input's file: the model holds it, or lacks it.
    pub(super) fn without_last_input(mut self) -> Self {
        self.inputs.pop();
        self
    }

    /// The files by their paths below `testdata/suites`.
    pub(super) fn files(&self) -> Result<BTreeMap<String, Bytes>, GenerateError> {
        let set = |file: String| format!("{}/test_data_set_0/{file}.pb", self.path);
        let encode = |name: &str, tensor: &Tensor| encode_value(name, &tensor.clone().into());
        let mut manifest = serde_json::to_vec_pretty(&json(&self.manifest))?;
        manifest.push(b'\n');
        let (format, model, [inputs, outputs]) = match &self.model {
            Source::Onnx(model) => (Format::Onnx, model.encode_to_vec(), ports(model)),
            Source::OpenVino(xml) => {
                (Format::OpenVino, xml.clone().into_bytes(), [vec!["a", "b"], vec!["o"]])
            }
        };
        let mut files = BTreeMap::from([
            (format!("{}/{}", self.path, format.file()), model.into()),
            (format!("{}/case.json", self.path), manifest.into()),
        ]);
        for (k, (tensor, name)) in self.inputs.iter().zip(inputs).enumerate() {
            files.insert(set(format!("input_{k}")), encode(name, tensor));
        }
        // Where a data set has no other file, the output holds its place.
        let has_output = self.manifest.expect.is_of_values() || self.inputs.is_empty();
        let outputs = outputs.into_iter().filter(|_| has_output);
        for (k, name) in outputs.enumerate() {
            files.insert(set(format!("output_{k}")), encode(name, &self.output));
        }
        Ok(files)
    }
}

/// The manifest as `case.json` writes it.
fn json(manifest: &Manifest) -> serde_json::Value {
    let Manifest { requirements, class, expect, note } = manifest;
    let expect = match expect {
        Expect::Values => "values",
        Expect::Refusal => "refusal",
        Expect::ValuesOrRefusal => "values_or_refusal",
        Expect::Undecided => "undecided",
    };
    serde_json::json!({
        "requirements": requirements,
        "class": class,
        "expect": expect,
        "note": note,
    })
}

/// The names of a model's inputs and of its outputs.
fn ports(model: &ModelProto) -> [Vec<&str>; 2] {
    let graph = model.graph.as_ref();
    [graph.map(|graph| &graph.input), graph.map(|graph| &graph.output)]
        .map(|ports| ports.into_iter().flatten().map(ValueInfoProto::name).collect())
}

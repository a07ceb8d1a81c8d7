//! A generated case, and the files that hold it.

use std::collections::BTreeMap;

use bytes::Bytes;
use prost::Message;
use serde::Serialize;

use super::GenerateError;
use super::answer::Answer;
use super::graph::Node;
use crate::onnx::encode_value;
use crate::onnx::proto::{GraphProto, ModelProto};
use crate::tensor::Tensor;

/// What a case asks of a backend.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize)]
#[serde(rename_all = "snake_case")]
pub(super) enum Expect {
    /// Outputs that conform.
    Values,
    /// Outputs that conform, or an orderly refusal.
    ValuesOrRefusal,
    /// Nothing but to live: no document decides.
    Undecided,
    /// An orderly refusal: the case breaks a constraint.
    Refusal,
}

/// What `case.json` says.
#[derive(Clone, Debug, Serialize)]
pub(super) struct CaseNote {
    /// Ids of the requirements that the case verifies.
    pub(super) requirements: Vec<String>,
    /// The equivalence class that the elements are of.
    pub(super) class: String,
    pub(super) expect: Expect,
    /// What the case is about, for people.
    pub(super) note: String,
}

/// A case: one model and one data set.
#[derive(Clone, Debug)]
pub(super) struct Case {
    /// Its folder below `testdata/suites`.
    pub(super) path: String,
    pub(super) note: CaseNote,
    model: ModelProto,
    inputs: Vec<Tensor>,
    output: Tensor,
}

impl Case {
    /// The case of a node's inputs and the oracle's answer. The class is the last part of the path.
    pub(super) fn new(
        path: String,
        node: &Node,
        inputs: Vec<Tensor>,
        answer: Answer,
        requirements: &[&str],
        note: &str,
    ) -> Self {
        let class = path.rsplit('/').next().unwrap_or_default().to_owned();
        Self {
            model: node.model(&path.replace('/', "_"), &inputs, &answer.output),
            note: CaseNote {
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
        if let Some(graph) = &mut self.model.graph {
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
        let mut note = serde_json::to_vec_pretty(&self.note)?;
        note.push(b'\n');
        let mut files = BTreeMap::from([
            (format!("{}/model.onnx", self.path), self.model.encode_to_vec().into()),
            (format!("{}/case.json", self.path), note.into()),
        ]);
        let [inputs, outputs] = ports(&self.model);
        for (k, (tensor, name)) in self.inputs.iter().zip(inputs).enumerate() {
            files.insert(set(format!("input_{k}")), encode(name, tensor));
        }
        for (k, name) in outputs.into_iter().enumerate() {
            files.insert(set(format!("output_{k}")), encode(name, &self.output));
        }
        Ok(files)
    }
}

/// The names of a model's inputs and of its outputs.
fn ports(model: &ModelProto) -> [Vec<&str>; 2] {
    let graph = model.graph.as_ref();
    [graph.map(|graph| &graph.input), graph.map(|graph| &graph.output)]
        .map(|ports| ports.into_iter().flatten().map(|port| port.name()).collect())
}

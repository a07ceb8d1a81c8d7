//! The built-in backend: this library's own kernels.

use std::collections::BTreeMap;

use super::identity::BUILTIN;
use super::{Answer, Backend, Identity, Outcome, Task, graph, layers};
use crate::model::Model;
use crate::onnx::{Port, ValueType};

/// The name the built-in backend is chosen by.
pub const NAME: &str = BUILTIN;

/// This library's kernels behind an executor for each format of models.
#[derive(Clone, Copy, Debug, Default)]
pub struct Builtin;

impl Backend for Builtin {
    fn identity(&self) -> Identity {
        Identity {
            name: NAME.to_owned(),
            version: env!("CARGO_PKG_VERSION").to_owned(),
            details: BTreeMap::new(),
        }
    }

    fn run(&self, task: &Task<'_>) -> Answer {
        let outputs = match task.model {
            Model::Onnx(model) => graph::execute(model, task.inputs, task.suite),
            Model::OpenVino(model) => layers::execute(model, task.inputs),
        };
        outputs.map_or_else(Outcome::Refused, Outcome::Outputs).into()
    }
}

impl Builtin {
    /// Whether every operator of the model has a kernel and every input is a tensor.
    pub fn supports(&self, model: &Model) -> bool {
        match model {
            Model::Onnx(model) => {
                let is_tensor = |port: &Port| matches!(port.value_type, ValueType::Tensor(_));
                graph::resolve(model).is_ok() && model.inputs().iter().all(is_tensor)
            }
            Model::OpenVino(model) => layers::resolve(model).is_ok(),
        }
    }
}

//! Runtimes in Rust: what takes ONNX models and runs them.

use bytes::Bytes;

use super::{Answer, Backend, Identity, Outcome, Refusal, Task, no_openvino};
use crate::model::Model;
use crate::onnx;
use crate::tensor::Value;

/// A runtime that takes ONNX models.
///
/// Every runtime that several threads may use is a [`Backend`] within this process;
/// [`serve()`](crate::backend::serve::serve) puts any behind the adapter protocol, in a process of its own.
pub trait Runtime {
    /// A model, made ready to run.
    type Loaded;

    /// The runtime's identity.
    fn identity(&self) -> Identity;

    /// Makes a model ready to run.
    fn load(&self, model: &onnx::Model, file: &Bytes) -> Result<Self::Loaded, Refusal>;

    /// Runs a model on values in the order of its inputs; trailing ones may be left out. Gives the
    /// values of its outputs, in their order.
    fn run(&self, loaded: &mut Self::Loaded, inputs: Vec<Value>) -> Result<Vec<Value>, Refusal>;
}

impl<R: Runtime + Send + Sync> Backend for R {
    fn identity(&self) -> Identity {
        Runtime::identity(self)
    }

    fn run(&self, task: &Task<'_>) -> Answer {
        let outputs = match task.model {
            Model::Onnx(model) => self
                .load(model, task.file)
                .and_then(|mut loaded| Runtime::run(self, &mut loaded, task.inputs.to_vec())),
            Model::OpenVino(_) => Err(no_openvino()),
        };
        outputs.map_or_else(Outcome::Refused, Outcome::Outputs).into()
    }
}

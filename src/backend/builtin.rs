//! The built-in backend: this library's own kernels.

use std::collections::BTreeMap;

use super::{Backend, Identity, Outcome, graph};
use crate::onnx::Model;
use crate::tensor::Value;

/// The name the built-in backend is chosen by.
pub const NAME: &str = "builtin";

/// This library's kernels behind a graph executor.
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

    fn run(&self, model: &Model, inputs: &[Value]) -> Outcome {
        graph::execute(model, inputs).map_or_else(Outcome::Refused, Outcome::Outputs)
    }
}

impl Builtin {
    /// Whether every operator of the model has a kernel.
    #[must_use]
    pub fn supports(&self, model: &Model) -> bool {
        graph::resolve(model).is_ok()
    }
}

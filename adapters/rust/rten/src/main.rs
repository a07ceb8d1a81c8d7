//! rten behind the adapter protocol of onnx-conformance.

mod refusal;
mod values;

use std::process::ExitCode;
use std::sync::Arc;

use bytes::Bytes;
use onnx_conformance::backend::{Identity, Refusal, Stage};
use onnx_conformance::dtype::DType;
use onnx_conformance::onnx::{Model, Port};
use onnx_conformance::serve::Runtime;
use onnx_conformance::tensor::Value;
use rten::{ModelOptions, NodeId, RunOptions, ThreadPool};

use crate::refusal::{of_load, of_run};
use crate::values::{element_type, from_rten, to_rten};

/// The runtime, on one thread.
struct Rten {
    pool: Arc<ThreadPool>,
}

/// A model with the nodes of its ports and their element types.
struct Loaded {
    model: rten::Model,
    inputs: Vec<(NodeId, DType)>,
    outputs: Vec<(NodeId, DType)>,
}

impl Runtime for Rten {
    type Loaded = Loaded;

    fn identity(&self) -> Identity {
        // rten documents that it holds these types so, and takes and gives them so.
        let details = [
            ("threads", "1"),
            ("int64", "held as int32; values beyond it are refused"),
            ("bool", "held as int32"),
            ("float64", "held as float32"),
        ];
        adapter::identity("rten", "rten", &details)
    }

    fn load(&self, model: &Model, file: &Bytes) -> Result<Loaded, Refusal> {
        let typed = |ports: &[Port]| -> Result<Vec<_>, Refusal> {
            ports.iter().map(|port| Ok((port.name.clone(), element_type(port)?))).collect()
        };
        let (inputs, outputs) = (typed(model.inputs())?, typed(model.outputs())?);
        let model =
            ModelOptions::with_all_ops().load(file.to_vec()).map_err(|error| of_load(&error))?;
        let nodes = |ports: Vec<(String, DType)>| -> Result<Vec<_>, Refusal> {
            let node = |name| model.node_id(name).map_err(|error| of_run(Stage::Load, &error));
            ports.iter().map(|(name, dtype)| Ok((node(name)?, *dtype))).collect()
        };
        Ok(Loaded { inputs: nodes(inputs)?, outputs: nodes(outputs)?, model })
    }

    fn run(&self, loaded: &mut Loaded, inputs: Vec<Value>) -> Result<Vec<Value>, Refusal> {
        let Loaded { model, inputs: ports, outputs } = loaded;
        let inputs = ports
            .iter()
            .zip(&inputs)
            .map(|(&(node, dtype), value)| Ok((node, to_rten(value, dtype)?.into())))
            .collect::<Result<_, Refusal>>()?;
        let nodes: Vec<NodeId> = outputs.iter().map(|&(node, _)| node).collect();
        let options = RunOptions::default().with_thread_pool(Some(Arc::clone(&self.pool)));
        let values =
            model.run(inputs, &nodes, Some(options)).map_err(|error| of_run(Stage::Run, &error))?;
        values
            .iter()
            .zip(outputs)
            .map(|(value, (_, dtype))| from_rten(&value.as_view(), *dtype))
            .collect()
    }
}

fn main() -> ExitCode {
    adapter::main(&Rten { pool: Arc::new(ThreadPool::with_num_threads(1)) })
}

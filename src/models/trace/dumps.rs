//! A backend that ran elsewhere: what it computed lies in files.
//!
//! A value is in `NAME.npy`, `NAME.pb` or an array of an `.npz`, an output of the model also in `output_0.pb` and so on, as
//! in ONNX's data sets; characters that no file has in its name are `_`. A node is judged where its outputs are there, and
//! what it reads was given or is there too.

use std::collections::BTreeMap;
use std::path::Path;

use crate::backend::{Answer, Backend, Identity, Isolation, Outcome, Refusal, Task};
use crate::models::file::ModelFile;
use crate::models::graph::{Graph, GraphError};
use crate::models::inputs::{Files, InputError, plain};
use crate::tensor::Value;

/// What a backend computed elsewhere, by the names of the values.
#[derive(Debug)]
pub struct Dumps {
    values: BTreeMap<String, Value>,
}

/// The files do not hold what they should.
#[derive(Debug, thiserror::Error)]
#[expect(missing_docs, reason = "each variant's message says what it is")]
pub enum DumpError {
    #[error("the graph cannot be computed")]
    Graph(#[from] GraphError),
    #[error(transparent)]
    Input(#[from] InputError),
    #[error("`{folder}` holds no value of the model; its outputs are {outputs}")]
    Nothing { folder: String, outputs: String },
}

impl Dumps {
    /// The values of a model in the files of a folder.
    pub fn of(folder: &Path, file: &ModelFile) -> Result<Self, DumpError> {
        let (graph, files) = (Graph::of(&file.model)?, Files::of(folder)?);
        let mut values = BTreeMap::new();
        for name in graph.steps.iter().flat_map(crate::models::graph::Step::writes) {
            let mut stems = vec![name.to_owned(), plain(name)];
            let place = graph.outputs.iter().position(|output| output.name() == name);
            stems.extend(place.map(|place| format!("output_{place}")));
            if let Some((value, _)) = files.find(&stems, name, graph.types.get(name))? {
                values.insert(name.to_owned(), value);
            }
        }
        if values.is_empty() {
            let outputs = graph.outputs.iter().map(|output| format!("`{}`", output.name()));
            let outputs = outputs.collect::<Vec<_>>().join(", ");
            return Err(DumpError::Nothing { folder: folder.display().to_string(), outputs });
        }
        Ok(Self { values })
    }
}

impl Backend for Dumps {
    fn identity(&self) -> Identity {
        Identity::new("files", "1")
    }

    fn run(&self, task: &Task<'_>) -> Answer {
        let value = |name: &str| {
            let value = self.values.get(name).cloned();
            value.ok_or_else(|| Refusal::unsupported(format!("there is no file of `{name}`")))
        };
        let outputs = task.model.outputs().iter().map(|port| value(&port.name));
        let outputs: Result<Vec<Value>, Refusal> = outputs.collect();
        outputs.map_or_else(Outcome::Refused, Outcome::Outputs).into()
    }

    fn isolation(&self) -> Isolation {
        Isolation::None
    }
}

//! The files of a process: the model, and of each request the inputs and outputs in a folder of
//! their own, made for it and named anew.

use std::io;
use std::path::{MAIN_SEPARATOR, Path, PathBuf};
use std::sync::Arc;
use std::time::{Duration, Instant};

use bytes::Bytes;

use super::folder::PrivateFolder;
use crate::backend::Task;
use crate::backend::protocol::Job;
use crate::foundation::platform::Folder;
use crate::limits::Budget;
use crate::onnx::{decode_value_within, encode_value};
use crate::tensor::Value;

/// Time that the removal of a folder may take while the run goes on. What is left goes with the
/// folder around it.
const REMOVAL: Duration = Duration::from_millis(250);

/// All files that a process shares with the harness.
pub(super) struct Files {
    // Closed before the folder around it is removed.
    model: Option<PlacedModel>,
    folder: Arc<PrivateFolder>,
}

/// The model that the process was given last. Its path is never that of another model.
struct PlacedModel {
    file: Bytes,
    folder: Folder,
    name: String,
}

/// The files of a request.
pub(super) struct RequestFiles {
    folder: Folder,
    /// The request that names them.
    pub(super) job: Job,
}

impl Files {
    pub(super) const fn new(folder: Arc<PrivateFolder>) -> Self {
        Self { folder, model: None }
    }

    /// The folder that all of them lie in.
    pub(super) fn path(&self) -> &Path {
        self.folder.path()
    }

    /// The folder that a file system was chosen by.
    pub(super) fn root(&self) -> &Path {
        self.path().parent().unwrap_or(self.path())
    }

    /// Puts the model and the inputs of a request of this number into place; where asked for, only if
    /// there is room for its outputs, too.
    pub(super) fn place(
        &mut self,
        id: u64,
        task: &Task<'_>,
        needs_room: bool,
    ) -> io::Result<RequestFiles> {
        let model = self.place_model(task)?;
        let folder = self.folder.folder().make("")?;
        let mut inputs = Vec::with_capacity(task.inputs.len());
        for (k, value) in task.inputs.iter().enumerate() {
            let port = task.model.inputs().get(k).map_or("", |port| port.name.as_str());
            let name = format!("input_{k}.pb");
            folder.write(&name, &encode_value(port, value))?;
            inputs.push(folder.path().join(name));
        }
        let outputs = (0..task.model.outputs().len()).map(|k| folder.path().join(output(k)));
        if needs_room && !folder.has_room(task.output_limit)? {
            return Err(io::ErrorKind::StorageFull.into());
        }
        // What is offered is what was made: the process may have moved the folders around it.
        if !folder.is_in_place() {
            return Err(io::Error::new(io::ErrorKind::NotFound, "it was moved away"));
        }
        let job = Job { id, model, inputs, outputs: outputs.collect() };
        Ok(RequestFiles { folder, job })
    }

    /// Puts the model into place, where it is not the one that lies there.
    fn place_model(&mut self, task: &Task<'_>) -> io::Result<PathBuf> {
        if let Some(placed) = &self.model
            && placed.is(task.file)
        {
            return Ok(placed.path());
        }
        if let Some(last) = self.model.take() {
            last.folder.remove(self.folder.folder(), Instant::now() + REMOVAL);
        }
        let folder = self.folder.folder().make("")?;
        let name = task.model.format().file().to_owned();
        folder.write(&name, task.file)?;
        let placed = self.model.insert(PlacedModel { file: task.file.clone(), folder, name });
        Ok(placed.path())
    }

    /// Removes the files of a request.
    pub(super) fn remove(&self, request: RequestFiles) {
        request.folder.remove(self.folder.folder(), Instant::now() + REMOVAL);
    }

    /// A message of the process without the names of its folders, which are others in each run.
    pub(super) fn without_folders(&self, message: &str, request: &RequestFiles) -> String {
        let model = self.model.iter().map(|model| model.folder.path());
        let folders = model.chain([request.folder.path(), self.path()]);
        folders.fold(message.to_owned(), |message, folder| {
            let folder = folder.display().to_string();
            message.replace(&format!("{folder}{MAIN_SEPARATOR}"), "").replace(&folder, "")
        })
    }
}

impl PlacedModel {
    fn path(&self) -> PathBuf {
        self.folder.path().join(&self.name)
    }

    /// Whether this model lies there, as the process was promised: it may have changed it.
    fn is(&self, file: &Bytes) -> bool {
        self.file == *file
            && self.folder.is_in_place()
            && self.folder.read(&self.name, file.len() as u64).is_ok_and(|there| there == *file)
    }
}

impl RequestFiles {
    /// Whether they are still where the process was sent to.
    pub(super) fn are_in_place(&self) -> bool {
        self.folder.is_in_place()
    }

    /// The values in the files that the adapter wrote.
    pub(super) fn outputs(&self, task: &Task<'_>) -> Result<Vec<Value>, String> {
        // All outputs are one input of the harness.
        let mut budget = Budget::default();
        let ports = task.model.outputs().iter().enumerate();
        ports
            .map(|(k, port)| {
                let name = output(k);
                let file = format!("the adapter's {name} (output `{}`)", port.name);
                let bytes = self
                    .folder
                    .read(&name, task.output_limit)
                    .map_err(|problem| format!("{file} {problem}"))?;
                decode_value_within(&file, bytes, &port.value_type, &mut budget)
                    .map_err(|error| error.to_string())
            })
            .collect()
    }
}

/// The name of the file of an output.
fn output(k: usize) -> String {
    format!("output_{k}.pb")
}

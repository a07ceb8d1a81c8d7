//! Serving a runtime behind the adapter protocol: all of an adapter but the runtime itself.
//!
//! [`serve`] reads requests, decodes models and values, and writes answers and outputs; a
//! [`Runtime`] loads and runs. Nothing here catches a panic: it ends the process, which is how the
//! harness learns of it.

use std::fs;
use std::io::{self, BufRead, Write};
use std::path::{Path, PathBuf};

use bytes::Bytes;
use serde::Serialize;

pub use crate::backend::Runtime;
use crate::backend::protocol::{Greeting, Hello, Job, Reply, Request, VERSION};
use crate::backend::{Refusal, RefusalKind, Stage, no_openvino};
use crate::corpus::MAX_FILE_BYTES;
use crate::limits;
use crate::onnx::{DecodeError, Model, Problem, decode_value, encode_value};

/// The harness, or the files that it names, are out of reach; there is nothing to answer.
#[derive(Debug, thiserror::Error)]
#[expect(missing_docs, reason = "each variant's message says what it is")]
pub enum ServeError {
    #[error("failed to read a request")]
    Receive(#[source] io::Error),
    #[error("failed to understand the request `{line}`; is this an adapter's standard input?")]
    Request { line: String, source: serde_json::Error },
    #[error("the harness speaks version {0} of the protocol, not {VERSION}; update this adapter")]
    Protocol(u32),
    #[error("failed to {0} `{path}`", path = .1.display())]
    Io(&'static str, PathBuf, #[source] io::Error),
    #[error("failed to answer")]
    Answer(#[source] io::Error),
}

/// The answer to a request that is not served.
enum Failure {
    /// The runtime refuses.
    Refused(Refusal),
    /// The adapter cannot go on.
    Serve(ServeError),
}

impl From<Refusal> for Failure {
    fn from(refusal: Refusal) -> Self {
        Self::Refused(refusal)
    }
}

/// A model that is kept for as long as requests name it.
struct Held<L> {
    path: PathBuf,
    model: Model,
    loaded: L,
}

/// Serves a runtime until the requests end.
pub fn serve<R: Runtime>(
    runtime: &R,
    requests: impl BufRead,
    mut answers: impl Write,
) -> Result<(), ServeError> {
    let mut held = None;
    for line in requests.lines() {
        let line = line.map_err(ServeError::Receive)?;
        match limits::from_json(line.as_bytes()) {
            Ok(Request::Hello(Hello { protocol: VERSION })) => {
                answer(&mut answers, &Greeting { backend: runtime.identity() })?;
            }
            Ok(Request::Hello(Hello { protocol })) => return Err(ServeError::Protocol(protocol)),
            Ok(Request::Run(job)) => {
                let reply = match run(runtime, &mut held, &job) {
                    Ok(()) => Reply::ok(job.id),
                    Err(Failure::Refused(refused)) => Reply::Refused { id: job.id, refused },
                    Err(Failure::Serve(error)) => return Err(error),
                };
                answer(&mut answers, &reply)?;
            }
            Err(source) => return Err(ServeError::Request { line, source }),
        }
    }
    Ok(())
}

/// Writes an answer as a line and sends it off.
fn answer(answers: &mut impl Write, answer: &impl Serialize) -> Result<(), ServeError> {
    let mut send = || {
        serde_json::to_writer(&mut *answers, answer)?;
        answers.write_all(b"\n")?;
        answers.flush()
    };
    send().map_err(ServeError::Answer)
}

/// Runs a job's model on its inputs and writes the outputs.
fn run<R: Runtime>(
    runtime: &R,
    slot: &mut Option<Held<R::Loaded>>,
    job: &Job,
) -> Result<(), Failure> {
    let held = match slot.take() {
        Some(held) if held.path == job.model => slot.insert(held),
        // The model that was held is gone before the next one takes its memory.
        _ => slot.insert(load(runtime, &job.model)?),
    };
    let ports = held.model.inputs();
    if job.inputs.len() > ports.len() {
        let message = format!("{} inputs for a graph that has {}", job.inputs.len(), ports.len());
        return Err(Refusal::run(RefusalKind::Invalid, message).into());
    }
    let mut inputs = Vec::new();
    for (port, path) in ports.iter().zip(&job.inputs) {
        let file = format!("input `{}`", port.name);
        let value = decode_value(&file, read(path)?, &port.value_type);
        inputs.push(value.map_err(|error| undecoded(Stage::Run, &error))?);
    }
    let outputs = runtime.run(&mut held.loaded, inputs)?;
    if outputs.len() != job.outputs.len() {
        let (found, wanted) = (outputs.len(), job.outputs.len());
        let message = format!("{found} outputs were returned, but the graph has {wanted}");
        return Err(Refusal::run(RefusalKind::Error, message).into());
    }
    let names = held.model.outputs().iter().map(|port| port.name.as_str());
    for ((name, value), path) in names.zip(&outputs).zip(&job.outputs) {
        fs::write(path, encode_value(name, value))
            .map_err(|error| Failure::Serve(ServeError::Io("write", path.clone(), error)))?;
    }
    Ok(())
}

fn load<R: Runtime>(runtime: &R, path: &Path) -> Result<Held<R::Loaded>, Failure> {
    if path.extension().is_some_and(|extension| extension == "xml") {
        return Err(no_openvino().into());
    }
    let file = read(path)?;
    let model =
        Model::decode("the model", file.clone()).map_err(|error| undecoded(Stage::Load, &error))?;
    let loaded = runtime.load(&model, &file)?;
    Ok(Held { path: path.to_owned(), model, loaded })
}

fn read(path: &Path) -> Result<Bytes, Failure> {
    limits::read(path, MAX_FILE_BYTES)
        .map(Bytes::from)
        .map_err(|error| Failure::Serve(ServeError::Io("read", path.to_owned(), error)))
}

/// The refusal of a file that does not decode: it is malformed, or of a kind not known here.
fn undecoded(stage: Stage, error: &DecodeError) -> Refusal {
    let kind = match error.problem {
        Problem::UnsupportedType(_)
        | Problem::UnknownType(_)
        | Problem::ExternalData
        | Problem::Segment => RefusalKind::Unsupported,
        _ => RefusalKind::Invalid,
    };
    Refusal { stage, kind, message: error.to_string() }
}
